"""JoinStats: counts and first examples of a join; those of parts of the queries add up."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from gainful.alignment.rankings import Rankings
from gainful.sources import RowLocator

T = TypeVar("T")
R = TypeVar("R", bound=Rankings, covariant=True)
S = TypeVar("S", covariant=True)

SAMPLED_QUERIES = 100  # queries whose ids are kept to find out why they do not match


class Count(NamedTuple):
    """Number of times something occurs, and its first occurrence, which is the lowest."""

    times: int = 0
    first: Any = None


ZERO = Count()


class Ids(tuple[str, ...]):
    """Ids that parts may share: each is there once."""

    __slots__ = ()


class RunRow(NamedTuple):
    """A row of the run: its place, and its ids."""

    place: int
    query: str
    item: str


class IdSample(NamedTuple):
    """The first items that the run has for a query, and the judged ones."""

    query: str
    heads: tuple[str, ...]
    judged: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class JoinStats:
    """Statistics of a run and judgments that were joined, without their rankings.

    Places are rows of the run, as they are counted from 1. Where none of its items is judged,
    ``samples`` shows what ids there are.

    Attributes:
        n_queries: Queries that have judgments.
        missing: Those without results in the run.
        empty: Those without a relevant item.
        unjudged_queries: Queries of the run that have no judgments, in its order.
        rows: Rows of the run; the first ``Row``.
        judged_row: The first one of a query that has judged items, and one of these.
        most_judged: The query with the most judgments, first by their number, and one of them.
        samples: Of the first queries.
        n_judgments: Judged items.
        n_hits: Judged items that were retrieved.
        n_retrieved: Items that count.
        n_ranked: Judged items that were retrieved and have a rank.
        n_tied: Those of them that are tied.
        n_looked_at: Items in the first ranks.
        judged: Numbers that add up to how many of them are judged.
        negative: Labels below 0; the lowest.
        labels: The different labels of the judgments.
        fractional: Judgments with a fractional label; the query and label of one.
        n_own: Items that were dropped for having the id of their query.
        n_padding: Judged items that are padding.
        n_scored: Rows that scores order.
        odd_ranks: Those of them without an integer for a rank.
        neighbors: Those whose rank, and that of the row before, are integers.
        contradicted: Those of them whose score says the opposite of the rank; a place.
        infinite: Rows with such a score; a place.
        n_multi_score: Queries with more than one score.
        equal: Queries of several rows and one score.
        ascending: Queries whose scores rise and never fall.
        rises: How often they rise in these.
        close: Judged items whose neighbors differ from them in double precision alone; a query.
        n_duplicates: Rows of items that their query has already.
        n_judged_twice: The same of the judgments.
        n_parts: Rows that were looked at for being parts of items.
        n_whole: Those of them that are not parts.
        n_comments: Lines of comments in the run.
        n_qrels_comments: The same of the judgments.
        long_lines: Lines with more fields than there should be; a line.
        n_returns: Lines that end in a carriage return alone.
    """

    n_queries: int = 0
    missing: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    unjudged_queries: tuple[str, ...] = ()
    rows: Count = ZERO
    judged_row: Count = ZERO
    most_judged: Count = ZERO
    samples: tuple[IdSample, ...] = ()
    n_judgments: int = 0
    n_hits: int = 0
    n_retrieved: int = 0
    n_ranked: int = 0
    n_tied: int = 0
    n_looked_at: int = 0
    judged: tuple[float, ...] = ()
    negative: Count = ZERO
    labels: frozenset[float] = frozenset()
    fractional: Count = ZERO
    n_own: int = 0
    n_padding: int = 0
    n_scored: int = 0
    odd_ranks: int = 0
    neighbors: int = 0
    contradicted: Count = ZERO
    infinite: Count = ZERO
    n_multi_score: int = 0
    equal: Count = ZERO
    ascending: Count = ZERO
    rises: int = 0
    close: Count = ZERO
    n_duplicates: int = 0
    n_judged_twice: int = 0
    n_parts: int = 0
    n_whole: int = 0
    n_comments: int = 0
    n_qrels_comments: int = 0
    long_lines: Count = ZERO
    n_returns: int = 0


@dataclass(frozen=True, eq=False)
class ItemStats:
    """Statistics of a join, and of the items in it.

    Attributes:
        joined: The statistics of the join.
        items: The different items.
        unlisted: Those that are not in the catalog, if there is one.
        unknown: Those without a popularity, if others have one.
        featureless: Those without features, if others have some.
    """

    joined: JoinStats
    items: Ids
    unlisted: Ids
    unknown: Ids
    featureless: Ids


@dataclass(frozen=True, eq=False)
class GroupStats:
    """Statistics of a join with judgments in groups, and of the judgments.

    Attributes:
        joined: The statistics of the join, with numbers of items in place of labels.
        empty: Queries without a relevant or preferred item.
        n_queries: Queries that have judgments, and that count.
        groups: The names of groups.
        n_groups: Groups of all queries.
        negative: Labels below 0; the lowest.
        n_judged_twice: Judgments that were dropped, their item being judged twice in a group.
        n_comments: Lines of comments in the judgments.
    """

    joined: JoinStats
    empty: tuple[str, ...]
    n_queries: int
    groups: Ids
    n_groups: int
    negative: Count
    n_judged_twice: int
    n_comments: int


class AlignedPart(NamedTuple, Generic[R, S]):
    """Rankings of a part of the queries, which may be all or none of them.

    Attributes:
        ranked: The rankings.
        stats: The statistics of the join.
        locator: Names the rows of the run.
    """

    ranked: R
    stats: S
    locator: RowLocator


def add_stats(parts: Iterable[T]) -> T:
    """Add up the statistics of parts that share no query.

    Queries and samples are then in the order of their ids.

    >>> parts = [JoinStats(missing=("q2",)), JoinStats(missing=("q1",))]
    >>> add_stats(parts).missing
    ('q1', 'q2')
    """
    all_parts = list(parts)
    kind = type(all_parts[0])
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    sums = {name: _add_values([getattr(part, name) for part in all_parts]) for name in names}
    if "samples" in sums:  # of the first queries of every part
        sums["samples"] = sums["samples"][:SAMPLED_QUERIES]
    return kind(**sums)


def _add_values(values: list[Any]) -> Any:
    """Add up all values at once: pair by pair would sort the same ids once per part."""
    first_value = values[0]
    if isinstance(first_value, Count):
        firsts = (count.first for count in values if count.first is not None)
        return Count(sum(count.times for count in values), min(firsts, default=None))
    if isinstance(first_value, frozenset):
        return first_value.union(*values)
    if isinstance(first_value, Ids):
        return Ids(sorted(set().union(*values)))
    if is_dataclass(first_value):
        return add_stats(values)
    return (
        tuple(sorted(chain.from_iterable(values)))
        if isinstance(first_value, tuple)
        else sum(values)
    )
