"""Where the unjudged items of a run stand that a measure looks at."""

from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from gainful import _native, ragged
from gainful.about_joins import about_join
from gainful.align import join, selected
from gainful.errors import AlignError
from gainful.measures import Formula
from gainful.notices import Notice
from gainful.ragged import ENDLESS, BoolArray, FloatArray, IntArray
from gainful.rankings import JudgedRankings
from gainful.records import Frozen
from gainful.refused_rules import OF_ONE_LABEL, refuse
from gainful.rules import Rules
from gainful.sources import Judgments, Reading, Run


@dataclass(eq=False)
class Places(Frozen):
    """The unjudged items of a run that would add to a sum if they gained anything.

    Attributes:
        query: The query of each, ascending.
        item: The number of each in ``ids``.
        rank: Its rank.
        tie_first: The first rank of the block of equal scores that it stands in, where ties are
            averaged; else its rank.
        tie_size: The size of that block, or 1.
        weight: What it would add for each unit of gain.
        ids: The ids of items.
    """

    query: IntArray
    item: IntArray
    rank: IntArray
    tie_first: IntArray
    tie_size: IntArray
    weight: FloatArray
    ids: tuple[str, ...]

    def chosen(self, keep: IntArray) -> "Places":
        """Some of them, given by number."""
        columns = ("query", "item", "rank", "tie_first", "tie_size", "weight")
        return replace(self, **{name: getattr(self, name)[keep] for name in columns})


@dataclass(eq=False)
class Looked(Frozen):
    """One run: its judged rankings, its unjudged items, and the queries that the rules keep."""

    name: str
    ranked: JudgedRankings
    places: Places
    kept: BoolArray
    notices: tuple[Notice, ...]

    def select(self, keep: IntArray) -> "Looked":
        """The same for some of the queries, given by number, ascending."""
        number = np.full(self.ranked.n_queries, -1)
        number[keep] = np.arange(len(keep))
        places = self.places.chosen(np.flatnonzero(number[self.places.query] >= 0))
        return replace(
            self,
            ranked=self.ranked.select(keep),
            places=replace(places, query=number[places.query]),
            kept=self.kept[keep],
        )


def look(
    judgments: Judgments, run: Run, formula: Formula, rules: Rules, reading: Reading
) -> Looked:
    """The judged and unjudged items of a run, for all judged queries."""
    _check_ties(run, rules)
    unknown = {**OF_ONE_LABEL, "empty": ("one-if-missing",)}
    refuse(rules, unknown, "has no meaning where an unjudged item may get any label")
    heads = ENDLESS if formula.cutoff is None else min(formula.cutoff, ENDLESS)
    joined = join(judgments, run, rules, reading, heads=heads)
    ranked = joined.ranked
    kept = selected(judgments, run, rules, joined)
    notices = tuple(about_join(judgments, run, rules, joined))
    if rules.ties == "average":
        from gainful.unjudged.tied_places import tied_places

        places = tied_places(judgments, run, formula, rules, reading, ranked)
    else:
        places = _places(ranked, joined.aligned, formula)
    return Looked(run.name, ranked, places, _kept(ranked, kept), notices)


def _check_ties(run: Run, rules: Rules) -> None:
    if rules.ties in ("best", "worst"):
        message = (
            f"ties={rules.ties} orders by label, but an unjudged item may get any. "
            "Pass another --ties, for example item-desc."
        )
        raise AlignError(message, code="refused-rule")
    if rules.ties == "average":
        run.read_twice("ties=average")  # once more for the ties of unjudged items


def _kept(ranked: JudgedRankings, kept: JudgedRankings) -> BoolArray:
    if kept is ranked:
        return np.ones(ranked.n_queries, dtype=np.bool_)
    known = set(kept.queries)
    return np.fromiter(map(known.__contains__, ranked.queries), np.bool_, ranked.n_queries)


def _places(ranked: JudgedRankings, aligned: _native.Aligned, formula: Formula) -> Places:
    offsets = aligned.head_offsets
    unjudged = np.flatnonzero(~judged_heads(ranked, offsets))
    rank = ragged.positions(offsets)[unjudged]
    divisor = formula.discount.divisors(int(rank.max(initial=1)))
    return Places(
        query=ragged.owners(offsets)[unjudged],
        item=aligned.head_item[unjudged],
        rank=rank,
        tie_first=rank,
        tie_size=np.ones_like(rank),
        weight=1.0 / divisor[rank],
        ids=tuple(aligned.items),
    )


def judged_heads(ranked: JudgedRankings, offsets: IntArray) -> BoolArray:
    """Whether each of the first items of every query is judged."""
    judged = np.zeros(int(offsets[-1]), dtype=np.bool_)
    held = ranked.hit_rank <= np.diff(offsets)[ranked.hit_query]
    judged[offsets[:-1][ranked.hit_query[held]] + ranked.hit_rank[held] - 1] = True
    return judged


def numbered_alike(several: list[Looked]) -> list[Looked]:
    """The same runs, an item having the same number in all of them."""
    ids = tuple(dict.fromkeys(chain.from_iterable(looked.places.ids for looked in several)))
    number = dict(zip(ids, range(len(ids)), strict=True))
    alike = []
    for looked in several:
        own = looked.places.ids
        numbers = np.fromiter(map(number.__getitem__, own), np.int64, len(own))
        places = replace(looked.places, item=numbers[looked.places.item], ids=ids)
        alike.append(replace(looked, places=places))
    return alike
