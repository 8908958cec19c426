"""gainful convert: qrels or a run into another format."""

import sys
from typing import Any

import click

from gainful.cli.input_options import parse_labels, parse_pairs
from gainful.cli.output import say
from gainful.sources import WRITERS, convert


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("path", metavar="OUT")
@click.option(
    "--from",
    "format",
    metavar="FORMAT",
    help="Format of IN, for example csv, if it cannot be detected from the content.",
)
@click.option("--to", type=click.Choice(list(WRITERS)), help="Format of OUT (default by its name).")
@click.option(
    "--holds", type=click.Choice(["qrels", "run"]), help="What IN has, if it cannot be detected."
)
@click.option(
    "--columns",
    metavar="ROLE=NAME,...",
    multiple=True,
    help="NAME of the column that is the query, item, label, score or rank, or its number.",
)
@click.option(
    "--labels",
    metavar="WORD=NUMBER,...",
    multiple=True,
    help="NUMBER that a WORD means as a label: good=2,fair=1,bad=0.",
)
@click.option(
    "--lossy",
    is_flag=True,
    help="Leave out columns, queries without items, change ids, that cannot be kept.",
)
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
def convert_command(
    source: str, path: str, columns: tuple[str, ...], labels: tuple[str, ...], **options: Any
) -> None:
    """Write qrels or a run in another format.

    IN is anything that eval reads; OUT is .txt, .qrels or .run (TREC), .csv, .tsv, .jsonl or
    .parquet, the text formats compressed if .gz, .bz2, .xz or .zst follows; - is standard input or
    output. OUT appears when all of it is written.

    \b
    Examples:
      gainful convert bm25.run bm25.parquet
      gainful convert beir/test.tsv qrels.txt
      gainful convert dense.csv.gz dense.run --columns query=qid,item=docno,score=sim
      zcat bm25.run.gz | gainful convert - - --to jsonl
    """
    names = dict(parse_pairs("--columns", "query=qid,item=docno", columns))
    conversion = convert(source, path, labels=parse_labels(labels), columns=names, **options)
    say(f"{conversion}\n", sys.stderr)
