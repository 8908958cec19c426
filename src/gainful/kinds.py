"""The kinds of rankings that measures are functions of, and the judgments each is made from."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gainful.align import part, said
from gainful.align_groups import part_groups, said_of_groups
from gainful.align_items import part_items, said_of_items
from gainful.align_preferences import part_preferences, said_of_preferences
from gainful.errors import AlignError
from gainful.item_rankings import ItemRankings
from gainful.notices import Notice
from gainful.preference_rankings import PreferenceRankings
from gainful.rankings import GroupedRankings, JudgedRankings, Rankings
from gainful.records import Record
from gainful.rules import Rules
from gainful.sources import (
    Collapse,
    GroupedJudgments,
    Handed,
    Judgments,
    PreferenceJudgments,
    Reading,
    read_judgments,
    read_preferences,
    read_subtopics,
)


@dataclass(eq=False, repr=False)
class Kind(Record):
    """How one kind of rankings comes about.

    Attributes:
        judgments: What it is made from.
        reader: The function that reads them, as users call it.
        read: Anything that holds them, the rules, how to read; to judgments.
        part: Judgments, run, rules, how to read; to rankings, facts, and what rows are called.
        said: Facts of all parts, what run and judgments are called, rules; to notices.
        takes_items: Whether ``part`` takes the data of items and a depth as well, by name, and
            ``said`` the data.
    """

    judgments: type
    reader: str
    read: Callable[[Any, Rules, Reading], Any]
    part: Callable[..., tuple[Any, Any, Handed]]
    said: Callable[..., tuple[Notice, ...]]
    takes_items: bool = False


def _collapsed(source: Any, read: Callable[..., Any], rules: Rules) -> Any:
    """Judgments in groups, of what their items are parts of; what was read before stays so."""
    judgments = read(source, duplicates=rules.duplicates)
    if rules.collapse is None or judgments is source:
        return judgments
    items = Collapse(rules.collapse).names(judgments.item)
    return replace(judgments, item=items).once(rules.kept)


KINDS: dict[type[Rankings], Kind] = {
    JudgedRankings: Kind(Judgments, "read_qrels", read_judgments, part, said),
    ItemRankings: Kind(
        Judgments, "read_qrels", read_judgments, part_items, said_of_items, takes_items=True
    ),
    GroupedRankings: Kind(
        GroupedJudgments,
        "read_subtopics",
        lambda source, rules, _: _collapsed(source, read_subtopics, rules),
        part_groups,
        said_of_groups,
    ),
    PreferenceRankings: Kind(
        PreferenceJudgments,
        "read_preferences",
        lambda source, rules, _: _collapsed(source, read_preferences, rules),
        part_preferences,
        said_of_preferences,
    ),
}


def judgments_for(
    kind: type[Rankings], qrels: Any, rules: Rules, reading: Reading, *, measure: str
) -> Any:
    """The judgments in qrels as a kind of rankings needs them.

    What was read before comes back as it is, if it is of that kind.
    """
    wanted = KINDS[kind]
    if any(isinstance(qrels, other.judgments) for other in KINDS.values()) and not isinstance(
        qrels, wanted.judgments
    ):
        message = f"{measure} needs judgments from {wanted.reader}(), got {qrels!r}."
        raise AlignError(message, code="wrong-judgments")
    return wanted.read(qrels, rules, reading)
