"""What unpacks to far more than it is: read or refused, in bounded memory."""

import gzip
import lzma

import pytest

from gainful import SourceError, evaluate, read_qrels
from gainful.base import limits as _limits
from gainful.base.files import import_zstd, open_file
from limits.bounded_processes import gainful, needs_resource, python
from limits.compressed_files import SUFFIXES, pack

_GB = 10**9
_MOST_MB = 500
_LONG = "is longer than 16,777,216 bytes, the most that a line may have."


@needs_resource
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("block", [b"\0", b"x"], ids=["zeros", "letters"])
def test_a_line_without_end_is_refused_before_it_is_unpacked(tmp_path, suffix, block):
    path = pack(tmp_path / f"run.txt{suffix}", block, _GB // 4, above=b"q Q0 d1 1 2 x\n")
    (tmp_path / "qrels").write_text("q 0 d1 1\n")
    ended = gainful("eval", tmp_path / "qrels", path, "-m", "RR")
    assert ended.status == 1
    assert ended.err == f"error: {path}, line 2: {_LONG} [malformed-line]"
    assert ended.peak_mb < _MOST_MB


@needs_resource
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_billion_bytes_of_queries_that_nobody_judged_are_read_in_bounded_memory(tmp_path, suffix):
    above = b"q Q0 d1 1 2 x\n"
    path = pack(tmp_path / f"run.txt{suffix}", b"other Q0 item 1 0.5 x\n", _GB, above=above)
    assert path.stat().st_size < _GB / 50
    (tmp_path / "qrels").write_text("q 0 d1 1\n")
    ended = gainful("eval", tmp_path / "qrels", path, "-m", "RR")
    assert ended.status == 0
    assert ended.out.splitlines()[0].split() == ["RR", "1.0"]
    assert ended.peak_mb < _MOST_MB


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("qrels.json.gz", read_qrels),
        ("queries.csv.gz", lambda path: evaluate(_ONE, _ONE, "RR", queries=path)),
        ("items.csv.gz", lambda path: evaluate(_ONE, _ONE, "RR", items=path)),
    ],
)
def test_a_file_that_is_read_as_a_whole_is_refused_where_it_unpacks_to_too_much(
    tmp_path, monkeypatch, name, read
):
    monkeypatch.setattr(_limits, "LARGEST_WHOLE", 100_000)
    path = tmp_path / name
    path.write_bytes(gzip.compress(b'{"q": {"d": ' + b" " * 200_000 + b"1}}"))
    with pytest.raises(SourceError) as refused:
        read(path)
    assert str(refused.value) == (
        f"{path}: has more than 100,000 bytes, unpacked, the most that a file may have that is "
        "read as a whole. Pass JSON lines, CSV or Parquet."
    )


_ONE = {"q": {"d": 1}}


def test_more_predictions_than_rows_are_counted_and_not_held(tmp_path):
    (tmp_path / "qrels.letor").write_text("1 qid:1 1:0\n0 qid:1 1:0\n")
    path = pack(tmp_path / "scores.gz", b"0.5\n", 8_000_000)
    with pytest.raises(SourceError, match="for each of the 2 rows of the qrels, got 2"):
        evaluate(tmp_path / "qrels.letor", path, "RR")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_many_small_streams_are_one_file(tmp_path, suffix):
    path = tmp_path / f"qrels.txt{suffix}"
    stream = pack(tmp_path / f"one{suffix}", b"q 0 d 1\n", 1).read_bytes()
    empty = pack(tmp_path / f"none{suffix}", b"q", 0).read_bytes()
    text = b"".join(_line_of(suffix, i) for i in range(50))
    path.write_bytes(empty * 20_000 + text + empty * 100)
    assert len(stream) > len(empty)
    assert len(evaluate(path, {"q1": ["d"]}, "RR").queries) == 50


def _line_of(suffix, number):
    text = b"q%d 0 d 1\n" % number
    match suffix:
        case ".gz":
            return gzip.compress(text)
        case ".xz":
            return lzma.compress(text)
        case ".zst":
            return import_zstd().compress(text)
    import bz2

    return bz2.compress(text)


def _read(path):
    with open_file(path) as file:
        return b"".join(bytes(piece) for piece, _ in file.read_pieces())


def test_an_xz_file_that_demands_a_huge_dictionary_is_refused(tmp_path):
    path = tmp_path / "qrels.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]
    packed = bytearray(lzma.compress(b"q 0 d 1\n", filters=filters))
    assert _read_bytes(path, packed) == b"q 0 d 1\n"
    # The size of the dictionary is a byte of the block's header, which a checksum follows.
    header = bytearray(packed[12:20])
    header[4] = 40  # 4 GB
    packed[12:24] = header + _crc(header)
    with pytest.raises(SourceError) as refused:
        _read_bytes(path, packed)
    assert str(refused.value) == f"{path}: memory usage limit exceeded."


def _crc(header):
    import zlib

    return zlib.crc32(header).to_bytes(4, "little")


def _read_bytes(path, packed):
    path.write_bytes(packed)
    return _read(path)


@needs_resource
def test_a_zstandard_frame_that_demands_a_window_of_2_gb_is_refused(tmp_path):
    path = tmp_path / "qrels.zst"
    window = (31 - 10) << 3  # of two to the power of 31 bytes
    # Magic, a header without a content size, the window, and the last block: one byte, as it is.
    path.write_bytes(b"\x28\xb5\x2f\xfd\x00" + bytes([window]) + b"\x09\x00\x00x")
    ended = gainful("eval", path, path, "-m", "RR")
    assert ended.status == 1
    assert ended.err.startswith(f"error: {path}: ")
    assert "Traceback" not in ended.err
    assert ended.peak_mb < _MOST_MB


_TABLES = """
import sys
import polars as pl
import gainful
folder = sys.argv[1]
rows = pl.DataFrame({"query": ["q"] * 50, "item": [f"d{i}" for i in range(50)], "label": [1] * 50})
rows.write_parquet(f"{folder}/a.parquet")
rows.write_ipc(f"{folder}/a.arrow")
refused = 0
for name in ("a.parquet", "a.arrow"):
    text = open(f"{folder}/{name}", "rb").read()
    for at in range(8, len(text) - 8, 13):
        with open(f"{folder}/lies-{name}", "wb") as file:
            file.write(text[:at] + b"\\xff\\xff\\xff\\x7f" + text[at + 4:])
        try:
            gainful.read_qrels(f"{folder}/lies-{name}")
        except gainful.GainfulError:
            refused += 1
# Not by getrusage: what it tells begins with the memory of the process that started this one.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(refused, int(peak.split()[1]) // 1000)
"""


@needs_resource
def test_tables_that_declare_huge_lengths_are_refused_in_bounded_memory(tmp_path):
    refused, peak_mb = map(int, python(_TABLES, tmp_path).split())
    assert refused > 20
    assert peak_mb < _MOST_MB
