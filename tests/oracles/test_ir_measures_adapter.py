"""Comparison of the ir_measures adapter and provider with ir_measures' own providers."""

import logging
import math
import random
import shutil
import warnings
from contextlib import contextmanager

import pytest

import gainful.adapters.ir_measures as adapter
from example_counts import sample_cases, sampled
from oracles.random_sets import KINDS, Qrels, Run, draw_set, draw_subtopics
from oracles.tally import count_compared

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of cwl-eval's source: \_ in strings
    import cwl.ruler.cwl_ruler  # noqa: F401
    import ir_measures
import pandas


def split_words(text: str) -> list[str]:
    """Return the words of a text, each a measure."""
    return text.split()


TREC_EVAL = split_words(
    """
    nDCG nDCG@1 nDCG@10 nDCG(judged_only=True) nDCG(judged_only=True)@5
    nDCG(gains={1:3,2:1,-1:2,7:4})@10 nDCG(gains={0:0,1:1,2:5})
    nDCG(gains={0:1,2:0,-1:3},judged_only=True) P@1 P@5 P(rel=2)@5 P@100
    P(rel=2,judged_only=True)@3 AP AP@10 AP(rel=2) AP(rel=2,judged_only=True) RR RR(rel=2)
    RR(judged_only=True) R@5 R(rel=2)@10 R(judged_only=True)@5 Rprec Rprec(rel=2,judged_only=True)
    Bpref Bpref(rel=2) infAP infAP(rel=2) NumQ NumRet NumRelRet NumRet(rel=2) NumRel SetP
    SetP(rel=2,judged_only=True) SetRelP SetP(relative=True,rel=2) SetR SetR(rel=2) SetF
    SetF(beta=2.0) SetF(beta=0.5,rel=2) SetF(judged_only=True) SetAP SetAP(rel=2)
    SetAP(judged_only=True) Success@1 Success@5 Success(rel=2)@3 Success(judged_only=True)@3
    IPrec@0.0 IPrec@0.1 IPrec@1.0 IPrec(rel=2)@0.3 IPrec(judged_only=True)@0.5
    """
)
OTHER_MEASURES = split_words(
    """
    RR@1 RR@3 RR(rel=2)@10 Judged Judged@1 Judged@5 Judged@100 RBP(rel=1) RBP(rel=2,p=0.5)
    RBP(rel=1,p=0.99) INST(max_rel=3) INST(T=2.0,max_rel=3) INST(max_rel=4,min_rel=1)
    INSQ(max_rel=3) BPM(max_rel=3)@10 BPM(T=2.0,max_rel=2)@5 NERR8(max_rel=3)@10
    NERR9(max_rel=3)@10 NERR10(max_rel=3) NERR10(p=0.5,max_rel=1) NERR11(max_rel=3)
    SDCG(max_rel=3)@5 SDCG(min_rel=1,max_rel=3)@20
    """
)
DIVERSITY = split_words(
    """
    alpha_DCG@5 alpha_DCG(alpha=0.25)@20 alpha_nDCG@10 alpha_nDCG(alpha=0.75,rel=2)@5 ERR_IA@10
    nERR_IA(rel=2)@5 NRBP NRBP(alpha=0.25,beta=0.8) nNRBP AP_IA AP_IA(rel=2) P_IA@5 StRecall@10
    """
)
ACCURACY = ["Accuracy", "Accuracy@5", "Accuracy(rel=2)@10"]
COMPAT = ["Compat", "Compat(p=0.5)", "Compat(p=0.99)", "Compat(normalize=False)"]
ALL_MEASURES = [*TREC_EVAL, *OTHER_MEASURES, *DIVERSITY, *ACCURACY, *COMPAT]
# Zero divided by zero: where nothing judged is returned, and where nothing is relevant.
NAN_MEASURES = ("IPrec(judged_only=True)@0.5", "nNRBP")

