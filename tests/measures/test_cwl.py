"""Every C/W/L measure: edge cases, infinite sums to fifty digits, ties and improving swaps."""

import random
from itertools import chain, groupby, permutations, product
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

import gainful
from evaluation.strategies import few_scores, rankings
from example_counts import max_examples
from gainful import MeasureError, Rules, evaluate

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}
MEASURES = (
    "INST",
    "INSQ",
    "NERR10",
    "NERR11",
    "TBG",
    "NPV",
    "UMeasure",
    "IFT_C1",
    "IFT_C2",
    "IFT_C1C2",
)
CUT_MEASURES = ("BPM@5", "NERR8@5", "NERR9@5", "SDCG@5")
EXPECTED = ("eu", "etu", "ed", "residual_eu", "residual_etu", "residual_ed")


def compute_value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


@pytest.mark.parametrize("name", [*MEASURES, *CUT_MEASURES])
def test_nothing_found_scores_zero_and_negative_labels_gain_nothing(name):
    measure = gainful.parse_measure(name)
    assert compute_value(measure, run={"q": []}, empty="one") == 0
    assert compute_value(measure, qrels={"q": {"a": 0, "b": -1}}, empty="one") == 0
    best = {"q": [f"d{i}" for i in range(5)]}
    assert 0 < compute_value(measure, run=best, qrels={"q": {"d0": 1, "d3": 1}}) <= 1
    # Negative labels gain nothing, and may yet be worth something.
    negative = {"q": {"a": 1, "x": -1, "b": 0, "c": 1}}
    unjudged = {"q": {"a": 1, "b": 0, "c": 1}}
    for expected in EXPECTED:
        variant = measure(value=expected)
        assert compute_value(variant, qrels=negative) == compute_value(variant, qrels=unjudged)


@pytest.mark.parametrize("name", [*MEASURES, *CUT_MEASURES])
def test_labels_above_the_scale_are_an_error(name):
    measure = gainful.parse_measure(name)
    with pytest.raises(MeasureError) as error:
        compute_value(measure(max_rel=2))
    assert str(error.value) == (
        f"{measure.name}: labels must be at most max_rel, 2, got 3. "
        "Set max_rel to the highest label there may be."
    )
    with pytest.raises(MeasureError) as error:
        compute_value(measure(max_rel=3, min_rel=3))
    assert str(error.value) == f"{measure.name}: max_rel must be more than min_rel, 3, got 3."


def compute_exact_values(
    name: str, gains: list[float], settings: dict[str, float], *, best: bool
) -> list[mpf]:
    """Compute eu, etu and ed to fifty digits; all further ranks gain 0, or 1 for the best."""
    weight, weight_sum, gain_sum, label_sum = mpf(1), mpf(0), mpf(0), mpf(0)
    t, p = mpf(settings.get("T", 1)), mpf(settings.get("p", 0))
    for rank, gain in enumerate(gains, start=1):
        weight_sum, gain_sum, label_sum = (
            weight_sum + weight,
            gain_sum + weight * gain,
            label_sum + gain,
        )
        distances = rank + 2 * t - (label_sum if name == "INST" else 0)
        chance = p if name == "NERR10" else ((distances - 1) / distances) ** 2
        weight *= chance * (1 - gain if name.startswith("NERR") else 1)
    start = len(gains) + 2 * t - (label_sum if name == "INST" else 0)
    rest = weight * start**2 * mp.zeta(2, start)
    if name == "NERR10":
        rest = weight / (1 - p)
    if best and name.startswith("NERR"):
        rest = weight
    if best and name == "INST":
        rest = weight / (1 - ((start - 1) / start) ** 2)
    gain_sum += rest if best else 0
    return [gain_sum / (weight_sum + rest), gain_sum, weight_sum + rest]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("INST", {}),
        ("INST", {"T": 0.5}),
        ("INST", {"T": 20.25}),
        ("INSQ", {}),
        ("INSQ", {"T": 0.01}),
        ("INSQ", {"T": 33.0}),
        ("NERR10", {"p": 0.999}),
        ("NERR11", {"T": 3.0}),
    ],
)
def test_sums_without_end_are_exact(name, settings):
    rng = random.Random(name)
    measure = getattr(gainful, name)(**settings, max_rel=4)
    with mp.workdps(50):
        for size in (1, 2, 7, 40, 300):
            labels = [rng.choice([0, 1, 2, 4, None]) for _ in range(size)]
            qrels = {"q": {f"d{i}": x for i, x in enumerate(labels) if x is not None} | {"z": 1}}
            run = {"q": [f"d{i}" for i in range(size)]}
            worst = compute_exact_values(name, [(x or 0) / 4 for x in labels], settings, best=False)
            best_gains = [1.0 if x is None else x / 4 for x in labels]
            best = compute_exact_values(name, best_gains, settings, best=True)
            numbers = [*worst, *(b - w for b, w in zip(best, worst, strict=True))]
            for expected, number in zip(EXPECTED, numbers, strict=True):
                result = compute_value(measure(value=expected), run, qrels)
                assert result == pytest.approx(float(number), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ["INST", "INSQ", "NERR11", "TBG", "NPV", "NERR10"])
