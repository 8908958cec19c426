"""Gathering an experiment: all values of a report, for any runs, rules and measures."""

import math

import numpy as np
import pytest

from gainful import (
    DIALECTS,
    AlignError,
    ComparisonError,
    ItemData,
    MeasureError,
    Rules,
    compare,
    evaluate,
    read_qrels,
    read_subtopics,
    reconcile,
)
from gainful.alignment.rankings import JudgedRankings
from gainful.measures import REGISTRY
from gainful.report.html.page_data import gather_experiment

QRELS = {f"q{i}": {f"d{j}": i * j % 4 for j in range(1, 8)} for i in range(1, 13)}
RUNS = {
    "plain": {q: [f"d{(7 * j + i) % 12}" for j in range(12)] for i, q in enumerate(QRELS)},
    "better": {q: sorted(QRELS[q], key=QRELS[q].get, reverse=True) for q in QRELS},
    "third": {q: [f"d{(5 * j + i) % 12}" for j in range(12)] for i, q in enumerate(QRELS)},
}
TWO = {name: RUNS[name] for name in ("plain", "better")}
FEW = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}}


def notice_codes(experiment):
    return {notice.code for notice in experiment.notices}


def test_two_runs_have_all_that_compare_and_evaluate_say():
    experiment = gather_experiment(QRELS, TWO, ["nDCG@5", "AP"], seed=3, command="gainful report")
    comparison = compare(QRELS, TWO, ["nDCG@5", "AP"], seed=3)
    assert experiment.comparison.to_dict() == comparison.to_dict()
    assert experiment.systems == comparison.systems
    assert (
        [scores.run for scores in experiment.scores] == list(experiment.runs) == ["plain", "better"]
    )
    for scores in experiment.scores:
        assert scores.to_dict() == evaluate(QRELS, TWO[scores.run], ["nDCG@5", "AP"]).to_dict() | {
            "run": scores.run,
            "notices": [notice.to_dict() for notice in scores.notices],
        }
    assert (experiment.baseline, experiment.candidate) == ("plain", "better")
    assert experiment.details.values.tolist() == [
        scores.column("nDCG@5").tolist() for scores in experiment.scores
    ]
    assert list(experiment.details.by_query) == list(experiment.queries) == list(QRELS)
    assert (experiment.setup.seed, experiment.setup.command) == (3, "gainful report")
    assert (experiment.setup.n_queries, experiment.setup.n_judgments) == (12, 84)
    assert experiment.to_judge is not None
    assert (experiment.no_to_judge, experiment.gate, experiment.slicings) == (None, None, ())
    assert experiment.findings.n_queries == 12


def test_one_run_has_no_comparison():
    experiment = gather_experiment(QRELS, {"plain": RUNS["plain"]}, ["nDCG@5", "P@3"])
    assert (experiment.comparison, experiment.candidate, experiment.baseline) == (
        None,
        None,
        "plain",
    )
    assert [str(system.measure) for system in experiment.systems] == ["nDCG@5", "P@3"]
    for system in experiment.systems:
        assert system.mean == experiment.scores[0][system.measure]
        assert system.interval.low < system.mean < system.interval.high
        assert system.n_queries == 12
    assert [curve.run for curve in experiment.curves] == ["plain"]


def test_one_run_and_one_query_are_enough():
    experiment = gather_experiment({"q": {"a": 1}}, {"mine": {"q": ["b", "a"]}})
    assert experiment.systems[0].mean == experiment.details.values[0, 0] == 1 / math.log2(3)
    assert math.isnan(experiment.curves[0].points[0].interval.low)


def test_twenty_runs_are_compared_pair_by_pair():
    runs = {f"run{i}": RUNS["plain" if i % 2 else "third"] for i in range(20)}
    experiment = gather_experiment(QRELS, runs)
    assert len(experiment.comparison.pairs) == 190
    assert len(experiment.details.by_query["q1"].rankings) == len(experiment.curves) == 20


def test_the_candidate_is_the_best_of_the_others():
    assert gather_experiment(QRELS, RUNS).candidate == "better"
    assert gather_experiment(QRELS, RUNS, baseline="better").candidate in ("plain", "third")
    lower_is_better = gather_experiment(QRELS, RUNS, "Unjudged@5")
    means = {system.name: system.mean for system in lower_is_better.systems}
    assert means[lower_is_better.candidate] == min(means["better"], means["third"])


