"""reconcile(): the values of every dialect, their groups, and the choices that explain them."""

import json
import math

import pytest

import gainful
from gainful import AlignError, MeasureError, RuleError, Rules, evaluate, reconcile
from gainful.dialects import Dialect, DialectRules

QRELS = {"q1": {"a": 3, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}


def make_dialect(name, *, rules=None, since="", **settings):
    return Dialect(
        name=name,
        tool=name,
        function="f",
        summary="A dialect of the tests.",
        settings=settings,
        rules=DialectRules(**rules or {}),
        since=since,
    )


NEGATIVE_REFUSAL = (
    "query 'q1' has the label -1, got negatives=error. "
    "State negatives=zero, as in nDCG(negatives=zero)@10, to count it as 0."
)
NEGATIVE_QRELS, BACKWARD_RUN = {"q1": {"a": -1, "b": 1, "c": 2}}, {"q1": ["a", "b", "c"]}
BOOST = {"gain": "exp2", "ideal": "list", "rules": {"missing": "skip", "empty": "one"}}
SMALL_DIALECTS = [
    make_dialect("skips@9", rules={"missing": "skip", "precision": "float32"}),
    make_dialect("skips@10", rules={"missing": "skip"}, since="10.0"),
    make_dialect("list", ideal="list", rules={"missing": "skip", "ties": "average"}),
    make_dialect("boost", **BOOST),
    make_dialect("boost-too", above_one="keep", **BOOST),
]


def list_steps(attribution):
    return [(" ".join(map(str, step.choices)), round(step.effect, 4)) for step in attribution.steps]


def test_every_value_is_the_one_that_evaluate_gives_in_that_dialect():
    result = reconcile(QRELS, RUN)
    reporting = [name for name, dialect in gainful.DIALECTS.items() if "nDCG" in dialect.measures]
    assert list(result.values) == reporting
    assert set(result.left_out) == set(gainful.DIALECTS) - set(reporting)
    for name, value in result.values.items():
        if not math.isnan(value):
            assert value == evaluate(QRELS, RUN, "nDCG@10", dialect=name)["nDCG@10"]


def test_the_difference_is_attributed_to_choices_that_matter_here_and_to_no_other():
    result = reconcile(QRELS, RUN, dialects=SMALL_DIALECTS)
    # q1 alone has a value above 0: 0.7967 over three queries; over two it is half.
    assert result.value == pytest.approx(0.265569, abs=5e-7)
    assert list_steps(result["skips@10"]) == [("missing=skip", 0.1328)]
    # (0.7098 + 1) / 2: one query less, one that scores 1, and q1 with gains 7 and 1.
    assert list_steps(result["boost"]) == [
        ("empty=one", 0.3333),
        ("missing=skip", 0.2995),
        ("gain=exp2", -0.0434),
    ]
    assert result["boost"].choices[2].meaning == "exponential gain"
    assert result["boost"].choices[2].before == gainful.nDCG.all_settings["gain"]


def test_a_choice_that_changes_nothing_on_these_data_is_not_named():
    qrels = {"q1": {"a": 1, "b": 0}}
    result = reconcile(qrels, {"q1": ["b", "a"]}, dialects=SMALL_DIALECTS)
    assert [group.names for group in result.groups] == [
        ("gainful", *(dialect.name for dialect in SMALL_DIALECTS))
    ]
    assert all(not result[dialect.name].steps for dialect in SMALL_DIALECTS)


def test_choices_that_work_only_together_are_made_together():
    # Labels of 0 and 1 are their own binary gain, and only a binary gain asks for a label of 2.
    result = reconcile(
        {"q1": {"a": 1, "b": 0}},
        {"q1": ["a", "b"]},
        dialects=[make_dialect("both", gain="binary", rel=2)],
    )
    assert list_steps(result["both"]) == [("gain=binary rel=2", -1.0)]
    assert result.to_markdown().splitlines()[2] == (
        "both 0.000000, gainful 1.000000: binary gain together with relevant from label 2 "
        "(-1.0000)."
    )


def test_dialects_of_equal_value_stand_together_the_highest_value_first():
    result = reconcile(QRELS, RUN, dialects=SMALL_DIALECTS)
    assert [group.names for group in result.groups] == [
        ("boost", "boost-too"),
        ("skips@9", "skips@10", "list"),
        ("gainful",),
    ]
    assert [group.has_reference for group in result.groups] == [False, False, True]
    assert [round(group.difference, 4) for group in result.groups] == [0.5893, 0.1328, 0.0]


def test_values_that_differ_by_rounding_stand_together_and_the_simplest_speaks_for_them():
    qrels, run = {"q1": {"a": 1.0000001, "b": 2}}, {"q1": ["a", "b"]}
    hair = make_dialect("hair", gain={1.0000001: 1.0, 2: 2.0})
    result = reconcile(qrels, run, dialects=[hair])
    assert 0 < abs(result["hair"].value - result.value) < 5e-7
    [group] = result.groups
    assert group.simplest.dialect.name == "gainful"
    assert "hair" in group.names
    assert list_steps(result["hair"]) == [("gain={1.0000001: 1, 2: 2}", 0.0)]


def test_a_dialect_that_refuses_the_data_has_its_sentence_and_no_value():
    result = reconcile(
        {"q1": {"a": -1, "b": 1}}, {"q1": ["a", "b"]}, dialects=["lightgbm", "sklearn"]
    )
    assert [group.names for group in result.groups] == [("gainful",), ("lightgbm", "sklearn")]
    last_group = result.groups[-1]
    assert last_group.refusal == NEGATIVE_REFUSAL
    assert math.isnan(last_group.value)
    assert [attribution.dialect.name for attribution in result.refused] == ["lightgbm", "sklearn"]
    assert result["lightgbm"].steps == ()


def test_what_one_dialect_refuses_is_not_refused_by_another_that_reads_the_run_alike():
    whole_labels, any_labels = (
        make_dialect("whole", rules={"label_type": "whole"}),
        make_dialect("any", gain="exp2"),
    )
    result = reconcile(
        {"q1": {"a": 0.5, "b": 1}}, {"q1": ["a", "b"]}, dialects=[whole_labels, any_labels]
    )
    assert result["whole"].refusal == (
        "query 'q1' has the label 0.5, which label_type=whole refuses."
    )
    assert not result["any"].refusal


def test_a_dialect_for_which_no_query_has_a_value_says_so():
    dialect = make_dialect("nothing", rules={"empty": "nan"})
    result = reconcile({"q1": {"a": 0}}, {"q1": ["a"]}, dialects=[dialect])
    assert result.groups[-1].refusal == "no query has a value."


def test_the_error_of_the_reference_is_an_error():
    with pytest.raises(MeasureError) as error:
        reconcile({"q1": {"a": -1}}, {"q1": ["a"]}, reference="lightgbm")
    assert str(error.value) == NEGATIVE_REFUSAL


def test_a_rule_that_is_set_holds_in_every_dialect_before_any_label_is_refused():
    names = ["lightgbm", "sklearn", "xgboost"]
    result = reconcile(NEGATIVE_QRELS, BACKWARD_RUN, dialects=names, rules={"min_label": 0})
    assert not result.refused
    for name in names:
        dialect = gainful.find_dialect(name).with_rules(min_label=0)
        assert (
            result[name].value
            == evaluate(NEGATIVE_QRELS, BACKWARD_RUN, "nDCG@10", dialect=dialect)["nDCG@10"]
        )
        assert result[name].definition.rules.min_label == 0
        assert "min_label" not in [choice.name for choice in result[name].choices]
    assert repr(result).startswith(
        "<Reconciliation of 'run': nDCG@10 in 4 dialects with min_label=0, 1 query>"
    )
    assert json.loads(result.to_json())["rules"] == {"min_label": 0.0}


def test_a_dialect_whose_own_rules_exclude_one_that_is_set_has_no_value():
    dialect = make_dialect("once", rules={"duplicates": "once"})
    result = reconcile(QRELS, RUN, dialects=[dialect], rules={"collapse": "^(.*)#"})
    assert result["once"].refusal == (
        "rules: duplicates=once and collapse=^(.*)# cannot hold together: "
        "of the parts of an item only the best one has a rank."
    )


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"min_labels": 0}, "rules: there is no rule 'min_labels'. Did you mean min_label?"),
        ({"ties": "any"}, None),
        (Rules(), f"rules: must be some by name, as in {{'depth': 100}}, got {Rules()!r:.60}."),
    ],
)
def test_rules_are_checked_before_any_value_is_worked_out(rules, sentence):
    with pytest.raises(RuleError) as error:
        reconcile(QRELS, RUN, rules=rules)
    if sentence is None:
        assert str(error.value).startswith("rules: ties must be one of auto, ")
    else:
        assert str(error.value) == sentence


