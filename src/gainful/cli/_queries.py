"""Options about queries: slices and weights."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gainful.cli._printing import print_result
from gainful.report.outputs import Output
from gainful.results import Scores
from gainful.sources import read_queries

Command = TypeVar("Command", bound=Callable[..., Any])


def query_options(command: Command) -> Command:
    """``--queries``, ``--by`` and ``--weights``; see ``known_queries`` and ``print_slices``."""
    for name, metavar, said in reversed(
        [
            ("queries", "FILE", "FILE of what is known of queries: a table with a query column."),
            ("by", "COLUMN", "Report each slice: the queries with the same COLUMN of --queries."),
            ("weights", "COLUMN", "Weigh queries in the means by COLUMN of --queries."),
        ]
    ):
        command = click.option(f"--{name}", metavar=metavar, help=said)(command)
    return command


def known_queries(
    queries: str | None,
    by: str | None,
    weights: str | None,
    *,
    per_query: bool,
) -> dict[str, Any]:
    """What ``evaluate`` takes of these options; an error where they mean nothing together."""
    for name, column in (("--by", by), ("--weights", weights)):
        if column is not None and queries is None:
            message = f"{name} names a column of --queries, got no --queries."
            raise click.UsageError(message)
    if by is not None and per_query:
        message = "--by prints slices and --per-query prints queries, got both."
        raise click.UsageError(message)
    data = None if queries is None else read_queries(queries)
    if data is not None and by is not None:
        data.texts(by)  # refused now, not after a long run has been read
    return {"queries": data, "weights": weights}


def print_slices(several: list[Scores], by: str, form: Output) -> None:
    """The slices of all runs, and on standard error what belongs to them."""
    from gainful.report.slices import WRITERS, footnotes  # only who asks for them pays for it

    slices = [scores.by(by) for scores in several]
    print_result(WRITERS[form.name](slices), [] if form.complete else footnotes(slices))
