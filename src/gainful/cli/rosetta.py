"""gainful rosetta: what other tools would say, and why."""

from typing import Any

import click

from gainful.cli._options import (
    given,
    load_option,
    output_for,
    output_option,
    shared_rule_options,
    threads_option,
)
from gainful.cli._printing import print_result
from gainful.cli._progress import progress_bar
from gainful.cli._screen import screen
from gainful.cli._sources import Said, read_once, source_options
from gainful.report.rosetta import OUTPUTS, footnotes
from gainful.rules import Rules, rule_arguments
from gainful.translation.rosetta import rosetta as worked_out

_COMPLETE = ("json", "markdown")


@click.command("rosetta")
@click.argument("qrels")
@click.argument("run")
@click.option(
    "-k",
    "cutoff",
    metavar="N",
    default="10",
    help="Cut the measure at rank N, unless it names a cutoff; all for nowhere (default 10).",
)
@click.option(
    "--reference",
    metavar="DIALECT",
    default="gainful",
    help="DIALECT that the others are compared with (default gainful).",
)
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    default="nDCG",
    help="MEASURE (default nDCG); a setting that it names holds in every dialect.",
)
@click.option(
    "--dialect",
    "dialects",
    metavar="NAME",
    multiple=True,
    help="Look at dialect NAME only; may be repeated (default all of gainful dialects).",
)
@click.option(
    "--versions",
    is_flag=True,
    help="Show older versions of tools as rows, not in a note.",
)
@source_options
@shared_rule_options
@output_option(OUTPUTS)
@threads_option
@load_option
def rosetta(
    qrels: str,
    run: str,
    cutoff: str,
    reference: str,
    measure: str,
    dialects: tuple[str, ...],
    versions: bool,
    said: Said,
    output: str | None,
    threads: int | None,
    **rules: Any,
) -> None:
    """See what other tools would say, and why.

    Prints the value that every library gives on your data, libraries of equal value together, and
    the choices that set them apart from the reference, none of which can be left out: each with
    what it changes when it is made after those before it, so that they add up to the difference.
    Two dialects, --reference and one --dialect, take a sentence. Rules that you set hold in every
    dialect.

    \b
    Examples:
      gainful rosetta qrels.txt bm25.run --reference sklearn --dialect lightgbm
      gainful rosetta qrels.txt bm25.run
      gainful rosetta qrels.txt bm25.run --dialect lightgbm --dialect sklearn
      gainful rosetta qrels.txt bm25.run -k 5 --reference trec_eval --min-label 0
      gainful rosetta qrels.txt bm25.run -m DCG -k all -o json
    """
    read_once(qrels, run)
    k, held = _cutoff(cutoff), given(rule_arguments(), rules)
    with progress_bar() as progress:
        reading: Any = {"threads": threads, "progress": progress}
        judged = said.qrels(qrels, Rules(**held), threads, progress)
        how: Any = {"measure": measure, "reference": reference, "dialects": dialects or None}
        how |= {"rules": held, "versions": versions}
        found = worked_out(judged, said.run(run), k, **how, **reading)
    form = output_for(output)
    notes = [] if form in _COMPLETE else footnotes(found)
    print_result(OUTPUTS[form](found, screen().width), notes)


def _cutoff(text: str) -> int | None:
    if text != "all" and (not text.isdecimal() or int(text) < 1):
        message = f"-k: must be an integer >= 1, or all, got {text!r}."
        raise click.UsageError(message)
    return None if text == "all" else int(text)
