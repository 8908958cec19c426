"""Gainful as a provider of the installed ir_measures; loaded only on request."""

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
        self.originals = {_convert_measure(measure): measure for measure in measures}
        self.gainful_evaluator = Evaluator(self.originals, qrels)
        super().__init__(list(self.originals.values()), set(self.gainful_evaluator.queries))

    def iter_calc(self, run: object) -> Iterator[Any]:
        """Yield the value of every measure for every judged query."""
        for query, measure, value in self.gainful_evaluator.iter_calc(run):
            yield ir_measures.Metric(query_id=query, measure=self.originals[measure], value=value)

    def calc_aggregate(self, run: object) -> dict[Any, float]:
        """Return one number for every measure."""
        values = self.gainful_evaluator.calc_aggregate(run)
        return {self.originals[measure]: value for measure, value in values.items()}


class GainfulProvider(providers.Provider):  # type: ignore[misc]
    """All measures of ir_measures, each under the rules of the provider it has by default."""

    NAME = "gainful"

    def supports(self, measure: Any) -> bool:
        """Return whether it is a measure of ir_measures itself, with settings that fit."""
        measure.validate_params()
        # A measure that users define may have the name of another.
        declared = ir_measures.measures.registry.get(measure.NAME)
        if measure.NAME not in MEASURES or type(declared) is not type(measure):
            return False
        try:
            return bool(_convert_measure(measure).translation)
        except MeasureError:
            return False

    def _evaluator(self, measures: object, qrels: object) -> GainfulEvaluator:
        return GainfulEvaluator(measures, qrels)


PROVIDER = GainfulProvider()


def register() -> None:
    """Put Gainful before all other providers."""
    providers.registry[PROVIDER.NAME] = PROVIDER
    if PROVIDER not in ir_measures.DefaultPipeline.providers:
        ir_measures.DefaultPipeline.providers.insert(0, PROVIDER)


def unregister() -> None:
    """Remove Gainful from the providers."""
    providers.registry.pop(PROVIDER.NAME, None)
    if PROVIDER in ir_measures.DefaultPipeline.providers:
        ir_measures.DefaultPipeline.providers.remove(PROVIDER)


def _convert_measure(measure: Any) -> Measure:
    """Return the adapter's measure for a measure of the installed package."""
    return MEASURES[measure.NAME](**measure.params)
