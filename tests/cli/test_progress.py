"""How far it is, who is told, and an end at once for whoever has waited enough."""

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from gainful import SourceError, cli, evaluate, read_qrels
from gainful.cli import output
from terminal import needs_unix, seen_on_a_terminal

PATIENCE = 60  # seconds; it takes far less, but machines may be busy
QRELS = "q1 0 a 2\nq1 0 b 1\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text("q1 Q0 a 1 1 t\n")


@pytest.fixture
def large():
    """A run that takes a while on one thread, even on a fast machine."""
    block = b"".join(b"QQQQ Q0 %d 1 %d t\n" % (n * 7919 % 10**6, n) for n in range(10_000))
    with open("large", "wb") as file:
        file.writelines(block.replace(b"QQQQ", b"q%03d" % query) for query in range(400))
    Path("qrels").write_text("".join(f"q{query:03} 0 1 1\n" for query in range(400)))
    return "large"


def interrupted(process: subprocess.Popen) -> tuple[bytes, bytes, int]:
    process.send_signal(signal.SIGINT)
    with process:
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return out, err, process.returncode


def started(*arguments: str) -> subprocess.Popen:
    folder = Path("temporary")
    folder.mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "gainful", "eval", "qrels", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(folder.resolve())},
    )


@needs_unix
@pytest.mark.parametrize("grouped", [True, False], ids=["grouped", "mixed"])
@pytest.mark.parametrize("threads", ["1", "3"])
def test_an_interrupt_ends_an_endless_pipe(grouped, threads):
    os.mkfifo("endless")
    process = started("endless", "--threads", threads)
    written = threading.Event()
    writer = threading.Thread(target=write_for_ever, args=("endless", grouped, written))
    writer.start()
    assert written.wait(PATIENCE)
    assert interrupted(process) == (b"", b"", 130)
    writer.join(PATIENCE)
    assert list(Path("temporary").iterdir()) == []


@needs_unix
def test_an_interrupt_ends_a_pipe_that_has_fallen_silent():
    os.mkfifo("silent")
    process = started("silent", "--threads", "1")
    lines = b"".join(b"q%d Q0 %d 1 1 t\n" % (n, n) for n in range(50_000))
    with open("silent", "wb") as file:
        for _ in range(30):
            file.write(lines)
        assert interrupted(process) == (b"", b"", 130)


def write_for_ever(path: str, grouped: bool, written: threading.Event) -> None:
    """Writes lines until nobody reads them; says when there were some megabytes."""
    with suppress(BrokenPipeError), open(path, "wb", buffering=0) as file:
        for number in count():
            query = number if grouped else number % 7
            file.write(b"".join(b"q%d Q0 %d-%d 1 1 t\n" % (query, number, n) for n in range(999)))
            if number == 300:
                written.set()


def wait_until_it_reads(process: subprocess.Popen[bytes], path: str) -> None:
    """Returns when the file is open: before that, an interrupt ends Python's own start."""
    held, wanted = Path(f"/proc/{process.pid}/fd"), Path(path).resolve()
    if not held.exists():  # not Linux
        time.sleep(0.6)
    while held.exists() and process.poll() is None:
        with suppress(OSError):  # a file that is closed while we look
            if any(one.resolve() == wanted for one in held.iterdir()):
                return
        time.sleep(0.01)


@needs_unix
def test_an_interrupt_ends_the_reading_of_a_large_file(large):
    process = started(large, "--threads", "1")
    wait_until_it_reads(process, large)
    out, err, code = interrupted(process)
    if process.returncode != 0:  # it may have been done by then
        assert (out, err, code) == (b"", b"", 130)
    assert list(Path("temporary").iterdir()) == []


def test_an_interrupt_from_within_ends_the_reading_of_a_file(large):
    # The handler runs while the native core reads, not before or after. A background job ignores
    # the signal unless it is told otherwise.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            evaluate(
                "qrels", large, threads=1, progress=lambda *_: signal.raise_signal(signal.SIGINT)
            )
    finally:
        signal.signal(signal.SIGINT, before)


# Progress


def test_progress_is_told_name_bytes_and_total(large):
    told = []
    evaluate("qrels", large, threads=1, progress=lambda *arguments: told.append(arguments))
    size = Path(large).stat().st_size
    assert told.pop(0) == ("qrels", *[Path("qrels").stat().st_size] * 2)
    assert told
    assert told[-1] == (large, size, size)
    assert [name for name, _, _ in told] == [large] * len(told)
    assert {total for _, _, total in told} == {size}
    assert all(0 <= done <= size for _, done, _ in told)
    assert sorted(told) == told


