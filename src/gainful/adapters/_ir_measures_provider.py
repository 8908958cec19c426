"""Gainful as a provider of the installed ir_measures; loaded only where that is wanted."""

from collections.abc import Iterator
from typing import Any

import ir_measures
from ir_measures import providers

from gainful.adapters._ir_measures_table import MEASURES, Measure
from gainful.adapters.ir_measures import Evaluator
from gainful.errors import MeasureError


class GainfulEvaluator(providers.Evaluator):  # type: ignore[misc]
    """Measures of ir_measures, with Gainful behind them."""

    def __init__(self, measures: Any, qrels: Any) -> None:
        self.named = {_convert_measure(measure): measure for measure in measures}
        self.ours = Evaluator(self.named, qrels)
        super().__init__(list(self.named.values()), set(self.ours.queries))

    def iter_calc(self, run: object) -> Iterator[Any]:
        """The value of every measure for every judged query."""
        for query, measure, value in self.ours.iter_calc(run):
            yield ir_measures.Metric(query_id=query, measure=self.named[measure], value=value)

    def calc_aggregate(self, run: object) -> dict[Any, float]:
        """One number for every measure."""
        values = self.ours.calc_aggregate(run)
        return {self.named[measure]: value for measure, value in values.items()}


class GainfulProvider(providers.Provider):  # type: ignore[misc]
    """All measures of ir_measures, each under the rules of the provider it has by default."""

    NAME = "gainful"

    def supports(self, measure: Any) -> bool:
        """Whether it is a measure of ir_measures itself, with settings that fit."""
        measure.validate_params()
        # A measure that users define may have the name of another.
        declared = ir_measures.measures.registry.get(measure.NAME)
        if measure.NAME not in MEASURES or type(declared) is not type(measure):
            return False
        try:
            return bool(_convert_measure(measure).here)
        except MeasureError:
            return False

    def _evaluator(self, measures: object, qrels: object) -> GainfulEvaluator:
        return GainfulEvaluator(measures, qrels)


PROVIDER = GainfulProvider()


def register() -> None:
    """Ask it before all others."""
    providers.registry[PROVIDER.NAME] = PROVIDER
    if PROVIDER not in ir_measures.DefaultPipeline.providers:
        ir_measures.DefaultPipeline.providers.insert(0, PROVIDER)


def unregister() -> None:
    """Ask it no more."""
    providers.registry.pop(PROVIDER.NAME, None)
    if PROVIDER in ir_measures.DefaultPipeline.providers:
        ir_measures.DefaultPipeline.providers.remove(PROVIDER)


def _convert_measure(theirs: Any) -> Measure:
    """The measure of the installed package as a measure of the adapter."""
    return MEASURES[theirs.NAME](**theirs.params)
