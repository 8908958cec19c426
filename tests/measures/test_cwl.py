"""The measures of C/W/L, worked out by hand; what they add up without end, in fifty digits."""

import random
from itertools import chain, groupby, permutations, product
from math import exp, fsum, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

import gainful
from evaluation.properties.strategies import few_scores, rankings
from gainful import MeasureError, Rules, evaluate
from tries import tried

# Gains of RUN: 1, 0, 0 and 1; in shares of 4: 3/4, 0, 0, 1/4.
QRELS = {"q": {"a": 3, "b": 0, "c": 1, "d": 2}}
RUN = {"q": ["a", "x", "b", "c"]}
ALL = ("INST", "INSQ", "NERR10", "NERR11", "TBG", "NPV", "UMeasure", "IFT_C1", "IFT_C2", "IFT_C1C2")
CUT = ("BPM@5", "NERR8@5", "NERR9@5", "SDCG@5")
EXPECTED = ("eu", "etu", "ed", "residual_eu", "residual_etu", "residual_ed")


def value(measure, run=RUN, qrels=QRELS, **rules):
    return evaluate(qrels, run, measure, rules=Rules(**rules))[measure]


def near(number):
    return pytest.approx(number, rel=1e-14)


def test_insq_at_three_ranks():
    # V = (2/2)^2, (2/3)^2, (2/4)^2; only the first item gains.
    looks = 1 + 4 / 9 + 1 / 4
    assert value("INSQ(depth=3)") == near(1 / looks)
    assert value("INSQ(depth=3, value=ed)") == near(looks)
    # Those who would go on from rank 3 have not stopped: V(4) = (2/5)^2.
    assert value("INSQ(depth=3, value=etu)") == near(1 - 4 / 25)
    # x may gain 1 at rank 2.
    assert value("INSQ(depth=3, value=residual_eu)") == near(4 / 9 / looks)
    assert value("INSQ(depth=3, value=residual_ed)") == 0


def test_inst_wants_less_the_more_is_found():
    # T = 2; after rank 1, gain 1: (1 + 2 + 1 - 1) / (1 + 2 + 1) = 3/4, then 4/5.
    looks = 1 + (3 / 4) ** 2 + (3 / 4 * 4 / 5) ** 2
    assert value("INST(T=2, depth=3)") == near(1 / looks)
    assert value("INST(T=2, depth=3, value=ed)") == near(looks)
    # If x gains 1 as well: after rank 2, gain 2, (2 + 2 + 0 - 1) / 4.
    best = 1 + (3 / 4) ** 2 + (3 / 4 * 3 / 4) ** 2
    residual = (1 + (3 / 4) ** 2) / best - 1 / looks
    assert value("INST(T=2, depth=3, value=residual_eu)") == near(residual)
    assert value("INST(T=2, depth=3, value=residual_ed)") == near(best - looks)


def test_bpm_stops_at_the_target_or_at_the_cutoff():
    assert value("BPM@10") == 1
    assert value("BPM(T=2)@10") == 2 / 4
    assert value("BPM(T=2)@3") == 1 / 3
    assert value("BPM(T=3)@10") == 2 / 10
    assert value("BPM(T=2, value=ed)@10") == 4
    assert value("BPM(T=2, value=etu)@10") == 2
    # x gains 1: two items are enough.
    assert value("BPM(T=2, value=residual_ed)@10") == 2 - 4


def test_nearly_err():
    # Gains 3/4, 0, 0, 1/4 at max_rel 4, cut at 3.
    assert value("NERR8(max_rel=4)@3") == near(3 / 4 / (1 + 1 / 4 + 1 / 4))
    v2 = 1 / 2 * 1 / 4
    assert value("NERR9(max_rel=4)@3") == near(3 / 4 / (1 + v2 + v2 * 2 / 3))
    # Without end: V = 1, p/4, p^2/4, p^3/4, then 3/4 of p, and p again and again.
    p = 0.9
    looks = 1 + p / 4 + p**2 / 4 + p**3 / 4 + p**4 / 4 * 3 / 4 / (1 - p)
    assert value("NERR10(max_rel=4)") == near((3 / 4 + p**3 / 4 / 4) / looks)
    assert value("NERR10(max_rel=4, value=ed)") == near(looks)
    assert value("NERR11(max_rel=4, depth=2)") == near(3 / 4 / (1 + (2 / 3) ** 2 / 4))


