"""Measures of ir_measures and qrels, to evaluate runs with."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gainful.adapters._ir_measures_inputs import held_qrels, held_run
from gainful.adapters._ir_measures_parse import parse_measure
from gainful.adapters._ir_measures_table import AS_THEY_ARE, Here, Measure, Relabel
from gainful.cached import cached_property
from gainful.errors import MeasureError
from gainful.evaluate import evaluate
from gainful.rankings import GroupedRankings
from gainful.sources import (
    Columns,
    GroupedJudgments,
    Judgments,
    read_qrels,
    read_subtopics,
)


class Metric(NamedTuple):
    """The value of one measure for one query."""

    query_id: str
    measure: Measure
    value: float


class CalcResults(NamedTuple):
    """One number for every measure, and the values that it comes from."""

    aggregated: Any
    per_query: list[Metric]


class Evaluator:
    """Some measures and qrels, read once for many runs.

    >>> from gainful.adapters.ir_measures import P
    >>> judged = Evaluator([P @ 1], {"q1": {"d1": 1}, "q2": {"d1": 1}})
    >>> judged.calc_aggregate({"q1": {"d1": 0.5}})
    {P@1: 0.5}
    """

    def __init__(self, measures: Iterable[Measure | str], qrels: Any) -> None:
        several: Any = measures
        if isinstance(measures, Measure | str) or not isinstance(measures, Iterable):
            message = f"measures: must be a list of measures, got {measures!r:.60}."
            raise MeasureError(message, code="not-a-measure")
        self.measures = tuple(dict.fromkeys(parse_measure(measure) for measure in several))
        self._here = {measure: measure.here for measure in self.measures}
        self._qrels = held_qrels(qrels)
        self._read: dict[tuple[bool, Relabel], Judgments | GroupedJudgments] = {}

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of every measure for every judged query."""
        columns = self._columns(run)
        for query in self.queries:
            for measure, column in columns.items():
                if query in column:
                    yield Metric(query, measure, column[query])

    def calc_aggregate(self, run: Any) -> dict[Measure, float]:
        """One number for every measure: the mean over the queries, or the sum of counts."""
        return _aggregated(self._columns(run))

    def calc(self, run: Any) -> CalcResults:
        """Both of it."""
        metrics = list(self.iter_calc(run))
        columns: dict[Measure, dict[str, float]] = {measure: {} for measure in self.measures}
        for query, measure, value in metrics:
            columns[measure][query] = value
        return CalcResults(_aggregated(columns), metrics)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The judged queries, in the order of the qrels."""
        if not _n_rows(self._qrels):
            return ()
        return tuple(self._judgments(AS_THEY_ARE, grouped=False).queries)

    def _columns(self, run: Any) -> dict[Measure, dict[str, float]]:
        """The values of every measure by query; 0 for a query that the run does not have."""
        held = held_run(run)
        columns = {measure: dict.fromkeys(self.queries, 0.0) for measure in self.measures}
        alone = all(here.witness for here in self._here.values())
        if alone:
            columns = {measure: {} for measure in self.measures}
        for together in self._groups():
            grouped = _is_grouped(next(iter(together.values())))
            if not self._shares_a_query(held, grouped=grouped):
                continue
            for measure, values in self._scored(together, held, alone=alone):
                columns[measure] |= values
        return columns

    def _groups(self) -> list[dict[Measure, Here]]:
        """The measures, those together that want the same judgments and rules."""
        groups: dict[Any, dict[Measure, Here]] = {}
        for measure, here in self._here.items():
            wanted = _is_grouped(here), here.rules, here.relabel
            groups.setdefault(wanted, {})[measure] = here
        return list(groups.values())

    def _scored(
        self, together: dict[Measure, Here], run: Any, *, alone: bool
    ) -> Iterator[tuple[Measure, dict[str, float]]]:
        first = next(iter(together.values()))
        judgments = self._judgments(first.relabel, grouped=_is_grouped(first))
        wanted = [here.measure for here in together.values()]
        witnesses = [here.witness for here in together.values() if here.witness]
        scores = evaluate(judgments, run, [*wanted, *witnesses], rules=first.rules)
        for measure, here in together.items():
            values = scores.column(here.measure)
            keep = np.ones(len(values), dtype=np.bool_)
            if alone and here.witness:
                keep = ~np.isnan(values) & (scores.column(here.witness) > 0)
            plain = np.where(np.isnan(values), 0.0, values * here.times).tolist()
            pairs = zip(scores.queries, plain, keep.tolist(), strict=True)
            yield measure, {query: value for query, value, kept in pairs if kept}

    def _shares_a_query(self, run: Any, *, grouped: bool) -> bool:
        """Whether the run has a judged query; of a file that is not known yet."""
        judged: Iterable[str] = self.queries
        if grouped and isinstance(self._qrels, Mapping):  # without an item there is no subtopic
            judged = [str(query) for query, items in self._qrels.items() if items]
        if isinstance(run, Columns | Mapping):
            ids = run.query if isinstance(run, Columns) else run
            return not {str(query) for query in ids}.isdisjoint(judged)
        return bool(judged)

    def _judgments(self, relabel: Relabel, *, grouped: bool) -> Any:
        if (grouped, relabel) not in self._read:
            self._read[grouped, relabel] = self._judged(relabel, grouped=grouped)
        return self._read[grouped, relabel]

    def _judged(self, relabel: Relabel, *, grouped: bool) -> Judgments | GroupedJudgments:
        if grouped:
            held = self._qrels
            if isinstance(held, Mapping):  # of items: all belong to one subtopic
                held = {query: {"0": items} for query, items in held.items()}
            return read_subtopics(held, duplicates="last")
        if relabel == AS_THEY_ARE:
            return read_qrels(self._qrels, duplicates="last")
        judgments = self._judgments(AS_THEY_ARE, grouped=False)
        becomes = {label: relabel.of(label) for label in set(judgments.pool_label.tolist())}
        if all(label == other for label, other in becomes.items()):
            return judgments  # type: ignore[no-any-return]
        return read_qrels(
            {
                query: {
                    item: becomes[label]
                    for item, label in judgments.index.judgments(number)
                    if becomes[label] is not None
                }
                for number, query in enumerate(judgments.queries)
            }
        )


def _aggregated(columns: dict[Measure, dict[str, float]]) -> dict[Measure, float]:
    return {measure: measure.averaged(list(values.values())) for measure, values in columns.items()}


def _is_grouped(here: Here) -> bool:
    return here.measure.reads is GroupedRankings


def _n_rows(qrels: Any) -> int:
    """How many rows or queries there are; of a file that is not known yet."""
    if isinstance(qrels, Columns):
        return len(qrels.query)
    return len(qrels) if isinstance(qrels, Mapping) else 1
