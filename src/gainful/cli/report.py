"""gainful report: one page that shows runs, how they differ, and why."""

import click

from gainful.cli.input_options import (
    InputOptions,
    check_runs_differ,
    check_stdin_once,
    find_baseline,
    input_options,
)
from gainful.cli.options import (
    build_rules,
    item_title_options,
    load_option,
    measures_option,
    read_item_options,
    rule_options,
    seed_option,
    threads_option,
)
from gainful.cli.output import (
    REPORT,
    SectionedCommand,
    check_can_report,
    check_is_file,
    format_command_line,
    open_in_browser,
    print_report_summary,
    progress_bar,
)

DEFAULT_MEASURE = "nDCG@10"


@click.command("report", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-o",
    "--output",
    "out",
    metavar="FILE",
    default=REPORT,
    help=f"FILE to write, - for standard output (default {REPORT}).",
)
@click.option("--open", "open_page", is_flag=True, help="Open it in the browser.")
@measures_option("to report", DEFAULT_MEASURE, addition=" The report is about the first.")
@click.option(
    "--baseline",
    metavar="RUN",
    help="Compare all others with this RUN, by its name or path (default all pairs).",
)
@click.option(
    "--queries",
    metavar="FILE",
    help="FILE of query attributes to show: a table with a query column, and text.",
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
@item_title_options
@click.option("--reconcile", is_flag=True, help="Show what other tools would say, and why.")
@seed_option
@input_options
@threads_option
@load_option
@rule_options
def report_command(
    qrels: str,
    runs: tuple[str, ...],
    out: str,
    open_page: bool,
    measures: tuple[str, ...],
    baseline: str | None,
    queries: str | None,
    by: tuple[str, ...],
    weights: str | None,
    items: str | None,
    users: int | None,
    reconcile: bool,
    seed: int,
    inputs: InputOptions,
    threads: int | None,
    **rules: object,
) -> None:
    """Write one HTML page that shows runs, how they differ, and why.

    It opens in any browser, from disk and without a network: the verdict, a table of means with
    their intervals, charts, and every query with its rankings side by side. With one run it shows
    what that scores. QRELS and RUN are files as in gainful eval. Titles of items come from --items,
    texts of queries from --queries.

    \b
    Examples:
      gainful report qrels.txt bm25.run dense.run
      gainful report qrels.txt bm25.run dense.run hybrid.run --baseline bm25 -o runs.html --open
      gainful report qrels.txt bm25.run --queries queries.tsv --items titles.tsv
      gainful report qrels.txt bm25.run dense.run -m nDCG@10 -m AP --queries q.csv --by category
    """
    check_stdin_once(qrels, *runs, items, queries)
    check_runs_differ(runs)
    _check_arguments(queries, by, weights)
    check_can_report("-o", out, qrels, *runs, items, queries)
    if open_page:
        check_is_file("--open", out)
    from gainful.report import write_report

    resolved_rules, named_runs = build_rules(rules), inputs.runs(runs)
    baseline = find_baseline(named_runs, baseline)
    # As a path if possible, so that the report names it.
    item_data = items if users is None else read_item_options(items, users)
    with (
        progress_bar() as progress,
        inputs.collection(
            qrels,
            named_runs,
            rules=resolved_rules,
            items=item_data,
            queries=queries,
            threads=threads,
            progress=progress,
        ) as collection,
    ):
        report = write_report(
            collection,
            None,
            out,
            measures=measures or DEFAULT_MEASURE,
            baseline=baseline,
            by=by,
            weights=weights,
            reconcile=reconcile,
            seed=seed,
            command=format_command_line(),
        )
    print_report_summary(report)
    if open_page:
        open_in_browser(out)


def _check_arguments(queries: str | None, by: tuple[str, ...], weights: str | None) -> None:
    for name, column in (("--by", by), ("--weights", weights)):
        if column and queries is None:
            message = f"{name} names a column of --queries, got no --queries."
            raise click.UsageError(message)
