"""What ir_measures reads qrels and runs from."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gainful.errors import SourceError
from gainful.sources import Columns, opened
from gainful.sources._limits import whole


class Qrel(NamedTuple):
    """A judgment."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """An item of a run."""

    query_id: str
    doc_id: str
    score: float


def read_trec_qrels(file: Any) -> Iterator[Qrel]:
    """The judgments of a file, one by one.

    Args:
        file: A path, an open file, or the text itself if it has a line break.

    >>> list(read_trec_qrels("q1 0 d1 2\\n"))
    [Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')]
    """
    for query, iteration, item, label in _fields(file, 4):
        yield Qrel(query, item, _number(label, int, "label"), iteration)


def read_trec_run(file: Any) -> Iterator[ScoredDoc]:
    """The items of a run, one by one. For the argument see ``read_trec_qrels``.

    >>> list(read_trec_run("q1 Q0 d1 1 2.5 bm25\\n"))
    [ScoredDoc(query_id='q1', doc_id='d1', score=2.5)]
    """
    for query, _, item, _, score, _ in _fields(file, 6):
        yield ScoredDoc(query, item, _number(score, float, "score"))


def _number(text: str, kind: Any, name: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        message = f"{name} must be {'an integer' if kind is int else 'a number'}, got {text!r}."
        raise SourceError(message, code="not-numbers") from None


def _fields(file: Any, n_fields: int) -> Iterator[list[str]]:
    for number, line in enumerate(_lines(file), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != n_fields:
            place = file if isinstance(file, str) and "\n" not in file else "text"
            message = (
                f"{place}, line {number}: expected {n_fields} fields, found {len(fields)}: "
                f"{line.strip()!r:.60}"
            )
            raise SourceError(message, code="malformed-line")
        yield fields


def _lines(file: Any) -> Iterator[str]:
    if hasattr(file, "read"):
        yield from (_text(line) if isinstance(line, bytes) else line for line in file)
    elif isinstance(file, str) and "\n" in file:
        yield from file.splitlines()
    else:
        with opened(file) as binary:
            text = whole(binary)
        yield from _text(text).split("\n")


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def held_qrels(source: Any) -> Any:
    """Judgments as Gainful reads them: a dict or a path as it is, rows as columns."""
    if _is_read_as_it_is(source):
        return source
    query, item, label, subtopic = _columns(source, "qrels", Qrel._fields, Qrel._field_defaults)
    return Columns(query=query, item=item, label=label, subtopic=subtopic)


def held_run(source: Any) -> Any:
    """A run as Gainful reads it: a dict or a path as it is, rows as columns."""
    if _is_read_as_it_is(source):
        return source
    query, item, score = _columns(source, "run", ScoredDoc._fields, {})
    return Columns(query=query, item=item, score=score)


def _is_read_as_it_is(source: Any) -> bool:
    return isinstance(source, str | os.PathLike | Mapping)


def _columns(
    source: Any, name: str, fields: tuple[str, ...], defaults: Mapping[str, Any]
) -> list[list[Any]]:
    """A column for each field, from a DataFrame or from rows."""
    if hasattr(source, "itertuples"):
        _check(source.columns, name, fields, defaults)
        n_rows = len(source)
        return [
            source[f].tolist() if f in source.columns else [defaults[f]] * n_rows for f in fields
        ]
    if not isinstance(source, Iterable):
        message = (
            f"{name}: must be a dict of dicts, a DataFrame, rows or a path, got {source!r:.60}."
        )
        raise SourceError(message, code="wrong-type")
    rows = list(source)
    if rows:
        known = [field for field in fields if hasattr(rows[0], field)]
        _check(known or [repr(rows[0])[:60]], name, fields, defaults)
    return [
        [getattr(row, f) for row in rows]
        if f not in defaults
        else [getattr(row, f, defaults[f]) for row in rows]
        for f in fields
    ]


def _check(
    found: Iterable[Any], name: str, fields: tuple[str, ...], defaults: Mapping[str, Any]
) -> None:
    wanted = [field for field in fields if field not in defaults]
    names = list(map(str, found))
    if not set(wanted) <= set(names):
        message = f"{name}: rows must have {', '.join(wanted)}, got {', '.join(names)}."
        raise SourceError(message, code="missing-column")
