"""Dialects: every tool's definition of a measure, as settings and rules, by name."""

import re
from types import ModuleType

from gainful.dialects import (
    deep_learning,
    learning_to_rank,
    ours,
    papers,
    recommenders,
    retrieval,
    scikit_learn,
    search_engines,
    spark,
    trec,
)
from gainful.dialects._dialect import EXACT, Dialect
from gainful.dialects._versions import Version, versioned
from gainful.errors import RuleError
from gainful.wording import as_written, meant

__all__ = ["DIALECTS", "EXACT", "FAMILIES", "Dialect", "find_dialect", "versions_of"]

_SHORTEST_PART = 3  # Of a name; one or two letters are in too many.


def _title(family: ModuleType) -> str:
    """The first line of a module's docstring, without the full stop."""
    return (family.__doc__ or "").partition("\n")[0].rstrip(".")


FAMILIES: dict[str, tuple[Dialect, ...]] = {
    _title(family): family.DIALECTS
    for family in (
        ours,
        trec,
        scikit_learn,
        learning_to_rank,
        deep_learning,
        search_engines,
        retrieval,
        recommenders,
        spark,
        papers,
    )
}
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for family in FAMILIES.values() for dialect in family
}


def find_dialect(name: str | Dialect) -> Dialect:
    """The dialect of that name, in the version that is named with it.

    ``xgboost`` is the newest version that we know, ``xgboost@1.7`` is what held in 1.7.

    >>> [find_dialect(name).name for name in ("LightGBM", "xgboost@1.7", "xgboost>=2.0")]
    ['lightgbm', 'xgboost@1', 'xgboost']
    """
    if isinstance(name, Dialect):
        return name
    if not isinstance(name, str):
        message = f"dialect: must be a name such as lightgbm, got {name!r:.60}."
        raise RuleError(message, code="unknown-dialect")
    by_name = {_spelt(one): dialect for dialect in DIALECTS.values() for one in _names(dialect)}
    if _spelt(name) in by_name:
        return by_name[_spelt(name)]
    stem, version = versioned(name)
    known = [d for d in DIALECTS.values() if _spelt(stem) in map(_spelt, _stems(d))]
    if not known:
        raise _unknown(name, stem)
    held = [d for d in known if version is None or d.version <= version]
    if not held:
        oldest = min(known, key=_version)
        message = (
            f"dialect {name!r}: must be version {oldest.since} or later; none before is known."
        )
        raise RuleError(message, code="unknown-dialect")
    return max(held, key=_version)


def versions_of(dialect: Dialect) -> list[tuple[Dialect, str]]:
    """What the tool's versions mean by its name, newest first, and which version ended each.

    >>> [(one.name, before) for one, before in versions_of(find_dialect("xgboost"))]
    [('xgboost', ''), ('xgboost@1', '2.0')]
    """
    same = [d for d in DIALECTS.values() if _spelt(d.stem) == _spelt(dialect.stem)]
    newest_first = sorted(same, key=_version, reverse=True)
    ends = ["", *(one.since for one in newest_first)]
    return list(zip(newest_first, ends, strict=False))


def _unknown(name: str, stem: str) -> RuleError:
    every = [one for dialect in DIALECTS.values() for one in _names(dialect)]
    way_out = " Name one at a time." if "," in name else _within(stem, every) or meant(stem, every)
    way_out = way_out or f" There are {len(DIALECTS)}: see gainful dialects."
    return RuleError(f"unknown dialect {as_written(name)}.{way_out}", code="unknown-dialect")


def _within(part: str, names: list[str]) -> str:
    """A question that names the first that begins with the part, or else has it; else nothing."""
    found = [one for one in names if _spelt(part) in _spelt(one)]
    begun = [one for one in found if _spelt(one).startswith(_spelt(part))]
    named = len(_spelt(part)) >= _SHORTEST_PART and [*begun, *found]
    return f" Did you mean {named[0]}?" if named else ""


def _version(dialect: Dialect) -> Version:
    return dialect.version


def _names(dialect: Dialect) -> tuple[str, ...]:
    return dialect.name, *dialect.also


def _stems(dialect: Dialect) -> list[str]:
    """Its names without a version."""
    return [versioned(name)[0] for name in _names(dialect)]


def _spelt(name: str) -> str:
    """A name as it is looked up: in lower case, without the signs that join words."""
    return re.sub(r"[-_ ]", "", name.strip().lower())