Values = dict[str, dict[str, float]]


@pytest.fixture(autouse=True)
def _silence_warnings(capfd):
    logging.getLogger("ir_measures.cwl_eval").setLevel("ERROR")


@contextmanager
def register_gainful():
    """Make Gainful the first provider of ir_measures in a ``with`` block."""
    adapter.register()
    try:
        yield
    finally:
        adapter.unregister()


def build_measure(module, text: str):
    """Return the measure of an expression."""
    return eval(text, {**vars(module)})


def group_by_measure(metrics) -> Values:
    """Return the values by measure and query."""
    values: Values = {}
    for metric in metrics:
        values.setdefault(str(metric.measure), {})[metric.query_id] = float(metric.value)
    return values


def compute_expected(texts, qrels, run) -> tuple[dict[str, float], Values]:
    """Return the means and values of ir_measures, one call per measure.

    The values of a measure can depend on the other measures of the call.
    """
    means: dict[str, float] = {}
    values: Values = {}
    for text in texts:
        measure = build_measure(ir_measures, text)
        aggregated, metrics = ir_measures.calc([measure], qrels, run)
        means[str(measure)] = aggregated[measure]
        values |= group_by_measure(metrics)
    return means, values


def assert_same_values(texts, qrels, run, tolerance: float = 1e-12) -> None:
    """Check values and means of the adapter, and of ir_measures with Gainful registered."""
    means, values = compute_expected(texts, qrels, run)
    for measure in map(str, (build_measure(ir_measures, text) for text in NAN_MEASURES)):
        for query, value in values.get(measure, {}).items():
            if math.isnan(value):
                values[measure][query] = 0.0
                means[measure] = sum(values[measure].values()) / len(values[measure])
    adapter_result = adapter.calc([build_measure(adapter, text) for text in texts], qrels, run)
    with register_gainful():
        provider_result = ir_measures.calc(
            [build_measure(ir_measures, text) for text in texts], qrels, run
        )
    for aggregated, metrics in (adapter_result, provider_result):
        actual = group_by_measure(metrics)
        assert actual.keys() == values.keys()
        for measure, expected in values.items():
            assert actual[measure] == pytest.approx(expected, rel=tolerance, abs=tolerance), measure
        by_name = {str(measure): value for measure, value in aggregated.items()}
        assert by_name == pytest.approx(means, rel=tolerance, abs=tolerance, nan_ok=True)
    count_compared("ir_measures", 2 * (len(means) + sum(map(len, values.values()))))


@sampled
@pytest.mark.parametrize("kind", KINDS)
def test_every_query_and_mean_equals_ir_measures(kind):
    for seed in sample_cases(range(4)):
        assert_same_values([*TREC_EVAL, *OTHER_MEASURES, *DIVERSITY], *draw_set(kind, seed))


@sampled
@pytest.mark.parametrize("kind", KINDS)
def test_what_trec_eval_computes_equals_ir_measures(kind):
    for seed in sample_cases(range(4, 20)):
        assert_same_values(TREC_EVAL, *draw_set(kind, seed))


def break_ties(run: Run) -> Run:
    """Return the run with scores that differ and are above 0."""
    return {
        query: {item: float(len(scores) - i) for i, item in enumerate(scores)}
        for query, scores in run.items()
    }


@pytest.mark.parametrize("kind", KINDS)
def test_compatibility_equals_ir_measures_where_scores_differ_and_are_above_0(kind):
    # Elsewhere its ideal is not the nearest one: see test_ir_measures_user_models.py.
    for seed in range(10):
        qrels, run = draw_set(kind, seed)
        assert_same_values(COMPAT, qrels, break_ties(run))


@pytest.mark.parametrize("kind", KINDS)
def test_accuracy_alone_leaves_out_the_queries_that_ir_measures_leaves_out(kind):
    for seed in range(20):
        qrels, run = draw_set(kind, seed)
        for text in ACCURACY:
            try:
                assert_same_values([text], qrels, run)
            except ZeroDivisionError:  # all items of a query are relevant: there is no pair
                assert_same_values_by_query(text, qrels, run)


