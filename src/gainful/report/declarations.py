"""Measures and other declared things, described: for the terminal and for the documentation."""

import inspect

from gainful.measures import REGISTRY, Measure
from gainful.report.formulas import plain
from gainful.settings import Argument, text_of

_AVERAGES = {
    "sum": "the values of all queries are added up",
    "geometric": "all queries have a geometric mean, values below 0.00001 counting as that",
}
_EXAMPLES = {"cutoff}": "10", "recall}": "0.20", "times}": "0.20"}
_OWN = "Your own."


def families() -> dict[str, list[Measure]]:
    """All measures by family: what the first line of their file says."""
    found: dict[str, list[Measure]] = {}
    for measure in REGISTRY.values():
        module = inspect.getmodule(measure.compute)
        ours = module is not None and module.__name__.startswith("gainful.")
        title = (inspect.getdoc(module) or "").partition("\n")[0] if ours else _OWN
        found.setdefault(title, []).append(measure)
    return found


def overview() -> str:
    """All measures by family, a line each."""
    width = max(map(len, REGISTRY))
    parts = (
        f"{title}\n" + "".join(f"  {m.name:{width}}  {_line(m)}\n" for m in measures)
        for title, measures in families().items()
    )
    return "\n".join(parts)


def _line(measure: Measure) -> str:
    also = f" ({', '.join(measure.also)})" if measure.also else ""
    return plain(measure.summary) + also


def measure_text(measure: Measure) -> str:
    """All there is to know of a measure, as plain text."""
    settings = ["", "Settings:"] if measure.arguments else []
    lines = [str(measure), "", plain(measure.documentation), *settings]
    width = max((len(name) for name in measure.arguments), default=0)
    for argument in measure.arguments.values():
        lines.append(f"  {argument.name:{width}}  {described(argument)}")
        for value, meaning in argument.meanings.items():
            lines.append(f"  {'':{width}}    {value}: {meaning}")
        if more := _beyond_names(argument):
            lines.append(f"  {'':{width}}    or {more}")
    lines += ["", f"Range: {_range(measure)} with default settings"]
    lines += [f"{name}: {text}" for name, text in _promises(measure).items()]
    if measure.trec_eval:
        lines.append(f"trec_eval: {_trec_eval(measure)}")
    return "\n".join(lines) + "\n"


def measure_markdown(measure: Measure) -> str:
    """All there is to know of a measure, as a section of a Markdown page."""
    rows = "".join(
        f"| `{a.name}` | {a.setting.help} | {values_markdown(a)} | {default_text(a)} |\n"
        for a in measure.arguments.values()
    )
    head = "| setting | meaning | values | default |\n|---|---|---|---|\n" if rows else ""
    trec_eval = f" trec_eval: {_trec_eval(measure, '`')}." if measure.trec_eval else ""
    promises = "".join(f" {text[0].upper()}{text[1:]}." for text in _promises(measure).values())
    return (
        f"## {measure.name}\n\n{measure.documentation}\n\n"
        f"{head}{rows}\n"
        f"Range: {_range(measure)} with default settings.{promises}{trec_eval}\n"
    )


def described(argument: Argument) -> str:
    """A setting in one line: what it does, what it takes, what it is by default."""
    takes = "" if argument.meanings else f"; {argument.expected}"
    return f"{argument.setting.help}{takes} (default {default_text(argument, '')})"


def _promises(measure: Measure) -> dict[str, str]:
    """What is true of a measure beside its range."""
    said = {"Judgments": measure.reads.made_of}
    if measure.also:
        said["Other names"] = "it is also called " + ", ".join(measure.also)
    if measure.whole:
        said["Queries"] = "it is a number of the whole run; no query has a value of its own"
    if measure.average in _AVERAGES:
        said["All queries"] = _AVERAGES[measure.average]
    if measure.monotone:
        said["Swaps"] = "to exchange an item with a better one below it never lowers the value"
    if measure.averages_ties:
        said["Ties"] = "ties=average gives the expected value over all orders of tied items"
    return said


def _trec_eval(measure: Measure, quote: str = "") -> str:
    stems = (name.partition("_{") for name in measure.trec_eval)
    names = (f"{stem}_{_EXAMPLES[setting]}" if setting else stem for stem, _, setting in stems)
    return ", ".join(f"{quote}{name}{quote}" for name in names)


def _range(measure: Measure) -> str:
    low, high = measure.bounds
    return f"{low:g} to {high:g}" if high != float("inf") else f"{low:g} and above"


def values_markdown(argument: Argument) -> str:
    """The values a setting takes and what they mean, for a cell of a Markdown table."""
    named = (f"`{value}`: {meaning}" for value, meaning in argument.meanings.items())
    lines = "<br>".join(named).replace("|", "\\|")
    more = _beyond_names(argument)
    return f"{lines}<br>or {more}" if more else lines or argument.expected


def _beyond_names(argument: Argument) -> str:
    """What a setting takes that has no name: a gain table."""
    _, _, more = argument.expected.partition(", or ")
    return more


def default_text(argument: Argument, quote: str = "`") -> str:
    """A setting's default as users write it."""
    if argument.required:
        return "required"
    return "none" if argument.default is None else f"{quote}{text_of(argument.default)}{quote}"
