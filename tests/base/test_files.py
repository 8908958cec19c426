"""Compressed files, pipes and standard input give the values of the plain file, or one error."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from gainful import GainfulError, SourceError, cli, evaluate, read_qrels
from gainful.base import files
from terminal import needs_unix

ROWS = [f"q{q} Q0 d{n * 7 % 101} 1 {200 - n} t\n" for q in range(30) for n in range(100)]
RUN = "".join(ROWS).encode()
MIXED = "".join(Random(1).sample(ROWS, len(ROWS))).encode()
QRELS = "".join(f"q{q} 0 d{d} {d % 3}\n" for q in range(30) for d in range(0, 101, 5)).encode()


def compress_zstd(data: bytes) -> bytes:
    zstd = files.import_zstd()
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


COMPRESS = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": compress_zstd,
}
all_compressions = pytest.mark.parametrize("extension", COMPRESS)


@pytest.fixture(autouse=True)
def _write_inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_bytes(QRELS)
    Path("run").write_bytes(RUN)


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Set the folder for temporary files, which must be empty at the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def evaluate_files(run: str, qrels: str = "qrels", **options) -> dict:
    scores = evaluate(qrels, run, ["nDCG@10", "DCG"], **options)
    return {"queries": scores.queries, "values": scores.values.tolist(), "mean": scores.mean()}


def write_file(name: str, data: bytes) -> str:
    Path(name).write_bytes(data)
    return name


def test_extensions_are_those_of_the_tests():
    assert list(COMPRESS) == list(files.EXTENSIONS)


@all_compressions
@pytest.mark.parametrize("run", [RUN, MIXED], ids=["grouped", "mixed"])
def test_a_compressed_run_gives_the_values_of_the_plain_one(extension, run):
    packed = write_file("run" + extension, COMPRESS[extension](run))
    qrels = write_file("qrels" + extension, COMPRESS[extension](QRELS))
    assert evaluate_files(packed, qrels) == evaluate_files("run")
    assert evaluate_files(packed, threads=1) == evaluate_files("run")


@all_compressions
def test_members_one_after_the_other_are_one_file(extension):
    cuts = [0, 1, 5000, 5001, len(RUN) // 2, len(RUN)]
    members = [RUN[a:b] for a, b in pairwise(cuts)]
    packed = b"".join(map(COMPRESS[extension], [b"", *members, b""]))
    assert evaluate_files(write_file("run" + extension, packed)) == evaluate_files("run")


@all_compressions
def test_a_file_that_was_cut_off_is_an_error_that_names_it(extension):
    packed = COMPRESS[extension](QRELS)
    name = "cut" + extension
    for size in {*range(30), *range(30, len(packed), 37), *range(len(packed) - 9, len(packed))}:
        with pytest.raises(SourceError, match=rf"^{name}[:,]"):
            read_qrels(write_file(name, packed[:size]))
    write_file(name, COMPRESS[extension](b"q 0 d 1\n") + packed[:-3])
    with pytest.raises(SourceError, match=rf"^{name}: "):
        read_qrels(name)


@all_compressions
def test_a_file_that_was_damaged_is_an_error_or_no_matter(extension):
    packed, expected = COMPRESS[extension](QRELS), read_qrels("qrels").pool_label.tolist()
    random, name, n_errors = Random(extension), "bad" + extension, 0
    for _ in range(150):
        damaged = bytearray(packed)
        damaged[random.randrange(len(packed))] ^= 1 << random.randrange(8)
        try:
            assert read_qrels(write_file(name, bytes(damaged))).pool_label.tolist() == expected
        except SourceError as error:
            n_errors += 1
            assert str(error).startswith(name)  # noqa: PT017
    assert n_errors > 100


@all_compressions
def test_a_damaged_file_is_one_sentence_and_exit_1(extension, monkeypatch, capsys):
    packed = bytearray(COMPRESS[extension](RUN))
    del packed[len(packed) // 2 :]
    write_file("cut" + extension, bytes(packed))
    monkeypatch.setattr(sys, "argv", ["gainful", "eval", "qrels", "cut" + extension])
    assert cli.run() == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"error: cut{extension}: ")
    assert err.count("\n") == 1


@all_compressions
def test_an_empty_compressed_file_is_an_empty_file(extension):
    packed = write_file("empty" + extension, COMPRESS[extension](b""))
    for call in (lambda: evaluate_files(packed), lambda: read_qrels(packed)):
        with pytest.raises(GainfulError, match=rf"^{packed}: there are no (items|judgments) in it"):
            call()


# Pipes


def eval_pipe(data: bytes, *arguments: str, piece: int | None = None) -> str:
    """Return what ``gainful eval`` prints for a run from a pipe, written in pieces of a size."""
    with subprocess.Popen(
        [sys.executable, "-m", "gainful", "eval", "qrels", "-", "-m", "nDCG@10", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        pieces = [data[i : i + piece] for i in range(0, len(data), piece)] if piece else [data]
        for chunk in pieces:
            process.stdin.write(chunk)
            process.stdin.flush()
        out, _ = process.communicate()
    assert process.returncode == 0
    return out.decode()


def compute_expected_output() -> str:
    return f"nDCG@10\t{evaluate('qrels', 'run', 'nDCG@10')['nDCG@10']!r}\n"


@pytest.mark.parametrize("run", [RUN, MIXED], ids=["grouped", "mixed"])
def test_a_run_through_a_pipe_gives_the_values_of_the_file(run, temporary):
    assert eval_pipe(run) == compute_expected_output()
    assert eval_pipe(run, "--threads", "1", piece=4000) == compute_expected_output()


@all_compressions
def test_a_compressed_run_through_a_pipe_gives_the_values_of_the_file(extension, temporary):
    assert eval_pipe(COMPRESS[extension](MIXED)) == compute_expected_output()


def test_standard_input_is_read_from_where_it_stands():
    for compress in (bytes, COMPRESS[".gz"]):
        header = b"a header that is no run\n"
        Path("offset").write_bytes(header + compress(RUN))
        with open("offset", "rb") as file:
            os.lseek(file.fileno(), len(header), os.SEEK_SET)
            result = subprocess.run(
                [sys.executable, "-m", "gainful", "eval", "qrels", "-", "-m", "nDCG@10"],
                stdin=file,
                capture_output=True,
                text=True,
                check=True,
            )
        assert result.stdout == compute_expected_output()


@pytest.fixture
def write_fifo():
    """Make a named pipe whose data another thread writes piece by piece; return its name."""
    threads = []

    def write_fifo(pieces: list[bytes], pause: float = 0) -> str:
        name = f"fifo{len(threads)}"
        os.mkfifo(name)

        def write() -> None:
            with open(name, "wb", buffering=0) as file:
                for piece in pieces:
                    file.write(piece)
                    time.sleep(pause)

        threads.append(threading.Thread(target=write))
        threads[-1].start()
        return name

    yield write_fifo
    for thread in threads:
        thread.join()


@needs_unix
@pytest.mark.parametrize("run", [RUN, MIXED], ids=["grouped", "mixed"])
@pytest.mark.parametrize("compress", [bytes, COMPRESS[".gz"], COMPRESS[".zst"]])
def test_what_a_pipe_gave_is_read_again_from_disk_where_it_must(
    run, compress, write_fifo, temporary, monkeypatch
):
    monkeypatch.setattr(files, "_IN_MEMORY", 10)
    assert evaluate_files(write_fifo([compress(run)])) == evaluate_files("run")


@needs_unix
def test_what_a_pipe_gave_is_read_again_from_memory_where_it_can(write_fifo, temporary):
    late = RUN + b"q0 Q0 again 1 -5 t\n"
    expected = evaluate_files(write_file("late", late))
    assert evaluate_files(write_fifo([late])) == expected
    assert (
        evaluate_files(write_fifo([late[i : i + 999] for i in range(0, len(late), 999)]))
        == expected
    )


@needs_unix
def test_a_bad_line_in_a_pipe_leaves_nothing_behind(write_fifo, temporary, monkeypatch):
    monkeypatch.setattr(files, "_IN_MEMORY", 10)
    name = write_fifo([MIXED + b"q0 Q0 x 1 bad t\n"])
    with pytest.raises(SourceError, match=rf"^{name}, line 3001: score must be a number"):
        evaluate("qrels", name)


@needs_unix
@all_compressions
def test_a_pipe_that_begins_with_a_single_byte_is_recognized_too(extension, write_fifo):
    packed = COMPRESS[extension](RUN)
    assert evaluate_files(write_fifo([packed[:1], packed[1:]], pause=0.2)) == evaluate_files("run")


@needs_unix
def test_standard_input_that_is_closed_is_one_sentence_and_exit_1():
    command = f"{sys.executable} -m gainful eval qrels - <&-"
    result = subprocess.run(command, shell=True, capture_output=True, text=True)
    sentence = "error: standard input (-) is closed. [cannot-read]\n"
    assert (result.stdout, result.stderr, result.returncode) == ("", sentence, 1)
    assert result.stderr.count("\n") == 1


SMALL_QRELS = "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"
SMALL_RUN = "q1 Q0 d2 1 0.9 tag\nq1 Q0 d1 2 0.8 tag\nq2 Q0 d1 1 0.7 tag\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


@pytest.mark.parametrize("module", [gzip, bz2, lzma])
def test_compressed_files_give_the_same_values(write, module):
    extension = {gzip: ".gz", bz2: ".bz2", lzma: ".xz"}[module]
    plain = evaluate(write("qrels.txt", SMALL_QRELS), write("my.run", SMALL_RUN))
    packed = evaluate(
        write("qrels.txt" + extension, module.compress(SMALL_QRELS.encode())),
        write("my.run" + extension, module.compress(SMALL_RUN.encode())),
    )
    assert packed.to_dict() == plain.to_dict()
    assert packed.run == "my"


def test_compression_is_recognized_by_content_whatever_the_name(write):
    assert read_qrels(write("packed", gzip.compress(SMALL_QRELS.encode()))).queries == ("q1", "q2")


def test_an_id_that_begins_like_a_compressed_file_is_an_id(write):
    assert read_qrels(write("plain", "BZhang 0 d 1\n")).queries == ("BZhang",)


def test_unreadable_files_say_why(write, tmp_path):
    for path, sentence in (
        ("none.txt", "none.txt: no such file or directory."),
        (str(tmp_path), f"{tmp_path}: is a directory."),
        (
            write("cut.gz", gzip.compress(SMALL_QRELS.encode())[:20]),
            "cut.gz: the compressed data end too early; the file was cut short.",
        ),
    ):
        with pytest.raises(SourceError) as error:
            read_qrels(path)
        assert str(error.value) == sentence
