"""Files that are cut, rewritten or replaced while they are read: old, new, or one sentence."""

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
from faults.command import is_one_sentence, needs_linux, run_gainful
from gainful import SourceError
from gainful.base.files import import_zstd

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
    "bz2": lambda text: bz2.compress(text, 1),
    "xz": lambda text: lzma.compress(text, preset=0),
    "zst": lambda text: import_zstd().compress(text),
    "csv": _make_packer(lambda frame, file: frame.write_csv(file)),
    "jsonl": _make_packer(lambda frame, file: frame.write_ndjson(file)),
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


def _empty(path, _new):
    os.truncate(path, 0)


def _append(path, _new):
    with open(path, "ab") as file:
        file.write(b"q000 Q0 more 9 9 t\n")


def _rewrite(path, new):
    with open(path, "r+b") as file:
        file.write(new)
        file.truncate()


def _replace(path, new):
    Path("beside").write_bytes(new)
    os.replace("beside", path)


def _delete(path, _new):
    os.unlink(path)


CHANGES = {"cut": _truncate, "emptied": _empty, "grown": _append, "rewritten": _rewrite}
CHANGES |= {"replaced": _replace, "gone": _delete}


def change_file(monkeypatch, path, change, new, stage):
    """Change a file once it is opened, its format is detected, or its first bytes are read."""
    calls = []

    def act(*_):
        if not calls:
            calls.append(True)
            change(path, new)

    if stage == "opened":
        from gainful.base import files

        read_state = files._get_content_state
        states = []

        def read_state_and_act(status):
            state = read_state(status)
            if not states:  # the qrels are a dict, which has no state
                states.append(state)
                act()
            return state

        monkeypatch.setattr(files, "_get_content_state", read_state_and_act)
    if stage == "recognized":
        from gainful.sources import feed

        detect_format = feed._detect_format

        def act_and_detect(*arguments):
            act()
            return detect_format(*arguments)

        monkeypatch.setattr(feed, "_detect_format", act_and_detect)
    return act if stage == "read" else None


@pytest.fixture(scope="module")
def expected():
    return [gainful.evaluate(QRELS, _parse_rows(text), MEASURE).mean() for text in (OLD, NEW)]


def _parse_rows(text):
    nested = {}
    for line in text.decode().splitlines():
        query, _, item, _, score, _ = line.split()
        nested.setdefault(query, {})[item] = float(score)
    return nested


@needs_linux
@pytest.mark.parametrize("stage", ["opened", "recognized", "read"])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", PACKERS)
def test_a_changed_file_is_old_or_new_or_a_sentence(
    folder, monkeypatch, expected, form, change, stage
):
    path = f"large.{form}"
    Path(path).write_bytes(PACKERS[form](OLD))
    new = PACKERS[form](NEW)
    progress = change_file(monkeypatch, path, CHANGES[change], new, stage)
    try:
        means = gainful.evaluate(QRELS, path, MEASURE, threads=2, progress=progress).mean()
    except SourceError as error:
        sentence = f"{path}: changed while it was read. Read it again when it is complete."
        assert str(error) == sentence  # noqa: PT017
        assert change not in ("replaced", "gone")
    else:
        assert means == expected[0]
        # Tables report no progress, so they are not changed at the "read" stage.
        assert change in ("replaced", "gone") or progress is not None


def test_a_file_that_is_being_written_is_refused_whole(folder, monkeypatch):
    Path("log.run").write_text("q1 Q0 a 1 9 t\nq1 Q0 b 2 0.5 t\n")
    act = change_file(monkeypatch, "log.run", _append, b"", "read")
    with pytest.raises(SourceError, match=r"^log\.run: changed while it was read\. Read it again"):
        gainful.evaluate({"q1": {"a": 1}}, "log.run", "AP", progress=act)


def test_a_report_is_of_one_content_of_every_file(folder, monkeypatch):
    from gainful.report.html import page_data

    read_heads = page_data.read_heads

    def replace_run(*arguments):
        Path("beside").write_text("q1 Q0 a 1 9 t\n")
        os.replace("beside", "one.run")
        return read_heads(*arguments)

    monkeypatch.setattr(page_data, "read_heads", replace_run)
    Path("out.html").write_text("old")
    with pytest.raises(SourceError, match=r"^one\.run: changed while it was read\."):
        gainful.write_report("qrels.txt", ["one.run"], "out.html")
    assert Path("out.html").read_text() == "old"


@needs_linux
@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_a_table_that_is_cut_does_not_end_the_process(folder, form):
    shutil.copy("one.run", "kept.run")
    Path(f"large.{form}").write_bytes(PACKERS[form](OLD))
    Path("qrels.txt").write_text("".join(f"{query} 0 d7 1\n" for query in QRELS))
    setup = f"""
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
    out, err, code = run_gainful("eval", "qrels.txt", f"large.{form}", setup=setup)
    assert (out, code) == ("", 1)
    assert is_one_sentence(err)
    assert err.startswith(f"error: large.{form}: changed while it was read.")
