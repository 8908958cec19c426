"""Comparison of recorded values with those that Gainful computes."""

import math
from typing import Any

import gainful
from gainful.dialects import Dialect, find_dialect
from gainful.measures import Measure, parse_measure
from oracles.dialects.calls import Call, find_call, get_tolerance
from oracles.dialects.records import Case, Record


def compare_record(record: Record) -> tuple[bool, Any]:
    """Return whether Gainful gives the value of the record, and the value that it gives."""
    resolve_call(find_call(record), record.cutoff)  # a misspelling here is no error of the dialect
    try:
        values = evaluate_record(record)
    except gainful.GainfulError as error:
        return isinstance(record.value, dict) and "raised" in record.value, error
    if record.value == "random":
        return _is_within_ties(record, values["mean"]), values["mean"]
    if not isinstance(record.value, dict):
        return _are_equal(record.library, values["mean"], _parse_number(record.value)), values[
            "mean"
        ]
    if "raised" in record.value:
        return False, values
    expected = {query: _parse_number(value) for query, value in record.value.items()}
    if "amean" in expected:
        values["amean"] = values["mean"]
    del values["mean"]
    has_same_queries = _list_queries_with_values(values) == set(expected) or set(expected) == {
        "amean"
    }
    return has_same_queries and all(
        _are_equal(record.library, values[query], value) for query, value in expected.items()
    ), values


def _list_queries_with_values(values: dict[str, float]) -> set[str]:
    """Return the queries that have a value; a program prints no others."""
    return {query for query, value in values.items() if not math.isnan(value)}


def evaluate_record(record: Record, ties: str | None = None) -> dict[str, float]:
    """Return the values of ``evaluate`` by query, and their mean."""
    call = find_call(record)
    dialect, measure = resolve_call(call, record.cutoff)
    if ties is not None:
        dialect = dialect.with_rules(ties=ties)
    scores = gainful.evaluate(
        _convert_input(record.case, call.form), record.case.run, measure, dialect=dialect
    )
    column = scores.column(measure).tolist()
    return dict(zip(scores.queries, column, strict=True)) | {"mean": scores[measure]}


def evaluate_lists(record: Record) -> float:
    """Return the value of the plain function for the labels and scores of a single query."""
    dialect, measure = resolve_call(find_call(record), record.cutoff)
    (query,) = record.case.run
    labels = [record.case.qrels[query].get(item, 0) for item in record.case.run[query]]
    scores = list(record.case.run[query].values())
    function = getattr(gainful, measure.name.lower())
    settings = {name: measure.all_settings[name] for name in measure.stated if name != "cutoff"}
    return function(labels, scores, k=record.cutoff, dialect=dialect, **settings)


def resolve_call(call: Call, cutoff: int | None) -> tuple[Dialect, Measure]:
    """Return the dialect with the rules of the call, and the measure with its cutoff."""
    rules = dict(rule.split("=", 1) for rule in call.rules.split())
    changes: dict[str, Any] = {name: _parse_rule(text) for name, text in rules.items()}
    measure = parse_measure(call.measure if cutoff is None else f"{call.measure}@{cutoff}")
    return find_dialect(call.dialect).with_rules(**changes), measure


def _parse_rule(text: str) -> Any:
    return None if text == "none" else int(text) if text.isdigit() else text


def _convert_input(case: Case, form: str) -> Any:
    if form == "one-subtopic":
        return {
            query: {"0": {item: int(label > 0) for item, label in items.items()}}
            for query, items in case.qrels.items()
        }
    if form == "by-label":
        return {
            query: dict(sorted(items.items(), key=lambda pair: -pair[1]))
            for query, items in case.qrels.items()
        }
    return case.qrels


def _parse_number(text: str) -> float:
    return float.fromhex(text)


def _are_equal(library: str, value: float, expected: float) -> bool:
    if math.isnan(value) or math.isnan(expected):
        return math.isnan(value) and math.isnan(expected)
    return math.isclose(value, expected, rel_tol=get_tolerance(library))


def _is_within_ties(record: Record, value: float) -> bool:
    """Return whether some order of the tied items could give a value."""
    low, high = (evaluate_record(record, ties)["mean"] for ties in ("worst", "best"))
    return low <= value <= high
