"""What every dialect makes of a run: values, groups, and the choices that set them apart."""

import json
import math

import pytest

import gainful
from gainful import AlignError, MeasureError, RuleError, Rules, SourceError, evaluate, reconcile
from gainful.dialects import Dialect

QRELS = {"q1": {"a": 3, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}


def made(name, *, rules=None, since="", **settings):
    return Dialect(
        name=name,
        tool=name,
        function="f",
        summary="A dialect of the tests.",
        settings=settings,
        rules=Rules(**rules or {}),
        since=since,
    )


NEGATIVE = (
    "query 'q1' has the label -1, got negatives=error. "
    "Pass --min-label 0, or state negatives=zero, to count it as 0."
)
NEGATIVES, BACKWARDS = {"q1": {"a": -1, "b": 1, "c": 2}}, {"q1": ["a", "b", "c"]}
BOOST = {"gain": "exp2", "ideal": "list", "rules": {"missing": "skip", "empty": "one"}}
FEW = [
    made("skips@9", rules={"missing": "skip", "precision": "float32"}),
    made("skips@10", rules={"missing": "skip"}, since="10.0"),
    made("list", ideal="list", rules={"missing": "skip", "ties": "average"}),
    made("boost", **BOOST),
    made("boost-too", above_one="keep", **BOOST),
]


def steps(found):
    return [(" ".join(map(str, step.choices)), round(step.effect, 4)) for step in found.steps]


def test_every_value_is_the_one_that_evaluate_gives_in_that_dialect():
    found = reconcile(QRELS, RUN)
    reporting = [name for name, one in gainful.DIALECTS.items() if "nDCG" in one.measures]
    assert list(found.values) == reporting
    assert set(found.left_out) == set(gainful.DIALECTS) - set(reporting)
    for name, value in found.values.items():
        if not math.isnan(value):
            assert value == evaluate(QRELS, RUN, "nDCG@10", dialect=name)["nDCG@10"]


def test_the_difference_is_attributed_to_choices_that_matter_here_and_to_no_other():
    found = reconcile(QRELS, RUN, dialects=FEW)
    # q1 alone has a value above 0: 0.7967 over three queries; over two it is half.
    assert found.value == pytest.approx(0.265569, abs=5e-7)
    assert steps(found["skips@10"]) == [("missing=skip", 0.1328)]
    # (0.7098 + 1) / 2: one query less, one that scores 1, and q1 with gains 7 and 1.
    assert steps(found["boost"]) == [
        ("empty=one", 0.3333),
        ("missing=skip", 0.2995),
        ("gain=exp2", -0.0434),
    ]
    assert found["boost"].choices[2].meaning == "exponential gain"
    assert found["boost"].choices[2].before == gainful.nDCG.all_settings["gain"]


def test_a_choice_that_changes_nothing_on_these_data_is_not_named():
    binary = {"q1": {"a": 1, "b": 0}}
    found = reconcile(binary, {"q1": ["b", "a"]}, dialects=FEW)
    assert [group.names for group in found.groups] == [("gainful", *(one.name for one in FEW))]
    assert all(not found[one.name].steps for one in FEW)


def test_choices_that_work_only_together_are_made_together():
    # Labels of 0 and 1 are their own binary gain, and only a binary gain asks for a label of 2.
    found = reconcile(
        {"q1": {"a": 1, "b": 0}}, {"q1": ["a", "b"]}, dialects=[made("both", gain="binary", rel=2)]
    )
    assert steps(found["both"]) == [("gain=binary rel=2", -1.0)]
    assert repr(found).splitlines()[-1] == (
        "0.000000  -1.000000  both: binary gain together with relevant from label 2 (-1.0000)"
    )


def test_dialects_of_equal_value_stand_together_the_highest_value_first():
    found = reconcile(QRELS, RUN, dialects=FEW)
    assert [group.names for group in found.groups] == [
        ("boost", "boost-too"),
        ("skips@9", "skips@10", "list"),
        ("gainful",),
    ]
    assert [group.has_reference for group in found.groups] == [False, False, True]
    assert [round(group.difference, 4) for group in found.groups] == [0.5893, 0.1328, 0.0]


def test_values_that_differ_by_rounding_stand_together_and_the_simplest_speaks_for_them():
    qrels, run = {"q1": {"a": 1.0000001, "b": 2}}, {"q1": ["a", "b"]}
    hair = made("hair", gain={1.0000001: 1.0, 2: 2.0})
    found = reconcile(qrels, run, dialects=[hair])
    assert 0 < abs(found["hair"].value - found.value) < 5e-7
    [group] = found.groups
    assert group.simplest.dialect.name == "gainful"
    assert "hair" in group.names
    assert steps(found["hair"]) == [("gain={1.0000001: 1, 2: 2}", 0.0)]


def test_a_dialect_that_refuses_the_data_has_its_sentence_and_no_value():
    found = reconcile(
        {"q1": {"a": -1, "b": 1}}, {"q1": ["a", "b"]}, dialects=["lightgbm", "sklearn"]
    )
    assert [group.names for group in found.groups] == [("gainful",), ("lightgbm", "sklearn")]
    refused = found.groups[-1]
    assert refused.refusal == NEGATIVE
    assert math.isnan(refused.value)
    assert [one.dialect.name for one in found.refused] == ["lightgbm", "sklearn"]
    assert found["lightgbm"].steps == ()


def test_what_one_dialect_refuses_is_not_refused_by_another_that_reads_the_run_alike():
    whole, any_label = made("whole", rules={"label_type": "whole"}), made("any", gain="exp2")
    found = reconcile({"q1": {"a": 0.5, "b": 1}}, {"q1": ["a", "b"]}, dialects=[whole, any_label])
    assert found["whole"].refusal == (
        "query 'q1' has the label 0.5, which label_type=whole refuses."
    )
    assert not found["any"].refusal


def test_a_dialect_for_which_no_query_has_a_value_says_so():
    nothing = made("nothing", rules={"empty": "nan"})
    found = reconcile({"q1": {"a": 0}}, {"q1": ["a"]}, dialects=[nothing])
    assert found.groups[-1].refusal == "no query has a value."


def test_the_error_of_the_reference_is_an_error():
    with pytest.raises(MeasureError) as error:
        reconcile({"q1": {"a": -1}}, {"q1": ["a"]}, reference="lightgbm")
    assert str(error.value) == NEGATIVE


def test_a_rule_that_is_set_holds_in_every_dialect_before_any_label_is_refused():
    few = ["lightgbm", "sklearn", "xgboost"]
    found = reconcile(NEGATIVES, BACKWARDS, dialects=few, rules={"min_label": 0})
    assert not found.refused
    for name in few:
        spoken = gainful.find_dialect(name).with_rules(min_label=0)
        assert (
            found[name].value
            == evaluate(NEGATIVES, BACKWARDS, "nDCG@10", dialect=spoken)["nDCG@10"]
        )
        assert found[name].definition.rules.min_label == 0
        assert "min_label" not in [choice.name for choice in found[name].choices]
    assert repr(found).startswith(
        "<Reconciliation of 'run': nDCG@10 in 4 dialects with min_label=0, 1 query>"
    )
    assert json.loads(found.to_json())["rules"] == {"min_label": 0.0}


def test_a_dialect_whose_own_rules_exclude_one_that_is_set_has_no_value():
    own = made("once", rules={"duplicates": "once"})
    found = reconcile(QRELS, RUN, dialects=[own], rules={"collapse": "^(.*)#"})
    assert found["once"].refusal == (
        "rules: duplicates=once and collapse=^(.*)# cannot hold together: "
        "of the parts of an item only the best one has a rank."
    )


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"min_labels": 0}, "rules: there is no rule 'min_labels'. Did you mean min_label?"),
        ({"ties": "any"}, None),
        (Rules(), f"rules: must be some by name, as in {{'min_label': 0}}, got {Rules()!r:.60}."),
    ],
)
def test_rules_are_checked_before_any_value_is_worked_out(rules, sentence):
    with pytest.raises(RuleError) as error:
        reconcile(QRELS, RUN, rules=rules)
    if sentence is None:
        assert str(error.value).startswith("rules: ties must be one of item-desc, ")
    else:
        assert str(error.value) == sentence


