"""What definitions make of one run: every alignment and every value worked out once."""

import math
from dataclasses import replace
from typing import Any, TypeVar

from gainful.align import align
from gainful.errors import GainfulError
from gainful.evaluate import values_of
from gainful.notices import Notice
from gainful.rankings import JudgedRankings
from gainful.results import Scores
from gainful.rules import Rules
from gainful.sources import Judgments, Reading, Run, read_judgments
from gainful.translation.definition import Definition

T = TypeVar("T")

# What matters once values are there: means of the same alignment.
_OF_MEANS: dict[str, Any] = {"averaging": None, "decimals": None, "empty_weight": None}


class Valuing:
    """The values of a run, by the definition that they are of."""

    def __init__(self, qrels: Any, run: Run, reading: Reading) -> None:
        self._qrels, self._run, self._reading = qrels, run, reading
        self._judgments: dict[tuple[str, str | None], Judgments] = {}
        self._aligned: dict[Rules, tuple[JudgedRankings, tuple[Notice, ...]] | GainfulError] = {}
        self._values: dict[Definition, float | GainfulError] = {}

    def value(self, definition: Definition) -> float:
        """The mean over queries; NaN where no query has a value, and an error where it refuses."""
        if definition not in self._values:
            try:
                self._values[definition] = self.scores(definition)[definition.measure]
            except GainfulError as error:
                self._values[definition] = error
        return _or_error(self._values[definition])

    def known(self, definition: Definition) -> float | None:
        """The same, None where there is no value."""
        try:
            value = self.value(definition)
        except GainfulError:
            return None
        return None if math.isnan(value) else value

    def scores(self, definition: Definition) -> Scores:
        """The values of all queries, and what is to be said of them."""
        measure, rules = definition.measure, definition.rules
        ranked, notices = self._rankings(rules)
        values = values_of(measure, ranked, rules)[:, None]
        return Scores(self._run.name, ranked.queries, (measure,), values, rules, notices)

    def _rankings(self, rules: Rules) -> tuple[JudgedRankings, tuple[Notice, ...]]:
        key = replace(rules, **_OF_MEANS)
        if key not in self._aligned:
            try:
                judgments = self._judged(rules)
                self._aligned[key] = align(judgments, self._run, rules, self._reading)
            except GainfulError as error:
                self._aligned[key] = error
        return _or_error(self._aligned[key])

    def _judged(self, rules: Rules) -> Judgments:
        key = rules.kept, rules.collapse
        if key not in self._judgments:
            self._judgments[key] = read_judgments(self._qrels, rules, self._reading)
        return self._judgments[key]


def _or_error(found: T | GainfulError) -> T:
    if isinstance(found, GainfulError):
        raise found
    return found
