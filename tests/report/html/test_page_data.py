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
    SourceError,
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


def notice_codes(found):
    return {notice.code for notice in found.notices}


def test_two_runs_have_all_that_compare_and_evaluate_say():
    found = gather_experiment(QRELS, TWO, ["nDCG@5", "AP"], seed=3, command="gainful report")
    comparison = compare(QRELS, TWO, ["nDCG@5", "AP"], seed=3)
    assert found.comparison.to_dict() == comparison.to_dict()
    assert found.systems == comparison.systems
    assert [one.run for one in found.scores] == list(found.runs) == ["plain", "better"]
    for one in found.scores:
        assert one.to_dict() == evaluate(QRELS, TWO[one.run], ["nDCG@5", "AP"]).to_dict() | {
            "run": one.run,
            "notices": [notice.to_dict() for notice in one.notices],
        }
    assert (found.baseline, found.candidate) == ("plain", "better")
    assert found.details.values.tolist() == [one.column("nDCG@5").tolist() for one in found.scores]
    assert list(found.details.by_query) == list(found.queries) == list(QRELS)
    assert (found.setup.seed, found.setup.command) == (3, "gainful report")
    assert (found.setup.n_queries, found.setup.n_judgments) == (12, 84)
    assert found.to_judge is not None
    assert (found.no_to_judge, found.gate, found.slicings) == (None, None, ())
    assert found.findings.n_queries == 12


def test_one_run_has_no_comparison():
    found = gather_experiment(QRELS, {"plain": RUNS["plain"]}, ["nDCG@5", "P@3"])
    assert (found.comparison, found.candidate, found.baseline) == (None, None, "plain")
    assert [str(one.measure) for one in found.systems] == ["nDCG@5", "P@3"]
    for one in found.systems:
        assert one.mean == found.scores[0][one.measure]
        assert one.interval.low < one.mean < one.interval.high
        assert one.n_queries == 12
    assert [curve.run for curve in found.curves] == ["plain"]


def test_one_run_and_one_query_are_enough():
    found = gather_experiment({"q": {"a": 1}}, {"mine": {"q": ["b", "a"]}})
    assert found.systems[0].mean == found.details.values[0, 0] == 1 / math.log2(3)
    assert math.isnan(found.curves[0].points[0].interval.low)


def test_twenty_runs_are_compared_pair_by_pair():
    runs = {f"run{i}": RUNS["plain" if i % 2 else "third"] for i in range(20)}
    found = gather_experiment(QRELS, runs)
    assert len(found.comparison.pairs) == 190
    assert len(found.details.by_query["q1"].rankings) == len(found.curves) == 20


def test_the_candidate_is_the_best_of_the_others():
    assert gather_experiment(QRELS, RUNS).candidate == "better"
    assert gather_experiment(QRELS, RUNS, baseline="better").candidate in ("plain", "third")
    lower_is_better = gather_experiment(QRELS, RUNS, "Unjudged@5")
    means = {one.name: one.mean for one in lower_is_better.systems}
    assert means[lower_is_better.candidate] == min(means["better"], means["third"])


def test_the_baseline_may_be_given_by_its_path(tmp_path):
    qrels, old, new = (tmp_path / name for name in ("qrels.txt", "old.run", "new.run"))
    qrels.write_text("q1 0 a 1\nq2 0 a 1\n")
    old.write_text("q1 Q0 b 1 2.0 x\nq2 Q0 b 1 2.0 x\n")
    new.write_text("q1 Q0 a 1 2.0 x\nq2 Q0 b 1 2.0 x\n")
    found = gather_experiment(str(qrels), [str(old), str(new)], baseline=new)
    assert (found.baseline, found.candidate, found.comparison.baseline) == ("new", "old", "new")
    assert [pair.baseline for pair in found.comparison.pairs] == ["new"]


