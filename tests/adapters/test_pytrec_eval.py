"""The interface of pytrec_eval, where it promises more than pytrec_eval, checked by hand."""

import math
from collections import UserDict, defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful.adapters.pytrec_eval as pytrec_eval
from example_counts import max_examples
from gainful.errors import GainfulError, MeasureError, SourceError

QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 1}}
RUN = {"q2": {"d1": 1.0}, "q1": {"d2": 0.7, "d1": 0.5, "d9": 0.1}}
ITEMS = [f"d{i}" for i in range(12)]


def evaluate_run(qrels, run, measures, **flags):
    return pytrec_eval.RelevanceEvaluator(qrels, measures, **flags).evaluate(run)


def test_results_stand_in_the_order_of_the_run_and_of_trec_eval():
    results = evaluate_run(QRELS, RUN, ["ndcg", "P_5", "map"])
    # q1: d2, d1, d9; of the two relevant items one is found, at rank 2: AP = (1/2) / 2.
    dcg, ideal_dcg = 1 / math.log2(3), 2 / math.log2(2) + 1 / math.log2(3)
    assert results == {
        "q2": {"map": 1.0, "P_5": 0.2, "ndcg": 1.0},
        "q1": {"map": 0.25, "P_5": 0.2, "ndcg": dcg / ideal_dcg},
    }
    assert list(results) == ["q2", "q1"]
    assert list(results["q1"]) == ["map", "P_5", "ndcg"]


def test_a_single_name_need_not_be_in_a_list():
    assert evaluate_run(QRELS, RUN, "map") == evaluate_run(QRELS, RUN, {"map"})
    assert evaluate_run(QRELS, RUN, "official") == evaluate_run(QRELS, RUN, {"official"})


def test_unjudged_items_are_taken_out_where_only_judged_ones_are_asked_for():
    run = {"q1": {"x": 3.0, "d1": 2.0}}
    assert evaluate_run(QRELS, run, {"P_1", "num_ret"}) == {"q1": {"num_ret": 2.0, "P_1": 0.0}}
    results = evaluate_run(QRELS, run, {"P_1", "num_ret"}, judged_docs_only_flag=True)
    assert results == {"q1": {"num_ret": 1.0, "P_1": 1.0}}


def test_queries_on_one_side_alone_are_left_out():
    assert evaluate_run(QRELS, {"q3": {"d1": 1.0}, "q2": {}}, {"num_ret"}) == {
        "q2": {"num_ret": 0.0}
    }


def test_nothing_to_evaluate_gives_nothing():
    assert evaluate_run({}, RUN, {"map"}) == {}
    assert evaluate_run(QRELS, {}, {"map"}) == {}
    assert evaluate_run(QRELS, RUN, set()) == {"q2": {}, "q1": {}}


def test_a_query_whose_labels_are_all_negative_has_values():
    qrels = {"q1": {"d1": 1}, "q2": {"d1": -1, "d2": -2}}
    results = evaluate_run(
        qrels, {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}, {"map", "ndcg", "num_rel"}
    )
    assert results["q2"] == {"num_rel": 0.0, "map": 0.0, "ndcg": 0.0}
    assert results["q1"] == {"num_rel": 1.0, "map": 1.0, "ndcg": 1.0}


def test_a_label_that_is_no_whole_number_gains_what_it_is():
    qrels, run = {"q": {"d1": 0.5, "d2": 2.0, "d3": -0.5}}, {"q": {"d1": 3, "d2": 2, "d3": 1}}
    # Relevant from 1 on is d2 alone, at rank 2; d3 counts as unjudged.
    third = 1 / math.log2(3)
    assert evaluate_run(qrels, run, ["recip_rank", "ndcg", "num_rel", "num_nonrel_judged_ret"])[
        "q"
    ] == {
        "num_rel": 1.0,
        "recip_rank": 0.5,
        "ndcg": pytest.approx((0.5 + 2 * third) / (2 + 0.5 * third), rel=1e-15),
        "num_nonrel_judged_ret": 1.0,
    }