def assert_same_values_by_query(text: str, qrels: Qrels, run: Run) -> None:
    """Check one query at a time, since ir_measures fails on some."""
    actual = {
        m.query_id: m.value for m in adapter.iter_calc([build_measure(adapter, text)], qrels, run)
    }
    for query in qrels:
        inputs = {query: qrels[query]}, {query: run.get(query, {})}
        try:
            metrics = ir_measures.iter_calc([build_measure(ir_measures, text)], *inputs)
            expected = {metric.query_id: metric.value for metric in metrics}
        except ZeroDivisionError:
            expected = {}
        assert {q: v for q, v in actual.items() if q == query} == pytest.approx(expected, rel=1e-12)
        count_compared("ir_measures", 1)


def test_accuracy_beside_another_measure_is_0_for_those_queries_as_in_ir_measures():
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    run = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {"b": 1.0}}
    for texts in (["Accuracy"], ["Accuracy", "AP"]):
        expected = ir_measures.calc_aggregate(
            [build_measure(ir_measures, t) for t in texts], qrels, run
        )
        actual = adapter.calc_aggregate([build_measure(adapter, t) for t in texts], qrels, run)
        assert {str(m): v for m, v in actual.items()} == {str(m): v for m, v in expected.items()}
    assert actual[adapter.Accuracy] == 0.5 / 3


def test_diversity_equals_ir_measures():
    for seed in range(40):
        qrels, run = draw_subtopics(seed)
        judged = [
            ir_measures.Qrel(query, item, label, group)
            for query, groups in qrels.items()
            for group, items in groups.items()
            for item, label in items.items()
        ]
        retrieved = [ir_measures.ScoredDoc(q, i, score) for q in run for i, score in run[q].items()]
        assert_same_values(DIVERSITY, judged, retrieved)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval.pl needs perl")
@pytest.mark.parametrize("kind", ["no ties", "many ties", "negative labels", "all tied"])
def test_exponential_gains_equal_gdeval_to_its_five_decimals(kind):
    texts = ["ERR@1", "ERR@20", "nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')@10"]
    for seed in range(2):
        sets = draw_set(kind, seed, n_queries=12)
        qrels, run = ({q.removeprefix("q"): items for q, items in data.items()} for data in sets)
        assert_same_values(texts, qrels, run, tolerance=5.000001e-6)


def test_cwl_eval_ends_all_rankings_at_rank_1000():
    rng = random.Random(3)
    qrels = {"q": {f"d{i}": rng.choice([0, 1, 2, 3]) for i in range(2500)}}
    run = {"q": {f"d{i}": rng.random() for i in range(3000)}}
    texts = [
        "RBP(rel=1,p=0.999)",
        "INST(T=50.0,max_rel=3)",
        "INSQ(T=9.0,max_rel=3)",
        "NERR8(max_rel=3)@1500",
        "BPM(T=900.0,max_rel=3)@1500",
        "NERR9(max_rel=3)@1200",
        "NERR10(p=0.9999,max_rel=3)",
        "NERR11(T=40.0,max_rel=3)",
        "SDCG(max_rel=3)@1500",
    ]
    assert_same_values(texts, qrels, run)


@pytest.mark.parametrize("run", [{}, {"other": {"a": 1.0}}, {"q1": {"a": 1.0, "b": 2.0}}], ids=str)
def test_queries_that_the_run_lacks_are_scored_as_in_ir_measures(run):
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    assert_same_values([*TREC_EVAL, *OTHER_MEASURES, *DIVERSITY, *COMPAT], qrels, run)
    assert_same_values(["Accuracy"], qrels, run)


