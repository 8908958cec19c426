"""A run joined with the judgments: one mention of each item, ranked, its judged items found."""

import ctypes
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from reference.index import Index
from reference.parse import BadInput, Row


@dataclass(frozen=True)
class Options:
    """How a run is ordered and cut."""

    order: Literal["score", "rank", "file"] = "score"
    ties: Literal[
        "item_desc",
        "item_asc",
        "input",
        "input_reversed",
        "rank_column",
        "average",
        "best",
        "worst",
        "middle",
    ] = "item_desc"
    duplicates: Literal["error", "first", "last", "max", "once", "count"] = "error"
    condense: bool = False
    float32: bool = False
    depth: int = 0  # 0 keeps all
    drop_own: bool = False

    @property
    def with_score(self) -> bool:
        """Whether the score column is read."""
        return self.order == "score"

    @property
    def with_rank(self) -> bool:
        """Whether the rank column is read."""
        return self.order == "rank" or self.ties == "rank_column"


class Place(NamedTuple):
    """A retrieved item, its label if it is judged, and the block of equals it stands in."""

    item: bytes
    score: float
    label: float | None
    rank: int
    tie_first: int
    tie_size: int


class Hit(NamedTuple):
    """A retrieved item that is judged."""

    rank: int
    label: float
    tie_first: int
    tie_size: int


@dataclass(frozen=True)
class Ranking:
    """One judged query."""

    in_run: bool
    n_retrieved: int
    places: list[Place]
    hits: list[Hit]


@dataclass(frozen=True)
class Aligned:
    """Every judged query, and what else the run holds."""

    rankings: dict[bytes, Ranking]
    strangers: list[bytes]
    n_duplicates: int
    n_own: int


def align(judged: Index, rows: list[Row], options: Options) -> Aligned:
    """Where the judged items of every judged query ended up in the run.

    Rows of other queries are not looked at any further: they may well hold duplicates.
    """
    judged_rows = [row for row in rows if row.query in judged.labels]
    strangers = [row.query for row in rows if row.query not in judged.labels]
    counted_rows = _one_mention_each([compared(row, options) for row in judged_rows], options)
    if options.duplicates in ("once", "count"):
        n_duplicates, counted_rows = (
            len(judged_rows) - len(counted_rows),
            [compared(row, options) for row in judged_rows],
        )
    else:
        n_duplicates = len(judged_rows) - len(counted_rows)
    others = [row for row in counted_rows if not (options.drop_own and row.item == row.query)]
    in_run = {row.query for row in judged_rows}
    rankings = {
        query: _ranking(
            [row for row in others if row.query == query], labels, options, query in in_run
        )
        for query, labels in judged.labels.items()
    }
    n_own = len(counted_rows) - len(others)
    return Aligned(rankings, list(dict.fromkeys(strangers)), n_duplicates, n_own)


def heads(aligned: Aligned, most: int) -> tuple[list[bytes], list[list[int]]]:
    """The first items of every query, by their numbers among all that are so.

    Items are numbered in the order in which they come, query by query.
    """
    firsts = [
        [place.item for place in ranking.places if place.rank <= min(most, ranking.n_retrieved)]
        for ranking in aligned.rankings.values()
    ]
    items = list(dict.fromkeys(item for query_items in firsts for item in query_items))
    return items, [[items.index(item) for item in query_items] for query_items in firsts]


def align_arrays(
    labels: list[float], scores: list[float] | None, offsets: list[int], options: Options
) -> list[Ranking]:
    """Rankings of items without ids: every item is judged, and its place is all it has."""
    rankings = []
    for begin, end in pairwise(offsets):
        items = [b"%d" % i for i in range(begin, end)]
        rows = [
            compared(Row(b"", items[i - begin], scores[i] if scores else 0.0, 0, i), options)
            for i in range(begin, end)
        ]
        query_labels = {items[i - begin]: labels[i] + 0.0 for i in range(begin, end)}
        rankings.append(_ranking(rows, query_labels, options, bool(rows)))
    return rankings


def compared(row: Row, options: Options) -> Row:
    """The row with its score as it is compared: maybe in single precision, and never -0.0."""
    score = ctypes.c_float(row.score).value if options.float32 else row.score
    return row._replace(score=score + 0.0)


def _one_mention_each(rows: list[Row], options: Options) -> list[Row]:
    chosen: dict[tuple[bytes, bytes], Row] = {}
    for row in rows:
        earlier = chosen.setdefault((row.query, row.item), row)
        if earlier is row:
            continue
        if options.duplicates == "error":
            raise BadInput(
                "retrieved-twice",
                line=row.line,
                query=row.query,
                item=row.item,
                first=earlier.line,
                second=row.line,
            )
        if _replaces(row, earlier, options):
            chosen[row.query, row.item] = row
    return list(chosen.values())


def _replaces(later: Row, earlier: Row, options: Options) -> bool:
    if options.duplicates == "last":
        return True
    if options.duplicates in ("first", "once", "count"):
        return False
    better = {
        "score": later.score > earlier.score,
        "rank": later.rank < earlier.rank,
        "file": False,  # the earlier line is the better place
    }
    return better[options.order]


def _ranking(
    rows: list[Row], labels: dict[bytes, float], options: Options, in_run: bool
) -> Ranking:
    if options.condense:
        rows = [row for row in rows if row.item in labels]
    places = _places(_sorted(rows, labels, options), labels, options)
    n_retrieved = min(len(rows), options.depth) if options.depth else len(rows)
    middles = [place.tie_first + (place.tie_size - 1) // 2 for place in places]
    ranks = middles if options.ties == "middle" else [place.rank for place in places]
    hits = [
        Hit(rank, place.label, place.tie_first, place.tie_size)
        for rank, place in zip(ranks, places, strict=True)
        if place.label is not None
        # An averaged tie that begins above the cut counts with the part that is above it.
        and (place.tie_first if options.ties == "average" else rank) <= n_retrieved
    ]
    return Ranking(in_run, n_retrieved, places, hits)


def _sorted(rows: list[Row], labels: dict[bytes, float], options: Options) -> list[Row]:
    """The rows, sorted by what matters least first: each sort leaves equals as they stand."""
    ties = options.ties
    rows = sorted(rows, key=lambda row: row.line)
    if options.order == "file":
        return rows
    if ties == "input_reversed":
        rows.reverse()
    if ties in ("item_desc", "average", "best", "worst"):
        rows.sort(key=lambda row: row.item, reverse=True)
    if ties == "item_asc":
        rows.sort(key=lambda row: row.item)
    if ties == "rank_column":
        rows.sort(key=lambda row: row.rank)
    if ties in ("average", "best"):
        rows.sort(key=lambda row: labels.get(row.item, 0.0), reverse=True)
    if ties == "worst":
        rows.sort(key=lambda row: labels.get(row.item, 0.0))
    if options.order == "score":
        rows.sort(key=lambda row: row.score, reverse=True)
    if options.order == "rank":
        rows.sort(key=lambda row: row.rank)
    return rows


def _places(rows: list[Row], labels: dict[bytes, float], options: Options) -> list[Place]:
    places: list[Place] = []
    ranked_items: set[bytes] = set()
    equal = {"score": lambda row: row.score, "rank": lambda row: row.rank}
    for _, group in groupby(rows, key=equal.get(options.order, lambda row: row.line)):
        block = list(group)
        first = len(places) + 1
        for rank, row in enumerate(block, start=first):
            again = options.duplicates == "once" and row.item in ranked_items
            ranked_items.add(row.item)
            label = None if again else labels.get(row.item)
            places.append(Place(row.item, row.score, label, rank, first, len(block)))
    return places