def test_queries_that_a_run_skips_are_left_out_for_all_and_said():
    runs = {"a": {"q1": ["a"], "q2": ["b", "a"]}, "b": {"q2": ["a"], "q3": ["a"]}}
    found = gather_experiment(FEW, runs, rules=Rules(missing="skip"))
    assert found.queries == ("q2",)
    assert [one.queries for one in found.scores] == [("q2",)] * 2
    assert [one["nDCG@10"] for one in found.scores] == [1 / math.log2(3), 1.0]
    assert list(found.details.by_query) == ["q2"]
    assert found.details.values.shape == (2, 1)
    assert found.setup.n_queries == 1
    assert {"uncommon-queries", "missing-queries"} <= notice_codes(found)
    assert all(len(one.judged[found.measures[0]]) == 1 for one in found.scores)


def test_missing_queries_score_zero_and_have_empty_rankings():
    found = gather_experiment(FEW, {"a": {"q1": ["a"]}, "b": {"q2": ["a"]}})
    assert found.queries == ("q1", "q2", "q3")
    assert found.details.by_query["q1"].n_retrieved == (1, 0)
    assert found.details.by_query["q1"].rankings == ((0,), ())
    assert found.details.values.tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


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
    found = gather_experiment(judged, {"a": run, "b": run}, rules=Rules(empty=empty))
    assert found.queries == queries
    assert found.details.values.tolist() == [values] * 2


def test_a_query_without_a_value_is_shown_and_left_out_of_means():
    run = {"q1": ["a"], "q2": ["b", "a"], "q3": ["a"]}
    found = gather_experiment(FEW, {"a": run, "b": run}, rules=Rules(empty="nan"))
    assert found.queries == ("q1", "q2", "q3")
    assert np.isnan(found.details.values[:, 2]).all()
    assert {one.n_queries for one in found.systems} == {2}
    assert found.curves[0].points[9].mean == found.systems[0].mean


@pytest.mark.parametrize("rules", [Rules(missing="error"), Rules(empty="error")])
def test_what_the_rules_refuse_is_refused(rules):
    with pytest.raises(AlignError):
        gather_experiment(FEW, {"a": {"q1": ["a"], "q3": ["a"]}}, rules=rules)


def test_undefined_values_at_other_cutoffs_are_no_error():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    found = gather_experiment(judged, {"a": {"q1": ["a"], "q2": ["a"]}}, rules=Rules(empty="error"))
    assert found.curves[0].points[0].mean == 1.0


@pytest.mark.parametrize(
    ("measures", "explained", "said"),
    [
        ("AP", "nDCG@10", "AP has no terms to show for every rank"),
        ("P@20", "nDCG@20", "P@20 has no terms to show for every rank"),
        (["AP", "P@5", "DCG@7"], "DCG@7", "AP has no terms to show for every rank"),
    ],
)
def test_a_measure_without_terms_is_explained_by_another_one(measures, explained, said):
    found = gather_experiment(QRELS, TWO, measures)
    assert str(found.details.terms.measure) == explained
    (notice,) = [one for one in found.notices if one.code == "explained-instead"]
    assert str(notice) == f"{said}; rankings are explained by {explained} in its place."
    wanted = [evaluate(QRELS, run, explained).column(explained).tolist() for run in TWO.values()]
    assert found.details.values.tolist() == wanted


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
        needed = [one for one in measure.arguments.values() if one.is_required]
        chosen = measure(**{one.name: 5 if one.type is int else 0.5 for one in needed})
        given = None if measure.reads is JudgedRankings else items
        found = gather_experiment(QRELS, {"plain": RUNS["plain"]}, chosen, items=given)
        assert found.systems[0].measure == chosen
        takes_cutoff = measure.reads is JudgedRankings and "cutoff" in measure.arguments
        assert len(found.curves) == takes_cutoff


def test_runs_that_can_be_read_once_are_refused():
    with pytest.raises(SourceError) as error:
        gather_experiment(QRELS, ["-"])
    assert str(error.value) == (
        "report: reads every run twice, got -, which can be read once. Pass a file."
    )


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
    found = gather_experiment(QRELS, TWO, rules=Rules(ties=ties))
    assert found.to_judge is None
    assert found.no_to_judge == (
        f"ties={ties} orders by label, but an unjudged item may get any. "
        "Pass another --ties, for example item-desc."
    )


