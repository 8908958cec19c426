"""What the benchmark reads of the processes that it measures."""

import pytest
from bench.contenders import Contender
from bench.process import Sample
from bench.rounds import Outcome


def make_outcome(*outputs, extra_numbers=()):
    samples = tuple(Sample(1.0, 1.0, 1.0, output) for output in outputs)
    return Outcome(Contender("one", ("one",), extra_numbers=extra_numbers), samples)


def test_numbers_behind_the_seconds_and_the_value_are_medians():
    result = make_outcome("0.1 7 1 20", "0.1 7 5 30", "0.1 7 3 10", extra_numbers=("bytes", "rows"))
    assert result.extra_numbers == {"bytes": 3.0, "rows": 20.0}


@pytest.mark.parametrize("output", ["", "nDCG@5\t0.25\nnDCG@10\t0.5\n"])
def test_who_prints_no_such_numbers_may_print_anything(output):
    assert make_outcome(output, output).extra_numbers == {}
