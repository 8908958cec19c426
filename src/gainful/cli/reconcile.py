"""gainful reconcile: what other tools would say, and why."""

import click

from gainful.alignment import Rules, list_rule_arguments
from gainful.cli.input_options import InputOptions, check_stdin_once, input_options
from gainful.cli.options import (
    load_option,
    pick_options,
    shared_rule_options,
    threads_option,
)
from gainful.cli.output import (
    Output,
    output_options,
    progress_bar,
)
from gainful.evaluation import reconcile
from gainful.report import view_reconciliation


@click.command("reconcile")
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
    help="MEASURE (default nDCG); a setting that it names applies in every dialect.",
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
@input_options
@shared_rule_options
@output_options()
@threads_option
@load_option
def reconcile_command(
    qrels: str,
    run: str,
    cutoff: str,
    reference: str,
    measure: str,
    dialects: tuple[str, ...],
    versions: bool,
    inputs: InputOptions,
    output: Output,
    threads: int | None,
    **rules: object,
) -> None:
    """See what other tools would say, and why.

    Prints the value that every library gives on your data, libraries of equal value together, and
    the choices that set them apart from the reference, none of which can be left out: each with
    what it changes when it is made after those before it, so that they add up to the difference.
    Two dialects, --reference and one --dialect, take a sentence. Rules that you set hold in every
    dialect.

    \b
    Examples:
      gainful reconcile qrels.txt bm25.run --reference sklearn --dialect lightgbm
      gainful reconcile qrels.txt bm25.run
      gainful reconcile qrels.txt bm25.run --dialect lightgbm --dialect sklearn
      gainful reconcile qrels.txt bm25.run -k 5 --reference trec_eval --depth 100
      gainful reconcile qrels.txt bm25.run -m DCG -k all -f json
    """
    check_stdin_once(qrels, run)
    k, shared_rules = _parse_cutoff(cutoff), pick_options(list_rule_arguments(), rules)
    with progress_bar() as progress:
        reconciliation = reconcile(
            inputs.qrels(qrels, Rules(**shared_rules), threads, progress),
            inputs.run(run),
            k,
            measure=measure,
            reference=reference,
            dialects=dialects or None,
            rules=shared_rules,
            versions=versions,
            threads=threads,
            progress=progress,
        )
    output.show(view_reconciliation(reconciliation))


def _parse_cutoff(text: str) -> int | None:
    if text != "all" and (not text.isdecimal() or int(text) < 1):
        message = f"-k: must be an integer >= 1, or all, got {text!r}."
        raise click.UsageError(message)
    return None if text == "all" else int(text)
