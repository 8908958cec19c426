"""Unjudged items of a run: which ones count, at which ranks, and rules that are refused."""

import pytest

import gainful
from gainful import AlignError, Columns, Rules
from gainful.dialects import DialectRules
from gainful.unjudged import compute_bounds

QRELS = {"q": {"a": 3, "b": 0, "c": 2, "z": 1}}


RUN = {"q": ["u1", "a", "u2", "c", "b"]}


def bound_run(qrels, run, measure="nDCG@10", **options):
    return compute_bounds(qrels, {"mine": run}, measure, **options)


def test_items_below_the_cutoff_or_the_depth_get_no_label():
    qrels, run = {"q": {"a": 1}}, {"q": ["a", "b", "c"]}
    assert bound_run(qrels, run, "nDCG@1").low[0, 0] == 1.0
    assert bound_run(qrels, run, rules=Rules(depth=1)).n_unjudged.tolist() == [[0]]
    assert bound_run(qrels, run, rules=Rules(depth=2)).n_unjudged.tolist() == [[1]]


def test_tied_items_share_the_ranks_of_their_block():
    qrels = {"q": {"a": 1}}
    run = {"q": {"a": 1.0, "u": 1.0}}
    bounds = bound_run(qrels, run, "nDCG@1", rules=Rules(ties="average"))
    # One of two is first: relevant with probability 1/2, or certainly if both are.
    assert (bounds.value("mine"), *bounds.mean("mine")) == (0.5, 0.5, 1.0)
    assert bounds.n_unjudged.tolist() == [[1]]


def test_a_tie_that_the_cutoff_and_the_depth_cut_goes_on_below():
    qrels = {"q": {"a": 1}}
    run = {"q": dict.fromkeys("auvwx", 1.0)}
    for rules in (Rules(ties="average"), Rules(ties="average", depth=2)):
        bounds = bound_run(qrels, run, "nDCG@2", rules=rules)
        assert bounds.n_unjudged.tolist() == [[4]]
        assert bounds.high[0, 0] == 1.0


def test_ties_that_labels_break_are_refused():
    with pytest.raises(AlignError) as error:
        bound_run(QRELS, RUN, rules=Rules(ties="best"))
    assert str(error.value) == (
        "ties=best orders by label, but an unjudged item may get any. "
        "Pass another --ties, for example item-desc."
    )


def test_scores_alone_have_no_unjudged_items_even_if_ties_are_averaged():
    qrels = gainful.read_qrels(Columns(query=["q", "q"], item=["a", "b"], label=[1, 0]))
    bounds = bound_run(qrels, [1.0, 1.0], rules=Rules(ties="average"))
    assert bounds.n_unjudged.tolist() == [[0]]


def test_parts_of_items_are_unjudged_as_the_item_they_are_parts_of():
    for ties in ("item-desc", "average"):
        rules = Rules(collapse=r"^(.*)#\d+$", ties=ties)
        bounds = bound_run(
            {"q": {"a": 1}}, {"q": {"u#1": 4, "a#1": 3, "u#2": 2, "v#1": 1}}, rules=rules
        )
        assert bounds.n_unjudged.tolist() == [[2]]
        assert set(bounds.run_items[0].places.ids) >= {"u", "v"}


def test_bounds_refuse_what_they_would_ignore():
    with pytest.raises(AlignError) as error:
        gainful.unjudged({"q": {"a": 1}}, {"r": {"q": ["a", "b"]}}, rules=DialectRules(min_label=1))
    assert str(error.value) == (
        "min_label=1 has no meaning where an unjudged item may get any label. "
        "Pass rules without it."
    )
