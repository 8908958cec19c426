"""evaluate(): the whole pipeline, on one screen."""

from collections.abc import Iterable, Iterator
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
from gainful.sources import Judgments, Run, Source, read_qrels, read_run

DEFAULT_MEASURES = ("nDCG@5", "nDCG@10", "nDCG", "DCG@10")

Measures = str | Measure | Iterable[str | Measure]


def evaluate(
    qrels: Source | Judgments,
    run: Source | Run,
    measures: Measures = DEFAULT_MEASURES,
    *,
    rules: Rules | None = None,
) -> Scores:
    """The values of the measures for every judged query of one run.

    Args:
        qrels: A TREC file, ``{query: {item: label}}``, ``Columns``, or what ``read_qrels``
            returned: read them once for many runs.
        run: A TREC file, ``{query: {item: score}}``, ``{query: [item, ...]}`` or ``Columns``;
            ``read_run`` gives it another name.
        measures: One or several: ``"nDCG@10"``, ``"nDCG@5,10"``, ``nDCG(gain="exp2") @ 10``.
        rules: How to join, rank and average; ``Rules()`` if not given.

    >>> scores = evaluate({"q1": {"d1": 1}}, {"q1": {"d9": 0.9, "d1": 0.8}}, ["nDCG@10", "DCG@10"])
    >>> scores.mean()
    {'nDCG@10': 0.6309297535714575, 'DCG@10': 0.6309297535714575}
    """
    rules = as_rules(rules)
    chosen = as_measures(measures)
    judgments = read_qrels(qrels, duplicates=rules.duplicates)
    ranked, notices = align(judgments, read_run(run), rules)
    values = np.stack([values_of(measure, ranked, rules) for measure in chosen], axis=1)
    return Scores(
        run=read_run(run).name,
        queries=ranked.queries,
        measures=chosen,
        values=values,
        rules=rules,
        notices=(*notices, *_undefined(chosen, values, ranked)),
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
    """One value per query; an error where the rules want one."""
    values = measure.score(ranked)
    if rules.empty == "error" and np.isnan(values).any():
        query = ranked.queries[int(np.isnan(values).argmax())]
        message = f"{measure} has nothing to divide by for query {query!r}, got empty=error."
        raise AlignError(message)
    return values


def _undefined(
    measures: tuple[Measure, ...], values: FloatArray, ranked: JudgedRankings
) -> Iterator[Notice]:
    for measure, column in zip(measures, values.T, strict=True):
        if np.isnan(column).any():
            queries = tuple(ranked.queries[i] for i in np.flatnonzero(np.isnan(column)))
            yield UndefinedValues(str(measure), queries)
