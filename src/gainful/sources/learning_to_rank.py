"""Learning-to-rank sources: LETOR files, predicted scores, and arrays with group sizes."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gainful.base import FloatArray, InputFile, find_owners, format_repr
from gainful.errors import SourceError
from gainful.sources import arrays
from gainful.sources.arrays import to_array
from gainful.sources.entries import Entries
from gainful.sources.formats import Format, declare_format
from gainful.sources.lines import read_whole_lines
from gainful.sources.read_spec import ReadSpec


def _read_predictions(file: InputFile, spec: ReadSpec) -> Entries:
    expected = len(_require_rows(spec).query)
    content: list[Any] = []
    n_scores = n_lines = 0
    for piece in read_whole_lines(file):
        # Scores beyond the expected number are counted, and not kept.
        scores = _parse_scores(piece, n_lines, spec) if n_scores <= expected else piece.split()
        n_scores, n_lines = n_scores + len(scores), n_lines + piece.count(b"\n")
        content = [*content, scores] if n_scores <= expected else []
    _check_number(n_scores, spec)
    return _pair_with_rows(np.concatenate([np.empty(0), *content]), spec)


def _read_scores(source: object, spec: ReadSpec) -> Entries:
    scores = arrays.flatten(to_array(source, spec.place), spec.place)
    if not scores.single:
        message = f"{spec.place}: must be one list of scores, got {format_repr(source)}."
        raise SourceError(message, code="wrong-shape")
    return _pair_with_rows(scores.values, spec)


def _parse_scores(text: bytes, n_before: int, spec: ReadSpec) -> FloatArray:
    """Return the numbers of whole lines, one per line; blank lines are skipped."""
    fields = text.split()
    scores = np.fromiter(map(parse_number, fields), dtype=np.float64, count=len(fields))
    lines = (line.split() for line in text.split(b"\n"))
    has_bad_line = np.isnan(scores).any() or any(len(line) > 1 for line in lines)
    if not has_bad_line:
        return scores
    for number, line in enumerate(text.split(b"\n"), n_before + 1):
        if line.split() and np.isnan(parse_number(line.strip())):
            excerpt = line.strip().decode("utf-8", "replace")
            message = (
                f"{spec.place}, line {number}: expected one score that can be ordered, "
                f"got {format_repr(excerpt)}."
            )
            raise SourceError(message, code="bad-score")
    return scores


def parse_number(text: bytes) -> float:
    """Return the number in a field of text; NaN if it is not a number."""
    try:
        return np.nan if b"_" in text else float(text)
    except ValueError:
        return np.nan


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


FILE = declare_format(
    Format(
        name="predictions",
        holds="run",
        summary="A text file of scores, one a line, in the order of the rows of the qrels.",
        columns=("score",),
        is_file=True,
        read_entries=_read_predictions,
    )
)
ARRAY = declare_format(
    Format(
        name="scores",
        holds="run",
        summary="Scores: a list, an array or a tensor, in the order of the rows of the qrels.",
        read_entries=_read_scores,
    )
)


_HEAD = 48  # bytes at the beginning of a line that hold label and query, except very long ids
_MARK = b"qid:"
# The comment of a line, to its end in any case: else every # in it would be looked at again.
_COMMENT = re.compile(rb"#(?:[^\n]*?doc_?id[ \t]*=[ \t]*(\S+))?[^\n]*")
_A_LINE = "A line is: label qid:QUERY feature:value ... # docid = ITEM."
_MAX_EXCERPT = 60


class _Rows(NamedTuple):
    """Rows of a piece of the file: labels and queries as text, and the lines they stand on."""

    labels: list[bytes]
    queries: list[bytes]
    items: list[bytes]
    lines: Any
    n_comments: int = 0


def read_letor_entries(file: InputFile, spec: ReadSpec) -> Entries:
    """Return the judgments of a file; items are those of the comments, if all lines have one."""
    labels: list[float] = []
    queries: list[bytes] = []
    items: list[bytes] = []
    lines: list[Any] = []
    n_lines = n_comments = 0
    for block in _read_blocks(file):
        rows = _parse_regular(block, n_lines) or _parse_any(block, n_lines, spec)
        labels += _parse_labels(rows, spec)
        queries += rows.queries
        items += rows.items
        lines.append(rows.lines)
        n_lines += block.count(b"\n")
        n_comments += rows.n_comments
    has_items = len(items) == len(queries)
    line_numbers = np.concatenate([np.empty(0, np.int64), *lines])
    return Entries(
        queries,
        items if has_items else line_numbers,
        labels,
        scores_may_follow=True,
        n_comments=n_comments,
    )


def _read_blocks(file: InputFile) -> Iterator[bytes]:
    """Return the text in pieces that end with the end of a line."""
    for piece in read_whole_lines(file):
        yield piece if piece.endswith(b"\n") else piece + b"\n"


def _parse_regular(block: bytes, n_before: int) -> _Rows | None:
    """Return the rows of a piece whose lines all look alike; None if one does not.

    All lines are parsed at once, and only their beginnings: features are most of a line.
    """
    text = np.frombuffer(block + b" " * _HEAD, dtype=np.uint8)
    ends = np.flatnonzero(text[: len(block)] == ord("\n"))
    starts = np.concatenate([[0], ends[:-1] + 1])
    head = sliding_window_view(text, _HEAD)[starts]
    fields = _find_two_fields(head)
    if fields is None:
        return None
    texts = np.where(fields, head, ord(" ")).tobytes().split()
    if len(texts) != 2 * len(starts):
        return None
    lines = np.arange(n_before + 1, n_before + 1 + len(starts))
    return _Rows(texts[0::2], texts[1::2], _parse_items(block), lines)


def _find_two_fields(head: Any) -> Any:
    """Return where label and query are in the lines; None if a line is irregular."""
    space = (head == ord(" ")) | ((head >= ord("\t")) & (head <= ord("\r")))
    begins = ~space
    begins[:, 1:] &= space[:, :-1]
    field = np.cumsum(begins, axis=1, dtype=np.uint8)
    inside = ~space & (field <= 2)
    are_complete = (space & (field == 2)).any(axis=1).all()
    broken = (head == ord("\n")) & (field < 2)
    if not are_complete or broken.any() or (inside & (head == ord("#"))).any():
        return None
    row, mark = np.arange(len(head)), (field == 2).argmax(axis=1)
    for place, letter in enumerate(_MARK):
        position = np.minimum(mark + place, _HEAD - 1)
        if (head[row, position] != letter).any():
            return None
        inside[row, position] = False
    return inside


def _parse_any(block: bytes, n_before: int, spec: ReadSpec) -> _Rows:
    """Return the rows of a piece, parsed line by line; skip blank lines and comments."""
    rows, n_comments = _Rows([], [], [], []), 0
    for number, line in enumerate(block.split(b"\n"), n_before + 1):
        data, mark, comment = line.partition(b"#")
        fields = data.split(None, 2)
        if not fields:
            n_comments += bool(mark)
            continue
        if len(fields) < 2 or len(fields[1]) <= len(_MARK) or not fields[1].startswith(_MARK):
            message = f"{spec.place}, line {number}: has no qid, got {_shorten(line)}. {_A_LINE}"
            raise SourceError(message, code="malformed-line")
        rows.labels.append(fields[0])
        rows.queries.append(fields[1].removeprefix(_MARK))
        rows.items.extend(_parse_items(mark + comment))
        rows.lines.append(number)
    return rows._replace(lines=np.array(rows.lines, dtype=np.int64), n_comments=n_comments)


def _parse_items(text: bytes) -> list[bytes]:
    """Return the items that comments name."""
    return list(filter(None, _COMMENT.findall(text)))


def _parse_labels(rows: _Rows, spec: ReadSpec) -> list[float]:
    labels = list(map(parse_number, rows.labels))
    if not all(map(math.isfinite, labels)):
        place = next(i for i, label in enumerate(labels) if not math.isfinite(label))
        message = (
            f"{spec.place}, line {rows.lines[place]}: label must be a finite number, "
            f"got {_shorten(rows.labels[place])}."
        )
        raise SourceError(message, code="bad-label")
    return labels


def _shorten(text: bytes) -> str:
    return f"{text.strip().decode('utf-8', 'replace')!r:.{_MAX_EXCERPT}}"


QRELS = declare_format(
    Format(
        name="letor",
        holds="qrels",
        summary="A LETOR or SVMlight file, one row per line; the item is the docid of the comment, "
        "else the number of the line. Features are not read.",
        columns=("label", "qid:query", "feature:value...", "# docid = item"),
        is_file=True,
        read_entries=read_letor_entries,
    )
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


GROUPED_QRELS = declare_format(
    Format(
        name="grouped",
        holds="qrels",
        summary="Grouped: Grouped(labels, group_sizes=...), with query_ids=... or "
        "group_offsets=... instead.",
        read_entries=read_grouped_entries,
    )
)
RUN = declare_format(
    Format(
        name="grouped",
        holds="run",
        summary="Grouped: Grouped(scores, group_sizes=...), with query_ids=... or "
        "group_offsets=... instead.",
        read_entries=read_grouped_entries,
    )
)
