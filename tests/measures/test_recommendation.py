"""Coverage, Gini, Novelty, ILD and Serendipity, worked out by hand and by brute force."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from gainful import ItemData, MeasureError, Rules, evaluate, read_qrels
from gainful.sources import Columns

# Three users. 8 have had a, 4 have had b, 1 has had c; d and e were never had.
QRELS = {"u": {"a": 1, "b": 1, "c": 2}, "v": {"c": 1, "d": 1}, "w": {"a": 0}}
RUN = {"u": ["a", "b", "c"], "v": ["b", "d"], "w": ["b"]}
ITEMS = ItemData(
    catalog=["a", "b", "c", "d", "e"],
    popularity={"a": 8, "b": 4, "c": 1, "d": 0, "e": 0},
    n_users=16,
    features={"a": [1, 0], "b": [0, 2], "c": [3, 3], "d": [-5, 0], "e": [0, 0]},
)


def value(measure, run=RUN, qrels=QRELS, items=ITEMS, **rules):
    return evaluate(qrels, run, measure, items=items, rules=Rules(**rules))[measure]


def values(measure, run=RUN, qrels=QRELS, items=ITEMS, **rules):
    return evaluate(qrels, run, measure, items=items, rules=Rules(**rules)).column(measure).tolist()


def test_coverage_counts_what_anyone_is_recommended():
    assert value("Coverage@1") == 2 / 5  # a, b
    assert value("Coverage@2") == 3 / 5  # a, b, d
    assert value("Coverage") == value("Coverage@99") == 4 / 5  # all but e


def test_coverage_leaves_out_what_is_not_in_the_catalog():
    assert value("Coverage", {"u": ["a", "x", "y"]}) == 1 / 5


def test_gini_is_0_where_all_items_are_recommended_as_often():
    assert value("Gini", {"u": ["a", "b", "c"], "v": ["d", "e"]}) == 0
    assert value("Gini", {"u": ["a", "b", "c", "d", "e"], "v": ["e", "d", "c", "b", "a"]}) == 0


def test_gini_is_1_where_one_item_is_all_that_is_recommended():
    same = {"u": ["b"], "v": ["b"], "w": ["b"]}
    assert value("Gini", same) == 1
    assert value("Gini(scale=population)", same) == 1 - 1 / 5


def test_gini_by_hand():
    # In all ranks b is recommended 3 times, a, c and d once, e never: 0, 1, 1, 1, 3 of 6.
    # (2j - 6) is -4, -2, 0, 2, 4, so the sum is 0 - 2 + 0 + 2 + 12.
    assert value("Gini") == 12 / 6 / 4
    assert value("Gini(scale=population)") == 12 / 6 / 5


def test_gini_is_undefined_where_nothing_of_the_catalog_is_recommended():
    assert math.isnan(value("Gini", {"u": ["x"]}))
    assert math.isnan(value("Gini", {"u": ["a"]}, items=ItemData(catalog=["a"])))
    assert value("Coverage", {"u": ["x"]}) == 0


def test_numbers_of_the_whole_run_are_no_means_of_queries():
    scores = evaluate(QRELS, RUN, ["Coverage@2", "Novelty@2"], items=ITEMS)
    assert np.isnan(scores.column("Coverage@2")).all()
    assert scores.mean()["Coverage@2"] == scores["Coverage@2"] == 3 / 5
    assert scores.per_query()["u"]["Novelty@2"] == (1 + 2) / 2
    assert scores.to_dict()["per_query"]["u"] == {"Coverage@2": None, "Novelty@2": 1.5}
    assert not any(notice.code == "undefined-values" for notice in scores.notices)


def test_novelty_is_the_mean_of_bits():
    # Of 16 users 8, 4, 1 and none have had a, b, c, d: 1, 2, 4 and, as if one had, 4 bits.
    assert values("Novelty") == [(1 + 2 + 4) / 3, (2 + 4) / 2, 2]
    assert values("Novelty@2") == [(1 + 2) / 2, (2 + 4) / 2, 2]


def test_novelty_of_an_item_that_is_not_known_is_that_of_one_user():
    assert values("Novelty", {"u": ["x"], "v": ["c"]}) == [4, 4, 0]


def test_novelty_as_a_share_of_interactions():
    # 13 interactions in all.
    assert values("Novelty(share=interactions)@1")[:2] == [math.log2(13 / 8), math.log2(13 / 4)]


def test_ild_is_the_mean_distance_of_all_pairs():
    half = 1 - math.sqrt(0.5)
    # a and b are at right angles, c is between them, d is opposite to a.
    assert values("ILD")[0] == pytest.approx((1 + half + half) / 3, abs=1e-15)
    assert values("ILD")[1:] == [1, 0]
    assert values("ILD@2", {"u": ["a", "d", "b"]})[0] == 2
    assert values("ILD", {"u": ["a", "e"]})[0] == 1
    assert values("ILD(distance=euclidean)@2", {"u": ["a", "d"]})[0] == 6


def test_ild_of_a_list_without_a_pair_is_undefined():
    assert math.isnan(values("ILD@1", empty="nan")[0])
    assert math.isnan(values("ILD", {"u": ["a", "x"]}, empty="nan")[0])


def test_ild_leaves_out_items_without_features():
    assert values("ILD", {"u": ["a", "x", "b"]})[0] == 1


def test_serendipity_wants_relevant_items_that_are_not_popular():
    # The 3 most popular are a, b, c; the 2 most popular are a, b.
    assert values("Serendipity@3") == [0, 1 / 3, 0]
    assert values("Serendipity@2") == [0, 1 / 2, 0]
    assert values("Serendipity(expected=1)@3") == [2 / 3, 1 / 3, 0]  # b and c; d
    assert values("Serendipity(expected=1, rel=2)@3") == [1 / 3, 0, 0]  # c
    assert values("Serendipity(expected=2)") == [1 / 3, 1 / 2, 0]


def test_serendipity_as_a_share_of_others():
    assert values("Serendipity(expected=1, of=relevant)@3", empty="nan")[:2] == [2 / 3, 1]
    assert values("Serendipity(expected=1, of=unexpected)@3")[:2] == [1, 1 / 2]
    assert math.isnan(values("Serendipity(of=relevant)@3", empty="nan")[2])
    assert math.isnan(values("Serendipity(of=unexpected)@3", {"u": ["a"]}, empty="nan")[0])


def test_equally_popular_items_are_expected_together():
    items = ItemData(popularity={"a": 2, "b": 1, "c": 1})
    assert values("Serendipity@2", {"u": ["b", "c"]}, items=items)[0] == 0
    assert values("Serendipity(expected=1)@2", {"u": ["b", "c"]}, items=items)[0] == 1


def test_what_nobody_has_had_is_never_expected():
    items = ItemData(popularity={"a": 2, "b": 0})
    assert values("Serendipity@3", {"u": ["a", "b", "c"]}, items=items)[0] == 2 / 3


@pytest.mark.parametrize("negative", [-1, 0])
def test_labels_of_0_and_below_are_not_relevant(negative):
    assert values("Serendipity@1", {"u": ["d"]}, {"u": {"d": negative}})[0] == 0


def test_empty_run_scores_0():
    run = {"u": [], "v": ["x"]}
    qrels = {"u": {"a": 1}, "v": {"b": 1}}
    assert values("Serendipity@3", run, qrels)[0] == values("Novelty@3", run, qrels)[0] == 0
    assert values("ILD@3", run, qrels)[0] == values("Serendipity", run, qrels)[0] == 0


@pytest.mark.parametrize(
    ("measure", "missing"),
    [
        ("Coverage@5", "catalog"),
        ("Gini@5", "catalog"),
        ("Novelty@5", "popularity"),
        ("ILD@5", "features"),
        ("Serendipity@5", "popularity"),
    ],
)
def test_a_measure_says_what_it_lacks(measure, missing):
    name = measure.removesuffix("@5")
    sentence = (
        f"{name} needs the {missing} of items. Pass --items FILE, or items=ItemData({missing}=...)."
    )
    for items in (None, ItemData()):
        with pytest.raises(MeasureError) as error:
            value(measure, items=items)
        assert str(error.value) == sentence


def test_novelty_needs_the_number_of_users():
    with pytest.raises(MeasureError) as error:
        value("Novelty", items=ItemData(popularity={"a": 1}))
    assert str(error.value) == (
        "Novelty needs the number of users. Pass --users N, or ItemData(n_users=...), or set "
        "share=interactions."
    )


def test_depth_ties_and_condensing_decide_what_is_recommended():
    qrels, run = {"u": {"a": 1, "c": 1}}, {"u": {"a": 1, "b": 1, "c": 1, "d": 0}}
    assert value("Coverage", run, qrels, depth=2) == 2 / 5
    assert values("Novelty@1", run, qrels) == [4]  # c
    assert values("Novelty@1", run, qrels, ties="item-asc") == [1]  # a
    assert values("Novelty", run, qrels, unjudged="condense") == [(1 + 4) / 2]  # a, c


def test_queries_that_are_left_out_recommend_nothing():
    run = {"v": ["d"], "u": ["a", "b"]}
    assert value("Coverage", run, {"w": {"a": 1}, **QRELS}, missing="skip") == 3 / 5
    qrels = {"u": {"a": 0}, "v": {"d": 1}}
    assert value("Coverage", run, qrels, empty="skip") == 1 / 5
    assert values("Novelty", run, qrels, empty="skip") == [4]


@pytest.mark.parametrize("seed", range(30))
def test_random_runs_score_what_brute_force_scores(seed):
    rng = np.random.default_rng(seed)
    items = [f"i{n}" for n in range(40)]
    known = items[:34]
    popularity = {item: int(rng.integers(0, 12)) for item in known}
    features = {item: rng.normal(size=4) for item in known}
    data = ItemData(catalog=known, popularity=popularity, n_users=20, features=features)
    queries = [f"q{n}" for n in range(25)]
    run = {q: rng.permutation(items)[: rng.integers(0, 12)].tolist() for q in queries}
    qrels = {q: {i: int(rng.integers(-1, 3)) for i in rng.permutation(items)[:15]} for q in queries}
    names = ["Coverage", "Gini", "Novelty", "ILD", "Serendipity", "Serendipity(of=unexpected)"]
    chosen = [f"{name}@{cutoff}" for name in names for cutoff in (1, 3, 20)]
    scores = evaluate(qrels, run, chosen, items=data, rules=Rules(empty="nan"))
    for cutoff in (1, 3, 20):
        lists = [run[q][:cutoff] for q in queries]
        counts = Counter(item for own in lists for item in own if item in popularity)
        spread = sorted(counts[item] for item in known)
        pairs = sum(abs(a - b) for a in spread for b in spread)
        gini = pairs / (2 * sum(spread) * (len(known) - 1))
        assert scores[f"Coverage@{cutoff}"] == len(counts) / len(known)
        assert scores[f"Gini@{cutoff}"] == pytest.approx(gini, abs=1e-12)
        expected = {
            item
            for item, n in popularity.items()
            if n > 0 and sum(m > n for m in popularity.values()) < cutoff
        }
        for number, (query, own) in enumerate(zip(queries, lists, strict=True)):
            bits = [-math.log2(max(1, popularity.get(item, 0)) / 20) for item in own]
            apart = [
                1 - a @ b / math.sqrt((a @ a) * (b @ b))
                for a, b in combinations([features[i] for i in own if i in features], 2)
            ]
            odd = [item for item in own if item not in expected]
            good = [item for item in odd if qrels[query].get(item, 0) >= 1]
            assert [scores.column(f"{name}@{cutoff}")[number] for name in names[2:]] == (
                pytest.approx(
                    [
                        sum(bits) / len(own) if own else math.nan,
                        sum(apart) / len(apart) if apart else math.nan,
                        len(good) / cutoff,
                        len(good) / len(odd) if odd else math.nan,
                    ],
                    abs=1e-12,
                    nan_ok=True,
                )
            )


def test_every_source_of_a_run_gives_the_same(tmp_path):
    path = tmp_path / "run"
    rows = [(q, i, 9 - n) for q, own in RUN.items() for n, i in enumerate(own)]
    path.write_text("".join(f"{q} Q0 {i} 1 {score} t\n" for q, i, score in rows))
    mixed = tmp_path / "mixed"
    mixed.write_text(
        "".join(f"{q} Q0 {i} 1 {s} t\n" for q, i, s in sorted(rows, key=lambda r: r[1]))
    )
    columns = Columns(*[[row[i] for row in rows] for i in (0, 1)], score=[row[2] for row in rows])
    measures = ["Coverage@2", "Gini@2", "Novelty@2", "ILD@2", "Serendipity@2", "nDCG@2"]
    mapping = {q: {i: s for query, i, s in rows if query == q} for q in RUN}
    judged = read_qrels(QRELS)
    found = [
        evaluate(judged, run, measures, items=ITEMS, threads=threads)
        for run in (RUN, mapping, columns, path, mixed)
        for threads in (1, 3)
    ]
    assert all(scores.mean() == found[0].mean() for scores in found)
    assert all(np.array_equal(s.values, found[0].values, equal_nan=True) for s in found)


@pytest.mark.parametrize("distance", ["cosine", "euclidean"])
def test_ild_is_the_same_alone_as_among_others_and_whatever_the_order(distance):
    rng = np.random.default_rng(5)
    items = [f"i{n}" for n in range(300)]
    data = ItemData(features={item: rng.normal(size=67) for item in items})
    run = {f"q{n}": rng.permutation(items)[: rng.integers(2, 60)].tolist() for n in range(50)}
    qrels = {query: {"i1": 1} for query in run}
    measure = f"ILD(distance={distance})"
    together = values(measure, run, qrels, data)
    assert together == [values(measure, {q: run[q]}, {q: {"i1": 1}}, data)[0] for q in run]
    turned = {query: own[::-1] for query, own in run.items()}
    assert values(measure, turned, qrels, data) == pytest.approx(together, abs=1e-12)


def test_copies_of_one_item_are_at_no_distance():
    features = {name: [0.1, 0.2, 0.3] for name in "abcde"}
    run = {"u": list("abcde")}
    items = ItemData(features=features)
    assert values("ILD", run, {"u": {"a": 1}}, items) == pytest.approx([0], abs=1e-15)
    assert values("ILD(distance=euclidean)", run, {"u": {"a": 1}}, items) == [0]


def test_euclidean_distances_are_those_of_all_pairs():
    rng = np.random.default_rng(7)
    features = {f"i{n}": rng.normal(size=3) for n in range(9)}
    apart = [math.dist(a, b) for a, b in combinations(features.values(), 2)]
    found = values(
        "ILD(distance=euclidean)",
        {"u": list(features)},
        {"u": {"i1": 1}},
        ItemData(features=features),
    )
    assert found == pytest.approx([sum(apart) / len(apart)], abs=1e-12)
