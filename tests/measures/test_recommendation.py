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


def compute_value(measure, run=RUN, qrels=QRELS, items=ITEMS, **rules):
    return evaluate(qrels, run, measure, items=items, rules=Rules(**rules))[measure]


def compute_values(measure, run=RUN, qrels=QRELS, items=ITEMS, **rules):
    return evaluate(qrels, run, measure, items=items, rules=Rules(**rules)).column(measure).tolist()


def test_coverage_counts_what_anyone_is_recommended():
    assert compute_value("Coverage@1") == 2 / 5  # a, b
    assert compute_value("Coverage@2") == 3 / 5  # a, b, d
    assert compute_value("Coverage") == compute_value("Coverage@99") == 4 / 5  # all but e


def test_coverage_leaves_out_what_is_not_in_the_catalog():
    assert compute_value("Coverage", {"u": ["a", "x", "y"]}) == 1 / 5


def test_gini_is_0_where_all_items_are_recommended_as_often():
    assert compute_value("Gini", {"u": ["a", "b", "c"], "v": ["d", "e"]}) == 0
    assert (
        compute_value("Gini", {"u": ["a", "b", "c", "d", "e"], "v": ["e", "d", "c", "b", "a"]}) == 0
    )


def test_gini_is_1_where_one_item_is_all_that_is_recommended():
    run = {"u": ["b"], "v": ["b"], "w": ["b"]}
    assert compute_value("Gini", run) == 1
    assert compute_value("Gini(scale=population)", run) == 1 - 1 / 5


def test_gini_by_hand():
    # In all ranks b is recommended 3 times, a, c and d once, e never: 0, 1, 1, 1, 3 of 6.
    # (2j - 6) is -4, -2, 0, 2, 4, so the sum is 0 - 2 + 0 + 2 + 12.
    assert compute_value("Gini") == 12 / 6 / 4
    assert compute_value("Gini(scale=population)") == 12 / 6 / 5


def test_gini_is_undefined_where_nothing_of_the_catalog_is_recommended():
    assert math.isnan(compute_value("Gini", {"u": ["x"]}))
    assert math.isnan(compute_value("Gini", {"u": ["a"]}, items=ItemData(catalog=["a"])))
    assert compute_value("Coverage", {"u": ["x"]}) == 0


def test_numbers_of_the_whole_run_are_no_means_of_queries():
    scores = evaluate(QRELS, RUN, ["Coverage@2", "Novelty@2"], items=ITEMS)
    assert np.isnan(scores.column("Coverage@2")).all()
    assert scores.mean()["Coverage@2"] == scores["Coverage@2"] == 3 / 5
    assert scores.per_query()["u"]["Novelty@2"] == (1 + 2) / 2
    assert scores.to_dict()["per_query"]["u"] == {"Coverage@2": None, "Novelty@2": 1.5}
    assert not any(notice.code == "undefined-values" for notice in scores.notices)


def test_novelty_is_the_mean_of_bits():
    # Of 16 users 8, 4, 1 and none have had a, b, c, d: 1, 2, 4 and, as if one had, 4 bits.
    assert compute_values("Novelty") == [(1 + 2 + 4) / 3, (2 + 4) / 2, 2]
    assert compute_values("Novelty@2") == [(1 + 2) / 2, (2 + 4) / 2, 2]


def test_novelty_of_an_item_that_is_not_known_is_that_of_one_user():
    assert compute_values("Novelty", {"u": ["x"], "v": ["c"]}) == [4, 4, 0]


def test_novelty_as_a_share_of_interactions():
    # 13 interactions in all.
    assert compute_values("Novelty(share=interactions)@1")[:2] == [
        math.log2(13 / 8),
        math.log2(13 / 4),
    ]


def test_ild_is_the_mean_distance_of_all_pairs():
    distance = 1 - math.sqrt(0.5)
    # a and b are at right angles, c is between them, d is opposite to a.
    assert compute_values("ILD")[0] == pytest.approx((1 + distance + distance) / 3, abs=1e-15)
    assert compute_values("ILD")[1:] == [1, 0]
    assert compute_values("ILD@2", {"u": ["a", "d", "b"]})[0] == 2
    assert compute_values("ILD", {"u": ["a", "e"]})[0] == 1
    assert compute_values("ILD(distance=euclidean)@2", {"u": ["a", "d"]})[0] == 6


def test_ild_of_a_list_without_a_pair_is_undefined():
    assert math.isnan(compute_values("ILD@1", empty="nan")[0])
    assert math.isnan(compute_values("ILD", {"u": ["a", "x"]}, empty="nan")[0])


def test_ild_leaves_out_items_without_features():
    assert compute_values("ILD", {"u": ["a", "x", "b"]})[0] == 1


