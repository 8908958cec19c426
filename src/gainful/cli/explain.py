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
from gainful.cli._sections import Sectioned
from gainful.cli._sources import Said, read_once, source_options
from gainful.explaining import explain
from gainful.explanation import Explanation
from gainful.report.side_by_side import as_json, as_markdown, as_tsv, closing, summary
from gainful.report.terminal.explanation import explained
from gainful.report.terminal.side_by_side import side_by_side
from gainful.sources import Reading, read_item_data, read_judgments

OUTPUTS: dict[str, Callable[[Explanation], str]] = {
    "table": repr,
    "tsv": Explanation.to_tsv,
    "markdown": Explanation.to_markdown,
    "json": Explanation.to_json,
}
BESIDE: dict[str, Callable[[Explanation, Explanation], str]] = {
    "tsv": as_tsv,
    "markdown": as_markdown,
    "json": as_json,
}


@click.command("explain", cls=Sectioned)
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
@click.option(
    "--against",
    metavar="RUN",
    help="Show what RUN has on the same ranks beside it, and what moved since.",
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
    against: str | None,
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
      gainful explain qrels.txt dense.run q07 --against bm25.run
    """
    read_once(qrels, run, items, against)
    chosen, output = rules_from(rules), output_for(output)
    runs = said.runs([run] if against is None else [run, against])
    described = None if items is None else read_item_data(items, {}, roles=("title", "url"))
    with progress_bar() as progress:
        judged = read_judgments(qrels, chosen, Reading(threads, progress), **said.of_qrels)
        how: Any = {"rules": chosen, "threads": threads, "progress": progress, "items": described}
        shown, *other = (explain(judged, one, query, measure, **how) for one in runs)
    _print_both(shown, other[0], output) if other else _print_one(shown, output)


def _print_one(shown: Explanation, output: str) -> None:
    if output == "table" and sys.stdout.isatty():
        print_result("", drawn=explained(shown, screen()))
        return
    notes = [shown.reading, *shown.closing()] if output == "tsv" else []
    print_result(OUTPUTS[output](shown).rstrip("\n") + "\n", notes)


def _print_both(shown: Explanation, against: Explanation, output: str) -> None:
    if output == "table":
        # A file is as wide as it takes.
        where = screen() if sys.stdout.isatty() else screen()._replace(width=sys.maxsize)
        print_result("", drawn=side_by_side(shown, against, where))
        return
    notes = [*summary(shown, against), *closing(shown, against)] if output == "tsv" else []
    print_result(BESIDE[output](shown, against), notes)