def test_progress_of_a_compressed_file_counts_what_is_on_disk():
    told = []
    Path("run.gz").write_bytes(gzip.compress(b"q1 Q0 a 1 1 t\n" + b"# comment\n" * 500_000))
    evaluate("qrels", "run.gz", progress=lambda *arguments: told.append(arguments))
    size = Path("run.gz").stat().st_size
    told = [call for call in told if call[0] != "qrels"]
    assert told
    assert all(name == "run.gz" and 0 < done <= total == size for name, done, total in told)
    assert told[-1][1] == size


@needs_unix
def test_progress_of_a_pipe_has_no_total():
    os.mkfifo("pipe")
    thread = threading.Thread(target=lambda: Path("pipe").write_text("q1 Q0 a 1 1 t\n"))
    thread.start()
    told = []
    evaluate("qrels", "pipe", progress=lambda *arguments: told.append(arguments))
    thread.join()
    assert told[1:] == [("pipe", len("q1 Q0 a 1 1 t\n"), None)]


@pytest.mark.parametrize("run", ["plain", "packed"])
def test_what_progress_raises_ends_the_evaluation(large, run):
    if run == "packed":
        large = "large.gz"
        Path(large).write_bytes(gzip.compress(b"q001 Q0 a 1 1 t\n"))

    def progress(*_):
        raise LookupError

    with pytest.raises(LookupError):
        evaluate("qrels", large, threads=1, progress=progress)


class Terminal:
    """Standard error that says it is a terminal."""

    def __init__(self) -> None:
        self.seen = ""

    def write(self, text: str) -> int:
        self.seen += text
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def test_a_bar_shows_only_after_a_while_and_vanishes(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with output.progress_bar() as progress:
        progress("quick", 1, 2)
    assert terminal.seen == ""
    monkeypatch.setattr(output, "_PATIENCE", 0)
    with output.progress_bar() as progress:
        progress("one", 10, 200)
        progress("two", 0, None)
        progress("[red]three", 100, 200)
    assert "reading [red]three" in terminal.seen
    assert "50%" in terminal.seen
    assert terminal.seen.endswith(("\x1b[2K", "\x1b[?25h", "\r"))


def test_nobody_is_told_where_standard_error_is_no_terminal(monkeypatch, capsys):
    monkeypatch.setattr(output, "_PATIENCE", 0)
    with output.progress_bar() as progress:
        assert progress is None
    monkeypatch.setattr(sys, "argv", ["gainful", "eval", "qrels", "run", "-m", "CG"])
    assert cli.run() == 0
    assert "reading" not in capsys.readouterr().err


@needs_unix
def test_a_slow_pipe_shows_a_bar_on_a_terminal():
    feed = "(printf 'q1 Q0 a 1 1 t\\n'; sleep 1.5; printf 'q1 Q0 b 2 0 t\\n'; sleep 0.5)"
    seen = seen_on_a_terminal(f"{feed} | TERM=xterm gainful eval qrels - -m CG", Path.cwd())
    assert "reading -" in seen
    assert "CG      3.0000\n" in seen
    quiet = seen_on_a_terminal(
        f"{feed} | TERM=xterm gainful eval qrels - -m CG 2>errors; cat errors", Path.cwd()
    )
    assert "reading" not in quiet
    assert quiet.startswith("CG      3.0000\nJudged  1.0000\nrules: ")


# Threads


@pytest.mark.parametrize("threads", [0, -1, True, "2", 2.0])
def test_threads_must_be_an_integer_above_0(threads):
    sentence = f"threads: must be an integer >= 1, got {threads!r}."
    for call in (
        lambda: evaluate("qrels", "run", threads=threads),
        lambda: read_qrels("qrels", threads=threads),
    ):
        with pytest.raises(SourceError) as error:
            call()
        assert str(error.value) == sentence


@pytest.mark.parametrize("threads", [1, 2, 64, 10**9])
def test_any_number_of_threads_gives_the_same_values(threads):
    assert evaluate("qrels", "run", threads=threads).to_dict() == evaluate("qrels", "run").to_dict()


def test_threads_are_an_option_of_the_command(monkeypatch, capsys):
    for threads, code, err in [
        ("2", 0, "rules: "),
        ("0", 2, "Usage: "),
    ]:
        monkeypatch.setattr(sys, "argv", ["gainful", "eval", "qrels", "run", "--threads", threads])
        assert cli.run() == code
        assert capsys.readouterr().err.startswith(err)
