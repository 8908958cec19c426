"""The thresholds of a gate, declared once for Python, commands and configuration files."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn

from gainful.alignment import list_rule_arguments
from gainful.base import Argument, Setting, collect_arguments
from gainful.errors import ComparisonError, MeasureError, SourceError
from gainful.evaluation import list_measures

MaxDrop = Annotated[
    float | None,
    Setting("largest drop of the mean against the baseline", at_least=0),
]
Mode = Annotated[
    str,
    Setting(
        "condition under which a candidate fails",
        choices={
            "point": "the mean drops by more than the largest drop that is allowed",
            "regression": "the mean drops, and by more than chance explains",
            "noninferior": "a drop by more than what is allowed is not ruled out",
        },
    ),
]
Min = Annotated[float | None, Setting("lowest mean of the candidate")]
QueryMaxDrop = Annotated[
    float | None,
    Setting(
        "largest drop of the value of any single query, or of any pinned one",
        at_least=0,
    ),
]
MinJudged = Annotated[
    float | None,
    Setting(
        "lowest share of judged items within the cutoff, from 0 to 1; below it the gate "
        "cannot tell",
        at_least=0,
        at_most=1,
    ),
]
Alpha = Annotated[
    float,
    Setting("one-sided significance level", more_than=0, less_than=0.5),
]
DEFAULT_MAX_DROP = 0.01


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """The thresholds of one measure; None where there is none.

    >>> Thresholds(max_drop=0.02).mode
    'point'
    """

    max_drop: MaxDrop = None
    mode: Mode = "point"
    min: Min = None
    query_max_drop: QueryMaxDrop = None
    min_judged: MinJudged = None
    alpha: Alpha = 0.05

    def __post_init__(self) -> None:
        for name, argument in collect_threshold_arguments().items():
            value = argument.check("gate", getattr(self, name), ComparisonError, "bad-threshold")
            object.__setattr__(self, name, value)

    @property
    def allowed_drop(self) -> float:
        """The largest drop of the mean that passes, where there is a baseline."""
        return DEFAULT_MAX_DROP if self.max_drop is None else self.max_drop

    def override(self, changes: Mapping[str, Any]) -> "Thresholds":
        """Return a copy with some thresholds replaced.

        >>> Thresholds(min=0.4).override({"max_drop": 0.02}).to_dict()["max_drop"]
        0.02
        """
        unknown = [name for name in changes if name not in collect_threshold_arguments()]
        if unknown:
            names = ", ".join(collect_threshold_arguments())
            message = f"gate: {unknown[0]!r} is no threshold; there are {names}."
            raise ComparisonError(message, code="bad-threshold")
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return all thresholds by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@cache
def collect_threshold_arguments() -> dict[str, Argument]:
    """Collect the declarations of all thresholds, by name.

    >>> list(collect_threshold_arguments())[:3]
    ['max_drop', 'mode', 'min']
    """
    return collect_arguments(Thresholds)


CONFIG_FILES = {"gainful.toml": ("gate",), "pyproject.toml": ("tool", "gainful", "gate")}
CONFIG_PATHS = ("qrels", "baseline", "candidate", "junit", "report")


@dataclass(frozen=True)
class Config:
    """The settings of a gate in a file.

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
    """Read the nearest configuration file, in the folder or in those above it.

    A pyproject.toml without a table of Gainful is skipped. Of two files in one folder,
    gainful.toml counts.

    >>> find_config("/").path is None
    True
    """
    start = Path(folder)
    for directory in (start, *start.resolve().parents):
        for name in CONFIG_FILES:
            path = directory / name
            if path.is_file() and _mentions_gainful(path):
                return read_config(path)
    return Config()


def read_config(path: str | os.PathLike[str]) -> Config:
    """Read a configuration file; an error if it has no table of a gate, or unknown keys."""
    file = Path(path)
    table = _read_table(file)
    if table is None:
        message = f"{file}: has no table [{_format_heading(file)}]. Write the thresholds below it."
        raise SourceError(message, code="bad-config")
    reader = _TableReader(file, _format_heading(file))
    return reader.read_config(table)


def _mentions_gainful(file: Path) -> bool:
    """Return True for gainful.toml, and for a pyproject.toml with any table of Gainful."""
    tool = _parse_toml(file).get("tool") if file.name == "pyproject.toml" else {"gainful": {}}
    return isinstance(tool, dict) and "gainful" in tool


def _read_table(file: Path) -> dict[str, Any] | None:
    """Return the table of the gate in a file, if there is one."""
    table: object = _parse_toml(file)
    for key in _get_table_keys(file):
        table = table.get(key) if isinstance(table, dict) else None
    if table is not None and not isinstance(table, dict):
        message = f"{file}: {_format_heading(file)} must be a table, got {table!r:.60}."
        raise SourceError(message, code="bad-config")
    return table