def test_discounts_by_time_text_and_interest():
    p = 2 ** (-1 / 5)
    assert value("TBG(halflife=5)") == near((1 - p) * (1 + p**3))
    assert value("TBG(halflife=5, value=etu)") == near(1 + p**3)
    assert value("NPV(rate=0.25)") == near(value("RBP(p=0.8)"))
    assert value("NPV(rate=0.25, value=ed)") == near(5)
    # 1, 3/4, 1/2, 1/4; and 1, 0.6, 0.2.
    assert value("UMeasure(L=4)") == near((1 + 1 / 4) / 2.5)
    assert value("UMeasure(L=2.5)") == near(1 / 1.8)


def test_scaled_dcg_divides_by_ones_on_all_ranks():
    ones = 1 + 1 / log2(3) + 1 / 2
    assert value("SDCG@3") == near(1 / ones)
    assert value("SDCG(max_rel=4)@3") == near(3 / 4 / ones)
    assert value("SDCG@100") == near(value("nDCG(gain=binary, ideal=ones)@100"))
    assert value("SDCG(value=ed)@3") == near(ones)
    assert value("SDCG(value=etu)@4") == near(1 + 1 / log2(5))


def test_foragers():
    def goal(gain):
        return 1 - 1 / (1 + 0.9 * exp((2 - gain) * 0.5))

    def rate(gain):
        return 1 / (1 + 0.9 * exp((0.2 - gain) * 2))

    c1, c2 = goal(1), goal(1)
    assert value("IFT_C1(R1=0.5, depth=3)") == near(1 / (1 + c1 + c1 * c2))
    c1, c2 = rate(1), rate(1 / 2)
    assert value("IFT_C2(R2=2, depth=3)") == near(1 / (1 + c1 + c1 * c2))
    c1, c2 = goal(1) * rate(1), goal(1) * rate(1 / 2)
    assert value("IFT_C1C2(R1=0.5, R2=2, depth=3)") == near(1 / (1 + c1 + c1 * c2))


@pytest.mark.parametrize("name", [*ALL, *CUT])
def test_edges(name):
    measure = gainful.parse_measure(name)
    assert value(measure, run={"q": []}, empty="one") == 0
    assert value(measure, qrels={"q": {"a": 0, "b": -1}}, empty="one") == 0
    best = {"q": [f"d{i}" for i in range(5)]}
    assert 0 < value(measure, run=best, qrels={"q": {"d0": 1, "d3": 1}}) <= 1
    # Negative labels gain nothing, and may yet be worth something.
    negative = {"q": {"a": 1, "x": -1, "b": 0, "c": 1}}
    unjudged = {"q": {"a": 1, "b": 0, "c": 1}}
    for expected in EXPECTED:
        of = measure(value=expected)
        assert value(of, qrels=negative) == value(of, qrels=unjudged)


@pytest.mark.parametrize("name", [*ALL, *CUT])
def test_labels_above_the_scale_are_an_error(name):
    measure = gainful.parse_measure(name)
    with pytest.raises(MeasureError) as error:
        value(measure(max_rel=2))
    assert str(error.value) == (
        f"{measure.name}: labels must be at most max_rel, 2, got 3. "
        "Set max_rel to the highest label there may be."
    )
    with pytest.raises(MeasureError) as error:
        value(measure(max_rel=3, min_rel=3))
    assert str(error.value) == f"{measure.name}: max_rel must be more than min_rel, 3, got 3."