def test_the_baseline_may_be_given_by_its_path(tmp_path):
    qrels, old, new = (tmp_path / name for name in ("qrels.txt", "old.run", "new.run"))
    qrels.write_text("q1 0 a 1\nq2 0 a 1\n")
    old.write_text("q1 Q0 b 1 2.0 x\nq2 Q0 b 1 2.0 x\n")
    new.write_text("q1 Q0 a 1 2.0 x\nq2 Q0 b 1 2.0 x\n")
    experiment = gather_experiment(str(qrels), [str(old), str(new)], baseline=new)
    assert (experiment.baseline, experiment.candidate, experiment.comparison.baseline) == (
        "new",
        "old",
        "new",
    )
    assert [pair.baseline for pair in experiment.comparison.pairs] == ["new"]


def test_queries_that_a_run_skips_are_left_out_for_all_and_said():
    runs = {"a": {"q1": ["a"], "q2": ["b", "a"]}, "b": {"q2": ["a"], "q3": ["a"]}}
    experiment = gather_experiment(FEW, runs, rules=Rules(missing="skip"))
    assert experiment.queries == ("q2",)
    assert [scores.queries for scores in experiment.scores] == [("q2",)] * 2
    assert [scores["nDCG@10"] for scores in experiment.scores] == [1 / math.log2(3), 1.0]
    assert list(experiment.details.by_query) == ["q2"]
    assert experiment.details.values.shape == (2, 1)
    assert experiment.setup.n_queries == 1
    assert {"uncommon-queries", "missing-queries"} <= notice_codes(experiment)
    assert all(len(scores.judged[experiment.measures[0]]) == 1 for scores in experiment.scores)


def test_missing_queries_score_zero_and_have_empty_rankings():
    experiment = gather_experiment(FEW, {"a": {"q1": ["a"]}, "b": {"q2": ["a"]}})
    assert experiment.queries == ("q1", "q2", "q3")
    assert experiment.details.by_query["q1"].n_retrieved == (1, 0)
    assert experiment.details.by_query["q1"].rankings == ((0,), ())
    assert experiment.details.values.tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


@pytest.mark.parametrize(
    ("empty", "queries", "values"),
    [
        ("zero", ("q1", "q3"), [1.0, 0.0]),
        ("one", ("q1", "q3"), [1.0, 1.0]),
        ("skip", ("q1",), [1.0]),
    ],
)
def test_queries_with_nothing_relevant_follow_the_rule(empty, queries, values):
    judged, run = {q: FEW[q] for q in ("q1", "q3")}, {"q1": ["a"], "q3": ["a"]}
    experiment = gather_experiment(judged, {"a": run, "b": run}, rules=Rules(empty=empty))
    assert experiment.queries == queries
    assert experiment.details.values.tolist() == [values] * 2


def test_a_query_without_a_value_is_shown_and_left_out_of_means():
    run = {"q1": ["a"], "q2": ["b", "a"], "q3": ["a"]}
    experiment = gather_experiment(FEW, {"a": run, "b": run}, rules=Rules(empty="nan"))
    assert experiment.queries == ("q1", "q2", "q3")
    assert np.isnan(experiment.details.values[:, 2]).all()
    assert {system.n_queries for system in experiment.systems} == {2}
    assert experiment.curves[0].points[9].mean == experiment.systems[0].mean


@pytest.mark.parametrize("rules", [Rules(missing="error"), Rules(empty="error")])
def test_what_the_rules_refuse_is_refused(rules):
    with pytest.raises(AlignError):
        gather_experiment(FEW, {"a": {"q1": ["a"], "q3": ["a"]}}, rules=rules)


def test_undefined_values_at_other_cutoffs_are_no_error():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    experiment = gather_experiment(
        judged, {"a": {"q1": ["a"], "q2": ["a"]}}, rules=Rules(empty="error")
    )
    assert experiment.curves[0].points[0].mean == 1.0


