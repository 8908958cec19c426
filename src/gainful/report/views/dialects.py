"""Dialects, described: for the terminal, for pipes, and for the documentation."""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from gainful.alignment import Rules, list_rule_arguments
from gainful.base import Argument, format_setting, to_json
from gainful.dialects import (
    DIALECTS,
    EXACT,
    FAMILIES,
    Dialect,
    DialectRules,
    find_dialect,
    list_versions,
)
from gainful.measures import REGISTRY, Measure
from gainful.report.formulas import FORMULA, format_plain_formulas
from gainful.report.tables import Column, Table, to_tsv


class RecordedValues(NamedTuple):
    """Counts of the recorded values of one library that its dialects give.

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
    dialects: list[str]
    within: str
    matched: int
    total: int
    unmatched: dict[str, int]


@cache
def read_recorded_values() -> tuple[RecordedValues, ...]:
    """Return the counts of every library whose values were recorded, by its name.

    >>> read_recorded_values()[0].library
    'allRank'
    """
    return _read_values("recorded_values.json")


@cache
def read_live_values() -> tuple[RecordedValues, ...]:
    """Return the counts of every library that was run on random lists, by its name.

    >>> read_live_values()[0].total
    1200
    """
    return _read_values("live_values.json")


def _read_values(name: str) -> tuple[RecordedValues, ...]:
    text = (files("gainful.dialects") / name).read_text(encoding="utf-8")
    return tuple(RecordedValues(**row) for row in json.loads(text))


_CODE = ("Measure", "Options of the tool", "Source", "Other names")
_FORMULAS = {"nDCG": ("nDCG", "DCG", "IDCG")}  # which formulas explain one


@dataclass(frozen=True)
class DialectSection:
    """One thing to know of a dialect: names and what they mean, or sentences without a name."""

    title: str
    rows: tuple[tuple[str, str], ...]


def list_dialects(width: int) -> str:
    """List all dialects by family, with their differences, wrapped to a width."""
    longest = max(map(len, DIALECTS))
    parts = (
        f"{title}\n"
        + "".join(_format_entry(d.name, _format_summary(d), longest, width) for d in family)
        for title, family in FAMILIES.items()
    )
    return "\n".join(parts)


def list_dialects_tsv(dialects: Iterable[Dialect]) -> str:
    """List dialects as name, tool and difference, tab-separated."""
    columns = [Column("dialect"), Column("tool"), Column("summary")]
    rows = [[d.name, d.tool, d.summary] for d in dialects]
    return to_tsv(Table(columns, rows, has_header=False))


def describe_dialect(dialect: Dialect, width: int) -> str:
    """Describe a dialect as plain text, wrapped to a width."""
    parts = [f"{dialect.name}: {dialect.tool}, {dialect.function}\n", f"{dialect.summary}\n"]
    parts += [_format_section_text(section, width) for section in make_dialect_sections(dialect)]
    return "\n".join(parts)


def describe_dialect_markdown(dialect: Dialect) -> str:
    """Describe a dialect as a section of a Markdown page."""
    head = f"### {dialect.name}\n\n{dialect.tool}, `{dialect.function}`. {dialect.summary}\n\n"
    sections = (section for section in make_dialect_sections(dialect) if section.title != "Use")
    return head + "".join(map(_format_section_markdown, sections))


def write_dialects_json(dialects: Iterable[Dialect]) -> str:
    """Write all properties of dialects as JSON."""
    return to_json({"dialects": [dialect_to_dict(dialect) for dialect in dialects]}) + "\n"


def dialect_to_dict(dialect: Dialect) -> dict[str, Any]:
    """Return all properties of a dialect as plain values."""
    settings = {name: format_setting(value) for name, value in dialect.settings.items()}
    return {
        **dialect.to_dict(REGISTRY[name] for name in dialect.measures),
        "function": dialect.function,
        "summary": dialect.summary,
        "also": list(dialect.also),
        "since": dialect.since,
        "exact": dialect.exact,
        "settings": settings,
        "default_cutoff": dialect.default_cutoff,
        "rules": dialect.rules.to_dict(),
        "edges": dict(dialect.edges),
        "options": dict(dialect.options),
        "defects": list(dialect.defects),
        "source": dialect.source,
    }


def make_dialect_sections(dialect: Dialect) -> list[DialectSection]:
    """Return the sections that describe a dialect, the most important first."""
    rows_by_title = {
        "Formula": _make_formula_rows(dialect),
        "Measure": [("", str(dialect.resolve(REGISTRY[dialect.measures[0]] @ 10)))],
        "Settings": _make_setting_rows(dialect),
        "Rules": _make_rule_rows(dialect.rules),
        "Edge cases": dialect.edges.items(),
        "Known defects": (("", defect) for defect in dialect.defects),
        "Options of the tool": dialect.options.items(),
        "Versions": _make_version_rows(dialect),
        "Agreement": [(dialect.exact, EXACT[dialect.exact]), *_make_agreement_rows(dialect)],
        "Source": [("", dialect.source)],
        "Other names": [("", ", ".join(dialect.also))] if dialect.also else [],
        "Use": _make_use_rows(dialect),
    }
    sections = (DialectSection(title, tuple(rows)) for title, rows in rows_by_title.items())
    return [section for section in sections if section.rows]


def _make_formula_rows(dialect: Dialect) -> Iterator[tuple[str, str]]:
    names = [
        name
        for measure_name in dialect.measures
        for name in _FORMULAS.get(measure_name, (measure_name,))
    ]
    for name in dict.fromkeys(names):
        match = FORMULA.search(REGISTRY[name].documentation)
        left, _, right = format_plain_formulas(match[0]).partition(" = ") if match else ("", "", "")
        yield " ".join(left.split()), " ".join(right.split())
    if dialect.measures[0] in REGISTRY and "gain" in REGISTRY[dialect.measures[0]].arguments:
        yield from _make_part_rows(dialect.resolve(REGISTRY[dialect.measures[0]]))


def _make_part_rows(measure: Measure) -> Iterator[tuple[str, str]]:
    """Yield the gain, discount and ideal of a measure."""
    for sign, names in {
        "g(l)": ("gain",),
        "d(i)": ("discount",),
        "ideal": ("ideal", "ideal_depth", "ideal_order"),
    }.items():
        values = {name: measure.all_settings[name] for name in names if name in measure.arguments}
        if values:
            meanings = (_find_meaning(measure.arguments[n], value) for n, value in values.items())
            yield sign, "; ".join(meanings)


def _make_setting_rows(dialect: Dialect) -> Iterator[tuple[str, str]]:
    """Yield the settings that differ from ours, and what they mean."""
    measure = REGISTRY[dialect.measures[0]]
    for name, value in dialect.resolve(measure).settings:
        if name != "cutoff":
            yield f"{name}={format_setting(value)}", _describe_value(measure.arguments[name], value)
    if dialect.default_cutoff is not None:
        yield f"cutoff={dialect.default_cutoff}", "where a measure has none"
    for other, settings in dialect.of_measure.items():
        for name, value in settings.items():
            meaning = _describe_value(REGISTRY[other].arguments[name], value)
            yield f"{other}({name}={format_setting(value)})", meaning


def _make_rule_rows(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the rules that differ from ours, and what they mean."""
    usual = DialectRules().to_dict()
    for name, value in rules.to_dict().items():
        if value != usual[name]:
            yield (
                f"{name}={format_setting(value)}",
                _describe_value(list_rule_arguments(DialectRules)[name], value),
            )


