"""gainful measures: list all measures, or explain one."""

import click

from gainful.cli._options import load_option
from gainful.measures import parse
from gainful.report.declarations import measure_text, overview


@click.command("measures")
@click.argument("name", required=False)
@load_option
def measures(name: str | None) -> None:
    """List all measures, or explain the one called NAME.

    \b
    Examples:
      gainful measures
      gainful measures nDCG
      gainful measures ndcg_cut_10
      gainful measures --load my_measures.py
    """
    print(measure_text(parse(name)) if name else overview(), end="")