def test_a_refusal_names_the_measure_as_it_was_asked_for():
    found = reconcile(QRELS, RUN, dialects=["torchmetrics-error"])
    sentence = "nDCG@10 has nothing to divide by for query 'q2', got empty=error."
    assert found["torchmetrics-error"].refusal == sentence
    with pytest.raises(AlignError) as error:
        evaluate(QRELS, RUN, "nDCG@10", dialect="torchmetrics-error")
    assert str(error.value) == f"dialect torchmetrics-error: {sentence}"
    with pytest.raises(AlignError) as error:
        gainful.ndcg([[1, 0], [0, 0]], [[2, 1], [2, 1]], k=10, dialect="torchmetrics-error")
    assert str(error.value) == f"dialect torchmetrics-error: {sentence.replace('q2', '1')}"


def test_any_dialect_may_be_the_reference():
    found = reconcile(QRELS, RUN, reference="lightgbm", dialects=["gainful"])
    assert found.value == pytest.approx(0.854905, abs=5e-7)
    assert steps(found["gainful"])[0] == ("empty=zero", -0.5)
    assert found["gainful"].apply_to(found["lightgbm"].definition).rules.missing == "zero"


def test_a_measure_that_names_a_cutoff_keeps_it_and_none_is_cut_only_where_a_tool_does():
    assert reconcile(QRELS, RUN, measure="nDCG@1").measure == "nDCG@1"
    long = {"q1": {f"d{i}": i % 2 for i in range(50)}}
    run = {"q1": [f"d{i}" for i in range(50)]}
    found = reconcile(long, run, None, dialects=["xgboost", "xgboost@1"])
    assert found.measure == "nDCG"
    assert "cutoff" not in [choice.name for choice in found["xgboost@1"].choices]
    assert str(found["xgboost"].choices[0]) == "cutoff=32"
    assert found["xgboost"].choices[0].meaning == "cut at rank 32"


