"""What definitions make of one run: every alignment and every value worked out once."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from gainful.about_joins import about_join
from gainful.align import READ_BY, SAMPLE, join, rejoined, selected
from gainful.errors import GainfulError
from gainful.evaluate import values_of
from gainful.joined import Joined
from gainful.measures import Measure
from gainful.notices import Notice
from gainful.rankings import JudgedRankings
from gainful.results import Scores
from gainful.rules import Rules
from gainful.sources import Judgments, Reading, Run, read_judgments
from gainful.translation.definition import Definition

K = TypeVar("K")
T = TypeVar("T")

# What has its say once the values are there.
_OF_VALUES: dict[str, Any] = {"averaging": None, "decimals": None, "empty_weight": None}
_LEAVING_OUT = ("skip", "error")


class Valuing:
    """The values of a run, by the definition that they are of.

    Refusals name the measure as it was asked for, not all that a dialect makes of it.
    """

    def __init__(self, qrels: Any, run: Run, reading: Reading, asked: Measure) -> None:
        self._qrels, self._run, self._reading, self._asked = qrels, run, reading, asked
        self._judgments: dict[tuple[Any, ...], Judgments | GainfulError] = {}
        self._joined: dict[Rules, Joined | GainfulError] = {}
        self._ranked: dict[Rules, JudgedRankings | GainfulError] = {}
        self._values: dict[Definition, float | GainfulError] = {}

    def value(self, definition: Definition) -> float:
        """The mean over queries; NaN where no query has a value, and an error where it refuses."""
        return _kept(self._values, definition, lambda: self.scores(definition)[definition.measure])

    def known(self, definition: Definition) -> float | None:
        """The same, None where there is no value."""
        try:
            value = self.value(definition)
        except GainfulError:
            return None
        return None if math.isnan(value) else value

    def scores(self, definition: Definition) -> Scores:
        """The values of all queries."""
        measure, rules = definition.measure, definition.rules
        ranked = self._rankings(rules)
        values = values_of(measure, ranked, rules, self._asked)[:, np.newaxis]
        return Scores(self._run.name, ranked.queries, (measure,), values, rules, ())

    def notices(self, rules: Rules) -> tuple[Notice, ...]:
        """What is to be said of the run under some rules."""
        return tuple(about_join(self._judged(rules), self._run, rules, self._join(rules)))

    def _rankings(self, rules: Rules) -> JudgedRankings:
        empty = rules.empty if rules.empty in _LEAVING_OUT else "zero"
        key = replace(rules, empty=empty, **_OF_VALUES)
        return _kept(self._ranked, key, partial(self._selected, rules))

    def _selected(self, rules: Rules) -> JudgedRankings:
        return selected(self._judged(rules), self._run, rules, self._join(rules))

    def _join(self, rules: Rules) -> Joined:
        # The rest may refuse what others take: it must not decide how the run is read.
        reading_alone = Rules(**{name: getattr(rules, name) for name in READ_BY})
        read = _kept(self._joined, reading_alone, partial(self._read, reading_alone))
        return rejoined(self._judged(rules), read, rules)

    def _read(self, rules: Rules) -> Joined:
        return join(self._judged(rules), self._run, rules, self._reading, **SAMPLE)

    def _judged(self, rules: Rules) -> Judgments:
        key = rules.duplicates, rules.collapse
        read = partial(read_judgments, self._qrels, rules, self._reading)
        return _kept(self._judgments, key, read)


def _kept(known: dict[K, T | GainfulError], key: K, worked_out: Callable[[], T]) -> T:
    """What was worked out before, be it an error; else it is worked out now, and kept."""
    if key not in known:
        try:
            known[key] = worked_out()
        except GainfulError as error:
            known[key] = error
    found = known[key]
    if isinstance(found, GainfulError):
        raise found
    return found
