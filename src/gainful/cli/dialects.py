"""gainful dialects: list whose definitions of measures are known, or explain one."""

import click

from gainful.cli._options import output_for
from gainful.cli._printing import print_result
from gainful.cli._screen import screen
from gainful.dialects import DIALECTS, find_dialect
from gainful.report import dialects as written


@click.command("dialects")
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "tsv", "json"]),
    help="How to print (default table on a terminal, tsv in a pipe; a single one is always text).",
)
def dialects(name: str | None, output: str | None) -> None:
    """List the tools whose definitions are known, or explain the one called NAME.

    NAME may have a version: xgboost@1.7, trec_eval==9.0.8.

    \b
    Examples:
      gainful dialects
      gainful dialects lightgbm
      gainful dialects sklearn@1.1
      gainful dialects -o json
    """
    chosen = [find_dialect(name)] if name else list(DIALECTS.values())
    if output == "json":
        text = written.as_json(chosen)
    elif name and output != "tsv":
        text = written.explained(chosen[0], screen().width)
    elif output_for(output) == "tsv":
        text = written.listing_tsv(chosen)
    else:
        text = written.listing(screen().width)
    print_result(text)