def test_frames_and_rows_are_read_as_ir_measures_reads_them():
    qrels, run = draw_set("many ties", 1)
    judged = [ir_measures.Qrel(q, i, label) for q in qrels for i, label in qrels[q].items()]
    retrieved = [ir_measures.ScoredDoc(q, i, score) for q in run for i, score in run[q].items()]
    texts = [*TREC_EVAL, *OTHER_MEASURES]
    assert_same_values(texts, judged, retrieved)
    assert_same_values(texts, pandas.DataFrame(judged), pandas.DataFrame(retrieved))
    # If a pair is listed twice, the last label counts.
    first = [ir_measures.Qrel(judgment.query_id, judgment.doc_id, 9) for judgment in judged[::2]]
    assert_same_values(TREC_EVAL, first + judged, retrieved)


def test_of_several_measures_ir_measures_confuses_some():
    qrels, run = {"q": {"a": 1, "b": 2, "c": 0}}, {"q": {"u": 4.0, "a": 3.0, "b": 2.0, "c": 1.0}}
    # It counts the retrieved items after another measure has removed the unjudged ones, and has
    # used up the run before it evaluates other settings of a diversity measure.
    n_confused = 0
    for texts in (["NumRet", "P(judged_only=True)@5"], ["NRBP", "NRBP(alpha=0.25)"]):
        expected, _ = compute_expected(texts, qrels, run)
        together = ir_measures.calc_aggregate(
            [build_measure(ir_measures, t) for t in texts], qrels, run
        )
        actual = adapter.calc_aggregate([build_measure(adapter, t) for t in texts], qrels, run)
        assert {str(m): v for m, v in actual.items()} == pytest.approx(expected)
        n_confused += {str(m): v for m, v in together.items()} != expected
    assert n_confused >= 1  # the first depends on the order of a set


def test_zero_divided_by_zero_is_nan_in_ir_measures_and_spoils_its_mean():
    qrels = {"q1": {"a": 1}, "q2": {"a": 0}}
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
    assert math.isnan(ir_measures.nNRBP.calc_aggregate(qrels, run))
    assert adapter.nNRBP.calc_aggregate(qrels, run) == 1 / 2
    run = {"q1": {"a": 1.0}, "q2": {"u": 1.0}}
    assert math.isnan((ir_measures.IPrec(judged_only=True) @ 0.5).calc_aggregate(qrels, run))
    assert (adapter.IPrec(judged_only=True) @ 0.5).calc_aggregate(qrels, run) == 1 / 2


def test_at_cutoff_1_ir_measures_forgets_to_divide_by_the_subtopics():
    judged = [ir_measures.Qrel("q", "a", 1, "s"), ir_measures.Qrel("q", "a", 1, "t")]
    run = [ir_measures.ScoredDoc("q", "a", 1.0)]
    for name in ("ERR_IA", "alpha_DCG"):
        assert (getattr(ir_measures, name) @ 1).calc_aggregate(judged, run) == 2.0
        assert (getattr(adapter, name) @ 1).calc_aggregate(judged, run) == 1.0


def test_ir_measures_gives_two_values_to_a_query_whose_rows_do_not_stand_together():
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    run = [ir_measures.ScoredDoc(query, item, 1.0) for query, item in ("qb", "ra", "qa")]
    measure = "RBP(rel=1,p=0.5)"
    ir_measures_values = [
        m.value for m in build_measure(ir_measures, measure).iter_calc(qrels, run)
    ]
    assert ir_measures_values == pytest.approx([0.0, 0.5, 0.5])
    values = {m.query_id: m.value for m in build_measure(adapter, measure).iter_calc(qrels, run)}
    assert values == pytest.approx({"q": 0.25, "r": 0.5})


