"""gainful spark: score a run on Spark."""

import warnings

import click

from gainful.cli.input_options import columns_option, format_option, parse_sided_columns
from gainful.cli.options import (
    build_rules,
    dialect_option,
    item_options,
    load_option,
    measures_option,
    read_dialect_options,
    read_item_options,
    rule_options,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    output_options,
)
from gainful.evaluation import DEFAULT_MEASURES
from gainful.report import FORMATS, render, view_runs
from gainful.spark import (
    MODES,
    check_output,
    describe_output,
    evaluate,
    get_session,
    write_scores,
)


@click.command("spark", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("run")
@measures_option("to compute", *DEFAULT_MEASURES)
@dialect_option
@item_options
@format_option("qrels")
@format_option("run")
@columns_option
@click.option("--name", metavar="NAME", help="NAME of the run (default that of its table or file).")
@click.option(
    "--out",
    metavar="TABLE",
    help="Write every value to TABLE, or to a path: a name with a / or an ending like .parquet.",
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="error",
    help="What to do where --out is there already (default error).",
)
@click.option(
    "--partitions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Split the queries into N parts (default as Spark decides).",
)
@output_options([*FORMATS, "tidy"])
@load_option
@rule_options
def spark_command(
    qrels: str,
    run: str,
    measures: tuple[str, ...],
    dialects: tuple[str, ...],
    items: str | None,
    users: int | None,
    qrels_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    name: str | None,
    out: str | None,
    mode: str,
    partitions: int | None,
    output: Output,
    **rules: object,
) -> None:
    """Score a run against judgments on Spark.

    QRELS and RUN are tables or views, or paths that Spark can read: Parquet, ORC, CSV, TSV, JSON
    lines, TREC files, or folders of them. QRELS may be a file of this machine in any format. The
    means are printed; --out has every value, as rows of system, query, measure and value. The rules
    and what is odd about the data go to standard error.

    \b
    Examples:
      gainful spark qrels.txt run.parquet -m nDCG@10
      gainful spark qrels prod.runs.bm25 -m nDCG@10 --out prod.scores.bm25
      spark-submit site-packages/gainful/spark/__main__.py qrels s3a://logs/bm25
    """
    names = parse_sided_columns(columns)
    formats = {"qrels": qrels_format, "run": run_format}
    item_data = read_item_options(items, users)
    dialect = read_dialect_options(dialects, rules)
    resolved_rules = build_rules(rules) if dialect is None else None
    # Of what PySpark does with pandas, nothing is used here.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    session = get_session(None, [])
    try:
        if out is not None:
            check_output(session, out, mode)
        scores = evaluate(
            qrels,
            run,
            measures or DEFAULT_MEASURES,
            name=name,
            columns=names or None,
            format={side: form for side, form in formats.items() if form is not None},
            partitions=partitions,
            items=item_data,
            rules=resolved_rules,
            dialect=dialect,
            spark=session,
        )
        view = view_runs([scores])
        notes = view.list_notes(output.format)
        if out is not None:
            write_scores(session, scores, out, mode)
            # What is complete stays alone: spark-submit prints all in one stream.
            notes += [f"out: {describe_output(session, out)}"] if notes else []
        output.print(render(view, output.format), notes)
    finally:
        session.stop()
