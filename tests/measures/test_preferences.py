"""The preference measures, worked out by hand."""

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import MeasureError, Rules


def compute_value(measure, preferences, items, **rules):
    """Compute the value of a single query, whose items the run returns in this order."""
    judgments = gainful.read_preferences({"q": preferences})
    return gainful.evaluate(judgments, {"q": items}, measure, rules=Rules(**rules))[measure]


# One judge: a over b over c, so a > b, a > c, b > c.
CHAIN = {"anna": {"a": 3, "b": 2, "c": 1}}


def test_a_preference_is_fulfilled_if_the_preferred_item_stands_above():
    assert compute_value("PrefsPossible", CHAIN, ["b", "a", "c"]) == 3
    assert compute_value("PrefsFulfilled", CHAIN, ["b", "a", "c"]) == 2  # a > c, b > c
    assert compute_value("PrefsSimp", CHAIN, ["b", "a", "c"]) == 2 / 3


def test_unjudged_items_change_nothing():
    assert compute_value("PrefsSimp", CHAIN, ["x", "b", "y", "a", "c", "z"]) == 2 / 3


def test_a_retrieved_item_stands_above_one_that_was_not():
    # b retrieved, a and c not: b > c is implied, a > b is violated, a > c does not occur.
    assert compute_value("PrefsFulfilled", CHAIN, ["b"]) == 1
    assert compute_value("PrefsFulfilledRet", CHAIN, ["b"]) == 0
    assert compute_value("PrefsSimp", CHAIN, ["b"]) == 1 / 3
    assert compute_value("PrefsSimpImp", CHAIN, ["b"]) == 1 / 2
    assert compute_value("PrefsSimpRet", CHAIN, ["b"]) == 0


def test_only_pairs_of_retrieved_items_count_for_ret():
    # a and c retrieved, in the wrong order: a > c is violated; a > b and c < b have one item.
    assert compute_value("PrefsSimpRet", CHAIN, ["c", "a"]) == 0 / 1
    assert compute_value("PrefsSimpImp", CHAIN, ["c", "a"]) == 1 / 3  # a > b
    assert compute_value("PrefsPairRet", CHAIN, ["a", "c"]) == 1 / 1


# Two judges on a and b, one of whom also knows c.
TWO = {"anna": {"a": 1, "b": 0}, "bert": {"b": 2, "a": 1, "c": 0}}


def test_a_pair_shares_its_weight_between_the_groups_that_order_it():
    # a above b: anna agrees, bert does not, 1/2; a above c and b above c: bert agrees, 1 each.
    assert compute_value("PrefsPair", TWO, ["a", "b", "c"]) == (1 / 2 + 1 + 1) / 3
    # 3 of 4 preferences: anna's a > b, bert's b > c and a > c.
    assert compute_value("PrefsSimp", TWO, ["a", "b", "c"]) == 3 / 4
    # anna 1 of 1, bert 2 of 3.
    assert compute_value("PrefsAvg", TWO, ["a", "b", "c"]) == (1 / 1 + 2 / 3) / 2


def test_pairs_with_items_that_were_not_retrieved():
    # a alone: above b 1/2, above c 1; b and c do not occur.
    assert compute_value("PrefsPair", TWO, ["a"]) == (1 / 2 + 1) / 3
    assert compute_value("PrefsPairImp", TWO, ["a"]) == (1 / 2 + 1) / 2
    assert compute_value("PrefsPairRet", TWO, ["a"]) == 0
    # anna 1 of 1; bert has a > c, violates b > a, and b > c does not occur.
    assert compute_value("PrefsAvg", TWO, ["a"]) == (1 / 1 + 1 / 3) / 2
    assert compute_value("PrefsAvgImp", TWO, ["a"]) == (1 / 1 + 1 / 2) / 2
    assert compute_value("PrefsAvgRet", TWO, ["a"]) == 0


def test_subgroups_compare_apart_and_what_follows_is_added():
    # 1: a > b. 2: b > c > d. Hence a > c and a > d: six in all, though a was never beside c.
    groups = {"anna": {"1": {"a": 2, "b": 1}, "2": {"b": 9, "c": 8, "d": 7}}}
    assert compute_value("PrefsPossible", groups, ["a"]) == 6
    assert compute_value("PrefsFulfilled", groups, ["c", "a", "b", "d"]) == 4  # not a > c, b > c


def test_no_level_is_special():
    # trec_eval takes a highest level of -3 for none, loses the lowest, and counts 1.
    assert (
        compute_value("PrefsPossible", {"anna": {"a": -3, "b": -4, "c": -5}}, ["a", "b", "c"]) == 3
    )


def test_levels_of_other_subgroups_are_not_compared():
    groups = {"anna": {"1": {"a": 2, "b": 1}, "2": {"c": 9, "d": 8}}}
    assert compute_value("PrefsPossible", groups, ["a"]) == 2


