"""Values of measures as text."""

import math

from gainful.measures import Measure


def four_decimals(measure: Measure, value: float) -> str:
    """A value for people: a count as it is, and a dash where a measure has none for a query."""
    if measure.whole and math.isnan(value):
        return "-"
    return f"{value:.0f}" if measure.average == "sum" and value % 1 == 0 else f"{value:.4f}"


def every_digit(_: Measure, value: float) -> str:
    """A value for programs, at full precision; nothing where there is none."""
    return "" if math.isnan(value) else repr(value)


def every_field(_: Measure, value: float) -> str:
    """A value for pipes, at full precision: who splits at white space finds a field, if a nan."""
    return repr(value)