def exact(name: str, gains: list[float], settings: dict[str, float], *, best: bool) -> list[mpf]:
    """eu, etu and ed in fifty digits, with all ranks below those given gaining 0, or 1."""
    seen, looks, gained, total = mpf(1), mpf(0), mpf(0), mpf(0)
    t, p = mpf(settings.get("T", 1)), mpf(settings.get("p", 0))
    for rank, gain in enumerate(gains, start=1):
        looks, gained, total = looks + seen, gained + seen * gain, total + gain
        ahead = rank + 2 * t - (total if name == "INST" else 0)
        chance = p if name == "NERR10" else ((ahead - 1) / ahead) ** 2
        seen *= chance * (1 - gain if name.startswith("NERR") else 1)
    start = len(gains) + 2 * t - (total if name == "INST" else 0)
    rest = seen * start**2 * mp.zeta(2, start)
    if name == "NERR10":
        rest = seen / (1 - p)
    if best and name.startswith("NERR"):
        rest = seen
    if best and name == "INST":
        rest = seen / (1 - ((start - 1) / start) ** 2)
    gained += rest if best else 0
    return [gained / (looks + rest), gained, looks + rest]


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
            judged = [rng.choice([0, 1, 2, 4, None]) for _ in range(size)]
            qrels = {"q": {f"d{i}": x for i, x in enumerate(judged) if x is not None} | {"z": 1}}
            run = {"q": [f"d{i}" for i in range(size)]}
            worst = exact(name, [(x or 0) / 4 for x in judged], settings, best=False)
            best_gains = [1.0 if x is None else x / 4 for x in judged]
            best = exact(name, best_gains, settings, best=True)
            wanted = [*worst, *(b - w for b, w in zip(best, worst, strict=True))]
            for expected, number in zip(EXPECTED, wanted, strict=True):
                found = value(measure(value=expected), run, qrels)
                assert found == pytest.approx(float(number), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ["INST", "INSQ", "NERR11", "TBG", "NPV", "NERR10"])
def test_a_greater_depth_comes_nearer_to_no_end(name):
    measure = getattr(gainful, name)(max_rel=4)
    distance = [abs(value(measure(depth=d)) - value(measure)) for d in (10, 100, 10000, 10**7)]
    assert distance == sorted(distance, reverse=True)
    assert distance[-1] < 1e-6


@given(
    rankings(labels=st.integers(-1, 3), scores=few_scores, longest=6),
    st.sampled_from(["INSQ", "INSQ(depth=4)", "TBG(halflife=2)", "NPV(depth=3)", "UMeasure(L=4.5)"])
    | st.just("SDCG@4"),
    st.sampled_from(EXPECTED),
    st.none() | st.integers(1, 7),
    st.sets(st.integers(0, 5)),
)
@tried(150)
def test_the_average_over_ties_is_the_mean_over_all_orders(
    ranking, name, expected, depth, unjudged
):
    labels, scores = ranking
    judged = {f"d{i}": label for i, label in enumerate(labels) if i not in unjudged} | {"z": 1}
    ranked = sorted(((s, f"d{i}") for i, s in enumerate(scores)), reverse=True)
    blocks = [[item for _, item in block] for _, block in groupby(ranked, key=lambda x: x[0])]
    orders = [[*chain(*o)][:depth] for o in product(*(permutations(b) for b in blocks))]
    measure = gainful.parse_measure(name)(value=expected, max_rel=3)
    every = {f"o{i}": order for i, order in enumerate(orders)}
    values = evaluate(dict.fromkeys(every, judged), every, measure).column(measure).tolist()
    run = {"q": {f"d{i}": score for i, score in enumerate(scores)}}
    found = value(measure, run, {"q": judged}, ties="average", depth=depth)
    assert found == pytest.approx(fsum(values) / len(values), rel=1e-12, abs=1e-13)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.data())
@tried(100)
def test_fixed_weights_reward_moving_a_better_item_up(labels, data):
    upper = data.draw(st.integers(0, len(labels) - 2))
    lower = data.draw(st.integers(upper + 1, len(labels) - 1))
    name = data.draw(st.sampled_from(["INSQ", "TBG", "NPV", "UMeasure", "SDCG@5", "RBP"]))
    worse, better = sorted((labels[upper], labels[lower]))
    values = []
    for labels[upper], labels[lower] in [(worse, better), (better, worse)]:
        qrels = {"q": {f"d{i}": label for i, label in enumerate(labels)}}
        values.append(value(name, {"q": list(qrels["q"])}, qrels))
    assert values[1] >= values[0] - 1e-15
