"""TREC qrels and run files."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.base import BoolArray, InputFile, IntArray, ReadOptions, _native
from gainful.sources.columns import name_columns
from gainful.sources.formats import Format, declare_format
from gainful.sources.lines import RowLines, collapse_spaces, read_whole_lines
from gainful.sources.native_errors import explain_bad_input
from gainful.sources.read_spec import ReadSpec

if TYPE_CHECKING:
    from gainful.sources.delimited import FieldLines

_COLUMNS = {
    "qrels": ("query", "iteration", "item", "label"),
    "run": ("query", "Q0", "item", "rank", "score", "tag"),
}


def read_tables(file: InputFile, spec: ReadSpec) -> Iterator[Any]:
    """Yield the lines as tables, without blank lines and comments."""
    from gainful.sources.delimited import read_fields, split_fields  # only tables need it

    expected = len(_COLUMNS[spec.holds])
    columns = name_columns(_COLUMNS[spec.holds], replace(spec, columns={}))
    rows = file.row_lines = RowLines()
    line = 1
    for piece in read_whole_lines(file):
        lines = split_fields(collapse_spaces(piece), b" ")
        assert lines is not None
        comments = _find_comments(piece, lines)
        rows.n_comments += int(comments.sum())
        keep = ~comments & (lines.begin < lines.end)
        bad = np.flatnonzero(keep & ~_has_all_fields(lines.n_separators + 1, spec.holds))
        keep[bad[0] if len(bad) else len(keep) :] = False
        rows.add(np.flatnonzero(keep) + line)
        yield read_fields(lines, b" ", columns, keep=keep, place=spec.place, first_line=line)
        if len(bad):
            number = int(bad[0])
            text = piece.split(b"\n", number + 1)[number]
            n_fields = int(lines.n_separators[number]) + 1
            error = _native.BadInput("fields", line + number, 1, text, b"", b"", expected, n_fields)
            raise explain_bad_input(error, spec.place, unit="line")
        line += piece.count(b"\n")


def _has_all_fields(n_fields: IntArray, holds: str) -> BoolArray:
    is_complete: BoolArray = n_fields == 4 if holds == "qrels" else n_fields >= 6
    return is_complete


def _find_comments(text: bytes, lines: "FieldLines") -> BoolArray:
    """Return which lines begin with #, after any white space."""
    codes = np.frombuffer(text, dtype=np.uint8)
    begin = lines.begin
    if len(lines.text) < len(text):
        begin = np.concatenate([[0], np.flatnonzero(codes == ord("\n")) + 1])[: len(begin)]
    is_comment: BoolArray = codes[begin] == ord("#")
    return is_comment


def _feed_qrels(
    file: InputFile, index: _native.Index, _spec: ReadSpec, read_options: ReadOptions
) -> None:
    _feed(file, index, read_options, rewindable=False)


def _feed_run(
    file: InputFile, aligner: _native.Aligner, _spec: ReadSpec, read_options: ReadOptions
) -> None:
    try:
        _feed(file, aligner, read_options, rewindable=True)
    except _native.Ungrouped:
        aligner.start_over()
        file.rewind()
        _feed(file, aligner, read_options, rewindable=True)


def _feed(
    file: InputFile,
    receiver: _native.Index | _native.Aligner,
    read_options: ReadOptions,
    *,
    rewindable: bool,
) -> None:
    progress = read_options.progress or (lambda *_: None)
    if file.plain is not None:
        descriptor, begin, end = file.plain
        receiver.read(
            descriptor,
            begin,
            end,
            lambda position: progress(file.name, position - begin, end - begin),
        )
        progress(file.name, end - begin, end - begin)
        return
    try:
        for piece, n_bytes in file.read_pieces(rewindable=rewindable):
            receiver.feed(piece)
            progress(file.name, n_bytes, file.size)
        receiver.feed(b"")
    except Exception:
        # A bad line above the place where reading failed comes first.
        receiver.abandon(settled=True)
        raise
    except BaseException:
        receiver.abandon(settled=False)
        raise


QRELS = declare_format(
    Format(
        name="trec",
        holds="qrels",
        summary="A text file, one judgment a line, fields separated by spaces or tabs.",
        columns=("query", "iteration", "item", "label"),
        is_file=True,
        unit="line",
        has_role_names=True,
        push=_feed_qrels,
        read_tables=read_tables,
    )
)
RUN = declare_format(
    Format(
        name="trec",
        holds="run",
        summary="A text file, one retrieved item a line, fields separated by spaces or tabs.",
        columns=("query", "Q0", "item", "rank", "score", "tag"),
        is_file=True,
        unit="line",
        has_role_names=True,
        push=_feed_run,
        read_tables=read_tables,
    )
)
