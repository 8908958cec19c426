"""gainful bounds: what the labels of unjudged items could change."""

from typing import Any

import click

from gainful.cli._options import (
    load_option,
    output_for,
    output_option,
    rule_options,
    rules_from,
    threads_option,
)
from gainful.cli._printing import print_result
from gainful.cli._progress import progress_bar
from gainful.cli._sections import Sectioned
from gainful.cli._sources import Said, baseline_among, read_once, source_options
from gainful.cli._unjudged import grades_from, unjudged_options
from gainful.report.bounds import OUTPUTS, footnotes
from gainful.unjudged.bounding import bounds


@click.command("bounds", cls=Sectioned)
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@unjudged_options
@click.option("-q", "--per-query", is_flag=True, help="Print every query, then the mean as 'all'.")
@source_options
@output_option(OUTPUTS)
@threads_option
@load_option
@rule_options
def bounding(
    qrels: str,
    runs: tuple[str, ...],
    measure: str,
    grades: str | None,
    baseline: str | None,
    per_query: bool,
    said: Said,
    output: str | None,
    threads: int | None,
    **rules: Any,
) -> None:
    """See what the labels of unjudged items could change.

    Prints how low and how high nDCG could be if every unjudged item in the first ranks got any of
    the grades, all else staying as it is judged: exactly, not as an estimate. A label raises the
    best possible ranking too, so that "not relevant" is not the worst an item can be. For several
    runs it prints where the differences of all pairs, or of each and --baseline, could lie, an item
    having the same label for all of them, and whether judging could turn their order over.

    RBP needs no such search: its residual is the measure RBPResidual. To take unjudged items out of
    the rankings instead, which overestimates, pass --unjudged condense.

    \b
    Examples:
      gainful bounds qrels.txt bm25.run
      gainful bounds qrels.txt bm25.run dense.run --grades 0,1,2,3
      gainful bounds qrels.txt bm25.run dense.run -m nDCG@5 --baseline bm25 -q -o csv
    """
    read_once(qrels, *runs)
    chosen = rules_from(rules)
    named, tried = said.runs(runs), grades_from(grades)
    baseline = baseline_among(named, baseline)
    with progress_bar() as progress:
        how: Any = {"rules": chosen, "threads": threads, "progress": progress}
        judged = said.qrels(qrels, chosen, threads, progress)
        found = bounds(judged, named, measure, grades=tried, **how)
    form = output_for(output)
    notes = [] if form == "json" else footnotes(found)
    print_result(OUTPUTS[form](found, per_query, baseline), notes)
