"""Dialects, described: for the terminal, for pipes, and for the documentation."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from gainful import tables
from gainful.dialects import DIALECTS, EXACT, FAMILIES, Dialect, find_dialect, versions_of
from gainful.dialects.recorded_values import live_values, recorded_values
from gainful.measures import REGISTRY, Measure
from gainful.plain import to_json
from gainful.records import Record
from gainful.report.formulas import FORMULA, plain
from gainful.rules import Rules, rule_arguments
from gainful.settings import Argument, text_of

_CODE = ("Measure", "Options of the tool", "Source", "Other names")
_BESIDE = {"nDCG": ("nDCG", "DCG", "IDCG")}  # which formulas explain one


@dataclass(eq=False, repr=False)
class Section(Record):
    """One thing to know of a dialect: names and what they mean, or sentences without a name."""

    title: str
    rows: tuple[tuple[str, str], ...]


def listing(width: int) -> str:
    """All dialects by family, for people: a name, and how it differs, within that many columns."""
    longest = max(map(len, DIALECTS))
    parts = (
        f"{title}\n" + "".join(_entry(d.name, _line(d), longest, width) for d in family)
        for title, family in FAMILIES.items()
    )
    return "\n".join(parts)


def listing_tsv(dialects: Iterable[Dialect]) -> str:
    """Dialects for pipes: name, tool and how it differs, tab-separated."""
    return tables.to_tsv([[d.name, d.tool, d.summary] for d in dialects])


def explained(dialect: Dialect, width: int) -> str:
    """All there is to know of a dialect, as plain text within that many columns."""
    parts = [f"{dialect.name}: {dialect.tool}, {dialect.function}\n", f"{dialect.summary}\n"]
    parts += [_as_text(section, width) for section in sections(dialect)]
    return "\n".join(parts)


def dialect_markdown(dialect: Dialect) -> str:
    """All there is to know of a dialect, as a section of a Markdown page."""
    head = f"### {dialect.name}\n\n{dialect.tool}, `{dialect.function}`. {dialect.summary}\n\n"
    shown = (section for section in sections(dialect) if section.title != "Use")
    return head + "".join(map(_as_markdown, shown))


def as_json(dialects: Iterable[Dialect]) -> str:
    """All there is to know of dialects, as JSON."""
    return to_json({"dialects": [facts(dialect) for dialect in dialects]}) + "\n"


def facts(dialect: Dialect) -> dict[str, Any]:
    """All there is to know of a dialect, as plain values."""
    said = {name: text_of(value) for name, value in dialect.settings.items()}
    return {
        **dialect.to_dict(REGISTRY[name] for name in dialect.measures),
        "function": dialect.function,
        "summary": dialect.summary,
        "also": list(dialect.also),
        "since": dialect.since,
        "exact": dialect.exact,
        "settings": said,
        "default_cutoff": dialect.default_cutoff,
        "rules": dialect.rules.to_dict(),
        "edges": dict(dialect.edges),
        "options": dict(dialect.options),
        "defects": list(dialect.defects),
        "source": dialect.source,
    }


def sections(dialect: Dialect) -> list[Section]:
    """What there is to know of a dialect beside its summary, most telling first."""
    every = {
        "Formula": _formula(dialect),
        "Measure": [("", str(dialect.settled(REGISTRY[dialect.measures[0]] @ 10)))],
        "Settings": _settings(dialect),
        "Rules": _rules(dialect.rules),
        "Edge cases": dialect.edges.items(),
        "Known defects": (("", defect) for defect in dialect.defects),
        "Options of the tool": dialect.options.items(),
        "Versions": _versions(dialect),
        "Agreement": [(dialect.exact, EXACT[dialect.exact]), *_recorded(dialect)],
        "Source": [("", dialect.source)],
        "Other names": [("", ", ".join(dialect.also))] if dialect.also else [],
        "Use": _use(dialect),
    }
    made = (Section(title, tuple(rows)) for title, rows in every.items())
    return [section for section in made if section.rows]


def _formula(dialect: Dialect) -> Iterator[tuple[str, str]]:
    shown = [name for own in dialect.measures for name in _BESIDE.get(own, (own,))]
    for name in dict.fromkeys(shown):
        found = FORMULA.search(REGISTRY[name].documentation)
        left, _, right = plain(found[0]).partition(" = ") if found else ("", "", "")
        yield " ".join(left.split()), " ".join(right.split())
    if dialect.measures[0] in REGISTRY and "gain" in REGISTRY[dialect.measures[0]].arguments:
        yield from _parts(dialect.settled(REGISTRY[dialect.measures[0]]))


def _parts(measure: Measure) -> Iterator[tuple[str, str]]:
    """What gain, discount and ideal of a measure are."""
    for sign, names in {
        "g(l)": ("gain",),
        "d(i)": ("discount",),
        "ideal": ("ideal", "ideal_depth", "ideal_order"),
    }.items():
        values = {name: measure.all_settings[name] for name in names if name in measure.arguments}
        if values:
            meanings = (_meaning(measure.arguments[n], value) for n, value in values.items())
            yield sign, "; ".join(meanings)


def _settings(dialect: Dialect) -> Iterator[tuple[str, str]]:
    """The settings that differ from ours, and what they amount to."""
    measure = REGISTRY[dialect.measures[0]]
    for name, value in dialect.settled(measure).settings:
        if name != "cutoff":
            yield f"{name}={text_of(value)}", _said(measure.arguments[name], value)
    if dialect.default_cutoff is not None:
        yield f"cutoff={dialect.default_cutoff}", "where a measure has none"
    for other, own in dialect.of_measure.items():
        for name, value in own.items():
            said = _said(REGISTRY[other].arguments[name], value)
            yield f"{other}({name}={text_of(value)})", said


def _rules(rules: Rules) -> Iterator[tuple[str, str]]:
    """The rules that differ from ours, and what they amount to."""
    usual = Rules().to_dict()
    for name, value in rules.to_dict().items():
        if value != usual[name]:
            yield f"{name}={text_of(value)}", _said(rule_arguments()[name], value)


def _said(argument: Argument, value: Any) -> str:
    """What a value amounts to; where no phrase says it all, what it means."""
    own = argument.read(value)
    phrase, text = argument.phrase(own), text_of(own)
    bare = phrase in (f"{argument.name}={text}", f"{argument.name} {text}")
    several = bool(argument.meanings) and "+" in text
    return _meaning(argument, own) if bare or several else phrase


def _meaning(argument: Argument, value: Any) -> str:
    """What a value means, in the words of its declaration."""
    text, meanings = text_of(value), argument.meanings
    based = re.fullmatch(r"(\w+)\((.+)\)", text)
    if based and f"{based[1]}(b)" in meanings:
        return f"{meanings[f'{based[1]}(b)']}; b = {based[2]}"
    words = [text] if text in meanings else text.split("+")
    known = [meanings[word] for word in words if word in meanings]
    return "; ".join(known) or argument.setting.help


def _versions(dialect: Dialect) -> Iterator[tuple[str, str]]:
    for other, before in versions_of(dialect):
        since = f"from {other.since} on" if other.since else "all that were looked at"
        held = f"before {before}" if before and not other.since else since
        until = f", before {before}" if before and other.since else ""
        checked = f"; checked against {other.checked}" if other.checked else ""
        yield other.name, f"{held}{until}{checked}"


def _recorded(dialect: Dialect) -> Iterator[tuple[str, str]]:
    """How many values of which library it gives, of small inputs and of random lists."""
    for kind, rows in (("recorded", recorded_values()), ("live", live_values())):
        for row in rows:
            if dialect in map(find_dialect, row.dialects):
                yield row.library, f"{row.matched} of {row.total} {kind} values, {row.within}"


def _use(dialect: Dialect) -> Iterator[tuple[str, str]]:
    measure = dialect.measures[0] + "@10"
    yield "Python", f'gainful.evaluate(qrels, run, "{measure}", dialect="{dialect.name}")'
    if dialect.measures[0] in ("nDCG", "DCG"):
        function = dialect.measures[0].lower()
        yield "", f'gainful.{function}(labels, scores, k=10, dialect="{dialect.name}")'
    yield "shell", f"gainful eval QRELS RUN -m {measure} --dialect {dialect.name}"


def _line(dialect: Dialect) -> str:
    return f"{dialect.tool}: {dialect.summary}"


def _as_text(section: Section, width: int) -> str:
    longest = max(len(name) for name, _ in section.rows)
    rows = (_entry(name, text, min(longest, 22), width) for name, text in section.rows)
    return f"{section.title}:\n" + "".join(rows)


def _as_markdown(section: Section) -> str:
    rows = [
        (name, f"`{text}`" if section.title in _CODE else text.rstrip(".") if name else text)
        for name, text in section.rows
    ]
    named = "; ".join(f"`{name}`: {text}" for name, text in rows if name)
    return f"- {section.title}: {named}{' '.join(text for name, text in rows if not name)}\n"


def _entry(name: str, text: str, column: int, width: int) -> str:
    """A name and what follows it, in a column of its own; a long name stands on its own line."""
    before = f"  {name:{column}}  " if column else "  "
    room = max(width - 2 - column - (2 if column else 0), 20)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    indent = " " * (column + 4 if column else 2)
    if len(name) > column:
        return f"  {name}\n" + "".join(f"{indent}{line}\n" for line in lines)
    return f"{before}{lines[0]}\n" + "".join(f"{indent}{line}\n" for line in lines[1:])
