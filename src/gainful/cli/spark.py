"""python -m gainful.engines.spark: score a run on Spark."""

import warnings
from typing import Any

import click

from gainful.asked import DEFAULT_MEASURES
from gainful.cli._items import item_options, known_items
from gainful.cli._options import (
    dialect_option,
    load_option,
    measures_option,
    output_for,
    output_option,
    rule_options,
    spoken_from,
)
from gainful.cli._printing import print_result
from gainful.cli._sections import Sectioned
from gainful.cli._sources import columns_option, format_option, sided_columns
from gainful.engines.spark import STRATEGIES, evaluate
from gainful.engines.spark.session import session_for
from gainful.engines.spark.writing import MODES, check_free, write, written_to
from gainful.report.evaluation import OUTPUTS, footnotes


@click.command("python -m gainful.engines.spark", cls=Sectioned)
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
    "--strategy",
    type=click.Choice(["auto", *STRATEGIES]),
    default="auto",
    help="How to spread the work (default auto); the numbers do not depend on it.",
)
@click.option(
    "--partitions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Split the queries into N parts (default as Spark decides).",
)
@output_option(OUTPUTS)
@load_option
@rule_options
def spread(
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
    strategy: str,
    partitions: int | None,
    output: str | None,
    **rules: Any,
) -> None:
    """Score a run against judgments on Spark.

    QRELS and RUN are tables or views, or paths that Spark can read: Parquet, ORC, CSV, TSV, JSON
    lines, TREC files, or folders of them. QRELS may be a file of this machine in any format. The
    means are printed; --out has every value, as rows of system, query, measure and value. The rules
    and what is odd about the data go to standard error.

    \b
    Examples:
      python -m gainful.engines.spark qrels.txt run.parquet -m nDCG@10
      python -m gainful.engines.spark qrels prod.runs.bm25 -m nDCG@10 --out prod.scores.bm25
      spark-submit site-packages/gainful/engines/spark/__main__.py qrels s3a://logs/bm25
    """
    said = columns and sided_columns(columns)
    how: Any = {"columns": said or None, "strategy": strategy, "partitions": partitions}
    formats = {"qrels": qrels_format, "run": run_format}
    how["format"] = {side: form for side, form in formats.items() if form is not None}
    how |= {"items": known_items(items, users), **spoken_from(dialects, rules)}
    # Of what PySpark does with pandas, nothing is used here.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    session = session_for(None, [])
    try:
        if out is not None:
            check_free(session, out, mode)
        wanted = measures or DEFAULT_MEASURES
        scores = evaluate(qrels, run, wanted, name=name, spark=session, **how)
        form = OUTPUTS[output_for(output)]
        notes = [] if form.complete else footnotes([scores], with_judged=form.name != "table")
        if out is not None:
            write(scores.to_spark(), out, mode)
            # What is complete stays alone: spark-submit prints all in one stream.
            notes += [] if form.complete else [f"out: {written_to(session, out)}"]
        print_result(form.write([scores], False), notes)
    finally:
        session.stop()