@pytest.mark.parametrize(
    ("measures", "explained", "message"),
    [
        ("AP", "nDCG@10", "AP has no terms to show for every rank"),
        ("P@20", "nDCG@20", "P@20 has no terms to show for every rank"),
        (["AP", "P@5", "DCG@7"], "DCG@7", "AP has no terms to show for every rank"),
    ],
)
def test_a_measure_without_terms_is_explained_by_another_one(measures, explained, message):
    experiment = gather_experiment(QRELS, TWO, measures)
    assert str(experiment.details.terms.measure) == explained
    (notice,) = [notice for notice in experiment.notices if notice.code == "explained-instead"]
    assert str(notice) == f"{message}; rankings are explained by {explained} in its place."
    expected = [evaluate(QRELS, run, explained).column(explained).tolist() for run in TWO.values()]
    assert experiment.details.values.tolist() == expected


@pytest.mark.parametrize(
    ("measure", "error", "sentence"),
    [
        (
            "GMAP",
            ComparisonError,
            "report: GMAP is a geometric mean, and means over queries are compared. "
            "Choose another measure.",
        ),
        (
            "NumRet",
            ComparisonError,
            "report: NumRet is a sum over queries, and means over queries are compared. "
            "Choose another measure.",
        ),
        (
            "Gini",
            ComparisonError,
            "report: Gini has no values of queries, and means over queries are compared. "
            "Choose another measure.",
        ),
        (
            "alpha_nDCG@10",
            MeasureError,
            "report: alpha_nDCG@10 is made of qrels whose second column names subtopics, or "
            "judges, and a report shows items that are judged one by one. Choose another measure, "
            "for example nDCG@10.",
        ),
    ],
)
def test_a_measure_that_cannot_be_shown_is_refused_before_anything_is_read(
    measure, error, sentence
):
    with pytest.raises(error) as refused:
        gather_experiment("no-such.qrels", ["no-such.run"], ["nDCG@10", measure])
    assert str(refused.value) == sentence


def test_judgments_of_another_kind_are_refused():
    subtopics = read_subtopics({"q1": {"price": {"d1": 1}}})
    with pytest.raises(AlignError) as error:
        gather_experiment(subtopics, {"a": {"q1": ["d1"]}})
    assert str(error.value) == (
        "nDCG@10 needs judgments from read_qrels(), got <GroupedJudgments 'qrels': 1 subtopic, "
        "1 judgment>."
    )


def test_every_measure_that_can_be_shown_makes_an_experiment():
    features = {f"d{i}": [i, i * i % 7] for i in range(12)}
    popularity = {item: i + 1 for i, item in enumerate(features)}
    items = ItemData(catalog=list(features), popularity=popularity, n_users=50, features=features)
    for measure in list(REGISTRY.values()):
        if measure.whole or measure.average != "mean":
            continue
        if not issubclass(measure.reads, JudgedRankings):
            continue
        needed = [argument for argument in measure.arguments.values() if argument.is_required]
        chosen = measure(
            **{argument.name: 5 if argument.type is int else 0.5 for argument in needed}
        )
        item_data = None if measure.reads is JudgedRankings else items
        experiment = gather_experiment(QRELS, {"plain": RUNS["plain"]}, chosen, items=item_data)
        assert experiment.systems[0].measure == chosen
        takes_cutoff = measure.reads is JudgedRankings and "cutoff" in measure.arguments
        assert len(experiment.curves) == takes_cutoff


def test_no_run_is_an_error():
    with pytest.raises(ComparisonError) as error:
        gather_experiment(QRELS, [])
    assert str(error.value) == "report: must be given one run or more, got none."


def test_no_value_at_all_is_an_error():
    with pytest.raises(ComparisonError) as error:
        gather_experiment({"q": {"a": 0}}, {"mine": {"q": ["a"]}}, rules=Rules(empty="nan"))
    assert str(error.value) == (
        "report: nDCG@10 has no value for any query; there is nothing to show. "
        "Choose another measure, or another rule for queries with nothing relevant."
    )


@pytest.mark.parametrize("ties", ["best", "worst"])
def test_ties_broken_by_label_leave_nothing_to_judge(ties):
    experiment = gather_experiment(QRELS, TWO, rules=Rules(ties=ties))
    assert experiment.to_judge is None
    assert experiment.no_to_judge == (
        f"ties={ties} orders by label, but an unjudged item may get any. "
        "Pass another --ties, for example item-desc."
    )


