"""BPM, worked out by hand."""

from gainful import Rules, evaluate

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def test_bpm_stops_at_the_target_or_at_the_cutoff():
    assert compute_value("BPM@10") == 1
    assert compute_value("BPM(T=2)@10") == 2 / 4
    assert compute_value("BPM(T=2)@3") == 1 / 3
    assert compute_value("BPM(T=3)@10") == 2 / 10
    assert compute_value("BPM(T=2, value=ed)@10") == 4
    assert compute_value("BPM(T=2, value=etu)@10") == 2
    # x gains 1: two items are enough.
    assert compute_value("BPM(T=2, value=residual_ed)@10") == 2 - 4