def test_serendipity_wants_relevant_items_that_are_not_popular():
    # The 3 most popular are a, b, c; the 2 most popular are a, b.
    assert compute_values("Serendipity@3") == [0, 1 / 3, 0]
    assert compute_values("Serendipity@2") == [0, 1 / 2, 0]
    assert compute_values("Serendipity(expected=1)@3") == [2 / 3, 1 / 3, 0]  # b and c; d
    assert compute_values("Serendipity(expected=1, rel=2)@3") == [1 / 3, 0, 0]  # c
    assert compute_values("Serendipity(expected=2)") == [1 / 3, 1 / 2, 0]


def test_serendipity_as_a_share_of_others():
    assert compute_values("Serendipity(expected=1, of=relevant)@3", empty="nan")[:2] == [2 / 3, 1]
    assert compute_values("Serendipity(expected=1, of=unexpected)@3")[:2] == [1, 1 / 2]
    assert math.isnan(compute_values("Serendipity(of=relevant)@3", empty="nan")[2])
    assert math.isnan(compute_values("Serendipity(of=unexpected)@3", {"u": ["a"]}, empty="nan")[0])


def test_equally_popular_items_are_expected_together():
    items = ItemData(popularity={"a": 2, "b": 1, "c": 1})
    assert compute_values("Serendipity@2", {"u": ["b", "c"]}, items=items)[0] == 0
    assert compute_values("Serendipity(expected=1)@2", {"u": ["b", "c"]}, items=items)[0] == 1


def test_what_nobody_has_had_is_never_expected():
    items = ItemData(popularity={"a": 2, "b": 0})
    assert compute_values("Serendipity@3", {"u": ["a", "b", "c"]}, items=items)[0] == 2 / 3


@pytest.mark.parametrize("negative", [-1, 0])
def test_labels_of_0_and_below_are_not_relevant(negative):
    assert compute_values("Serendipity@1", {"u": ["d"]}, {"u": {"d": negative}})[0] == 0


def test_empty_run_scores_0():
    run = {"u": [], "v": ["x"]}
    qrels = {"u": {"a": 1}, "v": {"b": 1}}
    assert (
        compute_values("Serendipity@3", run, qrels)[0]
        == compute_values("Novelty@3", run, qrels)[0]
        == 0
    )
    assert (
        compute_values("ILD@3", run, qrels)[0] == compute_values("Serendipity", run, qrels)[0] == 0
    )


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
            compute_value(measure, items=items)
        assert str(error.value) == sentence


def test_novelty_needs_the_number_of_users():
    with pytest.raises(MeasureError) as error:
        compute_value("Novelty", items=ItemData(popularity={"a": 1}))
    assert str(error.value) == (
        "Novelty needs the number of users. Pass --users N, or ItemData(n_users=...), or set "
        "share=interactions."
    )


def test_depth_ties_and_condensing_decide_what_is_recommended():
    qrels, run = {"u": {"a": 1, "c": 1}}, {"u": {"a": 1, "b": 1, "c": 1, "d": 0}}
    assert compute_value("Coverage", run, qrels, depth=2) == 2 / 5
    assert compute_values("Novelty@1", run, qrels) == [4]  # c
    assert compute_values("Novelty@1", run, qrels, ties="item-asc") == [1]  # a
    assert compute_values("Novelty", run, qrels, unjudged="condense") == [(1 + 4) / 2]  # a, c


def test_queries_that_are_left_out_recommend_nothing():
    run = {"v": ["d"], "u": ["a", "b"]}
    assert compute_value("Coverage", run, {"w": {"a": 1}, **QRELS}, missing="skip") == 3 / 5
    qrels = {"u": {"a": 0}, "v": {"d": 1}}
    assert compute_value("Coverage", run, qrels, empty="skip") == 1 / 5
    assert compute_values("Novelty", run, qrels, empty="skip") == [4]