def test_a_preference_in_two_subgroups_counts_once_and_in_two_groups_twice():
    pair = {"a": 1, "b": 0}
    assert compute_value("PrefsPossible", {"anna": {"1": pair, "2": pair}}, ["a"]) == 1
    assert compute_value("PrefsPossible", {"anna": pair, "bert": pair}, ["a"]) == 2


def test_a_group_without_preferences_adds_nothing_to_the_mean():
    groups = {"anna": {"a": 1, "b": 0}, "bert": {"a": 1}}
    assert compute_value("PrefsAvg", groups, ["a", "b"]) == (1 + 0) / 2


def test_rnonrel_makes_up_for_non_relevant_items_that_are_missing():
    # 2 relevant and 1 other: each relevant item gains a preference, fulfilled if it is retrieved.
    groups = {"anna": {"a": 1, "b": 1, "n": 0}}
    assert compute_value("PrefsAvgRnonrel", groups, ["a", "n", "b"]) == (1 + 2) / (2 + 2)
    # a > n is implied, b > n does not occur; a gains one, b does not.
    assert compute_value("PrefsAvgRnonrel", groups, ["a"]) == (1 + 1) / (2 + 2)
    # Retrieved: 1 relevant, 0 others; a gains one of what a and b could.
    assert compute_value("PrefsAvgRnonrelRet", groups, ["a"]) == (0 + 1) / (0 + 2)


def test_rnonrel_keeps_the_first_non_relevant_items_of_a_split_group():
    # 1 relevant: of m, n, o only n, the first, is kept. It stands above a.
    groups = {"anna": {"1": {"a": 1, "m": 0, "n": 0}, "2": {"a": 1, "o": 0}}}
    assert compute_value("PrefsAvgRnonrel", groups, ["n", "a", "m"]) == 0 / 1
    assert compute_value("PrefsAvg", groups, ["n", "a", "m"]) == 2 / 3


def test_rnonrel_counts_pairs_of_non_relevant_items_in_a_group_that_is_not_split():
    # The same preferences in one subgroup. Before n: a, and, as trec_eval does, m, n and o too.
    groups = {"anna": {"a": 1, "m": 0, "n": 0, "o": 0}}
    assert compute_value("PrefsAvgRnonrel", groups, ["a", "n", "m"]) == 1 / 4
    assert (
        compute_value("PrefsAvgRnonrelRet", groups, ["a", "n", "m"]) == 1 / 3
    )  # o was not retrieved


def test_rnonrel_takes_all_of_a_lowest_level_that_is_too_small():
    # 2 relevant, 3 others, but the lowest level holds 1 item, d.
    groups = {"anna": {"a": 2, "b": 1, "c": 0, "c2": 0, "d": -1}}
    # a > b, a > c, a > c2, b > c, b > c2; a, b, c and c2 above d, but not d itself.
    assert compute_value("PrefsAvgRnonrel", groups, ["a", "b", "c", "c2", "d"]) == (5 + 4) / (5 + 5)


def test_rnonrel_of_a_group_that_divides_zero_by_zero():
    # bert has nothing relevant and nothing is left of his group.
    groups = {"anna": {"a": 1, "b": 0}, "bert": {"c": 0, "d": 0}}
    assert compute_value("PrefsAvgRnonrel", groups, ["a", "b"]) == 0
    assert compute_value("PrefsAvgRnonrel(undefined=group)", groups, ["a", "b"]) == (1 + 0) / 2


@pytest.mark.parametrize("scope", ["", "Ret", "Imp"])
@pytest.mark.parametrize("ratio", ["Simp", "Pair", "Avg"])
def test_a_query_without_preferences_is_undefined(ratio, scope):
    groups = {"anna": {"a": 1, "b": 1}}
    assert compute_value(f"Prefs{ratio}{scope}", groups, ["a", "b"]) == 0
    assert math.isnan(compute_value(f"Prefs{ratio}{scope}", groups, ["a", "b"], empty="nan"))
    assert compute_value(f"Prefs{ratio}{scope}", groups, ["a", "b"], empty="one") == 1
    assert compute_value("PrefsAvgRnonrel", groups, ["a", "b"]) == 1  # the items are relevant


@pytest.mark.parametrize("scope", ["", "Ret"])
def test_rnonrel_is_undefined_if_no_group_has_anything_left(scope):
    groups = {"anna": {"a": 0, "b": 0}}
    assert math.isnan(compute_value(f"PrefsAvgRnonrel{scope}", groups, ["a", "b"], empty="nan"))


@pytest.mark.parametrize("name", [m for m in gainful.measures.REGISTRY if m.startswith("Prefs")])
def test_a_query_without_results_scores_0_where_anything_was_to_be_found(name):
    judgments = gainful.read_preferences({"q": CHAIN, "other": CHAIN})
    scores = gainful.evaluate(judgments, {"other": ["a"]}, name, rules=Rules(empty="nan"))
    assert scores.per_query()["q"][name] == (3 if name == "PrefsPossible" else 0)


