"""Records that no rule gives, and why: counted, and looked at anew whenever the tests run."""

from typing import Any

from dialects.records import Record

_PROVIDER = (
    "without a cutoff the measure goes to another package, which refused the frame that it was "
    "handed; there is no value to reproduce"
)
_NO_QUERY = (
    "the library divides by the number of queries that are left, which is none here, and crashes; "
    "we say that there is no value"
)
_HARNESS = "not the library but the frame that it was fed with could not be made"

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