def test_items_to_judge_are_not_looked_for_where_there_would_be_too_many(monkeypatch):
    monkeypatch.setattr("gainful.report.html.page_data._MANY", 10)
    found = gather_experiment(QRELS, TWO, "nDCG")
    assert found.to_judge is None
    assert found.no_to_judge == (
        "nDCG looks at 228 places, too many to say of each what judging it could change. "
        "Choose a measure with a lower cutoff, for example nDCG@10."
    )
    assert gather_experiment(QRELS, {"plain": RUNS["plain"]}, "P@5").no_to_judge == (
        "P@5 looks at 60 places, too many to say of each what judging it could change. "
        "Choose a measure with a lower cutoff, for example P@10."
    )


def test_a_best_ranking_of_its_own_leaves_nothing_to_judge():
    found = gather_experiment(QRELS, TWO, "nDCG(ideal=list)@5")
    assert found.no_to_judge == (
        "nDCG(ideal=list)@5: with ideal=list the best ranking depends on the run, and what "
        "unjudged items could change is not known. Pass ideal=judged."
    )


def test_averaged_ties_make_an_experiment_too():
    tied = {
        name: {q: dict.fromkeys(items, 1.0) for q, items in run.items()}
        for name, run in TWO.items()
    }
    found = gather_experiment(QRELS, tied, "nDCG@3", rules=Rules(ties="average"))
    assert found.to_judge is not None
    assert found.details.by_query["q1"].weights is not None
    assert not found.details.terms.complete


def test_weights_count_in_scores_and_it_is_said_that_nothing_else_is_weighted():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {"old": {"q1": ["a"], "q2": ["b", "a"]}, "new": {"q1": ["a"], "q2": ["a"]}}
    found = gather_experiment(judged, runs, "P@1", weights={"q1": 3, "q2": 1})
    assert [one["P@1"] for one in found.scores] == [0.75, 1.0]
    assert [one.mean for one in found.systems] == [0.5, 1.0]
    assert [one.judged for one in found.systems] == [0.5, 1.0]
    (alone,) = gather_experiment(
        judged, {"old": runs["old"]}, "P@1", weights={"q1": 3, "q2": 1}
    ).systems
    assert (alone.mean, alone.judged) == (0.5, 0.5)
    (notice,) = [one for one in found.notices if one.code == "unweighted-report"]
    assert str(notice) == (
        "intervals and differences count every query alike, and so do the means beside them; "
        "weighted means of P@1 are 0.7500 (old), 1.0000 (new)."
    )


def test_titles_and_urls_are_held_of_items_that_are_shown():
    items = {"a": {"title": "An apple", "url": "u"}, "z": {"title": "Not shown", "url": "v"}}
    found = gather_experiment({"q": {"a": 1}}, {"mine": {"q": ["a"]}}, items=items)
    assert found.details.titles == {"a": "An apple"}
    assert found.details.urls == {"a": "u"}
    assert "untitled-items" not in notice_codes(found)
    found = gather_experiment({"q": {"a": 1}}, {"mine": {"q": ["b", "a"]}}, items=items)
    assert str(found.notices[-1]) == (
        "items: 1 of the 2 items shown has neither title nor url ('b')."
    )


def test_texts_are_those_of_the_queries_that_are_shown():
    told = {"q1": {"Text": "red shoes"}, "q2": {"Text": None}, "other": {"Text": "x"}}
    found = gather_experiment(
        {"q1": {"a": 1}, "q2": {"a": 1}}, {"mine": {"q1": ["a"]}}, queries=told
    )
    assert found.texts == {"q1": "red shoes"}
    assert "unknown-queries" in notice_codes(found)


def test_data_about_other_queries_make_no_slices_and_it_is_said_why():
    judged = {"001": {"a": 1}, "002": {"a": 1}}
    told = {"1": {"text": "red shoes", "kind": "x"}, "2": {"text": "hats", "kind": "y"}}
    found = gather_experiment(
        judged, {"mine": {"001": ["a"], "002": ["a"]}}, queries=told, by="kind"
    )
    assert (found.slicings, found.texts) == ((), {})
    assert "unsliced-columns" not in notice_codes(found)
    (notice,) = [one for one in found.notices if one.code == "no-known-query"]
    assert str(notice) == (
        "queries: none of its 2 queries was evaluated, so its attributes are unused; the first "
        "ids are '1' (there) and '001' (qrels). Did you mean to strip leading zeros from the "
        "numbers in the queries of the qrels?"
    )


