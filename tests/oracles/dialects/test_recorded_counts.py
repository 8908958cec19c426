"""Check that ``recorded_values.json`` is up to date; ``make gold`` rewrites it."""

import json
import os
from collections import Counter
from pathlib import Path

import gainful.dialects
from gainful.report.views.dialects import RecordedValues
from oracles.dialects.agreement import compare_record
from oracles.dialects.calls import find_call, get_tolerance
from oracles.dialects.records import LIBRARIES, RECORDS, Record
from oracles.dialects.unreproducible import find_reason

COUNTS = Path(gainful.dialects.__file__).with_name("recorded_values.json")


def test_the_counts_in_the_package_are_those_of_the_records():
    rows = [_count_values(library)._asdict() for library in sorted(LIBRARIES, key=str.lower)]
    text = json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("GAINFUL_GOLD") == "write":
        COUNTS.write_text(text, encoding="utf-8")
    assert text == COUNTS.read_text(encoding="utf-8")


def _count_values(library: str) -> RecordedValues:
    records = [record for record in RECORDS if record.library == library]
    matches = [compare_record(record)[0] for record in records]
    unmatched = [record for record, matched in zip(records, matches, strict=True) if not matched]
    return RecordedValues(
        library=library,
        version=records[0].version,
        dialects=_list_dialects(records),
        within=_describe_tolerance(library),
        matched=sum(matches),
        total=len(records),
        unmatched=dict(Counter(find_reason(record) or "not looked into" for record in unmatched)),
    )


def _list_dialects(records: list[Record]) -> list[str]:
    return sorted({find_call(record).dialect for record in records})


def _describe_tolerance(library: str) -> str:
    tolerance = get_tolerance(library)
    return f"within {tolerance:g}" if tolerance else "bit for bit"
