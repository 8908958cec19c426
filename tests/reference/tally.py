"""What is odd about the ranks and scores of a run, counted query by query."""

import ctypes
import math
from itertools import pairwise
from typing import Any

from reference.align import Aligned, Options, Place, compared
from reference.index import Index
from reference.parse import NO_RANK, Row

Sightings = tuple[int, int | None]  # how often, and where first


def tally(judged: Index, rows: list[Row], aligned: Aligned, options: Options) -> dict[str, Any]:
    """All counts, of the queries that have judgments; nothing where scores do not order a run."""
    rows = [compared(row, options) for row in rows if row.query in judged.labels]
    rows = rows if options.with_score else []
    rows_by_query = [[row for row in rows if row.query == query] for query in judged.labels]
    pairs = [pair for of_query in rows_by_query for pair in pairwise(of_query)]
    ranked = [(a, b) for a, b in pairs if NO_RANK not in (a.rank, b.rank)]
    rising = [number for number, of_query in enumerate(rows_by_query) if _steps(of_query) == {1}]
    return {
        "rows": len(rows),
        "odd_ranks": sum(row.rank == NO_RANK for row in rows),
        "neighbors": len(ranked),
        "contradicted": _make_sightings(
            [b.line for a, b in ranked if _step(a, b) == _sign(b.rank - a.rank)]
        ),
        "infinite": _make_sightings([row.line for row in rows if math.isinf(row.score)]),
        "telling": sum(bool(_steps(of_query)) for of_query in rows_by_query),
        "equal": _make_sightings(
            [
                n
                for n, of_query in enumerate(rows_by_query)
                if len(of_query) > 1 and not _steps(of_query)
            ]
        ),
        "ascending": _make_sightings(rising),
        "rises": sum(
            _step(a, b) > 0 for number in rising for a, b in pairwise(rows_by_query[number])
        ),
        "close": _make_sightings(_close(aligned) if options.with_score else []),
    }


def _close(aligned: Aligned) -> list[int]:
    """The number of its query, for every hit that single precision would tie with a neighbor."""
    numbers = []
    for number, ranking in enumerate(aligned.rankings.values()):
        for hit in ranking.hits:
            above, first = ranking.places[: hit.tie_first], hit.tie_first - 1
            below = ranking.places[first + hit.tie_size - 1 :]
            if _alike(above[-2:]) or _alike(below[:2]):
                numbers.append(number)
    return numbers


def _alike(places: list[Place]) -> bool:
    scores = {ctypes.c_float(place.score).value for place in places}
    return len(places) == 2 and len(scores) == 1


def _steps(rows: list[Row]) -> set[int]:
    """Whether scores rise (1) or fall (-1) from one row to the next."""
    return {_step(a, b) for a, b in pairwise(rows)} - {0}


def _step(a: Row, b: Row) -> int:
    return (b.score > a.score) - (b.score < a.score)


def _sign(number: int) -> int | None:
    """1 or -1; for equal ranks, which contradict nothing, None."""
    return (number > 0) - (number < 0) or None


def _make_sightings(places: list[int]) -> Sightings:
    return len(places), min(places, default=None)