def test_interpolated_precision_is_at_the_recall_asked_for_not_at_two_decimals_of_it():
    # Of 8 relevant items, two are found: at ranks 1 and 4.
    qrels = {"q": {f"d{i}": 1 for i in range(8)}}
    run = {"q": {"d0": 4.0, "x": 3.0, "y": 2.0, "d1": 1.0}}
    # 0.1374 of 8 items, plus 0.9, is 1.9992, cut to 1; ir_measures passes 0.14 to trec_eval: 2.02.
    assert (adapter.IPrec @ 0.1374).calc_aggregate(qrels, run) == 1 / 1
    assert (ir_measures.IPrec @ 0.1374).calc_aggregate(qrels, run) == 2 / 4
    assert (adapter.IPrec @ 0.14).calc_aggregate(qrels, run) == 2 / 4


def test_names_settings_and_spelling_are_those_of_ir_measures():
    registry = ir_measures.measures.registry
    assert len({measure.NAME for measure in registry.values()}) == 39
    for name, measure in registry.items():
        adapted = getattr(adapter, name)
        assert (str(adapted), repr(adapted), adapted.NAME) == (
            str(measure),
            repr(measure),
            measure.NAME,
        )
        assert set(adapted.row.settings) == set(measure.SUPPORTED_PARAMS)
        for setting, parameter in measure.SUPPORTED_PARAMS.items():
            default = adapted.row.settings[setting]
            assert default == (parameter.default if default is not None else None)
        assert adapted.row.at_setting == measure.AT_PARAM
    for text in ALL_MEASURES:
        assert str(build_measure(adapter, text)) == str(build_measure(ir_measures, text))
        assert adapter.parse_measure(str(build_measure(adapter, text))) == build_measure(
            adapter, text
        )


@pytest.mark.parametrize(
    "name",
    [
        "official",
        "set",
        "all_trec",
        "prefs",
        "qrels_jg",
        "all_prefs",
        "ndcg",
        "ndcg_cut",
        "ndcg_cut_10",
        "ndcg_cut.5,10",
        "P",
        "P_5",
        "P.5,10",
        "map",
        "map_cut.7",
        "recip_rank",
        "recall.3",
        "success",
        "set_F",
        "set_F.2",
        "set_F.0.5",
        "iprec_at_recall",
        "iprec_at_recall_0.10",
        "num_q",
        "num_rel_ret",
        "set_relative_P",
        "infAP",
        "Rprec",
        "bpref",
    ],
)
def test_names_of_trec_eval_stand_for_the_same_measures(name, capfd):
    expected = list(map(str, ir_measures.parse_trec_measure(name)))
    assert list(map(str, adapter.parse_trec_measure(name))) == expected


@pytest.mark.parametrize("name", ["relative_P", "gm_map", "ndcg_5", "nothing", "P_x"])
def test_names_of_trec_eval_that_ir_measures_refuses_are_refused(name):
    for module in (ir_measures, adapter):
        with pytest.raises(ValueError, match=r"\w"):
            module.parse_trec_measure(name)


def test_gainful_is_asked_first_once_it_is_registered():
    providers = ir_measures.DefaultPipeline.providers
    original = list(providers)
    with register_gainful():
        adapter.register()
        assert providers[1:] == original
        assert providers[0] is ir_measures.providers.registry["gainful"]
        measures = [build_measure(ir_measures, text) for text in ALL_MEASURES]
        assert all(providers[0].supports(measure) for measure in measures)
        evaluator = ir_measures.evaluator(measures, {"q": {"a": 1}})
        assert type(evaluator).__name__ == "GainfulEvaluator"
        assert evaluator.measures == list(dict.fromkeys(evaluator.measures))
    assert providers == original
    assert "gainful" not in ir_measures.providers.registry


def test_measures_that_users_define_stay_theirs():
    user_measure = ir_measures.define_byquery(
        lambda qrels, run: 0.25, name="P", support_cutoff=False
    )
    with register_gainful():
        assert user_measure.calc_aggregate({"q": {"a": 1}}, {"q": {"a": 1.0}}) == 0.25
