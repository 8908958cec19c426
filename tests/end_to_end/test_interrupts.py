"""An interrupt ends the reading of pipes and large files at once."""

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

from gainful import evaluate
from terminal import needs_unix

PATIENCE = 60  # seconds; it takes far less, but machines may be busy
QRELS = "q1 0 a 2\nq1 0 b 1\n"


@pytest.fixture(autouse=True)
def _write_input_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text("q1 Q0 a 1 1 t\n")


@pytest.fixture
def large_run():
    """Write a run that takes a while on one thread, even on a fast machine; return its path."""
    block = b"".join(b"QQQQ Q0 %d 1 %d t\n" % (n * 7919 % 10**6, n) for n in range(10_000))
    with open("large", "wb") as file:
        file.writelines(block.replace(b"QQQQ", b"q%03d" % query) for query in range(400))
    Path("qrels").write_text("".join(f"q{query:03} 0 1 1\n" for query in range(400)))
    return "large"


def interrupt_process(process: subprocess.Popen) -> tuple[bytes, bytes, int]:
    process.send_signal(signal.SIGINT)
    with process:
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return out, err, process.returncode


def start_eval(*arguments: str) -> subprocess.Popen:
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
    process = start_eval("endless", "--threads", threads)
    has_started = threading.Event()
    writer = threading.Thread(target=write_endlessly, args=("endless", grouped, has_started))
    writer.start()
    assert has_started.wait(PATIENCE)
    assert interrupt_process(process) == (b"", b"", 130)
    writer.join(PATIENCE)
    assert list(Path("temporary").iterdir()) == []


@needs_unix
def test_an_interrupt_ends_a_pipe_that_has_fallen_silent():
    os.mkfifo("silent")
    process = start_eval("silent", "--threads", "1")
    lines = b"".join(b"q%d Q0 %d 1 1 t\n" % (n, n) for n in range(50_000))
    with open("silent", "wb") as file:
        for _ in range(30):
            file.write(lines)
        assert interrupt_process(process) == (b"", b"", 130)


def write_endlessly(path: str, grouped: bool, has_started: threading.Event) -> None:
    """Write lines until nobody reads them; set the event after some megabytes."""
    with suppress(BrokenPipeError), open(path, "wb", buffering=0) as file:
        for number in count():
            query = number if grouped else number % 7
            file.write(b"".join(b"q%d Q0 %d-%d 1 1 t\n" % (query, number, n) for n in range(999)))
            if number == 300:
                has_started.set()


def wait_for_reading(process: subprocess.Popen[bytes], path: str) -> None:
    """Wait until the file is open: before that, an interrupt ends Python's own start."""
    descriptors, target = Path(f"/proc/{process.pid}/fd"), Path(path).resolve()
    if not descriptors.exists():  # not Linux
        time.sleep(0.6)
    while descriptors.exists() and process.poll() is None:
        with suppress(OSError):  # a file that is closed while we look
            if any(descriptor.resolve() == target for descriptor in descriptors.iterdir()):
                return
        time.sleep(0.01)


@needs_unix
def test_an_interrupt_ends_the_reading_of_a_large_file(large_run):
    process = start_eval(large_run, "--threads", "1")
    wait_for_reading(process, large_run)
    out, err, code = interrupt_process(process)
    if process.returncode != 0:  # it may have been done by then
        assert (out, err, code) == (b"", b"", 130)
    assert list(Path("temporary").iterdir()) == []


def test_an_interrupt_from_within_ends_the_reading_of_a_file(large_run):
    # The handler runs while the native core reads, not before or after. A background job ignores
    # the signal unless it is told otherwise.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            evaluate(
                "qrels",
                large_run,
                threads=1,
                progress=lambda *_: signal.raise_signal(signal.SIGINT),
            )
    finally:
        signal.signal(signal.SIGINT, handler)
