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
from gainful.errors import RuleError
from gainful.wording import meant

__all__ = ["DIALECTS", "EXACT", "FAMILIES", "Dialect", "find_dialect", "versions_of"]


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
        raise RuleError(message)
    by_name = {_spelt(one): dialect for dialect in DIALECTS.values() for one in _names(dialect)}
    if _spelt(name) in by_name:
        return by_name[_spelt(name)]
    stem, version = _versioned(name)
    known = [d for d in DIALECTS.values() if _spelt(stem) in map(_spelt, _stems(d))]
    if not known:
        raise _unknown(name, stem)
    held = [d for d in known if version is None or _number(d.since) <= version]
    if not held:
        oldest = min((d.since for d in known), key=_number)
        message = f"dialect {name!r}: must be version {oldest} or later; none before is known."
        raise RuleError(message)
    return max(held, key=lambda dialect: _number(dialect.since))


def versions_of(dialect: Dialect) -> list[tuple[Dialect, str]]:
    """What the tool's versions mean by its name, newest first, and which version ended each.

    >>> [(one.name, before) for one, before in versions_of(find_dialect("xgboost"))]
    [('xgboost', ''), ('xgboost@1', '2.0')]
    """
    stem = _spelt(_versioned(dialect.name)[0])
    same = [d for d in DIALECTS.values() if _spelt(_versioned(d.name)[0]) == stem]
    newest_first = sorted(same, key=lambda one: _number(one.since), reverse=True)
    ends = ["", *(one.since for one in newest_first)]
    return list(zip(newest_first, ends, strict=False))


def _unknown(name: str, stem: str) -> RuleError:
    every = [one for dialect in DIALECTS.values() for one in _names(dialect)]
    way_out = meant(stem, every) or f" There are {len(DIALECTS)}: see gainful dialects."
    return RuleError(f"unknown dialect {name!r}.{way_out}")


def _names(dialect: Dialect) -> tuple[str, ...]:
    return dialect.name, *dialect.also


def _stems(dialect: Dialect) -> list[str]:
    """Its names without a version."""
    return [_versioned(name)[0] for name in _names(dialect)]


def _versioned(name: str) -> tuple[str, tuple[int, ...] | None]:
    match = re.fullmatch(r"(.+?)\s*(?:@|>=|==)\s*(\d[\w.]*)", name.strip())
    return (match[1], _number(match[2])) if match else (name.strip(), None)


def _number(version: str) -> tuple[int, ...]:
    """A version as numbers: those that are equal but for zeros at their end are equal."""
    numbers = list(map(int, re.findall(r"\d+", version)))
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _spelt(name: str) -> str:
    """A name as it is looked up: in lower case, without the signs that join words."""
    return re.sub(r"[-_ ]", "", name.strip().lower())
