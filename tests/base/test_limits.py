"""How sources are read: progress that is reported, and the number of threads."""

import gzip
import os
import threading
from pathlib import Path

import pytest

from gainful import SourceError, evaluate, read_qrels
from terminal import needs_unix

QRELS = "q1 0 a 2\nq1 0 b 1\n"


@pytest.fixture(autouse=True)
def _write_inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text("q1 Q0 a 1 1 t\n")


@pytest.fixture
def large():
    """Write a run that takes a while on one thread, even on a fast machine."""
    block = b"".join(b"QQQQ Q0 %d 1 %d t\n" % (n * 7919 % 10**6, n) for n in range(10_000))
    with open("large", "wb") as file:
        file.writelines(block.replace(b"QQQQ", b"q%03d" % query) for query in range(400))
    Path("qrels").write_text("".join(f"q{query:03} 0 1 1\n" for query in range(400)))
    return "large"


# Progress
def test_progress_is_told_name_bytes_and_total(large):
    calls = []
    evaluate("qrels", large, threads=1, progress=lambda *arguments: calls.append(arguments))
    size = Path(large).stat().st_size
    assert calls.pop(0) == ("qrels", *[Path("qrels").stat().st_size] * 2)
    assert calls
    assert calls[-1] == (large, size, size)
    assert [name for name, _, _ in calls] == [large] * len(calls)
    assert {total for _, _, total in calls} == {size}
    assert all(0 <= n_bytes <= size for _, n_bytes, _ in calls)
    assert sorted(calls) == calls


def test_progress_of_a_compressed_file_counts_what_is_on_disk():
    calls = []
    Path("run.gz").write_bytes(gzip.compress(b"q1 Q0 a 1 1 t\n" + b"# comment\n" * 500_000))
    evaluate("qrels", "run.gz", progress=lambda *arguments: calls.append(arguments))
    size = Path("run.gz").stat().st_size
    calls = [call for call in calls if call[0] != "qrels"]
    assert calls
    assert all(name == "run.gz" and 0 < n_bytes <= total == size for name, n_bytes, total in calls)
    assert calls[-1][1] == size


@needs_unix
def test_progress_of_a_pipe_has_no_total():
    os.mkfifo("pipe")
    thread = threading.Thread(target=lambda: Path("pipe").write_text("q1 Q0 a 1 1 t\n"))
    thread.start()
    calls = []
    evaluate("qrels", "pipe", progress=lambda *arguments: calls.append(arguments))
    thread.join()
    assert calls[1:] == [("pipe", len("q1 Q0 a 1 1 t\n"), None)]


@pytest.mark.parametrize("run", ["plain", "packed"])
def test_what_progress_raises_ends_the_evaluation(large, run):
    if run == "packed":
        large = "large.gz"
        Path(large).write_bytes(gzip.compress(b"q001 Q0 a 1 1 t\n"))

    def progress(*_):
        raise LookupError

    with pytest.raises(LookupError):
        evaluate("qrels", large, threads=1, progress=progress)


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
