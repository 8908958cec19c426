"""gainful check: say what is odd about the data."""

import sys
from collections.abc import Callable
from typing import Any

import click

from gainful import tables
from gainful.checking import check
from gainful.cli._options import (
    output_for,
    output_option,
    rule_options,
    rules_from,
    threads_option,
)
from gainful.cli._printing import say
from gainful.cli._progress import progress_bar
from gainful.cli._sections import Sectioned
from gainful.cli._sources import Said, read_once, source_options
from gainful.findings import Findings

OUTPUTS: dict[str, Callable[[Findings], str]] = {
    "table": lambda findings: f"{findings!r}\n",
    "tsv": lambda findings: tables.to_tsv(findings.cells()),
    "markdown": Findings.to_markdown,
    "json": lambda findings: findings.to_json() + "\n",
}


@click.command("check", cls=Sectioned)
@click.argument("qrels")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@source_options
@output_option(OUTPUTS)
@threads_option
@rule_options
@click.pass_context
def checking(
    context: click.Context,
    /,
    qrels: str,
    runs: tuple[str, ...],
    said: Said,
    output: str | None,
    threads: int | None,
    **rules: Any,
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
      gainful check qrels.txt bm25.run -o json | jq .counts
    """
    read_once(qrels, *runs)
    chosen = rules_from(rules)
    with progress_bar() as progress:
        how: Any = {"rules": chosen, "threads": threads, "progress": progress}
        found = check(qrels, *map(said.run, runs), **said.of_qrels, **how)
    form = output_for(output)
    say(OUTPUTS[form](found))
    if form == "tsv":
        say(f"{found.summary}\n", sys.stderr)
    context.exit(1 if found.wrong else 0)
