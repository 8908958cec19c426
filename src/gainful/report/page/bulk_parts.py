"""The parts of the large data of a page, and how large they are together."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from gainful.cached import cached_property
from gainful.experiment.result import Experiment
from gainful.records import Frozen
from gainful.report.page.bulk_details import MANY_LABELS, held_of
from gainful.report.page.packed import cut, packed, rounded
from gainful.report.page.runs import differing_most
from gainful.shapes import valid, valid_text

DEPTHS = (50, 20)
LONGEST = 200  # text or title
_ENDLESS = 10  # ranks that are shown at least where all of them count
_SAMPLE = 100  # queries, from whose size that of all is guessed


@dataclass(eq=False, repr=False)
class Parts(Frozen):
    """What a page holds of an experiment, in parts that may be left out."""

    experiment: Experiment

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.experiment.queries)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """How many ranks may be shown, the most first: none above the cutoff, if that is held."""
        details = self.experiment.details
        cutoff = details.terms.cutoff
        least = _ENDLESS if cutoff is None or cutoff > details.depth else cutoff
        wanted = {max(depth, least) for depth in (*DEPTHS, least)}
        return tuple(sorted({min(depth, details.depth) for depth in wanted}, reverse=True))

    @property
    def titled(self) -> bool:
        """Whether anything is known of items."""
        return bool(self.experiment.details.titles or self.experiment.details.urls)

    def guess(self, depth: int) -> float:
        """How long the text will be with everything in it, from that of a few queries."""
        step = max(self.n_queries // _SAMPLE, 1)
        chosen = self._order[::step]
        held = len(packed(self._held(depth, chosen, chosen)))
        return len(packed(self._values)) + held * self.n_queries / len(chosen)

    def text(self, depth: int, n_detailed: int, n_titled: int) -> str:
        """All of it, packed, with the rankings and titles of the queries that differ most."""
        detailed, titled = self._order[:n_detailed], self._order[:n_titled]
        return packed({**self._values, **self._held(depth, detailed, titled)})

    @cached_property
    def _order(self) -> list[int]:
        return differing_most(self.experiment)

    @cached_property
    def _values(self) -> dict[str, Any]:
        given, scores = self.experiment, self.experiment.scores
        texts = [given.texts.get(query) for query in given.queries]
        first, nothing = given.measures[0], np.full(self.n_queries, np.nan)
        return {
            "queries": valid(given.queries),
            "texts": [t and _shown(t) for t in texts] if any(texts) else None,
            "values": [[rounded(one.column(m), 6) for one in scores] for m in given.measures],
            "judged": [rounded(one.judged.get(first, nothing), 4) for one in scores],
            "slices": {
                _shown(one.column): [v and _shown(v) for v in one.values] for one in given.slicings
            },
        }

    def _held(self, depth: int, detailed: list[int], titled: list[int]) -> dict[str, Any]:
        chosen: list[Any] = [None] * self.n_queries
        for i in detailed:
            chosen[i] = self._query(depth, i)
        named = (chosen[i]["items"] for i in titled if chosen[i])
        items = dict.fromkeys(chain.from_iterable(named)) if self.titled else ()
        return {
            "titles": {i: _shown(self._titles[i]) for i in items if i in self._titles},
            "urls": {i: valid_text(self._urls[i]) for i in items if i in self._urls},
            "depth": depth,
            "details": chosen,
        }

    def _query(self, depth: int, number: int) -> dict[str, Any]:
        """One query, worked out once: several texts are tried."""
        known = self._known.setdefault(depth, {})
        if number not in known:
            details = self.experiment.details
            of = details.of[self.experiment.queries[number]]
            per_item = len(details.terms.gains) > MANY_LABELS
            known[number] = held_of(of, details.terms, depth, per_item=per_item)
        return known[number]

    @cached_property
    def _known(self) -> dict[int, dict[int, dict[str, Any]]]:
        return {}

    @cached_property
    def _titles(self) -> dict[str, str]:
        titles = self.experiment.details.titles
        return dict(zip(valid(list(titles)), titles.values(), strict=True))

    @cached_property
    def _urls(self) -> dict[str, str]:
        urls = self.experiment.details.urls
        return dict(zip(valid(list(urls)), urls.values(), strict=True))


def _shown(text: str) -> str:
    return valid_text(cut(text, LONGEST))
