"""Records that no rule gives, and why: counted, and looked at anew whenever the tests run."""

from typing import Any

from dialects.records import Record

# Reasons of up to 80 characters: they stand in a line of ``gainful.dialects._checked``.
_PROVIDER = "the package that ir_measures hands it to refused the data: there is no value"
_NO_QUERY = "it divides by the number of queries left, none here, and crashes; we say NaN"
_HARNESS = "the data frame to feed it with could not be made: there is no value"

# Library, what of the record must be so, reason.
TABLE: list[tuple[str, dict[str, Any], str]] = [
    (
        "ir_measures",
        {"params": {"measure": "nDCG(dcg='exp-log2')"}, "cutoff": None},
        _PROVIDER,
    ),
    ("evidently", {"case": "c06_all_zero", "params": {"no_feedback_users": False}}, _NO_QUERY),
    ("implicit", {"case": "c06_all_zero"}, _NO_QUERY),
    ("sentence-transformers", {"case": "c06_all_zero"}, _NO_QUERY),
    ("recpack", {"case": "c06_all_zero"}, _NO_QUERY),
    ("spark-mllib", {"case": "c06_all_zero", "params": {"graded": False}}, _HARNESS),
]


def reason(record: Record) -> str | None:
    """Why no rule gives the record; None if one should."""
    told = {
        "case": record.case.name,
        "function": record.function,
        "params": record.params,
        "cutoff": record.cutoff,
        "asked": record.asked,
    }
    for library, where, why in TABLE:
        if library == record.library and all(told[name] == value for name, value in where.items()):
            return why
    return None
