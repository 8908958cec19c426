"""Comparison of diversity measures with ndeval 4.5, through pyndeval and ir-measures."""

import math

import ir_measures
import pyndeval
import pytest

import gainful
from oracles.random_sets import Run, Subtopics, draw_subtopics
from oracles.tally import count_compared

# pyndeval knows no cutoff above 20; cutoff 1 has a test of its own.
CUTOFFS = (2, 3, 5, 10, 20)
WITH_CUTOFF = {
    "ERR-IA": gainful.ERR_IA,
    "nERR-IA": gainful.nERR_IA,
    "alpha-DCG": gainful.alpha_DCG,
    "alpha-nDCG": gainful.alpha_nDCG,
    "P-IA": gainful.P_IA,
    "strec": gainful.StRecall,
}
WITHOUT_CUTOFF = {"NRBP": gainful.NRBP, "nNRBP": gainful.nNRBP, "MAP-IA": gainful.AP_IA}
# pyndeval puts the lower of two ids first where scores are tied, unlike trec_eval and ndeval.
PYNDEVAL = gainful.Rules(ties="item-asc", missing="skip", empty="nan")


def make_measures(
    cutoffs: tuple[int, ...] = CUTOFFS, **settings: float
) -> dict[str, gainful.Measure]:
    """Return Gainful's measures, with the settings that they have, by pyndeval's names."""
    measures = {f"{name}@{k}": m @ k for name, m in WITH_CUTOFF.items() for k in cutoffs}
    return {
        name: m(**{key: value for key, value in settings.items() if key in m.arguments})
        for name, m in (measures | WITHOUT_CUTOFF).items()
    }


def compute_pyndeval_values(
    qrels: Subtopics, run: Run, names: dict[str, gainful.Measure], query: str, **settings: float
) -> dict[str, float]:
    """Return the values of one query.

    One query at a time: pyndeval numbers subtopics over all queries, and the order in which it adds
    their gains, and so the last bit of a sum, depends on these numbers.
    """
    judgments = [
        (query, group, item, label)
        for group, items in qrels[query].items()
        for item, label in items.items()
    ]
    options = {key: value for key, value in settings.items() if key != "rel"}
    evaluator = pyndeval.RelevanceEvaluator(
        judgments, list(names), relevance_level=settings.get("rel", 1), **options
    )
    return evaluator.evaluate([(query, item, score) for item, score in run[query].items()])[query]


def compare_values(qrels: Subtopics, run: Run, **settings: float) -> int:
    """Check that all values are equal up to rounding, and return how many there are."""
    measures = make_measures(**settings)
    scores = gainful.evaluate(qrels, run, measures.values(), rules=PYNDEVAL).per_query()
    assert scores.keys() == run.keys()
    for query, values in scores.items():
        expected_values = compute_pyndeval_values(qrels, run, measures, query, **settings)
        for name, m in measures.items():
            value, expected = values[str(m)], expected_values[name]
            if math.isnan(value):
                # Nothing is relevant: pyndeval reports 0, and NaN for nNRBP.
                assert math.isnan(expected) if name == "nNRBP" else expected == 0
            else:
                assert value == pytest.approx(expected, rel=0, abs=1e-12), (query, name)
    return len(scores) * len(measures)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"rel": 2},
        {"alpha": 0.25, "beta": 0.8},
        {"alpha": 0.3, "beta": 0.1},
        {"alpha": 0.0},
        {"alpha": 1.0, "beta": 0.95},
    ],
    ids=str,
)
def test_every_query_equals_pyndeval(settings, record_testsuite_property):
    n = sum(compare_values(*draw_subtopics(seed), **settings) for seed in range(100))
    count_compared("pyndeval", n)
    record_testsuite_property(f"values compared with pyndeval, {settings}", n)
    assert n > 10_000


def test_a_long_list_equals_pyndeval():
    qrels = {"q": {f"s{s}": {f"d{i}": int(i % (s + 2) == 0) for i in range(300)} for s in range(9)}}
    run = {"q": {f"d{i * 7 % 300}": 300.0 - i for i in range(300)}}
    count_compared("pyndeval", compare_values(qrels, run))


