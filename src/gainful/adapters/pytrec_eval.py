"""pytrec_eval, as its users know it: change the import, and nothing else.

``import gainful.adapters.pytrec_eval as pytrec_eval`` takes the place of ``import pytrec_eval``:
the same names, the same keys in the same order, the same values to the last bit. Those of version
0.5 are those of trec_eval 9.0.8.
"""

import math
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gainful.adapters.trec_eval.command_line import Arguments
from gainful.adapters.trec_eval.evaluated_rankings import EvaluatedRankings, align_run
from gainful.adapters.trec_eval.measure_list import (
    CATALOG,
    NICKNAMES,
    Entry,
    ParameterError,
    Parameters,
    list_names,
    parse_parameters,
)
from gainful.adapters.trec_eval.values import Failure, compute_columns
from gainful.base import FloatArray
from gainful.errors import GainfulError, MeasureError, SourceError
from gainful.sources import Judgments, read_qrels, read_run, split_lines

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

_VERSION = 9

supported_nicknames: dict[str, set[str]] = {
    nickname: {*names} & {*list_names(_VERSION)} for nickname, names in NICKNAMES.items()
}
supported_measures: set[str] = {*supported_nicknames["all_trec"]}
# Text after the numbers is ignored.
_WITH_NUMBERS = re.compile(r"(\w+?)[._](\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)", re.ASCII)


class UnfitError(GainfulError, TypeError):
    """Qrels, a run or an argument of the wrong kind."""


class RelevanceEvaluator:
    """Evaluates runs against qrels that are indexed once.

    It may evaluate any number of runs, also from several threads at a time.

    Labels and scores may be numbers of any type, those of NumPy included. A label that is no whole
    number counts as it is, whereas trec_eval has whole numbers alone: it is relevant if it is at
    least ``relevance_level``, not judged if it is below 0, and what it gains is the label. Scores
    are rounded to single precision, as in trec_eval 9, and those that are then equal are ordered by
    item, descending; NaN is refused. A query whose labels are all negative has values like any
    other; trec_eval 9 crashes. ``runid`` and ``relstring``, which are texts, have the value 0.

    Args:
        query_relevance: ``{query: {item: label}}``; queries without items are left out.
        measures: Names in any spelling: ``ndcg_cut``, ``ndcg_cut_10``, ``ndcg_cut.5,10``, or
            nicknames such as ``official``; a single name need not be in a list. Numbers that a
            measure is asked with replace those it has by default.
        relevance_level: The lowest label that is relevant, from 1.
        judged_docs_only_flag: Whether items without a judgment are taken out of the rankings first.

    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 0, "d2": 1}}, {"map", "ndcg_cut.1,5"})
    >>> evaluator.evaluate({"q1": {"d1": 1.5, "d2": 0.5}})
    {'q1': {'map': 0.5, 'ndcg_cut_1': 0.0, 'ndcg_cut_5': 0.6309297535714575}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, float]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        self._measures = _select_entries(measures)
        self._arguments = Arguments(
            compat=_VERSION,
            level=_check_level(relevance_level),
            judged_only=bool(judged_docs_only_flag),
        )
        self._judgments = _index_qrels(query_relevance)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The values of every query that is judged and in the run, in the order of the run.

        Args:
            scores: ``{query: {item: score}}``.

        >>> RelevanceEvaluator({"q1": {"d1": 1}}, "P_5").evaluate({"q1": {"d1": 1}, "q2": {}})
        {'q1': {'P_5': 0.2}}
        """
        if not scores:
            return {}
        _check_mapping(scores, "run")
        if self._judgments is None:
            return {}
        try:
            evaluated = align_run(self._judgments, read_run(scores), self._arguments)
        except SourceError as error:
            raise UnfitError(*error.args, code=error.code) from None
        keys, columns = self._compute_columns(evaluated)
        queries = evaluated.ranked.queries
        rows = np.reshape(columns, (len(keys), len(queries))).T.tolist()
        values = dict(zip(queries, rows, strict=True))
        return {
            query: dict(zip(keys, values[query], strict=True))
            for query in scores
            if query in values
        }

    def _compute_columns(self, evaluated: EvaluatedRankings) -> tuple[list[str], list[FloatArray]]:
        keys: list[str] = []
        columns: list[FloatArray] = []
        for entry, parameters in self._measures:
            if entry.average == "none":  # it is a text
                keys.append(entry.name)
                columns.append(np.zeros(evaluated.ranked.n_queries))
                continue
            try:
                entry_columns = compute_columns(entry, parameters, evaluated, self._arguments)
            except Failure:
                numbers = ",".join(f"{value:g}" for value in parameters.values)
                raise _make_parameter_error(entry, numbers) from None
            keys += [column.name for column in entry_columns]
            columns += [column.values for column in entry_columns]
        return keys, columns


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The scores in the lines of a run: ``query Q0 item rank score tag``.

    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    return _parse_lines(f_run, "run", "query Q0 item rank score tag", position=4, convert=float)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The labels in the lines of qrels: ``query iteration item label``.

    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    return _parse_lines(f_qrel, "qrels", "query iteration item label", position=3, convert=int)


