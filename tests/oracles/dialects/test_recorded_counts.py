"""``recorded_values.json`` is up to date; ``make gold`` rewrites it."""

import json
import os
from collections import Counter
from pathlib import Path

import gainful.dialects
from gainful.report.views.dialects import RecordedValues
from oracles.dialects.agreement import agrees
from oracles.dialects.calls import DOUBLE, PRINTED, SINGLE, call_of
from oracles.dialects.records import LIBRARIES, RECORDS, Record
from oracles.dialects.unreproducible import reason

COUNTS = Path(gainful.dialects.__file__).with_name("recorded_values.json")


def test_the_counts_in_the_package_are_those_of_the_records():
    every = [_count_values(library)._asdict() for library in sorted(LIBRARIES, key=str.lower)]
    text = json.dumps(every, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("GAINFUL_GOLD") == "write":
        COUNTS.write_text(text, encoding="utf-8")
    assert text == COUNTS.read_text(encoding="utf-8")


def _count_values(library: str) -> RecordedValues:
    records = [record for record in RECORDS if record.library == library]
    agreeing = [agrees(record)[0] for record in records]
    others = [record for record, same in zip(records, agreeing, strict=True) if not same]
    return RecordedValues(
        library=library,
        version=records[0].version,
        dialects=_dialects(records),
        within=_within(library),
        matched=sum(agreeing),
        total=len(records),
        unmatched=dict(Counter(reason(record) or "not looked into" for record in others)),
    )


def _dialects(records: list[Record]) -> list[str]:
    return sorted({call_of(record).dialect for record in records})


def _within(library: str) -> str:
    if library in SINGLE:
        return f"{_units(SINGLE[library])}, in single precision"
    if library in DOUBLE:
        return _units(DOUBLE[library])
    return f"{PRINTED[library]} printed decimals" if library in PRINTED else "bit for bit"


def _units(n: int) -> str:
    return f"{n} unit{'s' * (n > 1)} in the last place"