def test_items_to_judge_are_not_looked_for_where_there_would_be_too_many(monkeypatch):
    monkeypatch.setattr("gainful.report.html.page_data._MANY", 10)
    experiment = gather_experiment(QRELS, TWO, "nDCG")
    assert experiment.to_judge is None
    assert experiment.no_to_judge == (
        "nDCG looks at 228 places, too many to say of each what judging it could change. "
        "Choose a measure with a lower cutoff, for example nDCG@10."
    )
    assert gather_experiment(QRELS, {"plain": RUNS["plain"]}, "P@5").no_to_judge == (
        "P@5 looks at 60 places, too many to say of each what judging it could change. "
        "Choose a measure with a lower cutoff, for example P@10."
    )


def test_a_best_ranking_of_its_own_leaves_nothing_to_judge():
    experiment = gather_experiment(QRELS, TWO, "nDCG(ideal=list)@5")
    assert experiment.no_to_judge == (
        "nDCG(ideal=list)@5: with ideal=list the best ranking depends on the run, and what "
        "unjudged items could change is not known. Pass ideal=judged."
    )


def test_averaged_ties_make_an_experiment_too():
    tied = {
        name: {q: dict.fromkeys(items, 1.0) for q, items in run.items()}
        for name, run in TWO.items()
    }
    experiment = gather_experiment(QRELS, tied, "nDCG@3", rules=Rules(ties="average"))
    assert experiment.to_judge is not None
    assert experiment.details.by_query["q1"].weights is not None
    assert not experiment.details.terms.complete


def test_weights_count_in_scores_and_it_is_said_that_nothing_else_is_weighted():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {"old": {"q1": ["a"], "q2": ["b", "a"]}, "new": {"q1": ["a"], "q2": ["a"]}}
    experiment = gather_experiment(judged, runs, "P@1", weights={"q1": 3, "q2": 1})
    assert [scores["P@1"] for scores in experiment.scores] == [0.75, 1.0]
    assert [system.mean for system in experiment.systems] == [0.5, 1.0]
    assert [system.judged for system in experiment.systems] == [0.5, 1.0]
    (plain_system,) = gather_experiment(
        judged, {"old": runs["old"]}, "P@1", weights={"q1": 3, "q2": 1}
    ).systems
    assert (plain_system.mean, plain_system.judged) == (0.5, 0.5)
    (notice,) = [notice for notice in experiment.notices if notice.code == "unweighted-report"]
    assert str(notice) == (
        "intervals and differences count every query alike, and so do the means beside them; "
        "weighted means of P@1 are 0.7500 (old), 1.0000 (new)."
    )


def test_titles_and_urls_are_held_of_items_that_are_shown():
    items = {"a": {"title": "An apple", "url": "u"}, "z": {"title": "Not shown", "url": "v"}}
    experiment = gather_experiment({"q": {"a": 1}}, {"mine": {"q": ["a"]}}, items=items)
    assert experiment.details.titles == {"a": "An apple"}
    assert experiment.details.urls == {"a": "u"}
    assert "untitled-items" not in notice_codes(experiment)
    experiment = gather_experiment({"q": {"a": 1}}, {"mine": {"q": ["b", "a"]}}, items=items)
    assert str(experiment.notices[-1]) == (
        "items: 1 of the 2 items shown has neither title nor url ('b')."
    )


def test_texts_are_those_of_the_queries_that_are_shown():
    query_data = {"q1": {"Text": "red shoes"}, "q2": {"Text": None}, "other": {"Text": "x"}}
    experiment = gather_experiment(
        {"q1": {"a": 1}, "q2": {"a": 1}}, {"mine": {"q1": ["a"]}}, queries=query_data
    )
    assert experiment.texts == {"q1": "red shoes"}
    assert "unknown-queries" in notice_codes(experiment)


def test_data_about_other_queries_make_no_slices_and_it_is_said_why():
    judged = {"001": {"a": 1}, "002": {"a": 1}}
    query_data = {"1": {"text": "red shoes", "kind": "x"}, "2": {"text": "hats", "kind": "y"}}
    experiment = gather_experiment(
        judged, {"mine": {"001": ["a"], "002": ["a"]}}, queries=query_data, by="kind"
    )
    assert (experiment.slicings, experiment.texts) == ((), {})
    assert "unsliced-columns" not in notice_codes(experiment)
    (notice,) = [notice for notice in experiment.notices if notice.code == "no-known-query"]
    assert str(notice) == (
        "queries: none of its 2 queries was evaluated, so its attributes are unused; the first "
        "ids are '1' (there) and '001' (qrels). Did you mean to strip leading zeros from the "
        "numbers in the queries of the qrels?"
    )


