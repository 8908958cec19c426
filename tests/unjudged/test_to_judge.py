"""Items to judge next: their order, their impact and their formats."""

import json
import random

import numpy as np
import pytest

import gainful
from gainful import ComparisonError, OutputError, Rules, evaluate, unjudged
from gainful.evaluation.evaluate import evaluate_runs

QRELS = {"q1": {"a": 1}, "q2": {"a": 2, "b": 1}}
OLD = {"q1": ["u", "a"], "q2": ["a", "v", "b"]}
NEW = {"q1": ["a", "u"], "q2": ["a", "b", "w"]}


def compute_value(qrels, run, query, rules=None):
    return evaluate(qrels, run, "nDCG@10", rules=rules).per_query()[query]["nDCG@10"]


def test_an_impact_is_the_largest_change_that_any_label_brings_about():
    items = unjudged(QRELS, {"old": OLD}, possible_labels=(0, 1, 2)).items
    assert [(row.query, row.item, row.rank) for row in items.rows] == [
        ("q1", "u", 1),
        ("q2", "v", 2),
    ]
    for row in items.rows:
        labels = [QRELS[row.query] | {row.item: label} for label in (0, 1, 2)]
        value = compute_value(QRELS, OLD, row.query)
        changes = [
            abs(compute_value(QRELS | {row.query: labeled}, OLD, row.query) - value)
            for labeled in labels
        ]
        assert row.impact == pytest.approx(max(changes), abs=1e-12)
        assert row.mean_impact == row.impact / 2
        assert row.verdict_impact is None


def test_a_label_may_lower_a_run_that_has_not_returned_the_item():
    runs = {"old": {"q": ["a"]}, "new": {"q": [*(f"n{i}" for i in range(9)), "u"]}}
    qrels = {"q": {"a": 1} | {f"n{i}": 0 for i in range(9)}}
    (row,) = unjudged(qrels, runs, possible_labels=(0, 1)).items.rows
    assert row.runs == {"new": 10}
    # The old run loses: it would have missed one of two.
    lost = 1 - compute_value({"q": qrels["q"] | {"u": 1}}, runs["old"], "q")
    assert row.impact == pytest.approx(lost, abs=1e-12)


def test_the_verdict_is_on_the_two_best_runs_or_on_the_baseline_and_any_other():
    worst = {"q1": ["x", "y", "z"], "q2": ["x"]}
    runs = {"old": OLD, "worst": worst, "new": NEW}
    assert unjudged(QRELS, runs).items.compared == (("new", "old"),)
    items = unjudged(QRELS, runs, baseline="old").items
    assert items.compared == (("worst", "old"), ("new", "old"))
    with pytest.raises(ComparisonError) as error:
        unjudged(QRELS, runs, baseline="older")
    assert str(error.value) == ("baseline: must be one of old, worst, new, got 'older'.")


def test_items_that_move_the_verdict_most_come_first():
    items = unjudged(QRELS, {"old": OLD, "new": NEW}).items
    assert (np.diff(items.verdict_impact) <= 0).all()
    assert items.rows[0].item == "u"
    assert items.rows[0].runs == {"old": 1, "new": 2}


def test_impacts_agree_with_evaluate_on_random_runs():
    rng = random.Random(7)
    for ties in ("item-desc", "average"):
        rules, possible_labels = Rules(ties=ties), (-1, 0, 1, 3)
        ids = "abcdefghij"
        qrels = {
            f"q{n}": {i: rng.choice([-1, 0, 1, 2, 3]) for i in ids if rng.random() < 0.4}
            or {"a": 1}
            for n in range(6)
        }
        runs = {
            name: {q: {i: rng.randint(1, 4) for i in ids if rng.random() < 0.7} for q in qrels}
            for name in ("one", "two")
        }
        items = unjudged(qrels, runs, "nDCG@4", possible_labels=possible_labels, rules=rules).items
        assert len(items) > 10
        values = [scores.values[:, 0] for scores in score_runs(qrels, runs, rules)]
        for row in items.rows:
            number = list(qrels).index(row.query)
            qrels_by_label = [
                {**qrels, row.query: {**qrels[row.query], row.item: g}} for g in possible_labels
            ]
            values_by_label = [
                [v.values[:, 0] for v in score_runs(scores, runs, rules)]
                for scores in qrels_by_label
            ]
            change = np.array(values_by_label)[:, :, number] - np.array(values)[:, number]
            assert row.impact == pytest.approx(np.abs(change).max(), abs=1e-12)
            verdict_impact = np.abs(change[:, 0] - change[:, 1]).max() / len(qrels)
            assert row.verdict_impact == pytest.approx(verdict_impact, abs=1e-12)