def test_a_greater_depth_comes_nearer_to_no_end(name):
    measure = getattr(gainful, name)(max_rel=4)
    distances = [
        abs(compute_value(measure(depth=d)) - compute_value(measure))
        for d in (10, 100, 10000, 10**7)
    ]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 1e-6


@given(
    rankings(labels=st.integers(-1, 3), scores=few_scores, max_items=6),
    st.sampled_from(["INSQ", "INSQ(depth=4)", "TBG(halflife=2)", "NPV(depth=3)", "UMeasure(L=4.5)"])
    | st.just("SDCG@4"),
    st.sampled_from(EXPECTED),
    st.none() | st.integers(1, 7),
    st.sets(st.integers(0, 5)),
)
@max_examples(150)
def test_the_average_over_ties_is_the_mean_over_all_orders(
    ranking, name, expected, depth, unjudged
):
    labels, scores = ranking
    pool = {f"d{i}": label for i, label in enumerate(labels) if i not in unjudged} | {"z": 1}
    ranked = sorted(((s, f"d{i}") for i, s in enumerate(scores)), reverse=True)
    blocks = [[item for _, item in block] for _, block in groupby(ranked, key=lambda x: x[0])]
    orders = [[*chain(*o)][:depth] for o in product(*(permutations(b) for b in blocks))]
    measure = gainful.parse_measure(name)(value=expected, max_rel=3)
    runs = {f"o{i}": order for i, order in enumerate(orders)}
    values = evaluate(dict.fromkeys(runs, pool), runs, measure).column(measure).tolist()
    run = {"q": {f"d{i}": score for i, score in enumerate(scores)}}
    result = compute_value(measure, run, {"q": pool}, ties="average", depth=depth)
    assert result == pytest.approx(fsum(values) / len(values), rel=1e-12, abs=1e-13)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.data())
@max_examples(100)
def test_fixed_weights_reward_moving_a_better_item_up(labels, data):
    upper = data.draw(st.integers(0, len(labels) - 2))
    lower = data.draw(st.integers(upper + 1, len(labels) - 1))
    name = data.draw(st.sampled_from(["INSQ", "TBG", "NPV", "UMeasure", "SDCG@5", "RBP"]))
    worse, better = sorted((labels[upper], labels[lower]))
    values = []
    for labels[upper], labels[lower] in [(worse, better), (better, worse)]:
        qrels = {"q": {f"d{i}": label for i, label in enumerate(labels)}}
        values.append(compute_value(name, {"q": list(qrels["q"])}, qrels))
    assert values[1] >= values[0] - 1e-15
