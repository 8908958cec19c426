"""Thresholds from a file: [gate] of gainful.toml, or [tool.gainful.gate] of pyproject.toml."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from gainful.asked import as_measures
from gainful.errors import MeasureError, SourceError
from gainful.gating.thresholds import threshold_arguments
from gainful.records import Record
from gainful.rules import rule_arguments
from gainful.settings import Argument

FILES = {"gainful.toml": ("gate",), "pyproject.toml": ("tool", "gainful", "gate")}
PATHS = ("qrels", "baseline", "candidate", "junit", "report")


@dataclass(eq=False, repr=False)
class Config(Record):
    """What a file says about a gate.

    Attributes:
        path: The file; None if there is none.
        thresholds: The thresholds for all measures, by their name in Python.
        measures: The measures to gate, and the thresholds of each.
        pinned: The pinned queries, or the path of a file of them.
        paths: The files to gate and to write, by name; relative to the folder of the file.
        rules: The rules, by name.
    """

    path: str | None = None
    thresholds: Mapping[str, Any] = field(default_factory=dict)
    measures: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    pinned: str | tuple[str, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)


def find_config(folder: str | os.PathLike[str]) -> Config:
    """What the nearest file says: of the folder, else of those above it.

    A pyproject.toml that says nothing of Gainful is passed by. Of two in one folder gainful.toml
    counts.

    >>> find_config("/").path is None
    True
    """
    start = Path(folder)
    for place in (start, *start.resolve().parents):
        for name in FILES:
            path = place / name
            if path.is_file() and _speaks_of_us(path):
                return read_config(path)
    return Config()


def read_config(path: str | os.PathLike[str]) -> Config:
    """What a file says; an error if it says nothing about a gate, or what no gate knows."""
    file = Path(path)
    table = _table(file)
    if table is None:
        message = f"{file}: has no table [{_heading(file)}]. Write the thresholds below it."
        raise SourceError(message, code="bad-config")
    reader = _Reader(file, _heading(file))
    return reader.config(table)


def _speaks_of_us(file: Path) -> bool:
    """Whether it is our own file, or has a table of ours, if a misspelt one."""
    tool = _parsed(file).get("tool") if file.name == "pyproject.toml" else {"gainful": {}}
    return isinstance(tool, dict) and "gainful" in tool


def _table(file: Path) -> dict[str, Any] | None:
    """The table of the gate in a file, if there is one."""
    found: Any = _parsed(file)
    for key in _keys(file):
        found = found.get(key) if isinstance(found, dict) else None
    if found is not None and not isinstance(found, dict):
        message = f"{file}: {_heading(file)} must be a table, got {found!r:.60}."
        raise SourceError(message, code="bad-config")
    return found


def _parsed(file: Path) -> dict[str, Any]:
    import tomllib  # only who has such a file pays for it

    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        message = f"{file}: {str(error.strerror or error).lower()}."
        raise SourceError(message, code="cannot-read") from error
    except UnicodeDecodeError as error:
        message = f"{file}: the text must be UTF-8, got byte {error.object[error.start]:#04x}."
        raise SourceError(message, code="not-text") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = f"{file}: is no TOML ({_reason(error)})."
        raise SourceError(message, code="bad-config") from error


def _reason(error: Exception) -> str:
    reason = str(error).rstrip(".")
    return f"{reason[:1].lower()}{reason[1:]}"


def _keys(file: Path) -> tuple[str, ...]:
    return FILES.get(file.name, FILES["gainful.toml"])


def _heading(file: Path) -> str:
    return ".".join(_keys(file))


class _Reader:
    """Reads the table of a gate; its errors name the file and the key."""

    def __init__(self, file: Path, heading: str) -> None:
        self._file = file
        self._heading = heading

    def config(self, table: dict[str, Any]) -> Config:
        """All of the table."""
        thresholds, rules = _flags(threshold_arguments()), _flags(rule_arguments())
        self._known(table, [*PATHS, "measures", "pinned", *thresholds, *rules], self._heading)
        where = self._heading
        return Config(
            path=str(self._file),
            thresholds=self._values(table, thresholds, where),
            measures=self._measures(table.get("measures", {}), thresholds),
            pinned=self._pinned(table.get("pinned", ())),
            paths={name: self._path(name, table[name]) for name in PATHS if name in table},
            rules=self._values(table, rules, where),
        )

    def _known(self, table: Iterable[str], known: list[str], where: str) -> None:
        unknown = next((key for key in table if key not in known), None)
        if unknown is None:
            return
        import difflib  # only a misspelt key needs it

        near = difflib.get_close_matches(unknown, known, n=1, cutoff=0.6)
        way_out = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}."
        message = f"{self._file}: unknown key {unknown!r} in [{where}]. {way_out}"
        raise SourceError(message, code="bad-config")

    def _values(
        self, table: Mapping[str, Any], flags: Mapping[str, Argument], where: str
    ) -> dict[str, Any]:
        return {
            flags[key].name: self._value(flags[key], key, value, where)
            for key, value in table.items()
            if key in flags
        }

    def _value(self, argument: Argument, key: str, value: Any, where: str) -> Any:
        try:
            return argument.read(value)
        except ValueError:
            self._refuse(key, where, argument.expected, value)

    def _measures(self, given: Any, flags: Mapping[str, Argument]) -> dict[str, Mapping[str, Any]]:
        expected = "a name, a list of names, or a table of each"
        if isinstance(given, str):
            given = [given]
        if isinstance(given, list):
            given = {name: {} for name in self._texts("measures", given, expected)}
        if not isinstance(given, dict):
            self._refuse("measures", self._heading, expected, given)
        found: dict[str, Mapping[str, Any]] = {}
        for name, table in given.items():
            where = f'{self._heading}.measures."{name}"'
            self._measure(name)
            if not isinstance(table, dict):
                self._refuse(name, f"{self._heading}.measures", "a table of thresholds", table)
            self._known(table, list(flags), where)
            found[name] = self._values(table, flags, where)
        return found

    def _measure(self, name: str) -> None:
        try:
            as_measures(name)
        except MeasureError as error:
            message = f"{self._file}: measures of [{self._heading}]: {error}"
            raise SourceError(message, code=error.code) from error

    def _pinned(self, given: Any) -> str | tuple[str, ...]:
        if isinstance(given, str):
            return self._path("pinned", given)
        expected = "a file, or a list of ids"
        return tuple(self._texts("pinned", given, expected))

    def _path(self, name: str, given: Any) -> str:
        if not isinstance(given, str):
            self._refuse(name, self._heading, "a path", given)
        return given if given == "-" else os.path.join(os.path.dirname(self._file), given)

    def _texts(self, key: str, given: Any, expected: str) -> list[str]:
        if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
            self._refuse(key, self._heading, expected, given)
        return list(given)

    def _refuse(self, key: str, where: str, expected: str, got: Any) -> NoReturn:
        message = f"{self._file}: {key} of [{where}] must be {expected}, got {got!r:.60}."
        raise SourceError(message, code="bad-config")


def _flags(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    """Arguments by the name of their flag, which is the key in a file."""
    return {name.replace("_", "-"): argument for name, argument in arguments.items()}
