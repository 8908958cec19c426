"""gainful explain: see why a query scored what it scored."""

import sys
from collections.abc import Callable
from typing import Any

import click

from gainful.cli._options import (
    load_option,
    output_for,
    output_option,
    rule_options,
    rules_from,
    threads_option,
)
from gainful.cli._printing import print_result
from gainful.cli._progress import progress_bar
from gainful.cli._screen import screen
from gainful.cli._sources import Said, read_once, source_options
from gainful.explaining import explain
from gainful.explanation import Explanation
from gainful.report.terminal.explanation import explained

OUTPUTS: dict[str, Callable[[Explanation], str]] = {
    "table": repr,
    "tsv": Explanation.to_tsv,
    "markdown": Explanation.to_markdown,
    "json": Explanation.to_json,
}


@click.command("explain")
@click.argument("qrels")
@click.argument("run")
@click.argument("query")
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    default="nDCG@10",
    help="MEASURE to explain (default nDCG@10).",
)
@source_options
@click.option(
    "--items",
    metavar="FILE",
    help="FILE of what items are called: a table with a header, an item column, and title or url.",
)
@output_option(OUTPUTS)
@threads_option
@load_option
@rule_options
def explanation(
    qrels: str,
    run: str,
    query: str,
    measure: str,
    said: Said,
    items: str | None,
    output: str | None,
    threads: int | None,
    **rules: Any,
) -> None:
    """See why a query scored what it scored.

    Shows, rank by rank, what each item adds, the best possible ranking beside it, the relevant
    items that were missed and what each cost, and the one swap that would help most.

    \b
    Examples:
      gainful explain qrels.txt bm25.run q07
      gainful explain qrels.txt bm25.run q07 -m 'nDCG(gain=exp2)@5' -o json
      gainful explain qrels.txt bm25.run q07 --items corpus.jsonl
    """
    read_once(qrels, run, items)
    chosen = rules_from(rules)
    with progress_bar() as progress:
        how: Any = {"rules": chosen, "threads": threads, "progress": progress}
        judged = said.qrels(qrels, chosen, threads, progress)
        shown = explain(judged, said.run(run), query, measure, items=items, **how)
    output = output_for(output)
    if output == "table" and sys.stdout.isatty():
        print_result("", drawn=explained(shown, screen()))
        return
    notes = [shown.reading, *shown.closing()] if output == "tsv" else []
    print_result(OUTPUTS[output](shown).rstrip("\n") + "\n", notes)