def test_ids_that_are_nothing_alike_are_named_without_a_question():
    found = gather_experiment(
        {"q": {"a": 1}}, {"mine": {"q": ["a"]}}, queries={"other": {"text": "x"}}
    )
    (notice,) = [one for one in found.notices if one.code == "no-known-query"]
    assert str(notice) == (
        "queries: its query was not evaluated, so its attributes are unused; the first "
        "ids are 'other' (there) and 'q' (qrels)."
    )


def test_notices_are_said_once():
    found = gather_experiment(
        QRELS, RUNS, queries={q: {"kind": i % 2} for i, q in enumerate(QRELS)}
    )
    assert len(found.notices) == len(set(found.notices))


def test_judgments_that_were_read_before_serve_again():
    found = gather_experiment(read_qrels(QRELS), TWO)
    assert found.setup.files[0] == ("qrels", "qrels", None)


def test_the_same_input_gives_the_same_experiment():
    first, second = (gather_experiment(QRELS, RUNS, ["nDCG@10", "AP"]) for _ in range(2))
    assert first.systems == second.systems
    assert first.details.by_query == second.details.by_query
    assert first.curves == second.curves
    assert first.to_judge.to_csv() == second.to_judge.to_csv()


def test_a_report_does_not_call_its_means_weighted():
    told = {"q1": {"w": 3.0}, "q2": {"w": 1.0}}
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {"old": {"q1": ["a"], "q2": ["b", "a"]}, "new": {"q1": ["a"], "q2": ["a"]}}
    said = [n.code for n in gather_experiment(qrels, runs, queries=told, weights="w").notices]
    assert "unweighted-report" in said
    assert "weighted-means" not in said


JUDGED = {"q1": {"a": 3, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
OLD = {"q1": ["b", "a"], "q2": ["c"]}
NEW = {"q1": ["a", "b"], "q2": ["c"], "q3": ["x", "d"]}
RUN_PAIR = {"old": OLD, "new": NEW}


def test_the_candidate_is_looked_at_or_the_only_run():
    assert gather_experiment(JUDGED, RUN_PAIR, "nDCG@5").reconciliation.run == "new"
    assert gather_experiment(JUDGED, {"old": OLD}, "nDCG@5").reconciliation.run == "old"
    assert gather_experiment(JUDGED, {"old": OLD}, "DCG@5").reconciliation.measure == "DCG@5"


def test_the_reference_is_the_report_with_its_own_settings_and_rules():
    rules = Rules(missing="skip", empty="one")
    found = gather_experiment(JUDGED, RUN_PAIR, "nDCG(gain=exp2)@5", rules=rules).reconciliation
    own = evaluate(JUDGED, NEW, "nDCG(gain=exp2)@5", rules=rules)["nDCG(gain=exp2)@5"]
    assert (found.reference.name, found.value) == ("this report", own)
    assert found.measure == "nDCG@5"


def test_other_tools_have_their_own_settings_and_share_the_cutoff():
    found = gather_experiment(JUDGED, RUN_PAIR, "nDCG(gain=exp2)@5").reconciliation
    alone = reconcile(JUDGED, NEW, 5)
    assert {name: found.values[name] for name in ("trec_eval@10", "lightgbm", "spark")} == {
        name: alone.values[name] for name in ("trec_eval@10", "lightgbm", "spark")
    }
    assert next(iter(found.values)) == "this report"
    assert {*found.values, *found.left_out} == {"this report", *DIALECTS}


def test_a_measure_that_no_tool_reports_has_a_reason():
    found = gather_experiment(JUDGED, RUN_PAIR, "P@5")
    assert found.reconciliation is None
    assert found.no_reconciliation == "no other tool is known to report P."
