"""What strategy=count can work out: rankings of judged items, no row of which is dropped."""

from gainful.engines.spark.task import Task
from gainful.errors import UncountableError
from gainful.rankings import JudgedRankings

_DROPPING = ("first", "last", "max")


def uncountable(task: Task) -> str | None:
    """Why ranks cannot be counted, as a sentence; None where they can be."""
    rules = task.rules
    if rules.collapse is not None:
        return "strategy=count cannot tell which rows are parts of one item, got collapse."
    if rules.duplicates in _DROPPING:
        return (
            "strategy=count cannot drop rows for those of other partitions, "
            f"got duplicates={rules.duplicates}."
        )
    for asked, its in task.settled.items():
        if its.reads is not JudgedRankings:
            return f"strategy=count knows the ranks of judged items alone; {asked} needs more."
    return None


def refuse_uncountable(task: Task) -> None:
    """An error where ranks cannot be counted."""
    if (reason := uncountable(task)) is not None:
        message = f"{reason} Pass strategy='partition'."
        raise UncountableError(message, code="cannot-count")
