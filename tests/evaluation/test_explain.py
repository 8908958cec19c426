"""explain(): every number that it shows, computed by hand."""

import json
from math import log2

import pytest

import gainful
from gainful import AlignError, MeasureError, Rules, evaluate, explain
from gainful.dialects import DialectRules

QRELS = {"q": {"a": 3, "b": 2, "c": 1, "n": 0, "z": 2}}
RUN = {"q": ["n", "b", "u", "a", "c"]}  # u is unjudged, z is not retrieved
BEST = 3 + 2 / log2(3) + 2 / log2(4)  # a, then b and z, at cutoff 3


@pytest.fixture
def explanation():
    return explain(QRELS, RUN, "q", "nDCG@3")


def test_positions_show_gain_discount_product_and_running_total(explanation):
    rows = [
        (p.rank, p.item, p.label, p.gain, p.discount, p.product, p.running)
        for p in explanation.positions
    ]
    assert rows == [
        (1, "n", 0.0, 0.0, 1.0, 0.0, 0.0),
        (2, "b", 2.0, 2.0, 1 / log2(3), 2 / log2(3), 2 / log2(3)),
        (3, "u", None, 0.0, 0.5, 0.0, 2 / log2(3)),
    ]
    assert explanation.total == explanation.positions[-1].running
    assert explanation.value == explanation.total / explanation.best


def test_the_ideal_stands_beside_it_and_equals_keep_the_order_of_the_run(explanation):
    assert [(p.rank, p.item, p.found_at) for p in explanation.ideal] == [
        (1, "a", 4),
        (2, "b", 2),
        (3, "z", None),
    ]
    assert explanation.best == explanation.ideal[-1].running == BEST


def test_missed_items_and_what_each_cost(explanation):
    assert [(m.item, m.ideal_rank, m.found_at) for m in explanation.missed] == [
        ("a", 1, 4),
        ("z", 3, None),
        ("c", 4, 5),
    ]
    assert [m.cost for m in explanation.missed] == [3 / BEST, 2 / log2(4) / BEST, 0.0]


def test_the_best_swap_moves_the_best_item_to_the_first_worthless_place(explanation):
    swap = explanation.swap
    assert (swap.item, swap.other, swap.from_rank, swap.to_rank) == ("a", "n", 4, 1)
    assert swap.gains == 3 / BEST
    assert str(swap) == f"moving a from rank 4 to rank 1, in exchange for n, gains +{3 / BEST:.4f}."


def test_the_reading_is_one_plain_sentence(explanation):
    assert explanation.reading == (
        "nDCG@3 is 0.2398: 1 of 4 relevant items are among the first 3; the largest loss is "
        "a (label 3), at rank 4 where the ideal has it at 1."
    )


def test_readings_of_special_cases():
    def get_reading(run, labels):
        return explain({"q": labels}, {"q": run, "other": ["x"]}, "q", "nDCG").reading

    assert get_reading(["a"], {"a": 0}) == (
        "nDCG is 0.0000: nothing is relevant for this query, so there is nothing to gain."
    )
    assert (
        get_reading([], {"a": 1}) == "nDCG is 0.0000: the ranking is empty, and 1 item is relevant."
    )
    assert get_reading(["a", "b"], {"a": 2, "b": 1}) == (
        "nDCG is 1.0000: 2 of 2 relevant items are retrieved, in the best possible order."
    )
    assert explain({"q": {"a": 2, "b": 1}}, {"q": ["a", "b"]}, "q").swap is None


def test_a_harmful_item_is_named_if_it_costs_most():
    qrels = {"q": {"a": 1, "b": -1}}
    explanation = explain(qrels, {"q": ["a", "b"]}, "q", "nDCG(gain=signed_exp2)")
    assert explanation.reading == (
        "nDCG(gain=signed_exp2) is 0.3691: 1 of 1 relevant item is retrieved; the largest loss "
        "is b (label -1), which does harm at rank 2."
    )


def test_averaged_ties_weigh_the_whole_block():
    explanation = explain(
        {"q": {"a": 2}},
        {"q": {"a": 1.0, "x": 1.0, "y": 1.0}},
        "q",
        "nDCG@2",
        rules=Rules(ties="average"),
    )
    weight = (1 + 1 / log2(3)) / 3
    assert [p.discount for p in explanation.positions] == pytest.approx([weight] * 3, rel=1e-15)
    assert [p.tied_with for p in explanation.positions] == [2, 2, 2]
    assert explanation.value == pytest.approx(weight, rel=1e-15)
    assert "= marks a rank whose item shares its score with others." in repr(explanation)


def test_other_measures_of_the_family_are_explained_too():
    assert explain(QRELS, RUN, "q", "CG").total == 6
    assert explain(QRELS, RUN, "q", "DCG(gain=exp2)@2").value == 3 / log2(3)
    assert explain(QRELS, RUN, "q", "nCG").positions[-1].running == 6
    assert [p.item for p in explain(QRELS, RUN, "q", "nDCG(ideal=list)").ideal] == ["a", "b", "c"]
    assert explain(QRELS, RUN, "q", "nDCG(ideal=ones)@3").ideal == ()