@pytest.mark.parametrize("label", [np.int64, np.int8, np.uint16, np.float32, np.float64, float])
@pytest.mark.parametrize("score", [np.float16, np.float32, np.float64, np.int32, int])
def test_numbers_of_any_type_count_as_what_they_are(label, score):
    qrels = {
        query: {item: label(n) for item, n in labels.items()} for query, labels in QRELS.items()
    }
    run = {"q1": {"d1": score(3), "d3": score(5), "d9": score(4)}}
    float_run = {"q1": {"d1": 3.0, "d3": 5.0, "d9": 4.0}}
    assert evaluate_run(qrels, run, {"all_trec"}) == evaluate_run(QRELS, float_run, {"all_trec"})


def test_any_mapping_will_do():
    qrels = UserDict({query: UserDict(labels) for query, labels in QRELS.items()})
    run = UserDict({query: UserDict(scores) for query, scores in RUN.items()})
    assert evaluate_run(qrels, run, {"map"}) == evaluate_run(QRELS, RUN, {"map"})
    assert (
        evaluate_run(defaultdict(dict, QRELS), defaultdict(dict, RUN), {"map"})["q1"]["map"] == 0.25
    )


def test_scores_that_are_equal_in_single_precision_are_tied():
    run = {"q1": {"d1": 1.0 + 1e-12, "d9": 1.0}}  # the greater item first
    assert evaluate_run(QRELS, run, {"recip_rank"}) == {"q1": {"recip_rank": 0.5}}


def test_the_evaluator_keeps_the_qrels_that_it_was_made_with():
    qrels = {"q1": {"d1": 1}}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    qrels["q1"]["d1"] = 0
    qrels.clear()
    assert evaluator.evaluate({"q1": {"d1": 1.0}}) == {"q1": {"map": 1.0}}


runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(ITEMS), st.floats(-9, 9) | st.integers(-3, 3), max_size=8),
)
judgments = st.dictionaries(
    st.sampled_from(["q1", "q2", "q4"]),
    st.dictionaries(st.sampled_from(ITEMS), st.integers(-2, 3) | st.floats(-2, 3), max_size=8),
)


@max_examples(150)
@given(judgments, runs, runs, st.integers(1, 3), st.booleans())
def test_evaluating_again_gives_the_same(qrels, run, other_run, level, judged_only):
    arguments = (qrels, {"all_trec"}, level, judged_only)
    evaluator = pytrec_eval.RelevanceEvaluator(*arguments)
    first = repr(evaluator.evaluate(run))
    evaluator.evaluate(other_run)
    assert repr(evaluator.evaluate(run)) == first
    assert repr(pytrec_eval.RelevanceEvaluator(*arguments).evaluate(run)) == first


def test_one_evaluator_serves_many_threads():
    numbers = range(40)
    qrels = {f"q{q}": {f"d{i}": (q * i) % 4 - 1 for i in range(60)} for q in range(30)}
    many_runs = [
        {f"q{q}": {f"d{i}": (i * (n + 7) + q) % 13 for i in range(n, n + 50)} for q in range(30)}
        for n in numbers
    ]
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"all_trec", "P_3"})
    expected = [repr(evaluator.evaluate(run)) for run in many_runs]
    with ThreadPoolExecutor(8) as threads:
        assert [repr(r) for r in threads.map(evaluator.evaluate, many_runs)] == expected
    assert len(set(expected)) > 30


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ({"ndgc"}, "unsupported measure ndgc; supported_measures has those that there are."),
        ({"map", 5}, "measures: must be names such as 'ndcg_cut_10', got 5."),
        (None, "measures: must be names such as 'ndcg_cut_10', got None."),
        ({"P_0"}, "P: trec_eval does not take such numbers, got 0."),
        ({"P_5,05"}, "P: trec_eval does not take such numbers, got 05,5."),
        ({"ndcg_5"}, "ndcg: trec_eval does not take such numbers, got 5."),
    ],
)
def test_measures_that_there_are_not_are_refused_in_one_sentence(measures, message):
    with pytest.raises(GainfulError) as error:
        pytrec_eval.RelevanceEvaluator(QRELS, measures)
    assert str(error.value) == message


