"""Dialects: every tool's definition of a measure, as settings and rules, by name."""

import re
from types import ModuleType

from gainful.base import format_repr, suggest_name
from gainful.dialects import (
    deep_learning,
    learning_to_rank,
    machine_learning,
    papers,
    recommenders,
    retrieval,
    search_engines,
    trec,
)
from gainful.dialects.dialect import Dialect, Version, split_version
from gainful.errors import RuleError

GAINFUL = Dialect(
    name="gainful",
    tool="Gainful",
    function="evaluate",
    summary="Linear gain, log2 discount, and an ideal of all judged items, retrieved or not.",
    checked="this version",
    exact="bits",
    edges={"values": "Never above 1: what rounding would lift above it is 1."},
    source="src/gainful/measures/cumulative_gain.py",
    also=("ours", "default"),
    measures=("nDCG", "DCG", "IDCG", "CG", "nCG"),
    of_all=True,
)

_SHORTEST_PART = 3  # Of a name; one or two letters are in too many.


def _read_title(family: ModuleType) -> str:
    """Return the first line of a module's docstring, without the full stop."""
    return (family.__doc__ or "").partition("\n")[0].rstrip(".")


# In the order of lists and documentation.
FAMILIES: dict[str, tuple[Dialect, ...]] = {
    "Gainful itself": (GAINFUL,),
    _read_title(trec): trec.DIALECTS,
    "scikit-learn": machine_learning.SCIKIT_LEARN,
    _read_title(learning_to_rank): learning_to_rank.DIALECTS,
    _read_title(deep_learning): deep_learning.DIALECTS,
    _read_title(search_engines): search_engines.DIALECTS,
    _read_title(retrieval): retrieval.DIALECTS,
    _read_title(recommenders): recommenders.DIALECTS,
    "Apache Spark": machine_learning.SPARK,
    _read_title(papers): papers.DIALECTS,
}
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for family in FAMILIES.values() for dialect in family
}


def find_dialect(name: str | Dialect) -> Dialect:
    """Return the dialect of that name, in the version that is named with it.

    ``xgboost`` is the newest version that we know, ``xgboost@1.7`` is what applied to 1.7.

    Args:
        name: Name of a dialect or a tool, in any case, with or without a version; or a dialect.

    Returns:
        The dialect.

    Raises:
        RuleError: No dialect has that name.

    >>> [find_dialect(name).name for name in ("LightGBM", "xgboost@1.7", "xgboost>=2.0")]
    ['lightgbm', 'xgboost@1', 'xgboost']
    """
    if isinstance(name, Dialect):
        return name
    if not isinstance(name, str):
        message = f"dialect: must be a name such as lightgbm, got {name!r:.60}."
        raise RuleError(message, code="unknown-dialect")
    by_name = {
        _normalize_name(alias): dialect
        for dialect in DIALECTS.values()
        for alias in _list_names(dialect)
    }
    if _normalize_name(name) in by_name:
        return by_name[_normalize_name(name)]
    stem, version = split_version(name)
    versions = [
        d
        for d in DIALECTS.values()
        if _normalize_name(stem) in map(_normalize_name, _list_stems(d))
    ]
    if not versions:
        raise _make_unknown_error(name, stem)
    candidates = [d for d in versions if version is None or d.version <= version]
    if not candidates:
        oldest = min(versions, key=_get_version)
        message = (
            f"dialect {name!r}: must be version {oldest.since} or later; none before is known."
        )
        raise RuleError(message, code="unknown-dialect")
    return max(candidates, key=_get_version)


def list_versions(dialect: Dialect) -> list[tuple[Dialect, str]]:
    """Return the dialects of a tool's versions, newest first, with the version that ended each.

    >>> [(version.name, end) for version, end in list_versions(find_dialect("xgboost"))]
    [('xgboost', ''), ('xgboost@1', '2.0')]
    """
    versions = [
        d for d in DIALECTS.values() if _normalize_name(d.stem) == _normalize_name(dialect.stem)
    ]
    newest_first = sorted(versions, key=_get_version, reverse=True)
    ends = ["", *(version.since for version in newest_first)]
    return list(zip(newest_first, ends, strict=False))


def _make_unknown_error(name: str, stem: str) -> RuleError:
    names = [alias for dialect in DIALECTS.values() for alias in _list_names(dialect)]
    hint = (
        " Name one at a time."
        if "," in name
        else _suggest_longer_name(stem, names) or suggest_name(stem, names)
    )
    hint = hint or f" There are {len(DIALECTS)}: see gainful dialects."
    return RuleError(f"unknown dialect {format_repr(name)}.{hint}", code="unknown-dialect")


def _suggest_longer_name(part: str, names: list[str]) -> str:
    """Return a question with the first name that begins with or contains the part, or nothing."""
    key = _normalize_name(part)
    if len(key) < _SHORTEST_PART:
        return ""
    matches = [name for name in names if key in _normalize_name(name)]
    first = [name for name in matches if _normalize_name(name).startswith(key)]
    return f" Did you mean {[*first, *matches][0]}?" if matches else ""


def _get_version(dialect: Dialect) -> Version:
    return dialect.version


def _list_names(dialect: Dialect) -> tuple[str, ...]:
    return dialect.name, *dialect.also


def _list_stems(dialect: Dialect) -> list[str]:
    """Return the names of a dialect without a version."""
    return [split_version(name)[0] for name in _list_names(dialect)]


def _normalize_name(name: str) -> str:
    """Return a name as it is looked up: in lower case, without the signs that join words."""
    return re.sub(r"[-_ ]", "", name.strip().lower())
