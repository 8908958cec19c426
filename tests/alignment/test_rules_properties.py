"""Every rule against a plain pipeline that follows the rule's description."""

import tempfile
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gainful
from evaluation import plain_pipeline
from evaluation.strategies import (
    Mention,
    collections,
    measures,
    mentions,
    queries,
    signed_labels,
)
from example_counts import max_examples

label_dicts = st.dictionaries(st.sampled_from(["d1", "d10", "é", "z", "a", "d"]), signed_labels)
runs = st.lists(mentions, min_size=1, max_size=10)
unique_runs = st.lists(mentions, min_size=1, max_size=10, unique_by=lambda mention: mention.item)


def evaluate_files(labels, run, measure, rules) -> float:
    """Return the value of one query, evaluated from files."""
    with tempfile.TemporaryDirectory() as folder:
        qrels_file, run_file = Path(folder, "qrels.txt"), Path(folder, "run.txt")
        qrels_text = "".join(f"q 0 {item} {label}\n" for item, label in labels)
        run_text = "".join(f"q Q0 {m.item} {m.rank} {m.score!r} t\n" for m in run)
        qrels_file.write_bytes(qrels_text.encode())
        run_file.write_bytes(run_text.encode())
        return gainful.evaluate(qrels_file, run_file, measure, rules=rules)[measure]


def assert_agrees(labels: dict[str, float], run: list[Mention], measure, rules) -> None:
    """Check that the value from files is the one that the plain pipeline computes."""
    places = plain_pipeline.rank_items(run, labels, rules)
    expected = plain_pipeline.compute_value(measure, places, labels, rules)
    assert evaluate_files(labels.items(), run, measure, rules) == pytest.approx(
        expected, rel=1e-12, abs=1e-12, nan_ok=True
    )


tie_rules = st.sampled_from(
    ["item-desc", "item-asc", "input", "rank-column", "average", "best", "worst"]
)
order_rules = st.sampled_from(["score", "rank", "file"])


@given(label_dicts, unique_runs, measures(), tie_rules, order_rules)
@max_examples(150)
def test_order_and_ties_rank_as_described(labels, run, measure, ties, order):
    assume(labels and not (order == "file" and ties == "rank-column"))
    assert_agrees(labels, run, measure, gainful.Rules(ties=ties, order=order))


@given(label_dicts, unique_runs, measures(), st.integers(1, 12))
@max_examples(60)
def test_depth_keeps_the_first_items_of_every_ranking(labels, run, measure, depth):
    assume(labels)
    assert_agrees(labels, run, measure, gainful.Rules(depth=depth))


@given(label_dicts, unique_runs, measures(), st.integers(1, 12))
@max_examples(60)
def test_depth_cuts_through_a_tie_that_is_averaged(labels, run, measure, depth):
    assume(labels and measure.all_settings.get("ideal") != "list")
    assert_agrees(labels, run, measure, gainful.Rules(depth=depth, ties="average"))


def test_depth_that_cuts_a_tie_of_equals_leaves_a_list_that_is_ideal():
    qrels = {"q": {"a": 1, "b": 1, "c": 1}}
    run = {"q": {"a": 0.5, "b": 0.5, "c": 0.5}}
    measure = gainful.nDCG(ideal="list")
    # Whichever two are kept, the list of them cannot be better ordered.
    for ties in ("item-desc", "average"):
        rules = gainful.Rules(ties=ties, depth=2)
        assert gainful.evaluate(qrels, run, measure, rules=rules)[measure] == pytest.approx(1.0)


def test_an_average_that_cannot_be_exact_is_refused():
    # Depth decides which of the tied items are listed, and so what the best list of them is.
    qrels = {"q": {"a": 0, "b": 1, "c": 1}}
    run = {"q": {"a": 0.5, "b": 0.5, "c": 0.5}}
    measure = gainful.nDCG(ideal="list")
    orders = [gainful.ndcg(labels[:2]) for labels in permutations([0, 1, 1])]
    rules = gainful.Rules(ties="average", depth=2)
    try:
        average = gainful.evaluate(qrels, run, measure, rules=rules)[measure]
    except gainful.GainfulError:
        return
    assert average == pytest.approx(sum(orders) / len(orders))


