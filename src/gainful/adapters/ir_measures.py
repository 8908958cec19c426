"""The interface of ir_measures 0.4, which need not be installed.

>>> import gainful.adapters.ir_measures as ir_measures
>>> from gainful.adapters.ir_measures import AP, nDCG
>>> qrels, run = {"q1": {"d1": 1}}, {"q1": {"d9": 0.9, "d1": 0.8}}
>>> ir_measures.calc_aggregate([nDCG @ 10, AP], qrels, run)
{nDCG@10: 0.6309297535714575, AP: 0.5}

Programs that use the installed ir_measures, such as PyTerrier, get Gainful's values without another
change after ``gainful.adapters.ir_measures.register()``.

Ties, missing queries and means are those of the provider that ir_measures asks by default, measure
by measure. What differs:

- gdeval's values (ERR, and nDCG with dcg='exp-log2') are not rounded to five decimals;
- a measure has one value, whatever it is asked for together with (but Accuracy, as there);
- zero divided by zero is 0 (nNRBP, IPrec with judged_only), and left out of Accuracy;
- pyndeval's ERR_IA@1 and alpha_DCG@1 are divided as at other cutoffs;
- the ideal of Compat is the nearest one where scores are tied or not above 0;
- IPrec is at the recall that is asked for, not at two decimals of it;
- settings that no installed provider takes are computed too, such as RBP with a cutoff;
- ids are text, and there are no custom measures and providers.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from gainful.adapters._ir_measures_inputs import (
    Qrel,
    ScoredDoc,
    parse_measure,
    parse_trec_measure,
    prepare_qrels,
    prepare_run,
    read_trec_qrels,
    read_trec_run,
)
from gainful.adapters._ir_measures_table import (
    AP,
    AP_IA,
    BPM,
    ERR,
    ERR_IA,
    INSQ,
    INST,
    MAP,
    MAP_IA,
    MRR,
    NDCG,
    NERR8,
    NERR9,
    NERR10,
    NERR11,
    NO_RELABEL,
    NRBP,
    P_IA,
    RBP,
    RR,
    SDCG,
    Accuracy,
    BPref,
    Bpref,
    Compat,
    GainfulMeasure,
    IPrec,
    Judged,
    Measure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    Precision,
    R,
    Recall,
    Relabel,
    RPrec,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    StRecall,
    Success,
    alpha_DCG,
    alpha_nDCG,
    infAP,
    nDCG,
    nERR_IA,
    nNRBP,
    α_DCG,
    α_nDCG,
)
from gainful.alignment import GroupedRankings
from gainful.base import cached_property, import_package
from gainful.errors import MeasureError
from gainful.evaluation import evaluate
from gainful.sources import Columns, GroupedJudgments, Judgments, read_qrels, read_subtopics


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

    def __init__(self, measures: Iterable[Measure | str], qrels: object) -> None:
        measure_list: Any = measures
        if isinstance(measures, Measure | str) or not isinstance(measures, Iterable):
            message = f"measures: must be a list of measures, got {measures!r:.60}."
            raise MeasureError(message, code="not-a-measure")
        self.measures = tuple(dict.fromkeys(parse_measure(measure) for measure in measure_list))
        self._translations = {measure: measure.translation for measure in self.measures}
        self._qrels = prepare_qrels(qrels)
        self._judgments_cache: dict[tuple[bool, Relabel], Judgments | GroupedJudgments] = {}

    def iter_calc(self, run: object) -> Iterator[Metric]:
        """The value of every measure for every judged query."""
        columns = self._compute_columns(run)
        for query in self.queries:
            for measure, column in columns.items():
                if query in column:
                    yield Metric(query, measure, column[query])

    def calc_aggregate(self, run: object) -> dict[Measure, float]:
        """One number for every measure: the mean over the queries, or the sum of counts."""
        return _aggregate_columns(self._compute_columns(run))

    def calc(self, run: object) -> CalcResults:
        """Both of it."""
        metrics = list(self.iter_calc(run))
        columns: dict[Measure, dict[str, float]] = {measure: {} for measure in self.measures}
        for query, measure, value in metrics:
            columns[measure][query] = value
        return CalcResults(_aggregate_columns(columns), metrics)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The judged queries, in the order of the qrels."""
        if not _count_rows(self._qrels):
            return ()
        return tuple(self._get_judgments(NO_RELABEL, grouped=False).queries)

    def _compute_columns(self, run: object) -> dict[Measure, dict[str, float]]:
        """Return the values of every measure by query; 0 for a query that the run does not have."""
        prepared_run = prepare_run(run)
        columns = {measure: dict.fromkeys(self.queries, 0.0) for measure in self.measures}
        have_witnesses = all(translation.witness for translation in self._translations.values())
        if have_witnesses:
            columns = {measure: {} for measure in self.measures}
        for group in self._group_measures():
            grouped = _is_grouped(next(iter(group.values())))
            if not self._shares_a_query(prepared_run, grouped=grouped):
                continue
            for measure, values in self._score_group(
                group, prepared_run, have_witnesses=have_witnesses
            ):
                columns[measure] |= values
        return columns

    def _group_measures(self) -> list[dict[Measure, GainfulMeasure]]:
        """Return the measures in groups that need the same judgments and rules."""
        groups: dict[Any, dict[Measure, GainfulMeasure]] = {}
        for measure, translation in self._translations.items():
            key = _is_grouped(translation), translation.rules, translation.relabel
            groups.setdefault(key, {})[measure] = translation
        return list(groups.values())

    def _score_group(
        self, group: dict[Measure, GainfulMeasure], run: Any, *, have_witnesses: bool
    ) -> Iterator[tuple[Measure, dict[str, float]]]:
        first = next(iter(group.values()))
        judgments = self._get_judgments(first.relabel, grouped=_is_grouped(first))
        group_measures = [translation.measure for translation in group.values()]
        witnesses = [translation.witness for translation in group.values() if translation.witness]
        scores = evaluate(judgments, run, [*group_measures, *witnesses], rules=first.rules)
        for measure, translation in group.items():
            values = scores.column(translation.measure)
            keep = np.ones(len(values), dtype=np.bool_)
            if have_witnesses and translation.witness:
                keep = ~np.isnan(values) & (scores.column(translation.witness) > 0)
            filled = np.where(np.isnan(values), 0.0, values * translation.factor).tolist()
            pairs = zip(scores.queries, filled, keep.tolist(), strict=True)
            yield measure, {query: value for query, value, is_kept in pairs if is_kept}

    def _shares_a_query(self, run: object, *, grouped: bool) -> bool:
        """Return whether the run has a judged query; assume so for a file, not read yet."""
        judged: Iterable[str] = self.queries
        if grouped and isinstance(self._qrels, Mapping):  # without an item there is no subtopic
            judged = [str(query) for query, items in self._qrels.items() if items]
        if isinstance(run, Columns | Mapping):
            ids = run.query if isinstance(run, Columns) else run
            return not {str(query) for query in ids}.isdisjoint(judged)
        return bool(judged)

    def _get_judgments(self, relabel: Relabel, *, grouped: bool) -> Any:
        if (grouped, relabel) not in self._judgments_cache:
            self._judgments_cache[grouped, relabel] = self._read_judgments(relabel, grouped=grouped)
        return self._judgments_cache[grouped, relabel]

    def _read_judgments(self, relabel: Relabel, *, grouped: bool) -> Judgments | GroupedJudgments:
        if grouped:
            qrels = self._qrels
            if isinstance(qrels, Mapping):  # of items: all belong to one subtopic
                qrels = {query: {"0": items} for query, items in qrels.items()}
            return read_subtopics(qrels, duplicates="last")
        if relabel == NO_RELABEL:
            return read_qrels(self._qrels, duplicates="last")
        judgments = self._get_judgments(NO_RELABEL, grouped=False)
        new_labels = {label: relabel.apply(label) for label in set(judgments.pool_label.tolist())}
        if all(label == other for label, other in new_labels.items()):
            return judgments  # type: ignore[no-any-return]
        return read_qrels(
            {
                query: {
                    item: new_labels[label]
                    for item, label in judgments.index.judgments(number)
                    if new_labels[label] is not None
                }
                for number, query in enumerate(judgments.queries)
            }
        )


