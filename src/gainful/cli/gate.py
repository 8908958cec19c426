"""gainful gate: let a run replace another, or not."""

import sys
from collections.abc import Callable
from typing import Any

import click

from gainful.asked import as_measures
from gainful.cli._ci import tell_github, write_junit
from gainful.cli._items import item_options, known_items
from gainful.cli._options import (
    declared_options,
    given,
    load_option,
    measures_option,
    rule_options,
    threads_option,
)
from gainful.cli._printing import say
from gainful.cli._progress import progress_bar
from gainful.cli._refusing import Refusing
from gainful.cli._reporting import can_report, files_alone, report_gate, wants_a_file
from gainful.cli._sources import Said, read_once, source_options
from gainful.gating.config import Config, find_config, read_config
from gainful.gating.deciding import gate
from gainful.gating.inputs import told_apart
from gainful.gating.result import Gate
from gainful.gating.thresholds import DEFAULT_MAX_DROP, threshold_arguments
from gainful.rules import Rules, rule_arguments
from gainful.sources import Steady

OUTPUTS: dict[str, Callable[[Gate], str]] = {
    "table": lambda gate: f"{gate!r}\n",
    "markdown": Gate.to_markdown,
    "json": lambda gate: gate.to_json() + "\n",
}
DEFAULT_MEASURE = "nDCG@10"


@click.command("gate", cls=Refusing)
@click.argument("files", nargs=-1, metavar="[[QRELS] [BASELINE] CANDIDATE]")
@measures_option("to gate", DEFAULT_MEASURE)
@declared_options(threshold_arguments(), max_drop=DEFAULT_MAX_DROP)
@click.option(
    "--pinned",
    metavar="FILE",
    help="FILE of queries, one id a line: only they are held to --query-max-drop, or, without it, "
    "may not drop at all.",
)
@click.option("--junit", metavar="FILE", help="Write JUnit XML to FILE.")
@click.option("--report", metavar="FILE", help="Write a page to FILE, as gainful report does.")
@click.option(
    "--config",
    metavar="FILE",
    help="Read thresholds from FILE (default the nearest gainful.toml or pyproject.toml).",
)
@click.option("--no-config", is_flag=True, help="Read thresholds from no file.")
@item_options
@source_options
@click.option(
    "-o",
    "--output",
    type=click.Choice(list(OUTPUTS)),
    default="table",
    help="How to print (default table).",
)
@threads_option
@load_option
@rule_options
@click.pass_context
def gating(
    context: click.Context,
    /,
    files: tuple[str, ...],
    measures: tuple[str, ...],
    pinned: str | None,
    junit: str | None,
    report: str | None,
    config: str | None,
    no_config: bool,
    items: str | None,
    users: int | None,
    said: Said,
    output: str,
    threads: int | None,
    **options: Any,
) -> None:
    """Let a run replace another, or not: for tests of every change.

    CANDIDATE passes if it meets all that it is held to. The exit code is 0 if it does, 1 if it does
    not or nobody can tell, and 2 if it could not be decided: wrong usage, wrong data. With one
    file or two, those that are left out are read from the file of thresholds; without any BASELINE
    the candidate is held to --min alone.

    Thresholds are read from [gate] of gainful.toml, or from [tool.gainful.gate] of pyproject.toml;
    options win over them. On GitHub Actions the summary and annotations are written as well.

    \b
    Examples:
      gainful gate qrels.txt production.run candidate.run -m nDCG@10 --max-drop 0.01
      gainful gate qrels.txt production.run candidate.run --mode noninferior --max-drop 0.02
      gainful gate qrels.txt production.run candidate.run --pinned pinned.txt --min-judged 0.8
      gainful gate qrels.txt candidate.run --min 0.45
      gainful gate candidate.run --junit gate.xml
      gainful gate qrels.txt production.run candidate.run --report gate.html
    """
    if config is not None and no_config:
        message = "--config names a file and --no-config asks for none, got both."
        raise click.UsageError(message)
    read = Config() if no_config else find_config(".") if config is None else read_config(config)
    qrels, baseline, candidate = _files(files, read)
    read_once(qrels, baseline, candidate, items)
    page = report or read.paths.get("report")
    if page is not None:
        wants_a_file("--report", page)
        files_alone("--report", qrels, baseline, candidate)
        can_report("--report", page, qrels, baseline, candidate, items)
    held = _held(given(threshold_arguments(), options), measures, read)
    rules = Rules(**{**read.rules, **given(rule_arguments(), options)})
    read_again = (qrels, baseline, candidate, items) if page is not None else ()
    steady = Steady(path for path in read_again if path is not None)
    data = known_items(items, users)
    with progress_bar() as progress:
        how: Any = {"items": data, "rules": rules, "threads": threads, "progress": progress}
        judged = said.qrels(qrels, rules, threads, progress)
        before = None if baseline is None else said.run(baseline)
        pins: Any = read.pinned if pinned is None else pinned
        decided = gate(judged, before, said.run(candidate), **held, pinned=pins, **how)
    say(OUTPUTS[output](decided))
    if read.path is not None:
        say(f"thresholds: {read.path}\n", sys.stderr)
    target = junit or read.paths.get("junit")
    if target is not None:
        write_junit(target, decided)
    tell_github(decided)
    if page is not None:
        steady.check()
        both = told_apart(before, said.run(candidate))
        with progress_bar() as progress:
            how |= {"items": items if users is None else data, "progress": progress}
            report_gate(page, decided, judged, both, **how)
    context.exit(0 if decided.passed else 1)


def _files(files: tuple[str, ...], read: Config) -> tuple[str, str | None, str]:
    """Qrels, baseline and candidate; what is not given comes from the file of thresholds."""
    if len(files) > 3:
        message = f"takes QRELS, BASELINE and CANDIDATE, got {len(files)} files."
        raise click.UsageError(message)
    named = dict(read.paths)
    named |= {"candidate": files[-1]} if files else {}
    named |= {"qrels": files[0]} if len(files) > 1 else {}
    named |= {"baseline": files[1]} if len(files) > 2 else {}
    for name in ("candidate", "qrels"):
        if name not in named:
            message = f"Missing argument '{name.upper()}'."
            raise click.UsageError(message)
    return named["qrels"], named.get("baseline"), named["candidate"]


def _held(flags: dict[str, Any], measures: tuple[str, ...], read: Config) -> dict[str, Any]:
    """Measures and thresholds as ``gate`` takes them; options win over the file."""
    chosen = as_measures(measures or tuple(read.measures) or DEFAULT_MEASURE)
    own = {
        measure: {name: value for name, value in table.items() if name not in flags}
        for text, table in read.measures.items()
        for measure in as_measures(text)
        if measure in chosen
    }
    return {"measures": chosen, **read.thresholds, **flags, "per_measure": own}