@given(label_dicts, unique_runs, measures(), tie_rules)
@max_examples(60)
def test_condense_takes_unjudged_items_out_before_ranking(labels, run, measure, ties):
    assume(labels)
    assert_agrees(labels, run, measure, gainful.Rules(unjudged="condense", ties=ties))


@given(label_dicts, runs, measures(), order_rules, st.sampled_from(["first", "last", "max"]))
@max_examples(150)
def test_of_an_item_retrieved_twice_the_mention_counts_that_the_rule_names(
    labels, run, measure, order, duplicates
):
    assume(labels)
    rules = gainful.Rules(order=order, duplicates=duplicates, ties="input")
    assert_agrees(labels, run, measure, rules)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), signed_labels), min_size=1),
    unique_runs,
    measures(),
)
@max_examples(60)
def test_of_an_item_judged_twice_the_label_counts_that_the_rule_names(judgments, run, measure):
    first, last, highest = {}, {}, {}
    for item, label in judgments:
        first.setdefault(item, label)
        last[item] = label
        highest[item] = max(label, highest.get(item, label))
    for duplicates, labels in (("first", first), ("last", last), ("max", highest)):
        rules = gainful.Rules(duplicates=duplicates)
        expected = evaluate_files(labels.items(), run, measure, gainful.Rules())
        assert evaluate_files(judgments, run, measure, rules) == expected


@given(label_dicts, runs)
@max_examples(60)
def test_an_item_retrieved_twice_is_an_error_unless_a_rule_says_otherwise(labels, run):
    assume(labels)
    if len({mention.item for mention in run}) == len(run):
        evaluate_files(labels.items(), run, gainful.nDCG, gainful.Rules())
    else:
        with pytest.raises(gainful.SourceError, match="is retrieved twice"):
            evaluate_files(labels.items(), run, gainful.nDCG, gainful.Rules())


@given(label_dicts, st.data())
@max_examples(60)
def test_float32_ties_scores_that_it_cannot_tell_apart(labels, data):
    near = st.integers(0, 6).map(lambda steps: 1.0 + steps * 2.0**-24)
    run = data.draw(
        st.lists(st.builds(Mention, mentions.map(lambda m: m.item), st.just(0), near), min_size=1)
    )
    run = list({mention.item: mention for mention in run}.values())
    assume(labels)
    for precision in ("float32", "float64"):
        assert_agrees(labels, run, gainful.nDCG, gainful.Rules(precision=precision))


@given(collections(), st.data())
@max_examples(80)
def test_missing_queries_are_scored_as_empty_rankings_or_left_out(collection, data):
    qrels, run = collection
    missing = data.draw(st.sets(st.sampled_from(sorted(qrels))))
    partial_run = {query: items for query, items in run.items() if query not in missing}
    assume(partial_run)
    full_run = {query: {} if query in missing else items for query, items in run.items()}
    zero = gainful.evaluate(qrels, partial_run, "nDCG").per_query()
    assert zero == gainful.evaluate(qrels, full_run, "nDCG").per_query()
    skip = gainful.evaluate(
        qrels, partial_run, "nDCG", rules=gainful.Rules(missing="skip")
    ).per_query()
    assert skip == {query: row for query, row in zero.items() if query not in missing}
    if missing:
        with pytest.raises(gainful.AlignError, match="got missing=error"):
            gainful.evaluate(qrels, partial_run, "nDCG", rules=gainful.Rules(missing="error"))


@given(queries(), st.sampled_from([("zero", 0.0), ("one", 1.0), ("nan", float("nan"))]))
@max_examples(60)
def test_a_query_with_nothing_relevant_scores_what_the_rule_says(query, rule):
    labels, retrieved = query
    empty, expected = rule
    qrels = {"q": {item: min(label, 0) for item, label in labels.items()}}
    scores = gainful.evaluate(qrels, {"q": retrieved}, "nDCG", rules=gainful.Rules(empty=empty))
    assert scores["nDCG"] == pytest.approx(expected, rel=0, abs=0, nan_ok=True)


def test_a_rule_that_is_none_cannot_be_set():
    rules = gainful.Rules()
    with pytest.raises(AttributeError):
        rules.tie = "input"
    assert rules == gainful.Rules()
