"""bounds(): the exact interval of nDCG over all labels of unjudged items."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from gainful.asked import as_rules
from gainful.errors import ComparisonError
from gainful.measures import Judged, Measure
from gainful.named_runs import named_runs
from gainful.ragged import FloatArray
from gainful.rules import Rules
from gainful.sources import Judgments, Progress, Reading, Source, read_judgments
from gainful.unjudged.bounds import Bounds
from gainful.unjudged.extremes import Question
from gainful.unjudged.grades import choices, grades_from
from gainful.unjudged.places import Looked, look, numbered_alike
from gainful.unjudged.supported import formula_of, one_measure


def bounds(
    qrels: Source | Judgments,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    grades: Iterable[float] | None = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Bounds:
    """Where the values of runs lie, whatever the labels of their unjudged items.

    Of each query these are the retrieved items without a judgment that the measure looks at: the
    first 10 for nDCG@10. A label raises the best possible ranking too. So "not relevant" is not the
    worst that an unjudged item can be.

    Args:
        qrels: As for ``evaluate``.
        runs: One run as ``read_run`` takes it from a file, several in a list, or ``{name: run}``.
        measure: nDCG, or another of its family.
        grades: The labels that an unjudged item may get; 0 and those of the qrels if not given.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> ranking = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "unjudged"]
    >>> judged = dict.fromkeys(ranking[1:9], 0) | {"a": 1}
    >>> found = bounds({"q1": judged}, {"mine": {"q1": ranking}})
    >>> found.value("mine"), found.mean("mine")
    (1.0, Interval(low=0.7903864795495061, high=1.0))
    """
    chosen, rules, reading = one_measure(measure), as_rules(rules), Reading(threads, progress)
    judgments = read_judgments(qrels, rules, reading)
    formula, labels = formula_of(chosen), grades_from(grades, judgments.pool_label)
    question = Question(chosen, formula, rules, choices(formula, labels))
    each = [look(judgments, run, formula, rules, reading) for run in named_runs(runs)]
    if not each:
        message = "runs: there must be at least one, got none."
        raise ComparisonError(message, code="too-few-runs")
    return _bounds(question, labels.tolist(), _in_common(each))


def _in_common(each: list[Looked]) -> list[Looked]:
    """The runs with the queries that the rules keep for any, and items numbered alike."""
    keep = np.flatnonzero(np.any([looked.kept for looked in each], axis=0))
    return numbered_alike([looked.select(keep) for looked in each])


def _bounds(question: Question, grades: list[float], each: list[Looked]) -> Bounds:
    ends = [question.ends(looked) for looked in each]
    judged = Judged(cutoff=question.formula.cutoff)
    n_queries = each[0].ranked.n_queries
    return Bounds(
        runs=tuple(looked.name for looked in each),
        queries=each[0].ranked.queries,
        measure=question.measure,
        grades=tuple(grades),
        values=np.stack([question.values(looked) for looked in each]),
        low=np.stack([low for low, _ in ends]),
        high=np.stack([high for _, high in ends]),
        n_unjudged=np.stack(
            [np.bincount(looked.places.query, minlength=n_queries) for looked in each]
        ),
        judged=np.stack([_judged(looked, judged) for looked in each]),
        rules=question.rules,
        notices=tuple(dict.fromkeys(n for looked in each for n in looked.notices)),
        question=question,
        looked=tuple(each),
    )


def _judged(looked: Looked, judged: Measure) -> FloatArray:
    """The share of judged items of each query; NaN where a run has no results."""
    counted = looked.kept & (looked.ranked.n_retrieved > 0)
    return np.where(counted, judged.score(looked.ranked), np.nan)
