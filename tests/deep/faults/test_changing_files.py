"""Files that are cut, rewritten or replaced while they are read: old, new, or one sentence."""

import gzip
import io
import os
import shutil
from pathlib import Path

import polars as pl
import pytest

import gainful
from faults.command import is_one_sentence, needs_linux, run_gainful
from gainful import SourceError
from gainful.sources import feed

MEASURE = "nDCG@10"


def _make_packer(write):
    def pack(text):
        rows = [line.split() for line in text.decode().splitlines()]
        columns = {"query": 0, "item": 2, "score": 4}
        frame = pl.DataFrame({name: [row[at] for row in rows] for name, at in columns.items()})
        buffer = io.BytesIO()
        write(frame.with_columns(pl.col("score").cast(pl.Float64)), buffer)
        return buffer.getvalue()

    return pack


PACKERS = {
    "plain": bytes,
    "gz": lambda text: gzip.compress(text, 1),
    "csv": _make_packer(lambda frame, file: frame.write_csv(file)),
    "parquet": _make_packer(lambda frame, file: frame.write_parquet(file, row_group_size=20_000)),
    "arrow": _make_packer(lambda frame, file: frame.write_ipc(file, record_batch_size=20_000)),
}
QRELS = {f"q{n:03}": {f"d{m}": m % 4 for m in range(0, 600, 7)} for n in range(200)}


def _make_text(order):
    block = "".join(f"QQQQ Q0 d{n} {i + 1} {-i} t\n" for i, n in enumerate(order))
    return "".join(block.replace("QQQQ", query) for query in QRELS).encode()


OLD, NEW = _make_text(range(600)), _make_text(range(599, -1, -1))


def _truncate(path, _new):
    os.truncate(path, os.path.getsize(path) // 2)


def _append(path, _new):
    with open(path, "ab") as file:
        file.write(b"q000 Q0 more 9 9 t\n")


def _replace(path, new):
    Path("beside").write_bytes(new)
    os.replace("beside", path)


CHANGES = {"cut": _truncate, "grown": _append, "replaced": _replace}


@pytest.fixture(scope="module")
def expected():
    return gainful.evaluate(QRELS, _parse_rows(OLD), MEASURE).mean()


def _parse_rows(text):
    nested = {}
    for line in text.decode().splitlines():
        query, _, item, _, score, _ = line.split()
        nested.setdefault(query, {})[item] = float(score)
    return nested


@needs_linux
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", PACKERS)
def test_a_changed_file_is_old_or_a_sentence(folder, monkeypatch, expected, form, change):
    path = f"large.{form}"
    Path(path).write_bytes(PACKERS[form](OLD))
    detect_format = feed._detect_format

    def change_and_detect(*arguments):
        CHANGES[change](path, PACKERS[form](NEW))
        return detect_format(*arguments)

    monkeypatch.setattr(feed, "_detect_format", change_and_detect)
    if change == "replaced":
        assert gainful.evaluate(QRELS, path, MEASURE, threads=2).mean() == expected
        return
    with pytest.raises(SourceError) as error:
        gainful.evaluate(QRELS, path, MEASURE, threads=2)
    sentence = f"{path}: changed while it was read. Read it again when it is complete."
    assert str(error.value) == sentence


@needs_linux
@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_a_table_that_is_cut_does_not_end_the_process(folder, form):
    shutil.copy("one.run", "kept.run")
    Path(f"large.{form}").write_bytes(PACKERS[form](OLD))
    Path("qrels.txt").write_text("".join(f"{query} 0 d7 1\n" for query in QRELS))
    setup = f"""
import os
from gainful.sources import frames
real = frames._collect_batches
def cut(scan):
    for number, batch in enumerate(real(scan)):
        if number == 0:
            os.truncate("large.{form}", 4096)
        yield batch
frames._collect_batches = cut
frames._ROWS = 1000
"""
    out, err, code = run_gainful("eval", "qrels.txt", f"large.{form}", setup=setup)
    assert (out, code) == ("", 1)
    assert is_one_sentence(err)
    assert err.startswith(f"error: large.{form}: changed while it was read.")
