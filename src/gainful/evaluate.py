"""evaluate(): the whole pipeline, on one screen."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from gainful.align import align
from gainful.errors import AlignError, MeasureError, RuleError
from gainful.measures import Measure, parse_all
from gainful.notices import Notice, UndefinedValues
from gainful.ragged import FloatArray
from gainful.rankings import JudgedRankings
from gainful.results import Scores
from gainful.rules import Rules
from gainful.sources import Judgments, Progress, Reading, Run, Source, read_qrels, read_run

UNDEFINED = {"zero": 0.0, "one": 1.0, "nan": math.nan, "skip": math.nan, "error": math.nan}
DEFAULT_MEASURES = ("nDCG@5", "nDCG@10", "nDCG", "DCG@10")

Measures = str | Measure | Iterable[str | Measure]


def evaluate(
    qrels: Source | Judgments,
    run: Source | Run,
    measures: Measures = DEFAULT_MEASURES,
    *,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Scores:
    """The values of the measures for every judged query of one run.

    Args:
        qrels: A TREC file, ``{query: {item: label}}``, ``Columns``, or what ``read_qrels``
            returned: read them once for many runs.
        run: A TREC file, ``{query: {item: score}}``, ``{query: [item, ...]}`` or ``Columns``;
            ``read_run`` gives it another name.
        measures: One or several: ``"nDCG@10"``, ``"nDCG@5,10"``, ``nDCG(gain="exp2") @ 10``.
        rules: How to join, rank and average; ``Rules()`` if not given.
        threads: How many threads read files; all cores if not given. The values do not depend
            on it.
        progress: Called now and then with a file's name, the bytes that are read, and how many
            there are, if that is known.

    >>> scores = evaluate({"q1": {"d1": 1}}, {"q1": {"d9": 0.9, "d1": 0.8}}, ["nDCG@10", "DCG@10"])
    >>> scores.mean()
    {'nDCG@10': 0.6309297535714575, 'DCG@10': 0.6309297535714575}
    """
    rules = as_rules(rules)
    chosen = as_measures(measures)
    reading = Reading(threads, progress)
    judgments = read_qrels(qrels, duplicates=rules.duplicates, threads=threads, progress=progress)
    source = read_run(run)
    ranked, notices = align(judgments, source, rules, reading)
    values = np.stack([measure.score(ranked) for measure in chosen], axis=1)
    undefined = _undefined(chosen, values, ranked, rules)
    return Scores(
        run=source.name,
        queries=ranked.queries,
        measures=chosen,
        values=np.where(np.isnan(values), UNDEFINED[rules.empty], values),
        rules=rules,
        notices=(*notices, *undefined),
    )


def as_measures(measures: Measures) -> tuple[Measure, ...]:
    """The measures that were asked for, each once, in their order.

    >>> as_measures(["nDCG@5,10", "ndcg_cut_5"])
    (nDCG@5, nDCG@10)
    """
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
    return tuple(dict.fromkeys(found))


def as_rules(rules: Rules | None) -> Rules:
    """The rules that were given, or the default ones.

    >>> as_rules(None) == Rules()
    True
    """
    if rules is not None and not isinstance(rules, Rules):
        message = f"rules: must be Rules(...), got {rules!r:.60}."
        raise RuleError(message)
    return rules or Rules()


def values_of(measure: Measure, ranked: JudgedRankings, rules: Rules) -> FloatArray:
    """One value per query; where the measure has none, what the rules say."""
    values = measure.score(ranked)
    _undefined((measure,), values[:, np.newaxis], ranked, rules)
    return np.where(np.isnan(values), UNDEFINED[rules.empty], values)


def _undefined(
    measures: tuple[Measure, ...], values: FloatArray, ranked: JudgedRankings, rules: Rules
) -> list[Notice]:
    """What is to be said about queries that have no value; an error where the rules want one."""
    notices: list[Notice] = []
    for measure, column in zip(measures, np.isnan(values).T, strict=True):
        if column.any() and rules.empty == "error":
            query = ranked.queries[int(column.argmax())]
            message = f"{measure} has nothing to divide by for query {query!r}, got empty=error."
            raise AlignError(message)
        # Queries without a label above 0 have been spoken of already.
        unheard_of = column & ~ranked.nothing_relevant
        if unheard_of.any():
            queries = tuple(ranked.queries[i] for i in np.flatnonzero(unheard_of))
            notices.append(UndefinedValues(str(measure), queries, rules.empty))
    return notices