def compute_aggregated_measure(measure: str, values: Iterable[float]) -> float:
    """One value for all queries: a sum for counts, a geometric mean for ``gm_``, or else the mean.

    The values of ``gm_map`` and ``gm_bpref`` are logarithms. Of no values the mean is NaN.

    >>> compute_aggregated_measure("map", [0.5, 1.0]), compute_aggregated_measure("num_q", [1, 1])
    (0.75, 2.0)
    """
    array = np.array(list(values))
    if measure.startswith("num_"):
        return float(np.sum(array))
    if not len(array):
        return math.nan
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(array) / len(array)))
    return float(np.mean(array))


def _select_entries(measures: Iterable[str]) -> list[tuple[Entry, Parameters]]:
    """Return the requested measures in trec_eval's order, with their parameters."""
    numbers_by_name = _parse_names(measures)
    # The parameters as text would be a part of the name, which pytrec_eval leaves out.
    return [
        (entry, replace(_make_parameters(entry, numbers_by_name[entry.name]), text=None))
        for entry in CATALOG
        if entry.name in numbers_by_name
    ]


def _parse_names(measures: object) -> dict[str, set[str]]:
    """Return the numbers requested with each measure, by its name."""
    names = [measures] if isinstance(measures, str) else measures
    if not isinstance(names, Iterable):
        message = f"measures: must be names such as 'ndcg_cut_10', got {measures!r:.60}."
        raise UnfitError(message, code="not-a-measure")
    numbers_by_name: dict[str, set[str]] = {}
    for measure in names:
        if not isinstance(measure, str):
            message = f"measures: must be names such as 'ndcg_cut_10', got {measure!r:.60}."
            raise UnfitError(message, code="not-a-measure")
        for name in sorted(supported_nicknames.get(measure, {measure})):
            stem, numbers = _split_name(name)
            numbers_by_name.setdefault(stem, set()).update(numbers)
    return numbers_by_name


def _split_name(name: str) -> tuple[str, list[str]]:
    if name in supported_measures:
        return name, []
    match = _WITH_NUMBERS.match(name)
    if match is None or match[1] not in supported_measures:
        message = f"unsupported measure {name}; supported_measures has those that there are."
        raise MeasureError(message, code="unknown-measure")
    return match[1], match[2].split(",")


def _make_parameters(entry: Entry, numbers: set[str]) -> Parameters:
    # In the order of their characters, since that is how pytrec_eval passes them to trec_eval.
    text = ",".join(sorted(numbers)) or None
    try:
        return parse_parameters(entry, text)
    except ParameterError:
        raise _make_parameter_error(entry, text) from None


def _make_parameter_error(entry: Entry, text: str | None) -> MeasureError:
    return MeasureError(
        f"{entry.name}: trec_eval does not take such numbers, got {text}.", code="bad-setting"
    )


def _check_level(relevance_level: Any) -> int:
    try:
        level = operator.index(relevance_level)
    except TypeError:
        level = 0
    if level < 1:
        message = f"relevance_level: must be an integer >= 1, got {relevance_level!r:.60}."
        raise UnfitError(message, code="bad-argument")
    return level


def _index_qrels(qrels: Mapping[str, Mapping[str, float]]) -> Judgments | None:
    _check_mapping(qrels, "qrels")
    judged = {query: labels for query, labels in qrels.items() if len(labels)}
    try:
        return read_qrels(judged) if judged else None
    except SourceError as error:
        raise UnfitError(*error.args, code=error.code) from None


def _check_mapping(source: object, name: str) -> None:
    if not isinstance(source, Mapping):
        message = f"{name}: must be a dict of dicts, got {source!r:.60}."
        raise UnfitError(message, code="wrong-type")
    for query, entries in source.items():
        if not isinstance(query, str):
            message = f"{name}: the id of a query must be a string, got {query!r:.60}."
            raise UnfitError(message, code="bad-id")
        if not isinstance(entries, Mapping):
            message = f"{name}: query {query!r} must hold a dict of items, got {entries!r:.60}."
            raise UnfitError(message, code="wrong-structure")


def _parse_lines(
    lines: Iterable[str], name: str, columns: str, *, position: int, convert: Callable[[str], Any]
) -> dict[str, dict[str, Any]]:
    text = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
    rows = split_lines(
        text.encode("utf-8", "surrogateescape"), name, tuple(columns.split()), skip_blank=False
    )
    parsed: dict[str, dict[str, Any]] = defaultdict(dict)
    queries, items, numbers = (rows.columns[i] for i in (0, 2, position))
    for line, query, item, number in zip(rows.lines, queries, items, numbers, strict=True):
        if item in parsed[query]:
            message = f"{name}, line {line}: query {query!r} has item {item!r} twice."
            raise SourceError(message, code="listed-twice")
        try:
            parsed[query][item] = convert(number)
        except ValueError:
            expected = "an integer" if convert is int else "a number"
            message = (
                f"{name}, line {line}: {columns.split()[position]} must be {expected}, "
                f"got {number!r:.60}."
            )
            raise SourceError(message, code="not-numbers") from None
    return parsed
