"""Measures and other declared things, described: for the terminal and for the documentation."""

import inspect
import re
import textwrap

from gainful.alignment import JudgedRankings
from gainful.base import Argument, format_setting
from gainful.diagnostics import CODES, GROUPS, SEVERITIES, Code
from gainful.measures import REGISTRY, Measure
from gainful.report.formulas import format_plain_formulas
from gainful.report.tables import Column, Table, to_tsv

_AVERAGES = {
    "sum": "the values of all queries are added up",
    "geometric": "all queries have a geometric mean, values below 0.00001 counting as that",
}
_EXAMPLES = {"cutoff}": "10", "recall}": "0.20", "times}": "0.20"}
_OWN = "Your own."


def group_measures() -> dict[str, list[Measure]]:
    """Group all measures by family, named by the first line of its file."""
    families: dict[str, list[Measure]] = {}
    for measure in REGISTRY.values():
        module = inspect.getmodule(measure.compute)
        ours = module is not None and module.__name__.startswith("gainful.")
        title = (inspect.getdoc(module) or "").partition("\n")[0] if ours else _OWN
        families.setdefault(title, []).append(measure)
    return families


def list_measures() -> str:
    """List all measures by family, a line each."""
    width = max(map(len, REGISTRY))
    parts = (
        f"{title}\n" + "".join(f"  {m.name:{width}}  {_format_measure_line(m)}\n" for m in measures)
        for title, measures in group_measures().items()
    )
    return "\n".join(parts)


def _format_measure_line(measure: Measure) -> str:
    also = f" ({', '.join(measure.also)})" if measure.also else ""
    return format_plain_formulas(measure.summary) + also


def describe_measure(measure: Measure, width: int = 80) -> str:
    """Describe a measure as plain text, wrapped to a width.

    Settings that only dialects use are left out; ``describe_dialect`` has those of one.
    """
    lines: list[str] = []
    for part in f"{measure}: {measure.documentation}".split("\n\n"):
        text = format_plain_formulas(part)
        rows = text.splitlines() if "$$" in part else [" ".join(text.splitlines())]
        lines += [*(line for row in rows for line in _wrap(row, width)), ""]
    arguments = [a for a in measure.arguments.values() if not a.setting.rare]
    lines += ["Settings:"] if arguments else []
    column = max((len(argument.name) for argument in arguments), default=0) + 4
    for argument in arguments:
        name = f"  {argument.name:{column - 2}}"
        lines += _wrap(name + describe_argument(argument), width, column)
        for value, meaning in argument.meanings.items():
            lines += _wrap(f"{'':{column}}  {value}: {meaning}", width, column + 4)
    lines += [""] if arguments else []
    lines.append(f"Range: {_format_range(measure)} with default settings")
    lines += [f"{name}: {text}" for name, text in _list_properties(measure).items()]
    if measure.trec_eval:
        lines.append(f"trec_eval: {_format_trec_eval_names(measure)}")
    return "\n".join(lines) + "\n"


