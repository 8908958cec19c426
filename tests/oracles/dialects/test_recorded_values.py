"""Every recorded value of every library is reproduced by its dialect."""

import math

import pytest

import gainful
from oracles.dialects.agreement import agrees, value_of_lists, values
from oracles.dialects.calls import TABLE, call_of
from oracles.dialects.records import CASES, LIBRARIES, RECORDS, Record
from oracles.dialects.unreproducible import reason
from oracles.tally import matched


def of(library: str) -> list[Record]:
    return [record for record in RECORDS if record.library == library]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_record_agrees_or_stands_in_the_table_of_what_cannot(library):
    records = of(library)
    outcomes = [(record, *agrees(record)) for record in records]
    matched(library, sum(same for _, same, _ in outcomes), len(outcomes))
    wrong = [
        f"{record}: {record.value}, got {_format_found(found)}"
        for record, same, found in outcomes
        if not same and reason(record) is None
    ]
    stale = [str(record) for record, same, _ in outcomes if same and reason(record) is not None]
    assert not wrong, f"{len(wrong)} of {len(records)} differ:\n" + "\n".join(wrong)
    assert not stale, "these agree after all:\n" + "\n".join(stale)


@pytest.mark.parametrize("library", [one for one in LIBRARIES if call_of(of(one)[0]).lists])
def test_plain_functions_of_labels_and_scores_give_what_evaluate_gives(library):
    single = [record for record in of(library) if len(record.case.qrels) == 1]
    listed = [record for record in single if call_of(record).lists]
    differing = [str(record) for record in listed if _by_lists(record) != _by_query(record)]
    assert not differing


def test_every_row_of_the_table_is_used():
    used = [call_of(record) for record in RECORDS]
    assert [row for row in TABLE if row[-1] not in used] == []


def test_all_records_are_there():
    assert len(RECORDS) == 2481
    assert len(CASES) == 11


def _by_lists(record: Record) -> float | str:
    try:
        value = value_of_lists(record)
    except gainful.GainfulError:
        return "error"
    return "nan" if math.isnan(value) else value


def _by_query(record: Record) -> float | str:
    try:
        (value,) = (value for query, value in values(record).items() if query != "mean")
    except gainful.GainfulError:
        return "error"
    return "nan" if math.isnan(value) else value


def _format_found(found: object) -> str:
    return found.hex() if isinstance(found, float) else str(found)
