"""Signals at random moments: a prompt end, the exit code, and no part of a file."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gainful
from faults.command import MAIN, PATIENCE, content, needs_linux
from faults.command import gainful as command
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
def _signals_that_nobody_ignores():
    """As a terminal starts a command; whoever started the tests may ignore some (nohup)."""
    ignored = {one for one in NAMES if signal.getsignal(getattr(signal, one)) is signal.SIG_IGN}
    for one in ignored:
        signal.signal(getattr(signal, one), signal.SIG_DFL)
    yield
    for one in ignored:
        signal.signal(getattr(signal, one), signal.SIG_IGN)


def ended(name, number, delay, before=""):
    """How a command ends that gets a signal so long after it has begun to work."""
    # As main() does first: what comes before is Python's.
    first = "import signal, sys, gainful.cli; signal.signal(signal.SIGINT, signal.SIG_DFL)"
    code = f"{before}\n{first}; print(file=sys.stderr, flush=True)\n{MAIN}"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *COMMANDS[name]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": "temporary"},
    )
    with process:
        process.stderr.readline()  # it is about to begin
        time.sleep(delay)
        process.send_signal(number)
        try:
            _, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return err.decode(), process.returncode


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("which", NAMES)
def test_a_command_ends_by_a_signal_and_leaves_nothing(large, name, which):
    Path("large.run.copy").symlink_to("large.run")
    Path("temporary").mkdir()
    targets = [word for word in COMMANDS[name] if word.startswith("out.")]
    for target in targets:
        Path(target).write_text("old")
    before = content(large)
    number, moments = getattr(signal, which), random.Random(f"{name} {which}")
    for _ in range(DELAYS):
        err, code = ended(name, number, moments.random() ** 2)
        assert "Traceback" not in err
        assert "KeyboardInterrupt" not in err
        assert os.listdir("temporary") == []
        left = content(large)
        # Before the process takes signals, and after, the system ends it by itself.
        assert code in (128 + number, -number, 0)
        if code:
            assert "error" not in err
        for target in targets:
            if left[target] != b"old":
                assert whole(target)
        assert set(left) == set(before)


def whole(target):
    """Whether all of it is there."""
    if target.endswith(".html"):
        return Path(target).read_text().rstrip().endswith("</html>")
    return gainful.convert(target, os.devnull, to="csv").n_rows == 500_000


@pytest.mark.parametrize("which", NAMES)
def test_a_command_that_waits_for_a_pipe_ends_with_128_and_the_signal(folder, which):
    os.mkfifo("slow.run")
    process = subprocess.Popen(
        [sys.executable, "-m", "gainful", "eval", "qrels.txt", "slow.run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with open("slow.run", "w"):  # returns once the command has opened it to read
        process.send_signal(getattr(signal, which))
        out, err = process.communicate(timeout=PATIENCE)
    assert (out, err, process.returncode) == (b"", b"", 128 + getattr(signal, which))


@needs_linux  # elsewhere an unfinished file has a name, which a second interrupt leaves behind
def test_a_second_interrupt_while_the_first_cleans_up_leaves_nothing(folder):
    Path("out.csv").write_text("old")
    before = """
import signal, gainful.base.atomic_files as files
def interrupted(self, **_):
    signal.raise_signal(signal.SIGINT)
files._UnfinishedFile.finish = files._UnfinishedFile.remove = interrupted
"""
    seen = content(folder)
    done = command("convert", "one.run", "out.csv", "--force", before=before)
    assert done == ("", "", -signal.SIGINT)
    assert content(folder) == seen


def test_a_signal_that_comes_in_a_callback_is_not_lost(folder):
    before = """
import signal, weakref, gainful.cli.eval as command
def interrupted(*_, **__):
    class Held: pass
    held = Held()
    seen = weakref.ref(held, lambda _: signal.raise_signal(signal.SIGTERM))
    del held
    raise AssertionError
command.evaluate_runs = interrupted
"""
    process = subprocess.run(
        [sys.executable, "-c", f"{before}\n{MAIN}", "eval", "qrels.txt", "one.run"],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (process.stdout, process.stderr, process.returncode) == (b"", b"", 143)


def test_a_signal_that_is_to_be_ignored_is(folder):
    before = """
import signal, gainful.cli.eval as command
signal.signal(signal.SIGHUP, signal.SIG_IGN)
evaluate_runs = command.evaluate_runs
def hung_up(*given, **how):
    signal.raise_signal(signal.SIGHUP)
    return evaluate_runs(*given, **how)
command.evaluate_runs = hung_up
"""
    plain = command("eval", "qrels.txt", "one.run")
    assert plain.code == 0
    assert command("eval", "qrels.txt", "one.run", before=before) == plain


def test_an_interrupt_of_the_library_stops_its_threads_and_leaves_judgments_usable(large):
    judgments = gainful.read_qrels("large.txt")
    right = gainful.evaluate(judgments, "large.run", "nDCG@10").mean()
    n_before = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else None

    def interrupt(*_):
        raise KeyboardInterrupt

    for threads in (1, 4):
        with pytest.raises(KeyboardInterrupt):
            gainful.evaluate(judgments, "large.run", "nDCG@10", threads=threads, progress=interrupt)
        assert gainful.evaluate(judgments, "large.run", "nDCG@10").mean() == right
    if n_before is not None:
        assert len(os.listdir("/proc/self/task")) <= n_before


def test_a_killed_writer_leaves_the_old_file_and_hinders_nobody(large):
    Path("temporary").mkdir()
    Path("out.csv.gz").write_text("old")
    _, code = ended("convert", signal.SIGKILL, 0.2)
    assert code in (-signal.SIGKILL, 0)
    assert code == 0 or content(large)["out.csv.gz"] == b"old"
    assert gainful.convert("large.run", "out.csv.gz", force=True).n_rows == 500_000