def _wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """Wrap a line that is too long; the following lines are indented."""
    wrapper = textwrap.TextWrapper(
        width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    return wrapper.wrap(text)


def describe_measure_markdown(measure: Measure) -> str:
    """Describe a measure as a section of a Markdown page."""
    rows = "".join(
        f"| `{a.name}` | {a.setting.help} | {format_values_markdown(a)} | {format_default(a)} |\n"
        for a in measure.arguments.values()
    )
    head = "| setting | meaning | values | default |\n|---|---|---|---|\n" if rows else ""
    trec_eval = f" trec_eval: {_format_trec_eval_names(measure, '`')}." if measure.trec_eval else ""
    promises = "".join(
        f" {text[0].upper()}{text[1:]}." for text in _list_properties(measure).values()
    )
    if measure.monotone:
        promises += " Moving a better item up never lowers the value."
    return (
        f"## {measure.name}\n\n{measure.documentation}\n\n"
        f"{head}{rows}\n"
        f"Range: {_format_range(measure)} with default settings.{promises}{trec_eval}\n"
    )


def describe_argument(argument: Argument) -> str:
    """Describe a setting in one line: what it does, what it takes, its default."""
    more = _find_unnamed_values(argument)
    takes = f", or {more}" if more else "" if argument.meanings else f"; {argument.expected}"
    return f"{argument.setting.help}{takes} (default {format_default(argument, '')})"


def _list_properties(measure: Measure) -> dict[str, str]:
    """Return the properties of a measure besides its range."""
    entries = {}
    if measure.reads is not JudgedRankings:
        entries["Judgments"] = measure.reads.made_of
    if measure.also:
        entries["Other names"] = "it is also called " + ", ".join(measure.also)
    if measure.whole:
        entries["Queries"] = "it is a number of the whole run; no query has a value of its own"
    if measure.average in _AVERAGES:
        entries["All queries"] = _AVERAGES[measure.average]
    if measure.averages_ties:
        entries["Ties"] = "ties=average gives the expected value over all orders"
    return entries


def _format_trec_eval_names(measure: Measure, quote: str = "") -> str:
    stems = (name.partition("_{") for name in measure.trec_eval)
    names = (f"{stem}_{_EXAMPLES[setting]}" if setting else stem for stem, _, setting in stems)
    return ", ".join(f"{quote}{name}{quote}" for name in names)


def _format_range(measure: Measure) -> str:
    low, high = measure.bounds
    return f"{low:g} to {high:g}" if high != float("inf") else f"{low:g} and above"


def format_values_markdown(argument: Argument) -> str:
    """Format the values of a setting and their meanings for a cell of a Markdown table."""
    meanings = (f"`{value}`: {meaning}" for value, meaning in argument.meanings.items())
    lines = "<br>".join(meanings).replace("|", "\\|")
    more = _find_unnamed_values(argument)
    return f"{lines}<br>or {more}" if more else lines or argument.expected


def _find_unnamed_values(argument: Argument) -> str:
    """Return the values a setting takes that have no name, such as a gain table."""
    _, _, more = argument.expected.partition(", or ")
    return more


def format_default(argument: Argument, quote: str = "`") -> str:
    """Format a setting's default as users write it."""
    if argument.is_required:
        return "required"
    return (
        "none" if argument.default is None else f"{quote}{format_setting(argument.default)}{quote}"
    )


_INDENT = 10  # columns, before the text beside a name


def describe_code(code: Code, width: int) -> str:
    """Describe a code as plain text, wrapped to a width."""
    entries = {
        "Kind": describe_kind(code),
        "Cause": code.cause,
        "Remedy": code.remedy,
        "Example": f"{_choose_message_prefix(code)}: {code.example} [{code.code}]",
    }
    head = "\n".join(textwrap.wrap(f"{code.code}: {_strip_code_marks(code.summary)}", width))
    return f"{head}\n\n" + "".join(
        _format_entry(name, text, width) for name, text in entries.items()
    )


def describe_kind(code: Code) -> str:
    """Return whether a code is an error or a notice, and of which severity.

    >>> describe_kind(CODES["missing-queries"])
    'notice, warning: probably not what is wanted'
    """
    if code.errors:
        return f"error, {' or '.join(code.errors)} in Python"
    return f"notice, {code.severity}: {SEVERITIES[code.severity]}"


def list_codes(width: int) -> str:
    """List all codes by group, a line each, wrapped to a width."""
    longest = max(map(len, CODES))
    parts = (
        f"{title}\n" + "".join(_format_code_line(code, longest, width) for code in group)
        for title, group in GROUPS.items()
    )
    return "\n".join(parts)


def list_codes_tsv() -> str:
    """List all codes as code, kind and meaning, tab-separated."""
    rows = [
        [code.code, format_kind(code), _strip_code_marks(code.summary)] for code in CODES.values()
    ]
    columns = [Column("code"), Column("kind"), Column("meaning")]
    return to_tsv(Table(columns, rows, has_header=False))


def format_kind(code: Code) -> str:
    """Return the kind of a code in a word or two.

    >>> format_kind(CODES["missing-column"]), format_kind(CODES["missing-queries"])
    ('error', 'notice (warning)')
    """
    return "error" if code.errors else f"notice ({code.severity})"


def describe_code_markdown(code: Code) -> str:
    """Describe a code as a section of a Markdown page."""
    example = f"{_choose_message_prefix(code)}: {code.example} [{code.code}]"
    errors = " or ".join(f"`{name}`" for name in code.errors)
    kind = f"Error, {errors} in Python." if code.errors else f"{describe_kind(code).capitalize()}."
    return (
        f"### {code.code}\n\n{code.summary} {kind}\n\n```text\n{example}\n```\n\n"
        f"**Cause.** {code.cause}\n\n**Remedy.** {code.remedy}\n"
    )


def _choose_message_prefix(code: Code) -> str:
    """Return the word before the message on the command line."""
    if code.errors:
        return "error"
    return "warning" if code.severity == "error" else "note"


def _format_entry(name: str, text: str, width: int) -> str:
    blank = " " * _INDENT
    lines = textwrap.wrap(
        _strip_code_marks(text),
        width,
        initial_indent=f"{name:{_INDENT}}",
        subsequent_indent=blank,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return "\n".join(lines) + "\n"


def _format_code_line(code: Code, longest: int, width: int) -> str:
    lines = textwrap.wrap(
        _strip_code_marks(code.summary),
        max(width, longest + 30),
        initial_indent=f"  {code.code:{longest}}  ",
        subsequent_indent=" " * (longest + 4),
    )
    return "\n".join(lines) + "\n"


def _strip_code_marks(text: str) -> str:
    """Remove the marks of code from Markdown, for a terminal."""
    return re.sub(r"`([^`]+)`", r"\1", text)
