"""gainful gate: let a run replace another, or not."""

import sys
from contextlib import ExitStack
from typing import Any

import click

from gainful.alignment import Rules, list_rule_arguments
from gainful.cli.input_options import InputOptions, check_stdin_once, input_options
from gainful.cli.options import (
    argument_options,
    item_options,
    load_option,
    measures_option,
    pick_options,
    read_item_options,
    rule_options,
    threads_option,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    check_can_report,
    check_is_file,
    format_command_line,
    format_location,
    output_options,
    progress_bar,
    say,
)
from gainful.evaluation import Collection, list_measures
from gainful.gate import (
    DEFAULT_MAX_DROP,
    Config,
    Gate,
    collect_threshold_arguments,
    find_config,
    gate,
    name_runs_apart,
    read_config,
    report_to_github,
    write_junit,
)
from gainful.report import view_gate

DEFAULT_MEASURE = "nDCG@10"


@click.command("gate", cls=SectionedCommand)
@click.argument("files", nargs=-1, metavar="[[QRELS] [BASELINE] CANDIDATE]")
@measures_option("to gate", DEFAULT_MEASURE)
@argument_options(collect_threshold_arguments(), max_drop=DEFAULT_MAX_DROP)
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
@input_options
@output_options(piped="table")
@threads_option
@load_option
@rule_options
@click.pass_context
def gate_command(
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
    inputs: InputOptions,
    output: Output,
    threads: int | None,
    **options: Any,
) -> None:
    """Let a run replace another, or not: for tests of every change.

    CANDIDATE passes if it meets all that it is held to. The exit code is 0 if it does, 1 if it does
    not or it cannot be determined, and 2 on wrong usage or wrong data. With one file or two, those
    that are left out are read from the file of thresholds; without any BASELINE the candidate is
    held to --min alone.

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
    settings = (
        Config() if no_config else find_config(".") if config is None else read_config(config)
    )
    qrels, baseline, candidate = _resolve_files(files, settings)
    check_stdin_once(qrels, baseline, candidate, items)
    page = report or settings.paths.get("report")
    if page is not None:
        check_is_file("--report", page)
        check_can_report("--report", page, qrels, baseline, candidate, items)
    flags = pick_options(collect_threshold_arguments(), options)
    thresholds = _collect_thresholds(flags, measures, settings)
    rules = Rules(**{**settings.rules, **pick_options(list_rule_arguments(), options)})
    runs = name_runs_apart(
        None if baseline is None else inputs.run(baseline), inputs.run(candidate)
    )
    with ExitStack() as stack:
        with progress_bar() as progress:
            collection = inputs.collection(
                qrels,
                runs,
                rules=rules,
                # As a path if possible, so that the report names it.
                items=items if users is None else read_item_options(items, users),
                threads=threads,
                progress=progress,
            )
            result = gate(
                stack.enter_context(collection),
                runs[0].name if len(runs) > 1 else None,
                runs[-1].name,
                **thresholds,
                pinned=settings.pinned if pinned is None else pinned,
            )
        output.show(view_gate(result))
        if settings.path is not None:
            say(f"thresholds: {settings.path}\n", sys.stderr)
        target = junit or settings.paths.get("junit")
        if target is not None:
            write_junit(target, result)
        if messages := report_to_github(result):
            say(messages, sys.stderr)
        if page is not None:
            _write_page(page, collection, result)
    context.exit(0 if result.passed else 1)


def _write_page(page: str, collection: Collection, result: Gate) -> None:
    from gainful.report import write_report

    report = write_report(
        collection,
        None,
        page,
        result.measures,
        gate=result,
        command=format_command_line(),
        baseline=result.baseline,
    )
    if page != "-":
        say(f"{format_location(report)}\n", sys.stderr)


def _resolve_files(files: tuple[str, ...], settings: Config) -> tuple[str, str | None, str]:
    """Return qrels, baseline and candidate; the file of thresholds fills in what is missing."""
    if len(files) > 3:
        message = f"takes QRELS, BASELINE and CANDIDATE, got {len(files)} files."
        raise click.UsageError(message)
    paths = dict(settings.paths)
    paths |= {"candidate": files[-1]} if files else {}
    paths |= {"qrels": files[0]} if len(files) > 1 else {}
    paths |= {"baseline": files[1]} if len(files) > 2 else {}
    for name in ("candidate", "qrels"):
        if name not in paths:
            message = f"Missing argument '{name.upper()}'."
            raise click.UsageError(message)
    return paths["qrels"], paths.get("baseline"), paths["candidate"]


def _collect_thresholds(
    flags: dict[str, Any], measures: tuple[str, ...], settings: Config
) -> dict[str, Any]:
    """Return measures and thresholds as ``gate`` takes them; options win over the file."""
    parsed = list_measures(measures or tuple(settings.measures) or DEFAULT_MEASURE)
    per_measure = {
        measure: {name: value for name, value in table.items() if name not in flags}
        for text, table in settings.measures.items()
        for measure in list_measures(text)
        if measure in parsed
    }
    return {"measures": parsed, **settings.thresholds, **flags, "per_measure": per_measure}
