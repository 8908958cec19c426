"""Recorded values that no rule reproduces, with the reasons."""

from typing import Any

from oracles.dialects.records import CASES, Record

# Reasons of up to 80 characters: the documentation shows each on one line.
_PROVIDER = "the package that ir_measures hands it to refused the data: there is no value"
_HARNESS = "the data frame to feed it with could not be made: there is no value"
_ZERO = "it says 0 for the mean of no query; we say that there is none"
_SORT = "its sort is unstable: which tied item comes first depends on the processor"
_PARTITION = "its ties are decided by argpartition, which has no rule"
_MISUSE = "graded labels, which RecPack is not made for, multiply its ranks; ours count as 1"

# Library, fields that the record must have, reason.
TABLE: list[tuple[str, dict[str, Any], str]] = [
    ("ir_measures", {"params": {"measure": "nDCG(dcg='exp-log2')"}, "cutoff": None}, _PROVIDER),
    ("spark-mllib", {"case": "c06_all_zero", "params": {"graded": False}}, _HARNESS),
    ("gdeval.pl", {"case": "c06_all_zero", "function": "ndcg@k (printf widened)"}, _ZERO),
    ("torchmetrics", {"case": "c06_all_zero", "params": {"empty_target_action": "skip"}}, _ZERO),
    *(
        (
            "scikit-learn",
            {"case": "c04_ties_mixed", "params": {"ignore_ties": True}, "requested_cutoff": k},
            _SORT,
        )
        for k in (None, 5)
    ),
    *(
        ("recpack", {"case": case, "params": {"graded_y_true": False}}, _PARTITION)
        for case in ("c04_ties_mixed", "c05_all_tied")
    ),
    # With nothing relevant at the first rank the value is 0, with and without the misuse.
    *(
        (
            "recpack",
            {"case": "c07_negative", "params": {"graded_y_true": True}, "requested_cutoff": k},
            _MISUSE,
        )
        for k in (None, 2)
    ),
    *(
        ("recpack", {"case": case, "params": {"graded_y_true": True}}, _MISUSE)
        for case in CASES
        if case not in ("c06_all_zero", "c07_negative")
    ),
]


def find_reason(record: Record) -> str | None:
    """Return the reason why no rule gives the record, or None if one should."""
    fields = {
        "case": record.case.name,
        "function": record.function,
        "params": record.params,
        "cutoff": record.cutoff,
        "requested_cutoff": record.requested_cutoff,
    }
    for library, conditions, reason in TABLE:
        if library == record.library and all(
            fields[name] == value for name, value in conditions.items()
        ):
            return reason
    return None