def _aggregate_columns(columns: dict[Measure, dict[str, float]]) -> dict[Measure, float]:
    return {
        measure: measure.average_values(list(values.values()))
        for measure, values in columns.items()
    }


def _is_grouped(translation: GainfulMeasure) -> bool:
    return translation.measure.reads is GroupedRankings


def _count_rows(qrels: object) -> int:
    """Return how many rows or queries there are; 1 for a file, which is not read yet."""
    if isinstance(qrels, Columns):
        return len(qrels.query)
    return len(qrels) if isinstance(qrels, Mapping) else 1


__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "ERR",
    "ERR_IA",
    "INSQ",
    "INST",
    "MAP",
    "MAP_IA",
    "MRR",
    "NDCG",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "P_IA",
    "RBP",
    "RR",
    "SDCG",
    "Accuracy",
    "BPref",
    "BaseMeasure",
    "Bpref",
    "CalcResults",
    "Compat",
    "Evaluator",
    "IPrec",
    "Judged",
    "Measure",
    "Metric",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "Precision",
    "Qrel",
    "R",
    "RPrec",
    "Recall",
    "Rprec",
    "ScoredDoc",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "alpha_DCG",
    "alpha_nDCG",
    "calc",
    "calc_aggregate",
    "evaluator",
    "infAP",
    "iter_calc",
    "nDCG",
    "nERR_IA",
    "nNRBP",
    "parse_measure",
    "parse_trec_measure",
    "read_trec_qrels",
    "read_trec_run",
    "register",
    "unregister",
    "α_DCG",
    "α_nDCG",
]

