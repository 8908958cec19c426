"""gainful report: one page that shows runs, how they differ, and why."""

from typing import Any

import click

from gainful.cli._items import known_items, titled_item_options
from gainful.cli._options import (
    load_option,
    measures_option,
    rule_options,
    rules_from,
    seed_option,
    threads_option,
)
from gainful.cli._progress import progress_bar
from gainful.cli._reporting import REPORT, can_report, command_line, show, tell, wants_a_file
from gainful.cli._sections import Sectioned
from gainful.cli._sources import Said, baseline_among, named_once, read_once, source_options
from gainful.sources import Steady

DEFAULT_MEASURE = "nDCG@10"


@click.command("report", cls=Sectioned)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    default=REPORT,
    help=f"FILE to write, - for standard output (default {REPORT}).",
)
@click.option("--open", "shown", is_flag=True, help="Open it in the browser.")
@measures_option("to report", DEFAULT_MEASURE, more=" The report is about the first.")
@click.option(
    "--baseline",
    metavar="RUN",
    help="Compare all others with this RUN, by its name or path (default all pairs).",
)
@click.option(
    "--queries",
    metavar="FILE",
    help="FILE of what is known of queries, to be shown: a table with a query column, and text.",
)
@click.option(
    "--by",
    metavar="COLUMN",
    multiple=True,
    help="Slice by COLUMN of --queries; may be repeated (default every column of few values).",
)
@click.option(
    "--weights",
    metavar="COLUMN",
    help="Note the means with queries weighed by COLUMN of --queries; all else counts them alike.",
)
@titled_item_options
@seed_option
@source_options
@threads_option
@load_option
@rule_options
def reporting(
    qrels: str,
    runs: tuple[str, ...],
    out: str,
    shown: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    queries: str | None,
    by: tuple[str, ...],
    weights: str | None,
    items: str | None,
    users: int | None,
    seed: int,
    said: Said,
    threads: int | None,
    **rules: Any,
) -> None:
    """Write one HTML page that shows runs, how they differ, and why.

    It opens in any browser, from disk and without a network: the verdict, a table of means with
    their intervals, charts, and every query with its rankings side by side. With one run it shows
    what that scores. QRELS and RUN are files as in gainful eval; every run is read more than once,
    so none can be standard input. Titles of items come from --items, texts of queries from
    --queries.

    \b
    Examples:
      gainful report qrels.txt bm25.run dense.run
      gainful report qrels.txt bm25.run dense.run hybrid.run --baseline bm25 -o runs.html --open
      gainful report qrels.txt bm25.run --queries queries.tsv --items titles.tsv
      gainful report qrels.txt bm25.run dense.run -m nDCG@10 -m AP --queries q.csv --by category
    """
    read_once(qrels, *runs, items, queries)
    named_once(runs)
    _check(queries, by, weights)
    can_report("-o", out, qrels, *runs, items, queries)
    if shown:
        wants_a_file("--open", out)
    from gainful.report.page.writing import write_report  # only who asks for it pays for it

    chosen, several = rules_from(rules), said.runs(runs)
    how: Any = {"baseline": baseline_among(several, baseline), "seed": seed}
    # As paths, so that the report names them.
    how |= {"items": items if users is None else known_items(items, users)}
    how |= {"queries": queries, "by": by, "weights": weights}
    steady = Steady(path for path in (qrels, *runs, items, queries) if path is not None)
    with progress_bar() as progress:
        judged = said.qrels(qrels, chosen, threads, progress)
        read: Any = {"rules": chosen, "threads": threads, "progress": progress}
        held: Any = {"measures": measures or DEFAULT_MEASURE, "command": command_line()}
        steady.check()
        report = write_report(judged, several, out, **held, **how, **read)
    tell(report)
    if shown:
        show(out)


def _check(queries: str | None, by: tuple[str, ...], weights: str | None) -> None:
    for name, column in (("--by", by), ("--weights", weights)):
        if column and queries is None:
            message = f"{name} names a column of --queries, got no --queries."
            raise click.UsageError(message)
