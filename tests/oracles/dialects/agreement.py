"""Recorded values computed by Gainful, and whether the two agree."""

import math
from typing import Any

import numpy as np

import gainful
from gainful.dialects import Dialect, find_dialect
from gainful.measures import Measure, parse_measure
from oracles.dialects.calls import DOUBLE, PRINTED, SINGLE, Call, call_of
from oracles.dialects.records import Case, Record
from oracles.ulps import ulps


def agrees(record: Record) -> tuple[bool, Any]:
    """Whether Gainful gives the value of the record, and what it gives."""
    resolve_call(call_of(record), record.cutoff)  # a misspelling here is no error of the dialect
    try:
        found = values(record)
    except gainful.GainfulError as error:
        return isinstance(record.value, dict) and "raised" in record.value, error
    if record.value == "random":
        return _within(record, found["mean"]), found["mean"]
    if not isinstance(record.value, dict):
        return _equal(record.library, found["mean"], _number(record.value)), found["mean"]
    if "raised" in record.value:
        return False, found
    expected = {query: _number(value) for query, value in record.value.items()}
    if "amean" in expected:
        found["amean"] = found["mean"]
    del found["mean"]
    same = _queries_with_values(found) == set(expected) or set(expected) == {"amean"}
    return same and all(
        _equal(record.library, found[query], value) for query, value in expected.items()
    ), found


def _queries_with_values(found: dict[str, float]) -> set[str]:
    """The queries that have a value, as those do that a program prints."""
    return {query for query, value in found.items() if not math.isnan(value)}


def values(record: Record, ties: str | None = None) -> dict[str, float]:
    """What ``evaluate`` gives for each query, and their mean."""
    call = call_of(record)
    dialect, measure = resolve_call(call, record.cutoff)
    if ties is not None:
        dialect = dialect.with_rules(ties=ties)
    scores = gainful.evaluate(
        _convert_input(record.case, call.fed), record.case.run, measure, dialect=dialect
    )
    column = scores.column(measure).tolist()
    return dict(zip(scores.queries, column, strict=True)) | {"mean": scores[measure]}


def value_of_lists(record: Record) -> float:
    """What the plain function gives for the labels and scores of a single query."""
    dialect, measure = resolve_call(call_of(record), record.cutoff)
    (query,) = record.case.run
    labels = [record.case.qrels[query].get(item, 0) for item in record.case.run[query]]
    scores = list(record.case.run[query].values())
    function = getattr(gainful, measure.name.lower())
    stated = {name: measure.all_settings[name] for name in measure.stated if name != "cutoff"}
    return function(labels, scores, k=record.cutoff, dialect=dialect, **stated)


def resolve_call(call: Call, cutoff: int | None) -> tuple[Dialect, Measure]:
    """The dialect with the rules of the call, and the measure with its cutoff."""
    rules = dict(rule.split("=", 1) for rule in call.rules.split())
    read: dict[str, Any] = {name: _rule(text) for name, text in rules.items()}
    measure = parse_measure(call.measure if cutoff is None else f"{call.measure}@{cutoff}")
    return find_dialect(call.dialect).with_rules(**read), measure


def _rule(text: str) -> Any:
    return None if text == "none" else int(text) if text.isdigit() else text


def _convert_input(case: Case, fed: str) -> Any:
    if fed == "one-subtopic":
        return {
            query: {"0": {item: int(label > 0) for item, label in items.items()}}
            for query, items in case.qrels.items()
        }
    if fed == "by-label":
        return {
            query: dict(sorted(items.items(), key=lambda pair: -pair[1]))
            for query, items in case.qrels.items()
        }
    return case.qrels


def _number(text: str) -> float:
    return float.fromhex(text)


def _equal(library: str, found: float, expected: float) -> bool:
    if math.isnan(found) or math.isnan(expected):
        return math.isnan(found) and math.isnan(expected)
    if library in SINGLE:
        unit = float(np.spacing(np.float32(max(abs(expected), 2.0**-126))))
        return abs(found - expected) <= SINGLE[library] * unit
    if library in PRINTED:
        found = float(f"{found:.{PRINTED[library]}f}")
    return ulps(found, expected) <= DOUBLE.get(library, 0)


def _within(record: Record, found: float) -> bool:
    """Whether a value is one that the order of tied items could give."""
    low, high = (values(record, ties)["mean"] for ties in ("worst", "best"))
    return low <= found <= high