@pytest.mark.parametrize("seed", range(30))
def test_random_runs_score_what_brute_force_scores(seed):
    rng = np.random.default_rng(seed)
    items = [f"i{n}" for n in range(40)]
    known_items = items[:34]
    popularity = {item: int(rng.integers(0, 12)) for item in known_items}
    features = {item: rng.normal(size=4) for item in known_items}
    data = ItemData(catalog=known_items, popularity=popularity, n_users=20, features=features)
    queries = [f"q{n}" for n in range(25)]
    run = {q: rng.permutation(items)[: rng.integers(0, 12)].tolist() for q in queries}
    qrels = {q: {i: int(rng.integers(-1, 3)) for i in rng.permutation(items)[:15]} for q in queries}
    names = ["Coverage", "Gini", "Novelty", "ILD", "Serendipity", "Serendipity(of=unexpected)"]
    measures = [f"{name}@{cutoff}" for name in names for cutoff in (1, 3, 20)]
    scores = evaluate(qrels, run, measures, items=data, rules=Rules(empty="nan"))
    for cutoff in (1, 3, 20):
        lists = [run[q][:cutoff] for q in queries]
        counts = Counter(
            item for items_of_user in lists for item in items_of_user if item in popularity
        )
        sorted_counts = sorted(counts[item] for item in known_items)
        pairs = sum(abs(a - b) for a in sorted_counts for b in sorted_counts)
        gini = pairs / (2 * sum(sorted_counts) * (len(known_items) - 1))
        assert scores[f"Coverage@{cutoff}"] == len(counts) / len(known_items)
        assert scores[f"Gini@{cutoff}"] == pytest.approx(gini, abs=1e-12)
        expected = {
            item
            for item, n in popularity.items()
            if n > 0 and sum(m > n for m in popularity.values()) < cutoff
        }
        for number, (query, items_of_user) in enumerate(zip(queries, lists, strict=True)):
            bits = [-math.log2(max(1, popularity.get(item, 0)) / 20) for item in items_of_user]
            distances = [
                1 - a @ b / math.sqrt((a @ a) * (b @ b))
                for a, b in combinations([features[i] for i in items_of_user if i in features], 2)
            ]
            unexpected = [item for item in items_of_user if item not in expected]
            useful = [item for item in unexpected if qrels[query].get(item, 0) >= 1]
            assert [scores.column(f"{name}@{cutoff}")[number] for name in names[2:]] == (
                pytest.approx(
                    [
                        sum(bits) / len(items_of_user) if items_of_user else math.nan,
                        sum(distances) / len(distances) if distances else math.nan,
                        len(useful) / cutoff,
                        len(useful) / len(unexpected) if unexpected else math.nan,
                    ],
                    abs=1e-12,
                    nan_ok=True,
                )
            )


def test_every_source_of_a_run_gives_the_same(tmp_path):
    path = tmp_path / "run"
    rows = [(q, i, 9 - n) for q, items_of_user in RUN.items() for n, i in enumerate(items_of_user)]
    path.write_text("".join(f"{q} Q0 {i} 1 {score} t\n" for q, i, score in rows))
    mixed_path = tmp_path / "mixed"
    mixed_path.write_text(
        "".join(f"{q} Q0 {i} 1 {s} t\n" for q, i, s in sorted(rows, key=lambda r: r[1]))
    )
    columns = Columns(*[[row[i] for row in rows] for i in (0, 1)], score=[row[2] for row in rows])
    measures = ["Coverage@2", "Gini@2", "Novelty@2", "ILD@2", "Serendipity@2", "nDCG@2"]
    mapping = {q: {i: s for query, i, s in rows if query == q} for q in RUN}
    judgments = read_qrels(QRELS)
    results = [
        evaluate(judgments, run, measures, items=ITEMS, threads=threads)
        for run in (RUN, mapping, columns, path, mixed_path)
        for threads in (1, 3)
    ]
    assert all(scores.mean() == results[0].mean() for scores in results)
    assert all(np.array_equal(s.values, results[0].values, equal_nan=True) for s in results)


@pytest.mark.parametrize("distance", ["cosine", "euclidean"])
def test_ild_is_the_same_alone_as_among_others_and_whatever_the_order(distance):
    rng = np.random.default_rng(5)
    items = [f"i{n}" for n in range(300)]
    data = ItemData(features={item: rng.normal(size=67) for item in items})
    run = {f"q{n}": rng.permutation(items)[: rng.integers(2, 60)].tolist() for n in range(50)}
    qrels = {query: {"i1": 1} for query in run}
    measure = f"ILD(distance={distance})"
    expected = compute_values(measure, run, qrels, data)
    assert expected == [compute_values(measure, {q: run[q]}, {q: {"i1": 1}}, data)[0] for q in run]
    reversed_run = {query: items_of_user[::-1] for query, items_of_user in run.items()}
    assert compute_values(measure, reversed_run, qrels, data) == pytest.approx(expected, abs=1e-12)


def test_copies_of_one_item_are_at_no_distance():
    features = {name: [0.1, 0.2, 0.3] for name in "abcde"}
    run = {"u": list("abcde")}
    items = ItemData(features=features)
    assert compute_values("ILD", run, {"u": {"a": 1}}, items) == pytest.approx([0], abs=1e-15)
    assert compute_values("ILD(distance=euclidean)", run, {"u": {"a": 1}}, items) == [0]


def test_euclidean_distances_are_those_of_all_pairs():
    rng = np.random.default_rng(7)
    features = {f"i{n}": rng.normal(size=3) for n in range(9)}
    distances = [math.dist(a, b) for a, b in combinations(features.values(), 2)]
    results = compute_values(
        "ILD(distance=euclidean)",
        {"u": list(features)},
        {"u": {"i1": 1}},
        ItemData(features=features),
    )
    assert results == pytest.approx([sum(distances) / len(distances)], abs=1e-12)
