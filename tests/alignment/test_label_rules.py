"""Rankings under the rules about labels, padding and unjudged items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import AlignError, MeasureError, Rules, read_qrels, read_run
from gainful.alignment.from_arrays import align_arrays
from gainful.alignment.join import align, make_native_options
from gainful.alignment.label_rules import has_unjudged_above, label_unjudged
from gainful.dialects import DialectRules

QRELS = {"q1": {"a": 1, "b": 3, "c": -1, "d": 2.5}, "q2": {"a": 0, "e": 2}}
RUN = {"q1": {"x": 9, "c": 8, "b": 7, "y": 6, "a": 5}, "q2": {"e": 2, "a": 1}}


def rank_run(qrels=QRELS, run=RUN, **rules):
    return align(read_qrels(qrels), read_run(run), DialectRules(**rules))[0]


def align_labels(labels, scores=None, *, reach=None, **rules):
    label_array = np.array(labels, dtype=np.float64)
    order = "file" if scores is None else "score"
    score_array = None if scores is None else np.array(scores, dtype=np.float64)
    rules = DialectRules(order=order, **rules)
    offsets, options = np.array([0, len(label_array)]), make_native_options(rules)
    return align_arrays(label_array, score_array, offsets, rules, options, reach=reach)


def list_hits(ranked):
    return list(zip(ranked.hit_rank.tolist(), ranked.hit_label.tolist(), strict=True))


def test_labels_are_known_in_the_order_of_the_qrels():
    ranked = rank_run()
    assert ranked.pool_label.tolist() == [3.0, 2.5, 1.0, -1.0, 2.0, 0.0]
    assert ranked.pool_given.tolist() == [1.0, 3.0, -1.0, 2.5, 0.0, 2.0]


def test_labels_of_some_queries_are_known_in_the_order_of_the_qrels():
    selected = rank_run().select(np.array([1]))
    assert selected.pool_given.tolist() == [0.0, 2.0]
    assert selected.select(np.array([0])).pool_given.tolist() == [0.0, 2.0]


def test_labels_at_hand_are_known_in_their_order():
    assert align_labels([1.0, -0.0, 3.0], [1.0, 2.0, 3.0]).pool_given.tolist() == [1.0, 0.0, 3.0]


def test_labels_in_an_order_that_is_not_known_are_an_error():
    ranked = align_labels([1.0] * 400, list(range(400)), reach=2)
    with pytest.raises(MeasureError) as error:
        ranked.pool_given  # noqa: B018
    assert str(error.value) == (
        "ideal_order=given: needs the order of the qrels, which is not known here."
    )


def test_label_that_is_not_whole_is_an_error_where_only_whole_ones_are_taken():
    with pytest.raises(AlignError) as error:
        rank_run(label_type="whole")
    assert str(error.value) == "query 'q1' has the label 2.5, which label_type=whole refuses."


def test_fraction_of_a_label_is_cut_off():
    ranked = rank_run({"q": {"a": 1.9, "b": -0.5, "c": 0.4}}, {"q": ["c", "a"]}, **TRUNCATED)
    assert (list_hits(ranked), ranked.pool_label.tolist()) == (
        [(1, 0.0), (2, 1.0)],
        [1.0, 0.0, 0.0],
    )
    assert ranked.pool_given.tolist() == [1.0, 0.0, 0.0]


TRUNCATED = {"label_type": "truncated"}


def test_labels_are_rounded_to_single_precision():
    ranked = align_labels([0.1, 0.3], label_type="float32")
    single = np.array([0.1, 0.3], dtype=np.float32).astype(np.float64)
    assert ranked.hit_label.tolist() == single.tolist()
    assert ranked.pool_label.tolist() == single[::-1].tolist()


@pytest.mark.parametrize(
    ("min_label", "labels", "pool"),
    [
        (2, [0.0, 3.0, 0.0], [3.0, 2.5, 0.0, 0.0, 2.0, 0.0]),
        (-0.5, [0.0, 3.0, 1.0], [3.0, 2.5, 1.0, 0.0, 2.0, 0.0]),
    ],
)
def test_labels_below_the_least_count_as_zero(min_label, labels, pool):
    ranked = rank_run(min_label=min_label)
    assert [label for _, label in list_hits(ranked)[:3]] == labels
    assert ranked.pool_label.tolist() == pool


def test_pool_descends_where_the_lowest_label_became_zero():
    ranked = align_labels([-3.0, -1.0, 2.0], min_label=-2)
    assert ranked.pool_label.tolist() == [2.0, 0.0, -1.0]


def test_label_above_the_highest_is_an_error():
    with pytest.raises(AlignError) as error:
        rank_run(max_label=2)
    assert str(error.value) == "query 'q1' has the label 3, which max_label=2 refuses."


def test_label_below_the_reach_is_looked_at():
    with pytest.raises(AlignError) as error:
        align_labels([0.0] * 399 + [0.5], list(range(400, 0, -1)), reach=2, label_type="whole")
    assert str(error.value) == "query '0' has the label 0.5, which label_type=whole refuses."


@pytest.mark.parametrize(
    ("padding", "expected"), [("negative", [1.0, 2.0]), ("minus-one", [1.0, -2.0, 2.0])]
)
def test_padding_is_taken_out_of_ranking_and_pool(padding, expected):
    ranked = align_labels([-1.0, 1.0, -2.0, 2.0], padding=padding)
    assert list_hits(ranked) == list(enumerate(expected, start=1))
    assert ranked.n_retrieved.tolist() == [len(expected)]
    assert sorted(ranked.pool_label.tolist()) == sorted(expected)
    assert ranked.pool_given.tolist() == expected


def test_unjudged_items_below_padding_move_up():
    ranked = rank_run(padding="negative")
    assert list_hits(ranked) == [(2, 3.0), (4, 1.0), (1, 2.0), (2, 0.0)]
    assert ranked.n_retrieved.tolist() == [4, 2]


labels = st.lists(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0]), max_size=12)


@given(
    labels,
    st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=12, max_size=12),
    st.sampled_from(["input", "input-reversed", "average", "best", "worst", "middle"]),
)
def test_padding_leaves_what_there_would_be_without_it(query_labels, scores, ties):
    pairs = list(zip(query_labels, scores, strict=False))
    judged_pairs = [(label, score) for label, score in pairs if label >= 0]
    actual = align_labels(query_labels, scores[: len(query_labels)], ties=ties, padding="negative")
    expected = align_labels(
        [label for label, _ in judged_pairs], [score for _, score in judged_pairs], ties=ties
    )
    for name in ("n_retrieved", "hit_offsets", "hit_rank", "hit_label", "pool_label"):
        assert getattr(actual, name).tolist() == getattr(expected, name).tolist()
    for name in ("hit_tie_first", "hit_tie_size", "pool_offsets", "pool_given"):
        assert getattr(actual, name).tolist() == getattr(expected, name).tolist()


def test_ranking_of_too_few_items_is_an_error():
    with pytest.raises(AlignError) as error:
        rank_run(min_items=3)
    assert str(error.value) == "query 'q2' has a ranking of 2 items, which min_items=3 refuses."
    with pytest.raises(AlignError) as error:
        align_labels([1.0, -1.0], min_items=2, padding="negative")
    assert str(error.value) == "query '0' has a ranking of 1 item, which min_items=2 refuses."


def test_query_without_any_ranking_is_not_too_short():
    assert rank_run(run={"q1": RUN["q1"]}, min_items=2).n_retrieved.tolist() == [5, 0]


def test_unjudged_items_have_the_label_of_the_rule_in_the_ranking_alone():
    rules = DialectRules(unjudged_label=1.5)
    ranked = rank_run(unjudged_label=1.5)
    assert list_hits(ranked)[:3] == [(2, -1.0), (3, 3.0), (5, 1.0)]
    result = label_unjudged(ranked, rules)
    assert list_hits(result)[:5] == [(1, 1.5), (2, -1.0), (3, 3.0), (4, 1.5), (5, 1.0)]
    assert result.pool_label.tolist() == ranked.pool_label.tolist()
    assert label_unjudged(ranked, rules) is result
    assert label_unjudged(ranked, Rules()) is ranked


def test_unjudged_items_share_the_tie_of_those_that_are_judged():
    run = {"q1": {"x": 2, "a": 2, "y": 2, "z": 1}, "q2": {"e": 1}}
    rules = DialectRules(unjudged_label=1, ties="average")
    result = label_unjudged(rank_run(run=run, ties="average"), rules)
    assert result.hit_tie_first.tolist() == [1, 1, 1, 4, 1]
    assert result.hit_tie_size.tolist() == [3, 3, 3, 1, 1]


def test_tie_that_the_depth_cuts_is_labeled_as_a_whole():
    run = {"q1": {"x": 2, "a": 2, "y": 2, "z": 1}, "q2": {"e": 1}}
    rules = DialectRules(unjudged_label=0, ties="average", depth=2)
    result = label_unjudged(rank_run(run=run, ties="average", depth=2), rules)
    assert list_hits(result) == [(1, 1.0), (2, 0.0), (3, 0.0), (1, 2.0)]


@given(st.lists(st.booleans(), max_size=9), st.lists(st.integers(0, 2), min_size=9, max_size=9))
def test_label_zero_for_unjudged_items_changes_no_sum(judged, scores):
    from gainful.measures.cumulative_gain import DCG

    run = {f"d{i}": score for i, (score, _) in enumerate(zip(scores, judged, strict=False))}
    qrels = {
        "q": {f"d{i}": 1 + i % 3 for i, is_judged in enumerate(judged) if is_judged} | {"z": 1}
    }
    for ties in ("item-desc", "average", "input"):
        ranked = rank_run(qrels, {"q": run}, ties=ties) if run else rank_run()
        result = label_unjudged(ranked, DialectRules(ties=ties, unjudged_label=0))
        assert DCG.score(result) == pytest.approx(DCG.score(ranked), rel=1e-12)


def test_unjudged_items_are_seen_above_the_cutoff():
    ranked = rank_run(run={"q1": ["a", "x", "b"], "q2": ["a"]}, order="file")
    values = [has_unjudged_above(ranked, cutoff).tolist() for cutoff in (1, 2, None)]
    assert values == [[False, False], [True, False], [True, False]]


def test_label_beyond_single_precision_is_refused():
    with pytest.raises(AlignError) as error:
        rank_run({"q1": {"a": 1}, "q2": {"b": 1e300}}, label_type="float32")
    assert str(error.value) == "query 'q2' has the label 1e+300, which label_type=float32 refuses."
