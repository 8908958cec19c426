"""Comparison of every dialect with the recorded values of its library."""

import math

import pytest

import gainful
from oracles.dialects.agreement import compare_record, evaluate_lists, evaluate_record
from oracles.dialects.calls import TABLE, find_call
from oracles.dialects.records import CASES, LIBRARIES, RECORDS, Record
from oracles.dialects.unreproducible import find_reason
from oracles.tally import record_matched


def select_records(library: str) -> list[Record]:
    return [record for record in RECORDS if record.library == library]


LIBRARIES_OF_LISTS = [
    library for library in LIBRARIES if find_call(select_records(library)[0]).takes_lists
]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_record_agrees_or_stands_in_the_table_of_what_cannot(library):
    records = select_records(library)
    outcomes = [(record, *compare_record(record)) for record in records]
    record_matched(library, sum(matches for _, matches, _ in outcomes), len(outcomes))
    wrong = [
        f"{record}: {record.value}, got {_format_value(value)}"
        for record, matches, value in outcomes
        if not matches and find_reason(record) is None
    ]
    stale = [
        str(record)
        for record, matches, _ in outcomes
        if matches and find_reason(record) is not None
    ]
    assert not wrong, f"{len(wrong)} of {len(records)} differ:\n" + "\n".join(wrong)
    assert not stale, "these agree after all:\n" + "\n".join(stale)


@pytest.mark.parametrize("library", LIBRARIES_OF_LISTS)
def test_plain_functions_of_labels_and_scores_give_what_evaluate_gives(library):
    records = [
        record
        for record in select_records(library)
        if len(record.case.qrels) == 1 and find_call(record).takes_lists
    ]
    differing = [
        str(record)
        for record in records
        if _evaluate_by_lists(record) != _evaluate_by_query(record)
    ]
    assert not differing


def test_every_row_of_the_table_is_used():
    used = [find_call(record) for record in RECORDS]
    assert [row for row in TABLE if row[-1] not in used] == []


def test_all_records_are_there():
    assert len(RECORDS) == 2481
    assert len(CASES) == 11


def _evaluate_by_lists(record: Record) -> float | str:
    try:
        value = evaluate_lists(record)
    except gainful.GainfulError:
        return "error"
    return "nan" if math.isnan(value) else value


def _evaluate_by_query(record: Record) -> float | str:
    try:
        (value,) = (value for query, value in evaluate_record(record).items() if query != "mean")
    except gainful.GainfulError:
        return "error"
    return "nan" if math.isnan(value) else value


def _format_value(value: object) -> str:
    return value.hex() if isinstance(value, float) else str(value)
