"""gainful eval: score runs against judgments."""

import click

from gainful.cli.input_options import InputOptions, check_stdin_once, input_options
from gainful.cli.options import (
    build_rules,
    dialect_option,
    item_options,
    load_option,
    measures_option,
    query_options,
    read_dialect_options,
    read_item_options,
    read_query_options,
    rule_options,
    threads_option,
)
from gainful.cli.output import (
    Output,
    SectionedCommand,
    output_options,
    progress_bar,
)
from gainful.evaluation import DEFAULT_MEASURES, evaluate_runs
from gainful.report import FORMATS, view_runs, view_slices


@click.command("eval", cls=SectionedCommand)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measures_option("to compute", *DEFAULT_MEASURES)
@dialect_option
@item_options
@query_options
@click.option("-q", "--per-query", is_flag=True, help="Print every query, then the mean as 'all'.")
@input_options
@output_options([*FORMATS, "tidy"])
@threads_option
@load_option
@rule_options
def eval_command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    dialects: tuple[str, ...],
    items: str | None,
    users: int | None,
    queries: str | None,
    by: str | None,
    weights: str | None,
    per_query: bool,
    inputs: InputOptions,
    output: Output,
    threads: int | None,
    **rules: object,
) -> None:
    """Score runs against judgments.

    QRELS and RUN are TREC, CSV, TSV, JSON, Parquet or Arrow files, plain or compressed (.gz .bz2
    .xz .zst); - is standard input. Rules and notices go to standard error.

    \b
    Examples:
      gainful eval qrels.txt bm25.run
      gainful eval qrels.txt bm25.run dense.run -m 'nDCG@5,10, nDCG(gain=exp2)'
      gainful eval qrels.txt bm25.run -m ndcg_cut_10 -q -f csv > values.csv
      gainful eval qrels.txt bm25.run --ties average --missing skip
      gainful eval qrels.txt bm25.run -m nDCG@10 --dialect lightgbm
      gainful eval qrels.tsv bm25.parquet --columns query=qid,qrels.label=grade
      gainful eval likes.txt mine.run -m Novelty@10 --items items.txt --users 943
      gainful eval qrels.txt bm25.run --queries queries.csv --by category
      zcat bm25.run.gz | gainful eval qrels.txt -
    """
    check_stdin_once(qrels, *runs, items, queries)
    dialect = read_dialect_options(dialects, rules)
    resolved_rules = build_rules(rules) if dialect is None else dialect.rules
    item_data = read_item_options(items, users)
    query_data = read_query_options(queries, by, weights, per_query=per_query)
    with progress_bar() as progress:
        scores = evaluate_runs(
            inputs.qrels(qrels, resolved_rules, threads, progress),
            inputs.runs(runs),
            measures or DEFAULT_MEASURES,
            rules=resolved_rules if dialect is None else None,
            dialect=dialect,
            queries=query_data,
            weights=weights,
            items=item_data,
            threads=threads,
            progress=progress,
        )
    if by is None:
        output.show(view_runs(scores, per_query=per_query))
    else:
        output.show(view_slices(*(run_scores.by(by) for run_scores in scores)))
