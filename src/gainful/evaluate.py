"""evaluate(): the whole pipeline, on one screen."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gainful.about_joins import parties
from gainful.asked import DEFAULT_MEASURES, Measures, as_dialect, as_rules, settled_measures
from gainful.in_dialect import refusing_in, undefined_in
from gainful.kinds import judgments_for
from gainful.measures import Measure
from gainful.parts import aligned, check_lacking, lacking, said_of, said_of_values, valued
from gainful.ragged import FloatArray
from gainful.rankings import Rankings
from gainful.results import Scores
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
    is_spark,
    read_items,
    read_run,
)

if TYPE_CHECKING:
    from gainful.dialects import Dialect


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
            which may have another name. A DataFrame of Spark is evaluated where it is, as
            ``engines.spark.evaluate`` does, which has more to set.
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
    several = list(runs)
    if any(map(_is_on_spark, (qrels, *several))):
        how: Any = {"items": items, "queries": queries, "weights": weights}
        how |= {"rules": rules, "dialect": dialect}
        return _on_spark(qrels, several, measures, how, {"threads": threads, "progress": progress})
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
    each = (_scores(judgments, read_run(run), settled, data, rules, reading) for run in several)
    if spoken is None:
        return [told(scores) for scores in each]
    odd = undefined_in(spoken, settled)
    with refusing_in(spoken):
        return [told(replace(s, dialect=spoken, notices=(*s.notices, *odd))) for s in each]


def collect_each(qrels: Any, runs: Iterable[Any], measures: Measures, **how: Any) -> list[Scores]:
    """The values for every run, all of them on this machine; for arguments see ``evaluate``."""
    found = evaluate_each(qrels, runs, measures, **how)
    try:
        return [scores.collect() for scores in found]
    finally:
        for scores in found:
            scores.release()


def _is_on_spark(source: Any) -> bool:
    return is_spark(source.source if isinstance(source, Run) else source)


def _on_spark(
    qrels: Any, runs: list[Any], measures: Measures, how: dict[str, Any], reading: dict[str, Any]
) -> list[Scores]:
    """The same where rows are on Spark: those of the qrels, or of some runs."""
    from gainful.engines.spark import evaluate_each as spread  # only who has Spark pays for it

    sent = [_is_on_spark(qrels) or _is_on_spark(run) for run in runs]
    there = [run for run, is_sent in zip(runs, sent, strict=True) if is_sent]
    here = [run for run, is_sent in zip(runs, sent, strict=True) if not is_sent]
    # First those that leave nothing behind if others fail.
    near = iter(evaluate_each(qrels, here, measures, **how, **reading) if here else ())
    far = iter(spread(qrels, there, measures, **how))
    return [next(far) if is_sent else next(near) for is_sent in sent]


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
    found = aligned(judgments, run, settled, data, rules, reading)
    facts = {kind: one.facts for kind, one in found.items()}
    who = {kind: parties(judgments[kind], run, one.handed) for kind, one in found.items()}
    notices = said_of(facts, who, rules, data)
    part = valued(found, settled, rules)
    return Scores(
        run=run.name,
        queries=part.queries,
        measures=tuple(settled),
        values=part.values,
        rules=rules,
        notices=tuple(dict.fromkeys([*notices, *said_of_values(part.lacking, rules)])),
        overall={one: settled[one].overall(part.ranked[one]) for one in part.ranked},
        judged=part.judged,
        empty=part.empty,
    )


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
    check_lacking({asked or measure: lacking(found, ranked)}, rules)
    return found