def test_a_refusal_names_the_measure_as_it_was_asked_for():
    result = reconcile(QRELS, RUN, dialects=["torchmetrics-error"])
    sentence = "nDCG@10 has nothing to divide by for query 'q2', got empty=error."
    assert result["torchmetrics-error"].refusal == sentence
    with pytest.raises(AlignError) as error:
        evaluate(QRELS, RUN, "nDCG@10", dialect="torchmetrics-error")
    assert str(error.value) == f"dialect torchmetrics-error: {sentence}"
    with pytest.raises(AlignError) as error:
        gainful.ndcg([[1, 0], [0, 0]], [[2, 1], [2, 1]], k=10, dialect="torchmetrics-error")
    assert str(error.value) == f"dialect torchmetrics-error: {sentence.replace('q2', '1')}"


def test_any_dialect_may_be_the_reference():
    result = reconcile(QRELS, RUN, reference="lightgbm", dialects=["gainful"])
    assert result.value == pytest.approx(0.854905, abs=5e-7)
    assert list_steps(result["gainful"])[0] == ("empty=zero", -0.5)
    assert result["gainful"].apply_to(result["lightgbm"].definition).rules.missing == "zero"


def test_a_measure_that_names_a_cutoff_keeps_it_and_none_is_cut_only_where_a_tool_does():
    assert reconcile(QRELS, RUN, measure="nDCG@1").measure == "nDCG@1"
    qrels = {"q1": {f"d{i}": i % 2 for i in range(50)}}
    run = {"q1": [f"d{i}" for i in range(50)]}
    result = reconcile(qrels, run, None, dialects=["xgboost", "xgboost@1"])
    assert result.measure == "nDCG"
    assert "cutoff" not in [choice.name for choice in result["xgboost@1"].choices]
    assert str(result["xgboost"].choices[0]) == "cutoff=32"
    assert result["xgboost"].choices[0].meaning == "cut at rank 32"


