"""Names of measures: a parsed measure prints as a name that parses to an equal measure."""

import math

from gainful import GainfulError, evaluate, parse_measure, read_run
from target_inputs import QRELS, allow_errors

RUN = read_run({"q1": {"d1": 3.0, "d2": 2.0, "x": 1.0}, "q2": {"d1": 1.0}})


def check_input(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    with allow_errors():
        measure = parse_measure(text)
        try:
            copy = parse_measure(str(measure))
        except GainfulError as error:
            message = f"{text!r} prints as {str(measure)!r}, which does not parse: {error}"
            raise AssertionError(message) from error
        assert copy == measure, f"{text!r} prints as {str(measure)!r}, which is another"
        assert hash(copy) == hash(measure)
        value = evaluate(QRELS, RUN, measure, threads=1)[measure]
        assert not math.isnan(value), f"{text!r} is not a number"