def _describe_value(argument: Argument, value: object) -> str:
    """Describe a value by its phrase, or by its meaning."""
    parsed = argument.read(value)
    phrase, text = argument.phrase(parsed), format_setting(parsed)
    is_bare = phrase in (f"{argument.name}={text}", f"{argument.name} {text}")
    return _find_meaning(argument, parsed) if is_bare else phrase


def _find_meaning(argument: Argument, value: object) -> str:
    """Return the meaning of a value, as declared."""
    text, meanings = format_setting(value), argument.meanings
    based = re.fullmatch(r"(\w+)\((.+)\)", text)
    if based and f"{based[1]}(b)" in meanings:
        return f"{meanings[f'{based[1]}(b)']}; b = {based[2]}"
    return meanings.get(text, argument.setting.help)


def _make_version_rows(dialect: Dialect) -> Iterator[tuple[str, str]]:
    for other, before in list_versions(dialect):
        since = f"from {other.since} on" if other.since else "all that were looked at"
        range_start = f"before {before}" if before and not other.since else since
        until = f", before {before}" if before and other.since else ""
        checked = f"; checked against {other.checked}" if other.checked else ""
        yield other.name, f"{range_start}{until}{checked}"


def _make_agreement_rows(dialect: Dialect) -> Iterator[tuple[str, str]]:
    """Yield how many recorded and live values of each library are reproduced."""
    for kind, rows in (("recorded", read_recorded_values()), ("live", read_live_values())):
        for row in rows:
            if dialect in map(find_dialect, row.dialects):
                yield row.library, f"{row.matched} of {row.total} {kind} values, {row.within}"


def _make_use_rows(dialect: Dialect) -> Iterator[tuple[str, str]]:
    measure = dialect.measures[0] + "@10"
    yield "Python", f'gainful.evaluate(qrels, run, "{measure}", dialect="{dialect.name}")'
    if dialect.measures[0] in ("nDCG", "DCG"):
        function = dialect.measures[0].lower()
        yield "", f'gainful.{function}(labels, scores, k=10, dialect="{dialect.name}")'
    yield "shell", f"gainful eval QRELS RUN -m {measure} --dialect {dialect.name}"


def _format_summary(dialect: Dialect) -> str:
    return f"{dialect.tool}: {dialect.summary}"


def _format_section_text(section: DialectSection, width: int) -> str:
    longest = max(len(name) for name, _ in section.rows)
    rows = (_format_entry(name, text, min(longest, 22), width) for name, text in section.rows)
    return f"{section.title}:\n" + "".join(rows)


def _format_section_markdown(section: DialectSection) -> str:
    rows = [
        (name, f"`{text}`" if section.title in _CODE else text.rstrip(".") if name else text)
        for name, text in section.rows
    ]
    named_rows = "; ".join(f"`{name}`: {text}" for name, text in rows if name)
    return f"- {section.title}: {named_rows}{' '.join(text for name, text in rows if not name)}\n"


def _format_entry(name: str, text: str, column: int, width: int) -> str:
    """Format a name and its text in a column of their own; a long name takes its own line."""
    before = f"  {name:{column}}  " if column else "  "
    room = max(width - 2 - column - (2 if column else 0), 20)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    indent = " " * (column + 4 if column else 2)
    if len(name) > column:
        return f"  {name}\n" + "".join(f"{indent}{line}\n" for line in lines)
    return f"{before}{lines[0]}\n" + "".join(f"{indent}{line}\n" for line in lines[1:])
