"""``gainful.dialects._checked`` is current: ``make gold`` writes it, the diff is reviewed."""

import json
import os
from collections import Counter
from pathlib import Path

import gainful.dialects
from dialects.calls import DOUBLE, PRINTED, SINGLE, call_of
from dialects.comparing import agrees
from dialects.records import LIBRARIES, RECORDS, Record
from dialects.unreproducible import reason

MODULE = Path(gainful.dialects.__file__).with_name("_checked.py")
HEAD = '''\
"""How many recorded values of each library its dialects give; ``make gold`` writes this."""

from typing import NamedTuple


class Checked(NamedTuple):
    """What came of comparing the values of one library.

    Attributes:
        library: Its name.
        version: The version that gave the values, and what it was made with.
        dialects: The dialects that should give them.
        within: How closely.
        matched: How many of the values they give.
        total: How many values there are.
        unmatched: For the others, why no rule gives them, and how many there are of each.
    """

    library: str
    version: str
    dialects: tuple[str, ...]
    within: str
    matched: int
    total: int
    unmatched: dict[str, int]


CHECKED = (
'''


def test_the_counts_in_the_package_are_those_of_the_records():
    text = HEAD + "".join(map(_entry, sorted(LIBRARIES, key=str.lower))) + ")\n"
    if os.environ.get("GAINFUL_GOLD") == "write":
        MODULE.write_text(text, encoding="utf-8")
    assert text == MODULE.read_text(encoding="utf-8")


def _entry(library: str) -> str:
    records = [record for record in RECORDS if record.library == library]
    agreeing = [agrees(record)[0] for record in records]
    others = [record for record, same in zip(records, agreeing, strict=True) if not same]
    reasons = Counter(reason(record) or "not looked into" for record in others)
    names = [f"{json.dumps(name)}," for name in _dialects(records)]
    several = "".join(f"\n            {name}" for name in names) + "\n        "
    each = "".join(f"            {json.dumps(why)}: {n},\n" for why, n in reasons.items())
    unmatched = f"\n{each}        " if reasons else ""
    return (
        "    Checked(\n"
        f"        library={json.dumps(library)},\n"
        f"        version={json.dumps(records[0].version)},\n"
        f"        dialects=({several if len(names) > 1 else names[0]}),\n"
        f"        within={json.dumps(_within(library))},\n"
        f"        matched={sum(agreeing)},\n"
        f"        total={len(records)},\n"
        f"        unmatched={{{unmatched}}},\n"
        "    ),\n"
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