def test_a_measure_without_terms_is_an_error():
    with pytest.raises(MeasureError) as error:
        explain(QRELS, RUN, "q", "IDCG")
    assert str(error.value) == "IDCG: has no terms to show, got IDCG. Explain nDCG or DCG instead."


def test_a_query_without_judgments_is_an_error():
    with pytest.raises(AlignError) as error:
        explain(QRELS, RUN, "nope")
    assert str(error.value) == (
        "query 'nope' has no judgments; the first ids of the qrels are 'q'."
    )


def test_json_and_markdown_hold_it_all(explanation):
    data = json.loads(explanation.to_json())
    assert data == explanation.to_dict()
    assert data["swap"]["item"] == "a"
    assert data["positions"][2]["label"] is None
    assert (
        "| 2 | b | 2 | 2 | 0.6309 | 1.2619 | 1.2619 | b | 2 | 4.2619 |" in explanation.to_markdown()
    )


def test_explain_obeys_the_rules_that_evaluate_obeys():
    qrels, run = {"q": {"a": 1}, "p": {"a": 0}}, {"p": ["a"]}
    with pytest.raises(AlignError):
        explain(qrels, run, "q", rules=Rules(missing="error"))
    with pytest.raises(AlignError):
        explain(qrels, run, "p", rules=Rules(empty="error"))
    with pytest.raises(AlignError):
        explain({"q401": {"a": 1}}, {"401": {"a": 1.0}}, "q401")
    assert explain(qrels, run, "p", rules=Rules(empty="one")).value == 1.0


def test_infinite_scores_are_null_in_json():
    explanation = explain({"q": {"a": 1}}, {"q": {"a": float("inf")}}, "q")
    assert json.loads(explanation.to_json())["positions"][0]["score"] is None


def test_html_is_escaped():
    explanation = explain({"q": {"<b>": 1}}, {"q": ["<i>", "<b>"]}, "q")
    assert "<b>" not in explanation._repr_html_()
    assert "<i>" not in explanation._repr_html_()


def test_odd_ids_cannot_break_the_table():
    explanation = explain({"q": {"a\nb": 1}}, {"q": ["a\nb", "\x1b[31mred"]}, "q")
    assert "a\\nb" in repr(explanation)
    assert "\x1b" not in repr(explanation)


def test_what_is_shown_of_an_id_is_nothing_that_a_terminal_would_obey():
    red = "\x1b[31mred"
    explanation = explain({"q": {red: 1}}, {"q": ["x", red]}, "q")
    assert red in explanation.reading
    assert "\x1b" not in repr(explanation)
    assert r"the largest loss is \x1b[31mred (label 1)" in " ".join(repr(explanation).split())
    assert r"Best swap: moving \x1b[31mred from rank 2" in repr(explanation)


HARMFUL = {"q": {"a": 2, "b": -1, "c": 1}}
RANKED = {"q": {"b": 4.0, "x": 3.0, "a": 2.0, "y": 1.0}}


def test_an_ideal_of_all_gains_shows_what_does_harm_and_what_is_unjudged():
    measure = "nDCG(ideal=list, ideal_order=gain, negatives=keep)"
    explanation = explain(HARMFUL, RANKED, "q", measure)
    assert [place.item for place in explanation.ideal] == ["a", "x", "y", "b"]
    assert explanation.ideal[-1].running == pytest.approx(explanation.best, rel=1e-15)
    assert explanation.value == pytest.approx(explanation.total / explanation.best, rel=1e-15)
    assert [item.item for item in explanation.missed] == []


def test_an_ideal_in_the_order_of_the_qrels_is_shown_in_that_order():
    explanation = explain(HARMFUL, RANKED, "q", "nDCG(ideal_order=given, above_one=keep)@2")
    assert [(place.rank, place.item) for place in explanation.ideal] == [(1, "a"), (2, "b")]
    assert explanation.ideal[-1].running == explanation.best == 2


def test_an_ideal_by_label_is_shown_in_that_order():
    explanation = explain(HARMFUL, RANKED, "q", "nDCG(ideal_order=label, gain={1: 5, 2: 1, -1: 0})")
    assert [place.item for place in explanation.ideal] == ["a", "c", "b"]
    assert explanation.ideal[-1].running == explanation.best


def test_terms_that_are_rounded_are_not_explained():
    with pytest.raises(MeasureError) as error:
        explain(HARMFUL, RANKED, "q", "nDCG(rounding=hundredths)")
    assert error.value.code == "unfit-measure"
    assert "rounding=hundredths" in str(error.value)


def test_explanation_refuses_ranks_that_are_shared_and_shows_labels_as_they_count():
    qrels, run = {"q": {"a": 1.5, "b": 2.5}}, {"q": {"a": 2, "b": 1}}
    with pytest.raises(AlignError) as error:
        gainful.explain(qrels, run, "q", rules=Rules(ties="middle"))
    assert str(error.value) == (
        "ties=middle has no place in a ranking of items with their own ranks and labels. "
        "Pass rules without it."
    )
    explanation = gainful.explain(
        qrels, run, "q", "nDCG", rules=DialectRules(label_type="truncated")
    )
    assert [place.label for place in explanation.positions] == [1.0, 2.0]
    assert explanation.value == evaluate(qrels, run, "nDCG", rules=explanation.rules)["nDCG"]