def test_a_setting_that_is_stated_holds_in_every_dialect():
    result = reconcile(QRELS, RUN, measure="nDCG(gain=linear)", dialects=["lightgbm"])
    assert "gain" not in [choice.name for choice in result["lightgbm"].choices]


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


@pytest.mark.parametrize("options", [{"dialects": "lightgbm"}, {"reference": "lightgbm"}])
def test_a_dialect_that_does_not_define_the_measure_is_refused(options):
    with pytest.raises(MeasureError) as error:
        reconcile(QRELS, RUN, measure="DCG", **options)
    assert str(error.value) == "reconcile: dialect lightgbm defines nDCG, got DCG@10."


def test_our_own_dialect_defines_every_measure():
    result = reconcile(QRELS, RUN, measure="P", dialects="gainful")
    assert result.values == {"gainful": evaluate(QRELS, RUN, "P@10")["P@10"]}
    dialect = gainful.find_dialect("gainful").with_rules(missing="skip")
    assert reconcile(QRELS, RUN, measure="P", reference=dialect, dialects=[]).value == 0.1


def test_one_dialect_may_be_named_alone():
    for dialect in ("rectools", gainful.find_dialect("rectools")):
        assert list(reconcile(QRELS, RUN, dialects=dialect).values) == ["gainful", "rectools"]


def test_a_dialect_that_was_not_asked_for_is_not_there():
    with pytest.raises(RuleError) as error:
        reconcile(QRELS, RUN, dialects=["lightgbm"])["sklearn"]
    assert str(error.value) == "dialect sklearn was not asked for; there are gainful, lightgbm."


def test_json_holds_everything():
    result = reconcile(QRELS, RUN, dialects=SMALL_DIALECTS)
    data = json.loads(result.to_json())
    assert list(data) == [
        *("run", "measure", "rules", "n_queries", "reference", "tolerance", "groups", "dialects"),
        *("left_out", "notices"),
    ]
    by_name = {entry["dialect"]: entry for entry in data["dialects"]}
    assert by_name["boost"]["steps"][2] == {
        "effect": result["boost"].steps[2].effect,
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
    assert by_name["boost"]["value"] == result["boost"].value
    assert data["reference"]["dialect"] == "gainful"
    assert [notice["code"] for notice in data["notices"]] == ["missing-queries", "empty-queries"]