def _parse_toml(file: Path) -> dict[str, Any]:
    import tomllib  # loaded only if there is such a file

    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        message = f"{file}: {str(error.strerror or error).lower()}."
        raise SourceError(message, code="cannot-read") from error
    except UnicodeDecodeError as error:
        message = f"{file}: the text must be UTF-8, got byte {error.object[error.start]:#04x}."
        raise SourceError(message, code="not-text") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = f"{file}: is no TOML ({_format_reason(error)})."
        raise SourceError(message, code="bad-config") from error


def _format_reason(error: Exception) -> str:
    reason = str(error).rstrip(".")
    return f"{reason[:1].lower()}{reason[1:]}"


def _get_table_keys(file: Path) -> tuple[str, ...]:
    return CONFIG_FILES.get(file.name, CONFIG_FILES["gainful.toml"])


def _format_heading(file: Path) -> str:
    return ".".join(_get_table_keys(file))


class _TableReader:
    """Reads the table of a gate; its errors name the file and the key."""

    def __init__(self, file: Path, heading: str) -> None:
        self._file = file
        self._heading = heading

    def read_config(self, table: Mapping[str, Any]) -> Config:
        """Read the whole table."""
        thresholds = _index_by_flag(collect_threshold_arguments())
        rules = _index_by_flag(list_rule_arguments())
        section = self._heading
        keys = [*CONFIG_PATHS, "measures", "pinned", *thresholds, *rules]
        self._refuse_unknown_keys(table, keys, section)
        paths = {name: self._read_path(name, table[name]) for name in CONFIG_PATHS if name in table}
        return Config(
            path=str(self._file),
            thresholds=self._read_values(table, thresholds, section),
            measures=self._read_measures(table.get("measures", {}), thresholds),
            pinned=self._read_pinned(table.get("pinned", ())),
            paths=paths,
            rules=self._read_values(table, rules, section),
        )

    def _refuse_unknown_keys(self, table: Iterable[str], keys: list[str], section: str) -> None:
        unknown = next((key for key in table if key not in keys), None)
        if unknown is None:
            return
        import difflib  # only a misspelled key needs it

        matches = difflib.get_close_matches(unknown, keys, n=1, cutoff=0.6)
        hint = f"Did you mean {matches[0]}?" if matches else f"There are {', '.join(keys)}."
        message = f"{self._file}: unknown key {unknown!r} in [{section}]. {hint}"
        raise SourceError(message, code="bad-config")

    def _read_values(
        self, table: Mapping[str, Any], flags: Mapping[str, Argument], section: str
    ) -> dict[str, Any]:
        return {
            flags[key].name: self._read_value(flags[key], key, value, section)
            for key, value in table.items()
            if key in flags
        }

    def _read_value(self, argument: Argument, key: str, value: object, section: str) -> Any:
        try:
            return argument.read(value)
        except ValueError:
            self._refuse(key, section, argument.expected, value)

    def _read_measures(
        self, value: object, flags: Mapping[str, Argument]
    ) -> dict[str, Mapping[str, Any]]:
        expected = "a name, a list of names, or a table of each"
        if isinstance(value, str):
            value = [value]
        if isinstance(value, list):
            value = {name: {} for name in self._read_texts("measures", value, expected)}
        if not isinstance(value, dict):
            self._refuse("measures", self._heading, expected, value)
        measures: dict[str, Mapping[str, Any]] = {}
        for name, table in value.items():
            section = f'{self._heading}.measures."{name}"'
            self._check_measure(name)
            if not isinstance(table, dict):
                self._refuse(name, f"{self._heading}.measures", "a table of thresholds", table)
            self._refuse_unknown_keys(table, list(flags), section)
            measures[name] = self._read_values(table, flags, section)
        return measures

    def _check_measure(self, name: str) -> None:
        try:
            list_measures(name)
        except MeasureError as error:
            message = f"{self._file}: measures of [{self._heading}]: {error}"
            raise SourceError(message, code=error.code) from error

    def _read_pinned(self, value: object) -> str | tuple[str, ...]:
        if isinstance(value, str):
            return self._read_path("pinned", value)
        expected = "a file, or a list of ids"
        return tuple(self._read_texts("pinned", value, expected))

    def _read_path(self, name: str, value: object) -> str:
        if not isinstance(value, str):
            self._refuse(name, self._heading, "a path", value)
        return value if value == "-" else os.path.join(os.path.dirname(self._file), value)

    def _read_texts(self, key: str, value: object, expected: str) -> list[str]:
        if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
            self._refuse(key, self._heading, expected, value)
        return list(value)

    def _refuse(self, key: str, section: str, expected: str, got: object) -> NoReturn:
        message = f"{self._file}: {key} of [{section}] must be {expected}, got {got!r:.60}."
        raise SourceError(message, code="bad-config")


def _index_by_flag(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    """Return arguments by the name of their flag, which is the key in a file."""
    return {name.replace("_", "-"): argument for name, argument in arguments.items()}