def test_a_setting_that_is_stated_holds_in_every_dialect():
    found = reconcile(QRELS, RUN, measure="nDCG(gain=linear)", dialects=["lightgbm"])
    assert "gain" not in [choice.name for choice in found["lightgbm"].choices]


@pytest.mark.parametrize("measure", ["nDCG, P", "alpha_nDCG@10"])
def test_one_measure_of_judged_items_is_taken(measure):
    with pytest.raises(MeasureError) as error:
        reconcile(QRELS, RUN, measure=measure.split(", "))
    assert str(error.value) == (
        f"reconcile: takes one measure of judged items, such as nDCG, got {measure}."
    )


def test_a_measure_that_no_tool_reports_is_refused():
    with pytest.raises(MeasureError) as error:
        reconcile(QRELS, RUN, measure="Rprec")
    assert str(error.value) == (
        "reconcile: no dialect is known for Rprec; there are some for nDCG, DCG, IDCG, CG, nCG."
    )


@pytest.mark.parametrize("named", [{"dialects": "lightgbm"}, {"reference": "lightgbm"}])
def test_a_dialect_that_does_not_define_the_measure_is_refused(named):
    with pytest.raises(MeasureError) as error:
        reconcile(QRELS, RUN, measure="DCG", **named)
    assert str(error.value) == "reconcile: dialect lightgbm defines nDCG, got DCG@10."


def test_our_own_dialect_defines_every_measure():
    found = reconcile(QRELS, RUN, measure="P", dialects="gainful")
    assert found.values == {"gainful": evaluate(QRELS, RUN, "P@10")["P@10"]}
    ruled = gainful.find_dialect("gainful").with_rules(missing="skip")
    assert reconcile(QRELS, RUN, measure="P", reference=ruled, dialects=[]).value == 0.1


def test_one_dialect_may_be_named_alone():
    for one in ("rectools", gainful.find_dialect("rectools")):
        assert list(reconcile(QRELS, RUN, dialects=one).values) == ["gainful", "rectools"]


def test_a_run_that_can_be_read_once_is_refused():
    with pytest.raises(SourceError) as error:
        reconcile(QRELS, "-")
    assert str(error.value) == (
        "reconcile: reads every run twice, got -, which can be read once. Pass a file."
    )


def test_a_dialect_that_was_not_asked_for_is_not_there():
    with pytest.raises(RuleError) as error:
        reconcile(QRELS, RUN, dialects=["lightgbm"])["sklearn"]
    assert str(error.value) == "dialect sklearn was not asked for; there are gainful, lightgbm."


def test_json_holds_everything():
    found = reconcile(QRELS, RUN, dialects=FEW)
    held = json.loads(found.to_json())
    assert list(held) == [
        *("run", "measure", "rules", "n_queries", "reference", "tolerance", "groups", "dialects"),
        *("left_out", "notices"),
    ]
    by_name = {one["dialect"]: one for one in held["dialects"]}
    assert by_name["boost"]["steps"][2] == {
        "effect": found["boost"].steps[2].effect,
        "choices": [
            {
                "name": "gain",
                "kind": "setting",
                "from": "linear",
                "to": "exp2",
                "meaning": "exponential gain",
            }
        ],
    }
    assert by_name["boost"]["group"] == 1
    assert by_name["boost"]["value"] == found["boost"].value
    assert held["reference"]["dialect"] == "gainful"
    assert [notice["code"] for notice in held["notices"]] == ["missing-queries", "empty-queries"]
