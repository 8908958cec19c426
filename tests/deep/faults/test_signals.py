"""Signals at random moments: a prompt exit, the right exit code, and no partial file."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gainful
from faults.command import MAIN, TIMEOUT, read_folder, run_gainful
from terminal import needs_unix

pytestmark = needs_unix
NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
COMMANDS = {
    "eval": ("eval", "large.txt", "large.run", "-m", "nDCG@10", "-m", "AP", "-q"),
    "compare": ("compare", "large.txt", "large.run", "large.run.copy"),
    "convert": ("convert", "large.run", "out.csv.gz", "--force"),
    "parquet": ("convert", "large.run", "out.parquet", "--force"),
    "report": ("report", "large.txt", "large.run", "-o", "out.html"),
}
DELAYS = 4  # of each command and signal


@pytest.fixture(autouse=True)
def _restore_default_signals():
    """Handle signals by default, as a terminal does; with nohup, for example, some are ignored."""
    ignored = {name for name in NAMES if signal.getsignal(getattr(signal, name)) is signal.SIG_IGN}
    for name in ignored:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    yield
    for name in ignored:
        signal.signal(getattr(signal, name), signal.SIG_IGN)


def run_until_signal(name, number, delay):
    """Run a command, send a signal ``delay`` seconds after it began to work; return its end."""
    # The first statement of main(); earlier signals are handled by Python.
    first = "import signal, sys, gainful.cli; signal.signal(signal.SIGINT, signal.SIG_DFL)"
    code = f"{first}; print(file=sys.stderr, flush=True)\n{MAIN}"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *COMMANDS[name]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": "temporary"},
    )
    with process:
        process.stderr.readline()  # the command is about to begin
        time.sleep(delay)
        process.send_signal(number)
        try:
            _, err = process.communicate(timeout=TIMEOUT)
        finally:
            process.kill()
    return err.decode(), process.returncode


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("signal_name", NAMES)
def test_a_command_ends_by_a_signal_and_leaves_nothing(large, name, signal_name):
    Path("large.run.copy").symlink_to("large.run")
    Path("temporary").mkdir()
    targets = [word for word in COMMANDS[name] if word.startswith("out.")]
    for target in targets:
        Path(target).write_text("old")
    files = read_folder(large)
    number, moments = getattr(signal, signal_name), random.Random(f"{name} {signal_name}")
    for _ in range(DELAYS):
        err, code = run_until_signal(name, number, moments.random() ** 2)
        assert "Traceback" not in err
        assert "KeyboardInterrupt" not in err
        assert os.listdir("temporary") == []
        new_files = read_folder(large)
        # Before the process handles signals, and afterwards, the system ends it.
        assert code in (128 + number, -number, 0)
        if code:
            assert "error" not in err
        for target in targets:
            if new_files[target] != b"old":
                assert is_complete(target)
        assert set(new_files) == set(files)


def is_complete(target):
    """Return whether the written file is complete."""
    if target.endswith(".html"):
        return Path(target).read_text().rstrip().endswith("</html>")
    return gainful.convert(target, os.devnull, to="csv").n_rows == 500_000


@pytest.mark.parametrize("signal_name", NAMES)
def test_a_command_that_waits_for_a_pipe_ends_with_128_and_the_signal(folder, signal_name):
    os.mkfifo("slow.run")
    process = subprocess.Popen(
        [sys.executable, "-m", "gainful", "eval", "qrels.txt", "slow.run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with open("slow.run", "w"):  # returns once the command has opened it to read
        process.send_signal(getattr(signal, signal_name))
        out, err = process.communicate(timeout=TIMEOUT)
    assert (out, err, process.returncode) == (b"", b"", 128 + getattr(signal, signal_name))


def test_a_signal_that_comes_in_a_callback_is_not_lost(folder):
    setup = """
import signal, weakref, gainful.cli.eval as command
def interrupt(*_, **__):
    class Target: pass
    target = Target()
    reference = weakref.ref(target, lambda _: signal.raise_signal(signal.SIGTERM))
    del target
    raise AssertionError
command.evaluate_runs = interrupt
"""
    process = subprocess.run(
        [sys.executable, "-c", f"{setup}\n{MAIN}", "eval", "qrels.txt", "one.run"],
        capture_output=True,
        check=False,
        timeout=TIMEOUT,
    )
    assert (process.stdout, process.stderr, process.returncode) == (b"", b"", 143)


def test_a_signal_that_is_to_be_ignored_is(folder):
    setup = """
import signal, gainful.cli.eval as command
signal.signal(signal.SIGHUP, signal.SIG_IGN)
evaluate_runs = command.evaluate_runs
def hang_up(*arguments, **options):
    signal.raise_signal(signal.SIGHUP)
    return evaluate_runs(*arguments, **options)
command.evaluate_runs = hang_up
"""
    plain = run_gainful("eval", "qrels.txt", "one.run")
    assert plain.code == 0
    assert run_gainful("eval", "qrels.txt", "one.run", setup=setup) == plain


def test_an_interrupt_of_the_library_stops_its_threads_and_leaves_judgments_usable(large):
    judgments = gainful.read_qrels("large.txt")
    expected = gainful.evaluate(judgments, "large.run", "nDCG@10").mean()
    n_threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else None

    def interrupt(*_):
        raise KeyboardInterrupt

    for threads in (1, 4):
        with pytest.raises(KeyboardInterrupt):
            gainful.evaluate(judgments, "large.run", "nDCG@10", threads=threads, progress=interrupt)
        assert gainful.evaluate(judgments, "large.run", "nDCG@10").mean() == expected
    if n_threads is not None:
        assert len(os.listdir("/proc/self/task")) <= n_threads


def test_a_killed_writer_leaves_the_old_file_and_hinders_nobody(large):
    Path("temporary").mkdir()
    Path("out.csv.gz").write_text("old")
    _, code = run_until_signal("convert", signal.SIGKILL, 0.2)
    assert code in (-signal.SIGKILL, 0)
    assert code == 0 or read_folder(large)["out.csv.gz"] == b"old"
    assert gainful.convert("large.run", "out.csv.gz", force=True).n_rows == 500_000