def test_too_few_coefficients_of_utility_are_refused():
    with pytest.raises(MeasureError) as error:
        evaluate_run(QRELS, RUN, {"utility_1,2"})
    assert str(error.value) == "utility: trec_eval does not take such numbers, got 1,2."


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        ([1], RUN, "qrels: must be a dict of dicts, got [1]."),
        ({1: {}}, RUN, "qrels: the id of a query must be a string, got 1."),
        ({"q1": {"d1"}}, RUN, "qrels: query 'q1' must hold a dict of items, got {'d1'}."),
        (
            {"q1": {"d1": math.nan}},
            RUN,
            "qrels: query 'q1' item 'd1': label must be a finite number, got nan.",
        ),
        (QRELS, "run.txt", "run: must be a dict of dicts, got 'run.txt'."),
        (QRELS, {2: {"d1": 1.0}}, "run: the id of a query must be a string, got 2."),
        (QRELS, {"q1": ["d1"]}, "run: query 'q1' must hold a dict of items, got ['d1']."),
        (
            QRELS,
            {"q1": {"d1": math.nan}},
            "run 'run': query 'q1' item 'd1': score must be a number that can be ordered, got NaN.",
        ),
    ],
)
def test_qrels_and_runs_of_another_shape_are_refused_in_one_sentence(qrels, run, message):
    with pytest.raises(TypeError) as error:
        evaluate_run(qrels, run, {"map"})
    assert str(error.value) == message


@pytest.mark.parametrize("level", [0, -1, 1.5, "1", None])
def test_the_relevance_level_is_a_whole_number_from_1(level):
    with pytest.raises(TypeError) as error:
        pytrec_eval.RelevanceEvaluator(QRELS, {"map"}, relevance_level=level)
    assert str(error.value) == f"relevance_level: must be an integer >= 1, got {level!r}."


@pytest.mark.parametrize(
    ("parse", "lines", "message"),
    [
        (
            pytrec_eval.parse_run,
            ["q1 Q0 d1 1 2.5 tag\n", "q1 Q0 d2 1\n"],
            "run, line 2: expected 6 fields, found 4: 'q1 Q0 d2 1'. "
            "A line is: query Q0 item rank score tag.",
        ),
        (
            pytrec_eval.parse_run,
            ["q1 Q0 d1 1 high tag"],
            "run, line 1: score must be a number, got 'high'.",
        ),
        (
            pytrec_eval.parse_run,
            ["q1 Q0 d1 1 2.5 tag", "q1 Q0 d1 2 2.0 tag"],
            "run, line 2: query 'q1' has item 'd1' twice.",
        ),
        (
            pytrec_eval.parse_qrel,
            ["q1 0 d1 1.0"],
            "qrels, line 1: label must be an integer, got '1.0'.",
        ),
        (
            pytrec_eval.parse_qrel,
            ["q1 0 d1 1", "q1 0 d1 1"],
            "qrels, line 2: query 'q1' has item 'd1' twice.",
        ),
    ],
)
def test_lines_that_cannot_be_parsed_are_refused_in_one_sentence(parse, lines, message):
    with pytest.raises(SourceError) as error:
        parse(lines)
    assert str(error.value) == message


def test_parsed_lines_can_be_evaluated():
    qrels = pytrec_eval.parse_qrel(["q1 0 d1 1\n", "q1 0 d2 0\n"])
    run = pytrec_eval.parse_run(["q1 Q0 d2 1 3.5 tag\n", "q1 Q0 d1 2 1 tag\n"])
    assert evaluate_run(qrels, run, {"recip_rank"}) == {"q1": {"recip_rank": 0.5}}


def test_values_become_one_as_their_measure_wants_it():
    assert pytrec_eval.compute_aggregated_measure("num_rel", [1.0, 2.0]) == 3.0
    assert pytrec_eval.compute_aggregated_measure("map", [0.5, 1.0]) == 0.75
    logarithms = [math.log(0.5), math.log(0.5)]
    assert pytrec_eval.compute_aggregated_measure("gm_map", logarithms) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("measure", "expected"), [("num_q", 0.0), ("map", "nan"), ("gm_map", "nan")]
)
def test_of_no_values_a_count_is_0_and_a_mean_is_undefined(measure, expected):
    value = pytrec_eval.compute_aggregated_measure(measure, [])
    assert value == expected or (expected == "nan" and math.isnan(value))


def test_values_may_come_from_any_iterable():
    assert pytrec_eval.compute_aggregated_measure("map", {"q1": 0.5, "q2": 1.0}.values()) == 0.75
