"""Learning-to-rank sources: LETOR files, predicted scores, and arrays with group sizes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.base import InputFile, _native, find_owners, format_repr
from gainful.errors import SourceError
from gainful.sources import arrays
from gainful.sources.arrays import to_array
from gainful.sources.entries import Entries
from gainful.sources.formats import ReadSpec, declare_format
from gainful.sources.text import read_whole_lines, shorten
from gainful.sources.trec import parse_labels


def _read_predictions(file: InputFile, spec: ReadSpec) -> Entries:
    expected = len(_require_rows(spec).query)
    content: list[Any] = []
    n_scores = n_lines = 0
    for piece in read_whole_lines(file):
        rows = _native.Rows(piece, {"score": 0}, 1)
        scores = np.array([_parse_score(text) for text in rows.columns[0]], dtype=np.float64)
        bad_lines = [*rows.lines[np.isnan(scores)], *(rows.bad or ())[1:2]]
        if bad_lines and n_scores <= expected:
            text = format_repr(
                piece.split(b"\n")[bad_lines[0] - 1].strip().decode("utf-8", "replace")
            )
            place = f"{spec.place}, line {n_lines + bad_lines[0]}"
            message = f"{place}: expected one score that can be ordered, got {text}."
            raise SourceError(message, code="bad-score")
        n_scores, n_lines = n_scores + len(scores), n_lines + piece.count(b"\n")
        # Scores beyond the expected number are counted, and not kept.
        content = [*content, scores] if n_scores <= expected else []
    _check_number(n_scores, spec)
    return _pair_with_rows(np.concatenate([np.empty(0), *content]), spec)


def _parse_score(text: str) -> float:
    try:
        return np.nan if "_" in text else float(text)
    except ValueError:
        return np.nan


def _read_scores(source: object, spec: ReadSpec) -> Entries:
    scores = arrays.flatten(to_array(source, spec.place), spec.place)
    if not scores.single:
        message = f"{spec.place}: must be one list of scores, got {format_repr(source)}."
        raise SourceError(message, code="wrong-shape")
    return _pair_with_rows(scores.values, spec)


def _pair_with_rows(scores: Any, spec: ReadSpec) -> Entries:
    """Return the scores with query and item of the rows of the qrels."""
    rows = _require_rows(spec)
    _check_number(len(scores), spec)
    return Entries(rows.query, rows.item, scores)


def _require_rows(spec: ReadSpec) -> Any:
    if spec.rows is None:
        message = (
            f"{spec.place}: is scores alone, which needs qrels with rows that they follow. "
            "Pass a LETOR file, Grouped(...) or Columns(...) as qrels."
        )
        raise SourceError(message, code="scores-alone")
    return spec.rows


def _check_number(n_scores: int, spec: ReadSpec) -> None:
    expected = len(_require_rows(spec).query)
    if n_scores != expected:
        message = (
            f"{spec.place}: must hold a score for each of the {expected} rows of the qrels, "
            f"got {n_scores}."
        )
        raise SourceError(message, code="unequal-lengths")


declare_format(
    name="predictions",
    holds="run",
    summary="A text file of scores, one a line, in the order of the rows of the qrels.",
    columns=("score",),
    is_file=True,
    read_entries=_read_predictions,
)
declare_format(
    name="scores",
    holds="run",
    summary="Scores: a list, an array or a tensor, in the order of the rows of the qrels.",
    read_entries=_read_scores,
)


_MARK = "qid:"
# The comment of a line, to its end in any case: else every # in it would be looked at again.
_COMMENT = re.compile(rb"#(?:[^\n]*?doc_?id[ \t]*=[ \t]*(\S+))?[^\n]*")
_A_LINE = "A line is: label qid:QUERY feature:value ... # docid = ITEM."


def read_letor_entries(file: InputFile, spec: ReadSpec) -> Entries:
    """Return the judgments of a file; items are those of the comments, if all lines have one."""
    labels: list[float] = []
    queries: list[str] = []
    items: list[bytes] = []
    lines: list[Any] = []
    n_lines = n_comments = 0
    comments = _native.Comments.indented
    for piece in read_whole_lines(file):
        # Only the beginnings of lines: features are most of them.
        rows = _native.Rows(piece, {"label": 0, "query": 1}, 2, more=True, comments=comments)
        texts, marked = rows.columns
        unmarked = (i for i, query in enumerate(marked) if not query[4:] or query[:4] != _MARK)
        bad_lines = [*(int(rows.lines[i]) for i in unmarked), *(rows.bad or ())[1:2]]
        if bad_lines:
            text = shorten(piece.split(b"\n")[bad_lines[0] - 1])
            place = f"{spec.place}, line {n_lines + bad_lines[0]}"
            message = f"{place}: has no qid, got {text}. {_A_LINE}"
            raise SourceError(message, code="malformed-line")
        labels += parse_labels(texts, spec.place, (rows.lines + n_lines).tolist())
        queries += [query[4:].partition("#")[0] for query in marked]
        items += _parse_items(piece, rows)
        lines.append(rows.lines + n_lines)
        n_lines += piece.count(b"\n")
        n_comments += rows.odd.comments
    has_items = len(items) == len(queries)
    line_numbers = np.concatenate([np.empty(0, np.int64), *lines])
    return Entries(
        queries,
        items if has_items else line_numbers,
        labels,
        scores_may_follow=True,
        n_comments=n_comments,
    )


def _parse_items(text: bytes, rows: _native.Rows) -> list[bytes]:
    """Return the items that the comments of rows name."""
    if rows.odd.comments:
        lines = text.split(b"\n")
        text = b"\n".join(lines[line - 1] for line in rows.lines.tolist())
    return list(filter(None, _COMMENT.findall(text)))


declare_format(
    name="letor",
    holds="qrels",
    summary="A LETOR or SVMlight file, one row per line; the item is the docid of the comment, "
    "else the number of the line. Features are not read.",
    columns=("label", "qid:query", "feature:value...", "# docid = item"),
    is_file=True,
    read_entries=read_letor_entries,
)


@dataclass(frozen=True, eq=False)
class Grouped:
    """Labels or scores of all queries in one list, and what cuts it into queries.

    One of the sizes, the offsets or the ids is given. As qrels it lets a run be the scores alone,
    one for each row.

    Attributes:
        numbers: Labels if they are qrels, scores if they are a run.
        group_sizes: How many rows each query has, as in LightGBM; queries count from 0.
        query_ids: The query of each row, as the ``qid`` of XGBoost and the ``group_id`` of
            CatBoost; the rows of a query need not stand together.
        group_offsets: Where each query begins, and the end, as the ``group_ptr`` of XGBoost.
        items: The item of each row; rows count from 0 if not given.

    >>> import gainful
    >>> labels = Grouped([2, 0, 1, 0], group_sizes=[3, 1])
    >>> gainful.evaluate(labels, [0.9, 0.8, 0.7, 0.1], "nDCG").column("nDCG").tolist()
    [0.9502344167898356, 0.0]
    """

    numbers: Any
    group_sizes: Sequence[int] | None = None
    query_ids: Sequence[Any] | None = None
    group_offsets: Sequence[int] | None = None
    items: Sequence[Any] | None = None

    def __repr__(self) -> str:
        return f"<Grouped {len(self.numbers):,} rows>"

    def __post_init__(self) -> None:
        cuts = [self.group_sizes, self.query_ids, self.group_offsets]
        if sum(cut is not None for cut in cuts) != 1:
            message = "Grouped: needs one of group_sizes, query_ids and group_offsets, got "
            message += "none." if cuts == [None] * len(cuts) else "several."
            raise SourceError(message, code="bad-groups")


def read_grouped_entries(grouped: Grouped, _spec: ReadSpec) -> Entries:
    """Return the entries of one list, each with its query."""
    numbers = to_array(grouped.numbers, "Grouped")
    flat = arrays.flatten(numbers, "Grouped")
    if not flat.single:
        message = f"Grouped: must be one list of numbers, got {format_repr(numbers)}."
        raise SourceError(message, code="wrong-shape")
    query, count = _read_row_queries(grouped, flat), len(flat.values)
    items = np.arange(count) if grouped.items is None else grouped.items
    if len(items) != count:
        message = f"items: the count must be the number of labels, {count}, got {len(items)}."
        raise SourceError(message, code="unequal-lengths")
    return Entries(
        query, items, flat.values, queries=_list_queries(grouped), scores_may_follow=True
    )


def _list_queries(grouped: Grouped) -> list[int] | None:
    """Return every query, if some may have no row; else None."""
    if grouped.group_sizes is not None:
        return list(range(len(to_array(grouped.group_sizes, "group_sizes"))))
    if grouped.group_offsets is not None:
        return list(range(len(to_array(grouped.group_offsets, "group_offsets")) - 1))
    return None


def _read_row_queries(grouped: Grouped, flat: arrays.Flat) -> Any:
    if grouped.query_ids is not None:
        ids = to_array(grouped.query_ids, "query_ids")
        arrays.regroup(flat, None, ids)
        return ids
    sizes = grouped.group_sizes
    if grouped.group_offsets is not None:
        sizes = _offsets_to_sizes(to_array(grouped.group_offsets, "group_offsets"))
    cut, _ = arrays.regroup(flat, sizes, None)
    return find_owners(cut.offsets)


def _offsets_to_sizes(source: object) -> Any:
    offsets = np.asarray(source)
    if offsets.dtype.kind not in "iu" or offsets.ndim != 1 or offsets[:1].tolist() != [0]:
        message = f"group_offsets: must be integers that begin with 0, got {format_repr(source)}."
        raise SourceError(message, code="bad-groups")
    sizes = np.diff(offsets.astype(np.int64))
    if (sizes < 0).any():
        message = f"group_offsets: must not descend, got {format_repr(source)}."
        raise SourceError(message, code="bad-groups")
    return sizes


declare_format(
    name="grouped",
    holds="qrels",
    summary="Grouped: Grouped(labels, group_sizes=...), with query_ids=... or "
    "group_offsets=... instead.",
    read_entries=read_grouped_entries,
)
declare_format(
    name="grouped",
    holds="run",
    summary="Grouped: Grouped(scores, group_sizes=...), with query_ids=... or "
    "group_offsets=... instead.",
    read_entries=read_grouped_entries,
)
