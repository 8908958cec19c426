"""The pipeline for a part of the queries, be it all of them, up to their values."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gainful import ragged
from gainful.about_joins import Parties
from gainful.errors import AlignError
from gainful.facts import Facts, GroupFacts, ItemFacts
from gainful.kinds import KINDS
from gainful.measures import Measure
from gainful.notices import Notice, UndefinedValues
from gainful.ragged import ENDLESS, BoolArray, FloatArray
from gainful.rankings import JudgedRankings, Rankings
from gainful.records import Frozen
from gainful.ruled_notices import UnjudgedAbove
from gainful.ruled_values import Ruled, ruled_values
from gainful.rules import Rules
from gainful.sources import Handed, ItemData, Reading, Run

_MANY = 8  # measures, for which it pays to keep memory

AnyFacts = Facts | ItemFacts | GroupFacts


class Joint(NamedTuple):
    """Rankings of one kind, the facts of their join, and what the rows of the run are called."""

    ranked: Rankings
    facts: AnyFacts
    handed: Handed


class Lacking(NamedTuple):
    """The queries that a measure has no value for.

    Attributes:
        empty: All that have nothing to divide by.
        unheard_of: Those of them that have a label above 0.
        unjudged: Those that have an item without a judgment where one is needed.
    """

    empty: tuple[str, ...]
    unheard_of: tuple[str, ...]
    unjudged: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Part(Frozen):
    """The values of a part of the queries.

    Attributes:
        queries: The id of each query.
        values: One row per query, one column per measure.
        judged: As ``Scores`` has it.
        empty: As ``Scores`` has it.
        lacking: For each measure, the queries it has no value for.
        ranked: For each measure of whole runs, the rankings that it reads.
    """

    queries: tuple[str, ...]
    values: FloatArray
    judged: Mapping[Measure, FloatArray]
    empty: Mapping[Measure, BoolArray]
    lacking: Mapping[Measure, Lacking]
    ranked: Mapping[Measure, Rankings]


def aligned(
    judgments: Mapping[type[Rankings], Any],
    run: Run,
    settled: Mapping[Measure, Measure],
    data: ItemData,
    rules: Rules,
    reading: Reading,
) -> dict[type[Rankings], Joint]:
    """The rankings of every kind that the measures read."""
    if len(settled) > _MANY:
        ragged.retain_memory()
    found = {}
    for kind, judged in judgments.items():
        about: Any = {}
        if KINDS[kind].takes_items:
            about = {"data": data, "depth": _depth(settled.values())}
        found[kind] = Joint(*KINDS[kind].part(judged, run, rules, reading, **about))
    return found


def said_of(
    facts: Mapping[type[Rankings], Any],
    who: Mapping[type[Rankings], Parties],
    rules: Rules,
    data: ItemData,
) -> list[Notice]:
    """What is to be said of joins; an error where something is refused."""
    notices: list[Notice] = []
    for kind, known in facts.items():
        about: Any = {"data": data} if KINDS[kind].takes_items else {}
        notices += KINDS[kind].said(known, who[kind], rules, **about)
    return notices


def valued(
    found: Mapping[type[Rankings], Joint], settled: Mapping[Measure, Measure], rules: Rules
) -> Part:
    """The values of the measures, under the names that were asked for."""
    values: dict[Measure, Ruled] = {}
    shares: dict[Measure, FloatArray] = {}
    lacks: dict[Measure, Lacking] = {}
    whole: dict[Measure, Rankings] = {}
    queries: tuple[str, ...] | None = None
    for kind, (ranked, *_) in found.items():
        own = {one: its for one, its in settled.items() if issubclass(kind, its.reads)}
        if queries is not None and queries != ranked.queries:
            first = next(iter(settled))
            message = f"{first} and {kind.__name__} have other queries; evaluate them apart."
            raise AlignError(message, code="unlike-runs")
        queries = ranked.queries
        ruled = {one: ruled_values(its, ranked, rules) for one, its in own.items()}
        shares |= _judged_shares(own, ranked)
        lacks |= {one: lacking(its, ranked) for one, its in ruled.items()}
        whole |= {one: ranked for one, its in own.items() if its.whole}
        values |= ruled
    return Part(
        queries=queries or (),
        values=np.stack([values[one].values for one in settled], axis=1),
        judged=shares,
        empty={one: values[one].empty for one in settled} if rules.empty_weight is not None else {},
        lacking={one: lacks[one] for one in settled},
        ranked=whole,
    )


def lacking(found: Ruled, ranked: Rankings) -> Lacking:
    """The queries that a measure has no value for."""
    _, empty, unjudged = found
    # Queries without a label above 0 have been spoken of already.
    unheard_of = empty & ~ranked.nothing_relevant
    return Lacking(
        _ids(ranked, empty),
        _ids(ranked, unheard_of),
        () if unjudged is None else _ids(ranked, unjudged),
    )


def said_of_values(lacks: Mapping[Measure, Lacking], rules: Rules) -> list[Notice]:
    """What is to be said about queries that have no value; an error where the rules want one."""
    check_lacking(lacks, rules)
    notices: list[Notice] = []
    for measure, (_, unheard_of, unjudged) in lacks.items():
        if unheard_of:
            notices.append(UndefinedValues(str(measure), unheard_of, rules.empty))
        if unjudged:
            notices.append(UnjudgedAbove(str(measure), unjudged))
    return notices


def check_lacking(lacks: Mapping[Measure, Lacking], rules: Rules) -> None:
    """Refuse queries that a measure has no value for, where the rules say so."""
    for measure, (empty, *_) in lacks.items():
        if empty and rules.empty == "error":
            query = empty[0]
            message = f"{measure} has nothing to divide by for query {query!r}, got empty=error."
            raise AlignError(message, query=query, code="refused-empty")


def _judged_shares(
    settled: Mapping[Measure, Measure], ranked: Rankings
) -> dict[Measure, FloatArray]:
    """For each measure, the share of the items it looks at that are judged, if any are."""
    if not isinstance(ranked, JudgedRankings):
        return {}
    from gainful.measures.judged import judged_share  # families are imported when they are needed

    cutoffs = {one: dict(its.settings).get("cutoff") for one, its in settled.items()}
    returned = np.where(ranked.n_retrieved > 0, 1.0, math.nan)
    of_cutoff = {k: judged_share(ranked, k) * returned for k in set(cutoffs.values())}
    return {one: of_cutoff[cutoff] for one, cutoff in cutoffs.items()}


def _depth(measures: Iterable[Measure]) -> int:
    """The last rank at which any of the measures of items looks."""
    cutoffs = [m.all_settings.get("cutoff") for m in measures if KINDS[m.reads].takes_items]
    return max(ENDLESS if cutoff is None else min(cutoff, ENDLESS) for cutoff in cutoffs)


def _ids(ranked: Rankings, chosen: BoolArray) -> tuple[str, ...]:
    return tuple(ranked.queries[i] for i in np.flatnonzero(chosen))
