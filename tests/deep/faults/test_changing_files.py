"""Files that are cut, written to or replaced while they are read: old, new, or one sentence."""

import bz2
import gzip
import io
import lzma
import os
import shutil
from pathlib import Path

import polars as pl
import pytest

import gainful
from faults.command import gainful as command
from faults.command import is_one_sentence, needs_linux
from gainful import SourceError
from gainful.base.files import import_zstd

MEASURE = "nDCG@10"


def _table(write):
    def packed(text):
        rows = [line.split() for line in text.decode().splitlines()]
        columns = {"query": 0, "item": 2, "score": 4}
        frame = pl.DataFrame({name: [row[at] for row in rows] for name, at in columns.items()})
        buffer = io.BytesIO()
        write(frame.with_columns(pl.col("score").cast(pl.Float64)), buffer)
        return buffer.getvalue()

    return packed


PACK = {
    "plain": bytes,
    "gz": lambda text: gzip.compress(text, 1),
    "bz2": lambda text: bz2.compress(text, 1),
    "xz": lambda text: lzma.compress(text, preset=0),
    "zst": lambda text: import_zstd().compress(text),
    "csv": _table(lambda frame, file: frame.write_csv(file)),
    "jsonl": _table(lambda frame, file: frame.write_ndjson(file)),
    "parquet": _table(lambda frame, file: frame.write_parquet(file, row_group_size=20_000)),
    "arrow": _table(lambda frame, file: frame.write_ipc(file, record_batch_size=20_000)),
}
QRELS = {f"q{n:03}": {f"d{m}": m % 4 for m in range(0, 600, 7)} for n in range(200)}


def _text(order):
    block = "".join(f"QQQQ Q0 d{n} {i + 1} {-i} t\n" for i, n in enumerate(order))
    return "".join(block.replace("QQQQ", query) for query in QRELS).encode()


OLD, NEW = _text(range(600)), _text(range(599, -1, -1))


def _cut(path, _new):
    os.truncate(path, os.path.getsize(path) // 2)


def _emptied(path, _new):
    os.truncate(path, 0)


def _grown(path, _new):
    with open(path, "ab") as file:
        file.write(b"q000 Q0 more 9 9 t\n")


def _rewritten(path, new):
    with open(path, "r+b") as file:
        file.write(new)
        file.truncate()


def _replaced(path, new):
    Path("beside").write_bytes(new)
    os.replace("beside", path)


def _gone(path, _new):
    os.unlink(path)


CHANGES = {"cut": _cut, "emptied": _emptied, "grown": _grown, "rewritten": _rewritten}
CHANGES |= {"replaced": _replaced, "gone": _gone}


def changing(monkeypatch, path, change, new, stage):
    """Change a file when it was opened, when its first bytes were seen, or when some were read."""
    done = []

    def act(*_):
        if not done:
            done.append(True)
            change(path, new)

    if stage == "opened":
        from gainful.base import files as _changes

        real = _changes._content_state
        seen = []

        def content(status):
            found = real(status)
            if not seen:  # of the qrels there are none: they are a dict
                seen.append(found)
                act()
            return found

        monkeypatch.setattr(_changes, "_content_state", content)
    if stage == "recognized":
        from gainful.sources import feed

        told = feed._detect_format

        def recognized(*given):
            act()
            return told(*given)

        monkeypatch.setattr(feed, "_detect_format", recognized)
    return act if stage == "read" else None


@pytest.fixture(scope="module")
def right():
    return [gainful.evaluate(QRELS, _rows(text), MEASURE).mean() for text in (OLD, NEW)]


def _rows(text):
    nested = {}
    for line in text.decode().splitlines():
        query, _, item, _, score, _ = line.split()
        nested.setdefault(query, {})[item] = float(score)
    return nested


@needs_linux
@pytest.mark.parametrize("stage", ["opened", "recognized", "read"])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", PACK)
def test_a_changed_file_is_old_or_new_or_a_sentence(
    folder, monkeypatch, right, form, change, stage
):
    path = f"large.{form}"
    Path(path).write_bytes(PACK[form](OLD))
    new = PACK[form](NEW)
    progress = changing(monkeypatch, path, CHANGES[change], new, stage)
    try:
        found = gainful.evaluate(QRELS, path, MEASURE, threads=2, progress=progress).mean()
    except SourceError as error:
        sentence = f"{path}: changed while it was read. Read it again when it is complete."
        assert str(error) == sentence  # noqa: PT017
        assert change not in ("replaced", "gone")
    else:
        assert found == right[0]
        # Nobody is told how far tables are, so that they stay what they are at that stage.
        assert change in ("replaced", "gone") or progress is not None


def test_a_file_that_is_being_written_is_refused_whole(folder, monkeypatch):
    Path("log.run").write_text("q1 Q0 a 1 9 t\nq1 Q0 b 2 0.5 t\n")
    act = changing(monkeypatch, "log.run", _grown, b"", "read")
    with pytest.raises(SourceError, match=r"^log\.run: changed while it was read\. Read it again"):
        gainful.evaluate({"q1": {"a": 1}}, "log.run", "AP", progress=act)


def test_a_report_is_of_one_content_of_every_file(folder, monkeypatch):
    from gainful.report.html import page_data as gathering

    real = gathering.read_heads

    def changed(*given):
        Path("beside").write_text("q1 Q0 a 1 9 t\n")
        os.replace("beside", "one.run")
        return real(*given)

    monkeypatch.setattr(gathering, "read_heads", changed)
    Path("out.html").write_text("old")
    with pytest.raises(SourceError, match=r"^one\.run: changed while it was read\."):
        gainful.write_report("qrels.txt", ["one.run"], "out.html")
    assert Path("out.html").read_text() == "old"


@needs_linux
@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_a_table_that_is_cut_does_not_end_the_process(folder, form):
    shutil.copy("one.run", "kept.run")
    Path(f"large.{form}").write_bytes(PACK[form](OLD))
    Path("qrels.txt").write_text("".join(f"{query} 0 d7 1\n" for query in QRELS))
    before = f"""
import os
from gainful.sources import parquet
real = parquet._collect_batches
def cut(scan):
    for number, batch in enumerate(real(scan)):
        if number == 0:
            os.truncate("large.{form}", 4096)
        yield batch
parquet._collect_batches = cut
parquet._ROWS = 1000
"""
    out, err, code = command("eval", "qrels.txt", f"large.{form}", before=before)
    assert (out, code) == ("", 1)
    assert is_one_sentence(err)
    assert err.startswith(f"error: large.{form}: changed while it was read.")
