"""TREC qrels and run files."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gainful.base import InputFile, ReadOptions, _native
from gainful.errors import SourceError
from gainful.sources.columns import name_columns
from gainful.sources.formats import ReadSpec, declare_format
from gainful.sources.native_errors import explain_bad_line
from gainful.sources.text import RowLines, check_is_text, read_whole_lines

_COLUMNS = {
    "qrels": ("query", "iteration", "item", "label"),
    "run": ("query", "Q0", "item", "rank", "score", "tag"),
}


def split_trec(text: bytes, holds: str) -> _native.Rows:
    """Split whole lines of TREC qrels or of a run into columns of text.

    Blank lines and comments are skipped. The rows end above the first line that has too few or too
    many fields; ``bad`` is what is wrong with it, for ``explain_bad_input``. They are a table that
    speaks the Arrow interface, which requires UTF-8; ``columns`` are lists for any text.

    >>> rows = split_trec(b"# judged\\nq1 0 d1 2\\nq2 0 d1\\n", "qrels")
    >>> rows.columns, rows.lines.tolist(), rows.bad[:2]
    ([['q1'], ['0'], ['d1'], ['2']], [2], ('fields', 3))
    """
    columns = {name: number for number, name in enumerate(_COLUMNS[holds])}
    return _split(text, columns, holds)


def _split(text: bytes, columns: dict[str, int], holds: str) -> _native.Rows:
    n_fields = len(_COLUMNS[holds])
    comments = _native.Comments.plain
    return _native.Rows(text, columns, n_fields, more=holds == "run", comments=comments)


def split_lines(
    text: bytes,
    place: str,
    names: Sequence[str],
    *,
    content: str = "",
    skip_blank: bool = True,
    comments: bool = False,
) -> _native.Rows:
    """Split lines that have a field for every name at white space; raise an error for any other.

    Args:
        text: The lines.
        place: What errors call the text.
        names: What the columns are called.
        content: What the lines hold, for errors.
        skip_blank: Whether blank lines are skipped; else they are errors.
        comments: Whether lines that begin with ``#``, after any white space, are skipped.

    >>> split_lines(b"q1 a d1 2\\n", "qrels.txt", ["query", "subtopic", "item", "label"]).columns
    [['q1'], ['a'], ['d1'], ['2']]
    """
    columns = {name: number for number, name in enumerate(names)}
    kind = _native.Comments.indented if comments else _native.Comments.none
    rows = _native.Rows(text, columns, len(names), skip_blank=skip_blank, comments=kind)
    if rows.bad is not None:
        line = f"A line of {content}" if content else "A line"
        hint = f" {line} is: {' '.join(names)}."
        raise explain_bad_line(rows.bad, place, 0, names=names, hint=hint)
    return rows


def parse_labels(
    texts: list[str], path: object, lines: list[int], *, name: str = "label"
) -> list[float]:
    """Return the labels in texts; the error for one that is not a number names its line."""
    labels = []
    for text, line in zip(texts, lines, strict=True):
        try:
            label = float(text)
        except ValueError:
            label = math.nan
        if not math.isfinite(label) or "_" in text:
            message = f"{path}, line {line}: {name} must be a finite number, got {text!r}."
            raise SourceError(message, code="bad-label")
        labels.append(label)
    return labels


def read_tables(file: InputFile, spec: ReadSpec) -> Iterator[Any]:
    """Yield the lines as tables, without blank lines and comments."""
    columns = name_columns(_COLUMNS[spec.holds], replace(spec, columns={}))
    row_lines = file.row_lines = RowLines()
    n_lines = 0
    for piece in read_whole_lines(file):
        check_is_text(piece, spec.place, n_lines + 1)
        rows = _split(piece, columns, spec.holds)
        row_lines.n_comments += rows.odd.comments
        row_lines.add(rows.lines + n_lines)
        yield rows
        if rows.bad is not None:
            raise explain_bad_line(rows.bad, spec.place, n_lines)
        n_lines += piece.count(b"\n")


def _feed_qrels(
    file: InputFile, index: _native.Index, _spec: ReadSpec, read_options: ReadOptions
) -> None:
    _feed(file, index, read_options)


def _feed_run(
    file: InputFile, aligner: _native.Aligner, _spec: ReadSpec, read_options: ReadOptions
) -> None:
    try:
        _feed(file, aligner, read_options)
    except _native.Ungrouped:
        aligner.start_over()
        file.rewind()
        _feed(file, aligner, read_options)


def _feed(
    file: InputFile,
    receiver: _native.Index | _native.Aligner,
    read_options: ReadOptions,
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
        for piece, n_bytes in file.read_pieces():
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


declare_format(
    name="trec",
    holds="qrels",
    summary="A text file, one judgment a line, fields separated by spaces or tabs.",
    columns=("query", "iteration", "item", "label"),
    is_file=True,
    unit="line",
    push=_feed_qrels,
    read_tables=read_tables,
)
declare_format(
    name="trec",
    holds="run",
    summary="A text file, one retrieved item a line, fields separated by spaces or tabs.",
    columns=("query", "Q0", "item", "rank", "score", "tag"),
    is_file=True,
    unit="line",
    push=_feed_run,
    read_tables=read_tables,
)
