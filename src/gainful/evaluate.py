"""evaluate(): the whole pipeline, on one screen."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful import ragged
from gainful.errors import AlignError, MeasureError, RuleError
from gainful.in_dialect import refusing_in, undefined_in
from gainful.kinds import KINDS, judgments_for
from gainful.measures import Measure, parse_all
from gainful.notices import Notice, UndefinedValues
from gainful.ragged import ENDLESS, BoolArray, FloatArray
from gainful.rankings import JudgedRankings, Rankings
from gainful.results import Scores
from gainful.ruled_notices import UnjudgedAbove
from gainful.ruled_values import Ruled, ruled_values
from gainful.rules import Rules
from gainful.sources import (
    GroupedJudgments,
    ItemData,
    Judgments,
    PreferenceJudgments,
    Progress,
    Reading,
    Run,
    Source,
    read_items,
    read_run,
)

if TYPE_CHECKING:
    from gainful.dialects import Dialect

_MANY = 8  # measures, for which it pays to keep memory
DEFAULT_MEASURES = ("nDCG@5", "nDCG@10", "nDCG", "DCG@10")

Measures = str | Measure | Iterable[str | Measure]


def evaluate(
    qrels: Source | Judgments | GroupedJudgments | PreferenceJudgments,
    run: Source | Run,
    measures: Measures = DEFAULT_MEASURES,
    *,
    items: Any = None,
    queries: Any = None,
    weights: str | Mapping[Any, float] | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Scores:
    """The values of the measures for every judged query of one run.

    Args:
        qrels: A file, a data frame or an object: whatever ``read_qrels`` takes, or what it
            returned: read them once for many runs. For measures of subtopics, what
            ``read_subtopics`` takes or returned; for measures of preferences, what
            ``read_preferences`` does.
        run: A file, a data frame or an object: whatever ``read_run`` takes, or what it returned,
            which may have another name.
        measures: One or several: ``"nDCG@10"``, ``"nDCG@5,10"``, ``nDCG(gain="exp2") @ 10``.
        items: For measures of what is recommended: ``ItemData(...)``, or what ``read_items`` takes.
        queries: What is known of queries: a table with a query column, as ``read_queries`` takes.
            ``Scores.by`` makes slices of it.
        weights: How much each query counts in the means: a column of ``queries``, or
            ``{query: weight}``.
        rules: How to join, rank and average; ``Rules()`` if not given.
        dialect: Whose definition of the measures holds, in place of ``rules``: ``"lightgbm"``,
            ``"trec_eval@9"``, or what ``find_dialect`` returned.
        threads: How many threads read files; all cores if not given. The values do not depend
            on it.
        progress: Called now and then with a file's name, the bytes that are read, and how many
            there are, if that is known.

    >>> scores = evaluate({"q1": {"d1": 1}}, {"q1": {"d9": 0.9, "d1": 0.8}}, ["nDCG@10", "DCG@10"])
    >>> scores.mean()
    {'nDCG@10': 0.6309297535714575, 'DCG@10': 0.6309297535714575}
    """
    how: Any = {"items": items, "queries": queries, "weights": weights}
    how |= {"rules": rules, "dialect": dialect}
    reading: Any = {"threads": threads, "progress": progress}
    return evaluate_each(qrels, [run], measures, **how, **reading)[0]


def evaluate_each(
    qrels: Source | Judgments | GroupedJudgments | PreferenceJudgments,
    runs: Iterable[Source | Run],
    measures: Measures = DEFAULT_MEASURES,
    *,
    items: Any = None,
    queries: Any = None,
    weights: str | Mapping[Any, float] | None = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Scores]:
    """The values for every run; the qrels are read once. For arguments see ``evaluate``.

    >>> each = evaluate_each({"q1": {"d1": 1}}, [{"q1": ["d1"]}, {"q1": ["d2", "d1"]}], "nDCG")
    >>> [scores["nDCG"] for scores in each]
    [1.0, 0.6309297535714575]
    """
    spoken = as_dialect(dialect, rules)
    rules = as_rules(rules) if spoken is None else spoken.rules
    settled, reading = settled_measures(measures, spoken), Reading(threads, progress)
    told = _told(queries, weights)
    first_of_kind = {measure.reads: str(measure) for measure in reversed(settled)}
    # What reads one kind can read another that adds to it: the run is then read once.
    judgments = {
        kind: judgments_for(kind, qrels, rules, reading, measure=first)
        for kind, first in first_of_kind.items()
        if not any(issubclass(other, kind) for other in first_of_kind if other is not kind)
    }
    data = ItemData() if items is None else read_items(items)
    each = (_scores(judgments, read_run(run), settled, data, rules, reading) for run in runs)
    if spoken is None:
        return [told(scores) for scores in each]
    odd = undefined_in(spoken, settled)
    with refusing_in(spoken):
        return [told(replace(s, dialect=spoken, notices=(*s.notices, *odd))) for s in each]


def _told(queries: Any, weights: Any) -> Callable[[Scores], Scores]:
    """What adds to scores what is known of their queries."""
    if queries is None and weights is None:
        return lambda scores: scores
    from gainful.about_queries import known_queries, with_data  # only who has such data pays for it

    data = known_queries(queries, weights)
    return lambda scores: with_data(scores, data, weights)


def _scores(
    judgments: dict[type[Rankings], Any],
    run: Run,
    settled: Mapping[Measure, Measure],
    data: ItemData,
    rules: Rules,
    reading: Reading,
) -> Scores:
    """The values of settled measures, under the names that were asked for."""
    if len(settled) > _MANY:
        ragged.retain_memory()
    found: dict[Measure, Ruled] = {}
    overall: dict[Measure, float] = {}
    shares: dict[Measure, FloatArray] = {}
    notices: list[Notice] = []
    queries: tuple[str, ...] = ()
    for kind, judged in judgments.items():
        own = {one: its for one, its in settled.items() if issubclass(kind, its.reads)}
        about: Any = (
            {"data": data, "depth": _depth(own.values())} if KINDS[kind].takes_items else {}
        )
        ranked, odd = KINDS[kind].align(judged, run, rules, reading, **about)
        if queries and queries != ranked.queries:
            first = next(iter(settled))
            message = f"{first} and {kind.__name__} have other queries; evaluate them apart."
            raise AlignError(message)
        queries = ranked.queries
        values = {one: ruled_values(its, ranked, rules) for one, its in own.items()}
        found |= values
        shares |= _judged_shares(own, ranked)
        overall |= {one: its.overall(ranked) for one, its in own.items() if its.whole}
        notices += [*odd, *_undefined(values, ranked, rules)]
    return Scores(
        run=run.name,
        queries=queries,
        measures=tuple(settled),
        values=np.stack([found[one].values for one in settled], axis=1),
        rules=rules,
        notices=tuple(dict.fromkeys(notices)),
        overall=overall,
        judged=shares,
        empty={one: found[one].empty for one in settled} if rules.empty_weight is not None else {},
    )


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


def as_measures(measures: Measures) -> tuple[Measure, ...]:
    """The measures that were asked for, each once, in their order.

    >>> as_measures(["nDCG@5,10", "ndcg_cut_5"])
    (nDCG@5, nDCG@10)
    """
    return tuple(settled_measures(measures, None))


def settled_measures(measures: Measures, dialect: "Dialect | None") -> dict[Measure, Measure]:
    """The same, each with what it means in the dialect, if there is one.

    >>> settled_measures(["nDCG@5", "nDCG(gain=linear)@5"], as_dialect("burges", None))
    {nDCG@5: nDCG(gain=exp2)@5, nDCG(gain=linear)@5: nDCG@5}
    """
    asked = _listed(measures)
    if dialect is None:
        return {one: one for one in asked}
    return {dialect.named(one): dialect.settled(one) for one in asked}


def _listed(measures: Measures) -> list[Measure]:
    several: Any = measures
    if isinstance(measures, str | Measure) or not isinstance(measures, Iterable):
        several = [measures]
    found: list[Measure] = []
    for one in several:
        if not isinstance(one, str | Measure):
            message = f"measures: must be text such as 'nDCG@10', or measures, got {one!r:.60}."
            raise MeasureError(message)
        found += parse_all(one) if isinstance(one, str) else [one]
    if not found:
        message = "no measure was asked for; name one, for example nDCG@10."
        raise MeasureError(message)
    return found


def as_rules(rules: Rules | None) -> Rules:
    """The rules that were given, or the default ones.

    >>> as_rules(None) == Rules()
    True
    """
    if rules is not None and not isinstance(rules, Rules):
        message = f"rules: must be Rules(...), got {rules!r:.60}."
        raise RuleError(message)
    return rules or Rules()


def as_dialect(dialect: "str | Dialect | None", rules: Rules | None) -> "Dialect | None":
    """The dialect of that name, if one is named; an error where rules are given beside it.

    >>> as_dialect("trec_eval@9", None).rules.precision
    'float32'
    """
    if dialect is None:
        return None
    from gainful.dialects import find_dialect  # only who names one pays for them

    found = find_dialect(dialect)
    if rules is not None:
        message = (
            f"rules: dialect {found} brings its own, got {rules}. "
            f"Pass dialect=find_dialect({found.name!r}).with_rules(...)."
        )
        raise RuleError(message)
    return found


def values_of(
    measure: Measure, ranked: Rankings, rules: Rules, asked: Measure | None = None
) -> FloatArray:
    """One value per query; where the measure has none, what the rules say."""
    return checked_values(measure, ranked, rules, asked).values


def checked_values(
    measure: Measure, ranked: Rankings, rules: Rules, asked: Measure | None = None
) -> Ruled:
    """The same, and which queries had nothing relevant; an error where the rules want one.

    Errors name the measure as it was asked for, where a dialect has made another of it.
    """
    found = ruled_values(measure, ranked, rules)
    _undefined({asked or measure: found}, ranked, rules)
    return found


def _undefined(found: dict[Measure, Ruled], ranked: Rankings, rules: Rules) -> list[Notice]:
    """What is to be said about queries that have no value; an error where the rules want one."""
    notices: list[Notice] = []
    for measure, (_, empty, unjudged) in found.items():
        if empty.any() and rules.empty == "error":
            query = ranked.queries[int(empty.argmax())]
            message = f"{measure} has nothing to divide by for query {query!r}, got empty=error."
            raise AlignError(message)
        # Queries without a label above 0 have been spoken of already.
        unheard_of = empty & ~ranked.nothing_relevant
        if unheard_of.any():
            notices.append(UndefinedValues(str(measure), _ids(ranked, unheard_of), rules.empty))
        if unjudged is not None and unjudged.any():
            notices.append(UnjudgedAbove(str(measure), _ids(ranked, unjudged)))
    return notices


def _ids(ranked: Rankings, chosen: BoolArray) -> tuple[str, ...]:
    return tuple(ranked.queries[i] for i in np.flatnonzero(chosen))
