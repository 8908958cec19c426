"""gainful check: say what is odd about the data."""

import click

from gainful.cli.input_options import InputOptions, check_stdin_once, input_options
from gainful.cli.options import (
    build_rules,
    rule_options,
    threads_option,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    output_options,
    progress_bar,
)
from gainful.diagnostics import check
from gainful.report import view_findings


@click.command("check", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@input_options
@output_options()
@threads_option
@rule_options
@click.pass_context
def check_command(
    context: click.Context,
    /,
    qrels: str,
    runs: tuple[str, ...],
    inputs: InputOptions,
    output: Output,
    threads: int | None,
    **rules: object,
) -> None:
    """Say what is odd about judgments and runs.

    Reads everything, and goes on where a line is wrong. Errors come first: with them a number is
    wrong, or cannot be had, and the exit code is 1. Then warnings, which are probably not what you
    want, and notes.

    \b
    Examples:
      gainful check qrels.txt
      gainful check qrels.txt bm25.run dense.run
      gainful check qrels.txt bm25.run --order rank
      gainful check qrels.txt bm25.run -f json | jq .counts
    """
    check_stdin_once(qrels, *runs)
    with progress_bar() as progress:
        findings = check(
            qrels,
            *map(inputs.run, runs),
            **inputs.qrels_options,
            rules=build_rules(rules),
            threads=threads,
            progress=progress,
        )
    output.show(view_findings(findings))
    context.exit(1 if findings.has_errors else 0)