def test_ids_that_are_nothing_alike_are_named_without_a_question():
    experiment = gather_experiment(
        {"q": {"a": 1}}, {"mine": {"q": ["a"]}}, queries={"other": {"text": "x"}}
    )
    (notice,) = [notice for notice in experiment.notices if notice.code == "no-known-query"]
    assert str(notice) == (
        "queries: its query was not evaluated, so its attributes are unused; the first "
        "ids are 'other' (there) and 'q' (qrels)."
    )


def test_notices_are_said_once():
    experiment = gather_experiment(
        QRELS, RUNS, queries={q: {"kind": i % 2} for i, q in enumerate(QRELS)}
    )
    assert len(experiment.notices) == len(set(experiment.notices))


def test_judgments_that_were_read_before_serve_again():
    experiment = gather_experiment(read_qrels(QRELS), TWO)
    assert experiment.setup.files[0] == ("qrels", "qrels", None)


def test_the_same_input_gives_the_same_experiment():
    first, second = (gather_experiment(QRELS, RUNS, ["nDCG@10", "AP"]) for _ in range(2))
    assert first.systems == second.systems
    assert first.details.by_query == second.details.by_query
    assert first.curves == second.curves
    assert first.to_judge.to_csv() == second.to_judge.to_csv()


def test_a_report_does_not_call_its_means_weighted():
    query_data = {"q1": {"w": 3.0}, "q2": {"w": 1.0}}
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {"old": {"q1": ["a"], "q2": ["b", "a"]}, "new": {"q1": ["a"], "q2": ["a"]}}
    codes = [
        n.code for n in gather_experiment(qrels, runs, queries=query_data, weights="w").notices
    ]
    assert "unweighted-report" in codes
    assert "weighted-means" not in codes


JUDGED = {"q1": {"a": 3, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
OLD = {"q1": ["b", "a"], "q2": ["c"]}
NEW = {"q1": ["a", "b"], "q2": ["c"], "q3": ["x", "d"]}
RUN_PAIR = {"old": OLD, "new": NEW}


def reconcile_best(*args, **options):
    return gather_experiment(*args, reconcile=True, **options)


def test_the_candidate_is_looked_at_or_the_only_run():
    assert reconcile_best(JUDGED, RUN_PAIR, "nDCG@5").reconciliation.run == "new"
    assert reconcile_best(JUDGED, {"old": OLD}, "nDCG@5").reconciliation.run == "old"
    assert reconcile_best(JUDGED, {"old": OLD}, "DCG@5").reconciliation.measure == "DCG@5"


def test_the_reference_is_the_report_with_its_own_settings_and_rules():
    rules = Rules(missing="skip", empty="one")
    reconciliation = reconcile_best(
        JUDGED, RUN_PAIR, "nDCG(gain=exp2)@5", rules=rules
    ).reconciliation
    expected = evaluate(JUDGED, NEW, "nDCG(gain=exp2)@5", rules=rules)["nDCG(gain=exp2)@5"]
    assert (reconciliation.reference.name, reconciliation.value) == ("this report", expected)
    assert reconciliation.measure == "nDCG@5"


def test_other_tools_have_their_own_settings_and_share_the_cutoff():
    reconciliation = reconcile_best(JUDGED, RUN_PAIR, "nDCG(gain=exp2)@5").reconciliation
    expected = reconcile(JUDGED, NEW, 5)
    assert {
        name: reconciliation.values[name] for name in ("trec_eval@10", "lightgbm", "spark")
    } == {name: expected.values[name] for name in ("trec_eval@10", "lightgbm", "spark")}
    assert next(iter(reconciliation.values)) == "this report"
    assert {*reconciliation.values, *reconciliation.left_out} == {"this report", *DIALECTS}


def test_a_measure_that_no_tool_reports_has_a_reason():
    experiment = reconcile_best(JUDGED, RUN_PAIR, "P@5")
    assert experiment.reconciliation is None
    assert experiment.no_reconciliation == "no other tool is known to report P."
