"""Facts: what a join found, in counts and firsts; those of parts of the queries add up."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from gainful.ragged import IntArray
from gainful.records import Frozen

T = TypeVar("T")

SHOWN = 10  # of the ids that a notice keeps


SAMPLED = 100  # queries whose ids tell why they do not match


class Seen(NamedTuple):
    """How often something was met, and the first of it: what comes first is the lowest."""

    times: int = 0
    first: Any = None


NEVER = Seen()


class Ids(tuple[str, ...]):
    """Ids that parts may share: each is there once."""

    __slots__ = ()


class Met(NamedTuple):
    """An item where it was met first: the query, and its place among what others have there."""

    query: str
    place: int
    id: str


class Lacks(NamedTuple):
    """Items that something is not known of: all of them, and a few, in the order of queries."""

    ids: Ids = Ids()
    first: tuple[Met, ...] = ()


NONE = Lacks()


class Stranger(NamedTuple):
    """A query of the run that has no judgments, and where it is met first."""

    place: int
    query: str


class Row(NamedTuple):
    """A row of the run: where it stands, and its ids."""

    place: int
    query: str
    item: str


class Sample(NamedTuple):
    """The first items that the run has for a query, and the judged ones."""

    query: str
    heads: tuple[str, ...]
    judged: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Facts(Frozen):
    """What is known of a run and judgments once they are joined, without their rankings.

    Places are rows of the run, as they are counted from 1. Where none of its items is judged,
    ``samples`` shows what ids there are.

    Attributes:
        n_queries: Queries that have judgments.
        missing: Those that the run does not name.
        empty: Those that nothing is relevant for.
        strangers: Queries of the run that have no judgments, in its order.
        rows: Rows of the run; the first ``Row``.
        judged_row: The first one of a query that has judged items, and one of these.
        most_judged: The query with the most judgments, first by their number, and one of them.
        samples: Of the first queries.
        n_judgments: Judged items.
        n_hits: Judged items that were retrieved.
        n_retrieved: Items that count.
        n_ranked: Judged items that were retrieved and have a rank.
        n_tied: Those of them that stand in ties.
        n_looked_at: Items in the first ranks.
        judged: Numbers that add up to how many of them are judged.
        negative: Labels below 0; the lowest.
        labels: The different labels of the judgments.
        fractional: Judgments whose label is no whole number; the query and label of one.
        n_own: Items that were dropped for having the id of their query.
        n_padding: Judged items that are padding.
        n_scored: Rows that scores order.
        odd_ranks: Those of them without an integer for a rank.
        neighbours: Those whose rank, and that of the row before, are integers.
        contradicted: Those of them whose score says the opposite of the rank; a place.
        infinite: Rows with such a score; a place.
        telling: Queries with more than one score.
        equal: Queries of several rows and one score.
        ascending: Queries whose scores rise and never fall.
        rises: How often they rise in these.
        close: Judged items whose neighbours differ from them in double precision alone; a query.
        n_duplicates: Rows of items that their query has already.
        n_judged_twice: The same of the judgments.
        n_parts: Rows that were looked at for being parts of items.
        n_whole: Those of them that are none.
        n_comments: Lines of comments in the run.
        n_qrels_comments: The same of the judgments.
        long_lines: Lines with more fields than there should be; a line.
        n_returns: Lines that end in a carriage return alone.
    """

    n_queries: int = 0
    missing: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    rows: Seen = NEVER
    judged_row: Seen = NEVER
    most_judged: Seen = NEVER
    samples: tuple[Sample, ...] = ()
    n_judgments: int = 0
    n_hits: int = 0
    n_retrieved: int = 0
    n_ranked: int = 0
    n_tied: int = 0
    n_looked_at: int = 0
    judged: tuple[float, ...] = ()
    negative: Seen = NEVER
    labels: frozenset[float] = frozenset()
    fractional: Seen = NEVER
    n_own: int = 0
    n_padding: int = 0
    n_scored: int = 0
    odd_ranks: int = 0
    neighbours: int = 0
    contradicted: Seen = NEVER
    infinite: Seen = NEVER
    telling: int = 0
    equal: Seen = NEVER
    ascending: Seen = NEVER
    rises: int = 0
    close: Seen = NEVER
    n_duplicates: int = 0
    n_judged_twice: int = 0
    n_parts: int = 0
    n_whole: int = 0
    n_comments: int = 0
    n_qrels_comments: int = 0
    long_lines: Seen = NEVER
    n_returns: int = 0


@dataclass(eq=False, repr=False)
class ItemFacts(Frozen):
    """The facts of a join, and those of the items that it is about.

    Attributes:
        joined: The facts of the join.
        items: The different items.
        unlisted: Those that are not in the catalogue, where there is one.
        unknown: Those whose popularity is not known, where it is of others.
        featureless: Those without features, where others have some.
    """

    joined: Facts
    items: Ids
    unlisted: Lacks = NONE
    unknown: Lacks = NONE
    featureless: Lacks = NONE


@dataclass(eq=False, repr=False)
class GroupFacts(Frozen):
    """The facts of a join with judgments in groups, and those of the judgments.

    Attributes:
        joined: The facts of the join; the numbers of items stand for their labels.
        empty: Queries that nothing is relevant for, or no item preferred.
        n_queries: Queries that have judgments, and that count.
        groups: The names of groups.
        n_groups: Groups of all queries.
        negative: Labels below 0; the lowest.
        n_judged_twice: Judgments that were dropped, their item being judged twice in a group.
        n_comments: Lines of comments in the judgments.
    """

    joined: Facts
    empty: tuple[str, ...]
    n_queries: int
    groups: Ids
    n_groups: int
    negative: Seen
    n_judged_twice: int
    n_comments: int


def moved(facts: T, places: Sequence[int] | IntArray) -> T:
    """The same, rows being known by other places, given for each row.

    >>> moved(Facts(infinite=Seen(1, 2)), [70, 80]).infinite
    Seen(times=1, first=80)
    """
    if not isinstance(facts, Facts):
        return replace(facts, joined=moved(facts.joined, places))  # type: ignore[type-var, attr-defined]
    row, judged = facts.rows.first, facts.judged_row.first
    return replace(
        facts,
        strangers=tuple(
            Stranger(int(places[place - 1]) if place else 0, query)
            for place, query in facts.strangers
        ),
        rows=Seen(facts.rows.times, row and row._replace(place=int(places[row.place - 1]))),
        judged_row=Seen(
            facts.judged_row.times,
            judged and (judged[0]._replace(place=int(places[judged[0].place - 1])), judged[1]),
        ),
        contradicted=_moved(facts.contradicted, places),
        infinite=_moved(facts.infinite, places),
    )


def _moved(seen: Seen, places: Sequence[int] | IntArray) -> Seen:
    return seen if seen.first is None else Seen(seen.times, int(places[seen.first - 1]))


def added(parts: Iterable[T]) -> T:
    """The facts of parts that share no query, as those of the whole.

    Queries stand in the order of their ids then, and samples too.

    >>> added([Facts(n_queries=2, missing=("q2",)), Facts(n_queries=1, missing=("q1",))]).missing
    ('q1', 'q2')
    """
    each = list(parts)
    kind = type(each[0])
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    found = {name: _together([getattr(one, name) for one in each]) for name in names}
    if "samples" in found:  # of the first queries of every part
        found["samples"] = found["samples"][:SAMPLED]
    return kind(**found)


def _together(values: list[Any]) -> Any:
    """All at once: one after the other would sort what parts name once for every part."""
    one = values[0]
    if isinstance(one, Seen):
        firsts = (seen.first for seen in values if seen.first is not None)
        return Seen(sum(seen.times for seen in values), min(firsts, default=None))
    if isinstance(one, Lacks):
        return Lacks(_together([lacks.ids for lacks in values]), _first(values))
    if isinstance(one, frozenset):
        return one.union(*values)
    if isinstance(one, Ids):
        return Ids(sorted(set().union(*values)))
    if is_dataclass(one):
        return added(values)
    return tuple(sorted(chain.from_iterable(values))) if isinstance(one, tuple) else sum(values)


def _first(values: Iterable[Lacks]) -> tuple[Met, ...]:
    met = sorted(chain.from_iterable(lacks.first for lacks in values))
    each = {one.id: one for one in reversed(met)}
    return tuple(sorted(each.values())[:SHOWN])