BaseMeasure = Measure
_Measures = Iterable[Measure | str]


def evaluator(measures: _Measures, qrels: object) -> Evaluator:
    """Measures and qrels, to be used for many runs.

    Args:
        measures: Measures, or their text.
        qrels: ``{query: {item: label}}``; a DataFrame, or rows such as ``Qrel``, with query_id,
            doc_id and relevance, and iteration for subtopics; or the path of a TREC file.
    """
    return Evaluator(measures, qrels)


def calc(measures: _Measures, qrels: object, run: object) -> CalcResults:
    """One number for every measure, and the values of every query.

    Args:
        measures: As for ``evaluator``.
        qrels: As for ``evaluator``.
        run: ``{query: {item: score}}``; a DataFrame, or rows such as ``ScoredDoc``, with query_id,
            doc_id and score; or the path of a TREC file.

    >>> calc([RR], {"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}})
    CalcResults(aggregated={RR: 0.5}, per_query=[Metric(query_id='q1', measure=RR, value=0.5)])
    """
    return Evaluator(measures, qrels).calc(run)


def calc_aggregate(measures: _Measures, qrels: object, run: object) -> dict[Measure, float]:
    """One number for every measure. For the arguments see ``calc``."""
    return Evaluator(measures, qrels).calc_aggregate(run)


def iter_calc(measures: _Measures, qrels: object, run: object) -> Iterator[Metric]:
    """The value of every measure for every query. For the arguments see ``calc``."""
    return Evaluator(measures, qrels).iter_calc(run)


def register() -> None:
    """Let the installed ir_measures ask Gainful first, for all of its measures.

    Programs that call ir_measures, such as PyTerrier, need no other change. To do it twice is no
    different from once.
    """
    _get_provider().register()


def unregister() -> None:
    """Undo ``register``."""
    _get_provider().unregister()


def _get_provider() -> Any:
    import_package("ir_measures", "ir_measures", install="ir-measures")
    from gainful.adapters import _ir_measures_provider

    return _ir_measures_provider
