"""gainful eval: score runs against judgments."""

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
    threads_option,
)
from gainful.cli._printing import print_result
from gainful.cli._progress import progress_bar
from gainful.cli._queries import known_queries, print_slices, query_options
from gainful.cli._sections import Sectioned
from gainful.cli._sources import Said, read_once, source_options
from gainful.evaluate import evaluate_each
from gainful.report.evaluation import OUTPUTS, footnotes


@click.command("eval", cls=Sectioned)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measures_option("to compute", *DEFAULT_MEASURES)
@dialect_option
@item_options
@query_options
@click.option("-q", "--per-query", is_flag=True, help="Print every query, then the mean as 'all'.")
@source_options
@output_option(OUTPUTS)
@threads_option
@load_option
@rule_options
def evaluation(
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
    said: Said,
    output: str | None,
    threads: int | None,
    **rules: Any,
) -> None:
    """Score runs against judgments.

    QRELS and RUN are files of TREC, CSV, TSV, JSON, Parquet or Arrow, told apart by their content,
    plain or compressed (.gz .bz2 .xz .zst); - is standard input. The rules that the numbers hold
    under, and what is odd about the data, go to standard error.

    \b
    Examples:
      gainful eval qrels.txt bm25.run
      gainful eval qrels.txt bm25.run dense.run -m nDCG@5,10 -m 'nDCG(gain=exp2)@10'
      gainful eval qrels.txt bm25.run -m ndcg_cut_10 -q -o csv > values.csv
      gainful eval qrels.txt bm25.run --ties average --missing skip
      gainful eval qrels.txt bm25.run -m nDCG@10 --dialect lightgbm
      gainful eval qrels.tsv bm25.parquet --columns query=qid,qrels.label=grade
      gainful eval likes.txt mine.run -m Coverage@10 -m Novelty@10 --items items.txt --users 943
      gainful eval qrels.txt bm25.run --queries queries.csv --by category --weights traffic
      zcat bm25.run.gz | gainful eval qrels.txt -
    """
    read_once(qrels, *runs, items, queries)
    spoken = spoken_from(dialects, rules)
    wanted = measures or DEFAULT_MEASURES
    data = known_items(items, users)
    known = known_queries(queries, by, weights, per_query=per_query)
    with progress_bar() as progress:
        how: Any = {"items": data, "threads": threads, "progress": progress, **spoken}
        chosen = spoken["dialect"].rules if dialects else spoken["rules"]
        judged = said.qrels(qrels, chosen, threads, progress)
        several = evaluate_each(judged, said.runs(runs), wanted, **how, **known)
    form = OUTPUTS[output_for(output)]
    if by is not None:
        print_slices(several, by, form)
        return
    notes = [] if form.complete else footnotes(several, with_judged=form.name != "table")
    print_result(form.write(several, per_query), notes)
