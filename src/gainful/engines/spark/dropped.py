"""What is said of rows beside what workers tell: what was dropped on the way, and their order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gainful.engines.spark.frames import Dropped, Given
from gainful.errors import SourceError
from gainful.facts import Facts, GroupFacts
from gainful.notices import Notice
from gainful.ruled_notices import RowOrder
from gainful.rules import Rules


def check_judged(told: Sequence[Mapping[str, Any]], qrels: Given) -> None:
    """An error where there are no judgments, as where they are read."""
    if not any(joined_of(facts).n_queries for one in told for facts in one["facts"]):
        message = f"{qrels.place}: there are no judgments in it."
        raise SourceError(message, code="nothing-in-it")


def joined_of(facts: Any) -> Facts:
    """The facts of a join, of whatever kind."""
    found: Facts = getattr(facts, "joined", facts)
    return found


def completed(facts: Any, qrels: Dropped, run: Dropped) -> Any:
    """The facts, and what was dropped before workers had the rows."""
    if isinstance(facts, GroupFacts):
        return replace(
            facts,
            joined=completed(facts.joined, Dropped(), run),
            n_judged_twice=facts.n_judged_twice + qrels.n_judged_twice,
            n_comments=facts.n_comments + qrels.n_comments,
        )
    if not isinstance(facts, Facts):
        return replace(facts, joined=completed(facts.joined, qrels, run))
    return replace(
        facts,
        n_comments=facts.n_comments + run.n_comments,
        n_qrels_comments=facts.n_qrels_comments + qrels.n_comments,
        n_judged_twice=facts.n_judged_twice + qrels.n_judged_twice,
        long_lines=run.long_lines,
        n_returns=run.n_returns,
    )


def about_order(facts: Mapping[Any, Any], run: str, qrels: Given, rules: Rules) -> list[Notice]:
    """What is to be said where a rule looks at the order of rows, which a DataFrame has not."""
    each = [joined_of(one) for one in facts.values()]
    picks = rules.duplicates in ("first", "last")
    n_twice = sum(one.n_duplicates for one in each)
    if qrels.known is None:
        n_twice += sum(getattr(one, "n_judged_twice", 0) for one in (*each, *facts.values()))
    by_order = {
        f"order={rules.order}": rules.order == "file",
        f"ties={rules.ties}": rules.ties in ("input", "input-reversed")
        and any(one.n_tied for one in each),
        f"duplicates={rules.duplicates}": picks and n_twice > 0,
    }
    looked_at = [name for name, holds in by_order.items() if holds]
    return [RowOrder(run, " ".join(looked_at))] if looked_at else []