def test_the_ideal_can_be_beaten_as_in_pyndeval():
    # All gain 4 at first, and z has the highest id. Then a and b gain 3 each beside it, 4 without.
    covers = {"z": "1234", "a": "1256", "b": "3478"}
    qrels: Subtopics = {"q": {}}
    for item, groups in covers.items():
        for group in groups:
            qrels["q"].setdefault(group, {})[item] = 1
    run = {"q": {"a": 3.0, "b": 2.0, "z": 1.0}}
    compare_values(qrels, run)
    assert gainful.evaluate(qrels, run, "alpha_nDCG@2")["alpha_nDCG@2"] > 1.1


def test_at_cutoff_1_pyndeval_forgets_to_divide():
    # Two subtopics, and the first item covers both: all there is to gain at rank 1.
    qrels, run = {"q": {"s": {"a": 1}, "t": {"a": 1, "b": 1}}}, {"q": {"a": 2.0, "b": 1.0}}
    measures = make_measures((1,))
    pyndeval_values = compute_pyndeval_values(qrels, run, measures, "q")
    values = gainful.evaluate(qrels, run, measures.values())
    for name in ("ERR-IA@1", "alpha-DCG@1"):
        assert pyndeval_values[name] == 2.0
        assert values[measures[name]] == 1.0
    for name in ("nERR-IA@1", "alpha-nDCG@1", "P-IA@1", "strec@1"):
        assert values[measures[name]] == pyndeval_values[name]


THROUGH_IR_MEASURES = {
    ir_measures.alpha_DCG @ 5: gainful.alpha_DCG @ 5,
    ir_measures.alpha_DCG(alpha=0.25) @ 20: gainful.alpha_DCG(alpha=0.25) @ 20,
    ir_measures.alpha_nDCG @ 10: gainful.alpha_nDCG @ 10,
    ir_measures.alpha_nDCG(alpha=0.75, rel=2) @ 5: gainful.alpha_nDCG(alpha=0.75, rel=2) @ 5,
    ir_measures.ERR_IA @ 10: gainful.ERR_IA @ 10,
    ir_measures.nERR_IA(rel=2) @ 5: gainful.nERR_IA(rel=2) @ 5,
    ir_measures.NRBP: gainful.NRBP,
    ir_measures.NRBP(alpha=0.25, beta=0.8): gainful.NRBP(alpha=0.25, beta=0.8),
    ir_measures.nNRBP: gainful.nNRBP,
    ir_measures.AP_IA: gainful.AP_IA,
    ir_measures.AP_IA(rel=2): gainful.AP_IA(rel=2),
    ir_measures.P_IA @ 5: gainful.P_IA @ 5,
    ir_measures.StRecall @ 10: gainful.StRecall @ 10,
}


@pytest.mark.filterwarnings("ignore")
def test_every_query_equals_ir_measures(record_testsuite_property):
    n = 0
    for seed in range(100):
        qrels, run = draw_subtopics(seed)
        judgments = [
            ir_measures.Qrel(query, item, label, group)
            for query, groups in qrels.items()
            for group, items in groups.items()
            for item, label in items.items()
        ]
        retrieved = [
            ir_measures.ScoredDoc(query, item, score)
            for query, items in run.items()
            for item, score in items.items()
        ]
        measures = THROUGH_IR_MEASURES.values()
        rules = gainful.Rules(ties="item-asc")
        values = gainful.evaluate(qrels, run, measures, rules=rules).per_query()
        # One call per measure: of measures with other settings, ir-measures 0.4.3 gives values to
        # the first and 0 to the rest, since the first has used up the run.
        for measure, gainful_measure in THROUGH_IR_MEASURES.items():
            for metric in ir_measures.pyndeval.iter_calc([measure], judgments, retrieved):
                expected = 0.0 if math.isnan(metric.value) else metric.value
                value = values[metric.query_id][str(gainful_measure)]
                assert value == pytest.approx(expected, rel=0, abs=1e-12), (seed, gainful_measure)
                n += 1
    count_compared("ir_measures", n)
    record_testsuite_property("values compared with ir-measures (pyndeval)", n)
    assert n > 4000


NAMES = [*{type(m).__name__[1:] for m in THROUGH_IR_MEASURES}, "MAP_IA"]


@pytest.mark.parametrize("name", sorted(NAMES))
def test_names_and_defaults_are_those_of_ir_measures(name):
    ir_measure, measure = getattr(ir_measures, name), gainful.parse_measure(name)
    for setting, parameter in ir_measure.SUPPORTED_PARAMS.items():
        if setting in measure.arguments and setting != "cutoff":
            assert measure.arguments[setting].default == parameter.default