def score_runs(qrels, runs, rules):
    return evaluate_runs(qrels, list(runs.values()), "nDCG@4", rules=rules)


def test_equals_stand_in_the_order_of_their_rank_then_of_the_qrels_and_the_runs():
    qrels = {"q2": {"x": 0}, "q1": {"x": 0}}
    run = {"q1": ["b", "a"], "q2": ["b", "a"]}
    items = unjudged(qrels, {"mine": run}, "nCG@2", possible_labels=(0, 1)).items
    assert [(row.query, row.item) for row in items.rows] == [
        ("q2", "b"),
        ("q1", "b"),
        ("q2", "a"),
        ("q1", "a"),
    ]


def test_queries_without_a_value_have_nothing_to_judge():
    qrels, run = {"q1": {"a": 0}, "q2": {"a": 1}}, {"q1": ["u"], "q2": ["u", "a"]}
    items = unjudged(qrels, {"mine": run}, rules=Rules(empty="nan")).items
    assert items.query == ("q2",)
    assert items.rows[0].mean_impact == items.rows[0].impact


def test_where_all_is_judged_there_is_nothing_to_do():
    items = unjudged({"q": {"a": 1}}, {"mine": {"q": ["a"]}}).items
    assert (len(items), items.rows) == (0, [])
    assert items.to_csv() == "query,item,rank,n_runs,runs,impact,mean_impact,verdict_impact\n"
    assert items.to_jsonl() == items.to_trec() == ""
    assert repr(items) == "<ItemsToJudge by nDCG@10 in 'mine': 0 unjudged items>"


def test_the_first_are_as_many_as_asked_for():
    items = unjudged(QRELS, {"old": OLD, "new": NEW}).items
    assert items.first(1).rows == items.rows[:1]
    assert items.first(None).rows == items.rows


def test_json_lines_hold_the_ranks_by_run():
    items = unjudged(QRELS, {"old": OLD, "new": NEW}).items
    lines = [json.loads(line) for line in items.to_jsonl().splitlines()]
    assert lines[0]["runs"] == {"old": 1, "new": 2}
    assert {json.dumps(line["runs"]) for line in lines[1:]} == {
        '{"old": 2, "new": null}',
        '{"old": null, "new": 3}',
    }
    assert [line["verdict_impact"] for line in lines] == items.verdict_impact.tolist()


def test_trec_lines_are_read_back_as_a_run(tmp_path):
    items = unjudged(QRELS, {"old": OLD, "new": NEW}).items
    path = tmp_path / "pool.run"
    path.write_text(items.to_trec())
    fields = [line.split(" ") for line in path.read_text().splitlines()]
    assert [(query, item) for query, _, item, *_ in fields] == [
        *zip(items.query, items.item, strict=True)
    ]
    assert fields[0][1:] == ["Q0", "u", "1", repr(float(items.verdict_impact[0])), "gainful"]
    pool = {"q1": {"u": 1}, "q2": {"v": 1, "w": 1}}
    assert gainful.evaluate(pool, path, "SetR")["SetR"] == 1.0


def test_trec_files_hold_no_white_space_in_ids():
    items = unjudged({"q": {"a": 1}}, {"mine": {"q": ["two words", "a"]}}).items
    with pytest.raises(OutputError) as error:
        items.to_trec()
    assert str(error.value) == (
        "trec: item 'two words' is empty or has white space in it, which TREC files cannot hold. "
        "Pass -f csv, or jsonl."
    )


def test_what_judging_all_could_do_is_said():
    assert unjudged(QRELS, {"old": OLD}).items.summary.startswith(
        "Judging them all could move nDCG@10 of old from 0.7906 to a value in ["
    )
    assert unjudged(QRELS, {"old": OLD, "new": NEW}).items.summary.startswith(
        "Judging could turn the order over and put old above new: the difference is +0.2094 and"
    )
