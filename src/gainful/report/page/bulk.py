"""The large data of a page: the values and rankings of every query.

Unpacked, they are::

    {"queries": [id], "texts": [text or null] or null,
     "values": [measure][run][query], "judged": [run][query],
     "slices": {column: [value or null]}, "titles": {item: title}, "urls": {item: url},
     "depth": 20, "details": [a query each, null if it was left out]}

    {"items": [id], "labels": [number or null], "rankings": [run][number of an item],
     "n": [run], "ideal": [number of an item], "best": number or [run]}

Values are rounded to six decimals; what they are made of is exact. A query has, where it needs it:

- ``gains``: the gain of each item, where there are too many labels for ``gains_table``;
- ``weights``: what each place of each run weighs, where a tie is averaged. All places count that
  have a weight, below the cutoff too;
- ``totals``: the sum of each run, where it cannot be added up to the last bit from what is shown:
  where a tie is averaged, or a ranking goes on below what is shown and all of it counts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from gainful.experiment.result import Experiment, Terms
from gainful.records import Record
from gainful.report.page.bulk_details import MANY_LABELS
from gainful.report.page.bulk_parts import Parts
from gainful.report.page.packed import number_text

_LEAST, _PER_QUERY, _MOST = 220_000, 260, 1_200_000  # characters of a budget
_TRIES = 6
_AIM, _CLOSE = 0.99, 0.97  # shares of a budget: what is aimed at, and what is near enough
_WORTH = 1.2  # budgets; what is guessed to be larger is not tried


@dataclass(eq=False, repr=False)
class Bulk(Record):
    """The large data of a page.

    Attributes:
        text: All of it, packed.
        n_detailed: How many queries have their rankings in it: those that differ most.
        depth: How many ranks of each.
        n_titled: How many of them have the titles and urls of their items in it, where there are
            any.
    """

    text: str
    n_detailed: int
    depth: int
    n_titled: int


def bulk(experiment: Experiment, *, budget: int | None = None) -> Bulk:
    """The large data of a page, as much of it as fits.

    Rankings go down to rank 50, 20 or to the cutoff: to the deepest of them at which all fits. If
    none does, titles are left out first, then rankings, those of the queries that differ least.

    Args:
        experiment: What is reported.
        budget: How many characters may be written, beside about a million of all else; by default
            220,000 and 260 for each query, at most 1,200,000. Queries and values are written
            whatever their size.
    """
    parts = Parts(experiment)
    n = parts.n_queries
    budget = min(_LEAST + _PER_QUERY * n, _MOST) if budget is None else budget
    for depth in parts.depths:
        if parts.guess(depth) <= _WORTH * budget:
            text = parts.text(depth, n, n)
            if len(text) <= budget:
                return Bulk(text, n, depth, n)
    largest = parts.guess(depth)
    if parts.titled:
        bare = parts.text(depth, n, 0)
        if len(bare) <= budget:
            texts = _Texts(lambda titled: parts.text(depth, n, titled), bare, n, largest)
            text, n_titled = texts.most(budget)
            return Bulk(text, n, depth, n_titled)
    empty = parts.text(depth, 0, 0)
    texts = _Texts(lambda held: parts.text(depth, held, held), empty, n, largest)
    text, n_held = texts.most(budget)
    return Bulk(text, n_held, depth, n_held)


class _Texts(NamedTuple):
    """Texts that grow with a number, from the smallest on to one that is known not to fit."""

    of: Callable[[int], str]
    smallest: str
    most_of: int
    largest: float

    def most(self, budget: int) -> tuple[str, int]:
        """The longest text that fits, as far as a few tries tell, and its number."""
        low, text, high, longest = 0, self.smallest, self.most_of, self.largest
        for _ in range(_TRIES):
            if high - low < 2 or len(text) > _CLOSE * budget:
                break
            share = (_AIM * budget - len(text)) / max(longest - len(text), 1.0)
            middle = low + min(max(int(share * (high - low)), 1), high - low - 1)
            tried = self.of(middle)
            if len(tried) <= budget:
                low, text = middle, tried
            else:
                high, longest = middle, len(tried)
        return text, low


def gains_table(terms: Terms) -> dict[str, float]:
    """The gain of each label, by its text in a script; empty if there are very many labels.

    The details of queries have the gains of their items then.
    """
    if len(terms.gains) > MANY_LABELS:
        return {}
    return {number_text(label): gain for label, gain in terms.gains.items()}