def test_counts_are_summed_over_queries_and_shares_averaged():
    judgments = gainful.read_preferences({"q1": CHAIN, "q2": TWO})
    run = {"q1": ["a", "b", "c"], "q2": ["b", "a", "c"]}
    scores = gainful.evaluate(judgments, run, ["PrefsPossible", "PrefsFulfilled", "PrefsSimp"])
    # 3 + 4 and 3 + 3; (1 + 3/4) / 2
    assert scores.mean() == {"PrefsPossible": 7, "PrefsFulfilled": 6, "PrefsSimp": 0.875}


def test_depth_cuts_the_ranking():
    assert compute_value("PrefsFulfilledRet", CHAIN, ["a", "b", "c"], depth=2) == 1


def test_ties_are_broken_as_the_rules_say():
    judgments = gainful.read_preferences({"q": {"anna": {"a": 1, "b": 0}}})
    run = {"q": {"a": 1.0, "b": 1.0}}
    ascending = gainful.evaluate(judgments, run, "PrefsSimp", rules=Rules(ties="item-asc"))
    descending = gainful.evaluate(judgments, run, "PrefsSimp", rules=Rules(ties="item-desc"))
    assert (ascending["PrefsSimp"], descending["PrefsSimp"]) == (1, 0)


def test_no_average_over_ties_is_known():
    with pytest.raises(MeasureError, match=r"^PrefsSimp: no exact average over ties is known"):
        compute_value("PrefsSimp", CHAIN, ["a"], ties="average")


LEVELS = st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3), min_size=1)
GROUPS = st.dictionaries(st.sampled_from("xyz"), LEVELS, min_size=1)
ORDERS = st.permutations("abcdefuv").flatmap(
    lambda items: st.integers(1, len(items)).map(lambda n: items[:n])
)


@given(GROUPS, ORDERS)
def test_equals_the_definition_spelled_out_pair_by_pair(groups, items):
    rank = {item: i for i, item in enumerate(items)}
    states = [
        [(a, b) for a, b in permutations(levels, 2) if levels[a] > levels[b]]
        for levels in groups.values()
    ]
    fulfilled = [
        sum(a in rank and rank[a] < rank.get(b, math.inf) for a, b in pairs) for pairs in states
    ]
    assert compute_value("PrefsPossible", groups, items) == sum(map(len, states))
    assert compute_value("PrefsFulfilled", groups, items) == sum(fulfilled)
    means = [n / len(pairs) if pairs else 0 for n, pairs in zip(fulfilled, states, strict=True)]
    assert compute_value("PrefsAvg", groups, items) == pytest.approx(np.mean(means), abs=1e-15)
    shares = []
    for a, b in combinations("abcdef", 2):
        wins_of_a, wins_of_b = (sum(pair in pairs for pairs in states) for pair in ((a, b), (b, a)))
        if wins_of_a + wins_of_b:
            first = min((a, b), key=lambda item: rank.get(item, math.inf))
            wins = (wins_of_a if first == a else wins_of_b) if first in rank else 0
            shares.append(wins / (wins_of_a + wins_of_b))
    expected = np.mean(shares) if shares else 0
    assert compute_value("PrefsPair", groups, items) == pytest.approx(expected, abs=1e-15)


@given(GROUPS, ORDERS)
def test_values_of_narrower_scopes_are_the_same_once_all_is_retrieved(groups, items):
    all_items = [*items, *(item for item in "abcdef" if item not in items)]
    for ratio in ("Simp", "Pair", "Avg"):
        expected = compute_value(f"Prefs{ratio}", groups, all_items)
        assert compute_value(f"Prefs{ratio}Ret", groups, all_items) == expected
        assert compute_value(f"Prefs{ratio}Imp", groups, all_items) == expected
    expected = compute_value("PrefsAvgRnonrel", groups, all_items)
    assert compute_value("PrefsAvgRnonrelRet", groups, all_items) == expected


@given(LEVELS, ORDERS, st.data())
def test_swapping_an_item_with_a_better_one_below_it_never_lowers_the_share(levels, items, data):
    i = data.draw(st.integers(0, len(items) - 1))
    j = data.draw(st.integers(i, len(items) - 1))
    upper, lower = items[i], items[j]
    if upper not in levels or lower not in levels or levels[lower] < levels[upper]:
        return
    better_order = [*items]
    better_order[i], better_order[j] = lower, upper
    for name in ("PrefsSimp", "PrefsPair", "PrefsAvg"):
        assert compute_value(name, {"g": levels}, better_order) >= compute_value(
            name, {"g": levels}, items
        )
