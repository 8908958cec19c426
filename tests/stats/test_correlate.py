"""Do measures rank systems alike, and do systems return the same items?"""

import json
import math
from itertools import combinations

import numpy as np
import polars
import pyarrow
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import ComparisonError, Rules, SourceError, correlate, evaluate, parse_measure
from gainful.base.numbers import Interval
from gainful.stats.correlation_pairs import (
    Swap,
    correlate_measures,
    limited_mean_interval,
    resample_taus,
    sign_differences,
)
from gainful.stats.rank_correlation import (
    jaccard,
    kendall_tau,
    rbo,
    rbo_bounds,
    tau_ap,
    weighted_tau,
)

P1, P10, N10 = parse_measure("P@1"), parse_measure("P@10"), parse_measure("nDCG@10")
QRELS = {"q1": {"d1": 2, "d2": 1, "d3": 0}, "q2": {"d4": 1, "d5": 1}, "q3": {"d6": 3}}
RUNS = {
    "bm25": {"q1": ["d2", "d1", "d9"], "q2": ["d4", "d5"], "q3": ["d7", "d6"]},
    "dense": {"q1": ["d1", "d9", "d8"], "q2": ["d8", "d4"], "q3": ["d6"]},
    "hybrid": {"q1": ["d1", "d2"], "q2": ["d5", "d4"], "q3": ["d6", "d7"]},
}


def constant_values(*means_of_measures):
    """A value that is the same for three queries, for every system of every measure."""
    return np.repeat(np.array(means_of_measures, dtype=float)[..., np.newaxis], 3, axis=2)


def pair_of(*means, measures=(P10, N10), systems=("bm25", "dense", "hybrid", "old", "new")):
    return correlate_measures(measures, systems[: len(means[0])], constant_values(*means))[0]


def test_measures_that_order_all_but_two_systems_alike():
    pair = pair_of([0.5, 0.4, 0.3, 0.2, 0.1], [0.4, 0.5, 0.3, 0.2, 0.1])
    assert (pair.n_pairs, pair.n_alike, pair.tau) == (10, 9, pytest.approx(0.8))
    assert pair.swaps == (Swap(better="bm25", worse="dense"),)
    assert pair.sentence == (
        "P@10 and nDCG@10 order 9 of 10 pairs of systems alike: tau 0.80 [0.80, 0.80]; "
        "they disagree on bm25 and dense."
    )


def test_a_swap_names_first_what_the_first_measure_likes_better():
    assert pair_of([0.1, 0.2], [0.2, 0.1]).swaps == (Swap(better="dense", worse="bm25"),)


def test_measures_that_order_all_systems_alike():
    assert pair_of([0.5, 0.4, 0.3], [0.9, 0.8, 0.1]).sentence == (
        "P@10 and nDCG@10 order all 3 pairs of systems alike: tau 1.00 [1.00, 1.00]."
    )


def test_a_pair_that_one_measure_ties_is_neither_alike_nor_swapped():
    pair = pair_of([0.5, 0.5, 0.3], [0.9, 0.8, 0.1])
    assert (pair.n_alike, pair.swaps) == (2, ())
    assert pair.sentence == (
        "P@10 and nDCG@10 order 2 of 3 pairs of systems alike: tau 0.82 [0.82, 0.82]; "
        "1 pair is tied by one of them."
    )


def test_more_than_three_swaps_are_counted():
    assert pair_of([0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]).sentence == (
        "P@10 and nDCG@10 order 0 of 6 pairs of systems alike: tau -1.00 [-1.00, -1.00]; "
        "they disagree on bm25 and dense, bm25 and hybrid, bm25 and old, and 3 more pairs."
    )


def test_a_measure_that_ties_all_systems_cannot_be_compared():
    pair = pair_of([0.5, 0.5], [0.9, 0.8])
    assert math.isnan(pair.tau)
    assert all(map(math.isnan, (*pair.interval, pair.tau_ap, pair.weighted_tau)))
    assert pair.sentence == ("P@10 and nDCG@10 cannot be compared: one of them ties all systems.")


def test_means_that_differ_by_rounding_only_are_tied():
    pair = pair_of([0.1 + 0.2, 0.3, 0.1], [0.3, 0.3, 0.1])
    assert (pair.tau, pair.n_alike, pair.swaps) == (pytest.approx(1.0), 3, ())


def test_a_measure_that_is_better_when_it_is_lower_orders_the_other_way_round():
    unjudged = parse_measure("Unjudged@10")
    assert not unjudged.higher_is_better
    assert pair_of([0.1, 0.2], [0.9, 0.8], measures=(unjudged, N10)).tau == 1.0


def test_geometric_means_order_systems_by_their_logarithms():
    # By the plain mean the first is better, by the geometric mean the second.
    values = np.array([[[1.0, 0.0], [0.3, 0.3]]] * 2)
    pair = correlate_measures([parse_measure("GMAP"), parse_measure("AP")], ["a", "b"], values)[0]
    assert (pair.tau, pair.swaps) == (-1.0, (Swap("b", "a"),))


def test_a_system_without_a_value_is_left_out_of_its_pairs():
    values = constant_values([0.5, 0.4, math.nan], [0.9, 0.8, 0.1])
    pair = correlate_measures([P10, N10], ["a", "b", "c"], values)[0]
    assert (pair.tau, pair.n_pairs) == (1.0, 1)


def test_one_query_tells_nothing_about_others():
    pair = correlate_measures([P10, N10], ["a", "b"], np.array([[[0.5], [0.4]], [[0.2], [0.1]]]))[0]
    assert all(map(math.isnan, pair.interval))
    assert pair.sentence == "P@10 and nDCG@10 order both systems alike: tau 1.00."


tables = st.tuples(st.integers(2, 3), st.integers(2, 5), st.integers(2, 6)).flatmap(
    lambda shape: st.lists(
        st.integers(0, 4), min_size=math.prod(shape), max_size=math.prod(shape)
    ).map(lambda flat: np.array(flat, dtype=float).reshape(shape) / 4)
)


@given(tables)
def test_correlations_of_measures_are_those_of_their_means(values):
    measures = [parse_measure(f"P@{k + 1}") for k in range(len(values))]
    systems = [f"s{i}" for i in range(values.shape[1])]
    pairs = correlate_measures(measures, systems, values, resamples=20)
    for pair, (i, j) in zip(pairs, combinations(range(len(values)), 2), strict=True):
        # Sums of quarters are exact, and tie where they should.
        a, b = values[i].sum(axis=1), values[j].sum(axis=1)
        close = {"abs": 1e-12, "nan_ok": True}
        assert pair.tau == pytest.approx(kendall_tau(a, b), **close)
        assert pair.tau_ap == pytest.approx(tau_ap(a, b, symmetric=True), **close)
        assert pair.weighted_tau == pytest.approx(weighted_tau(a, b), **close)
        swapped = [(a[x] - a[y]) * (b[x] - b[y]) < 0 for x, y in combinations(range(len(a)), 2)]
        assert len(pair.swaps) == sum(swapped)
        assert math.isnan(pair.tau) or -1 <= pair.interval.low <= pair.interval.high <= 1


@given(tables, st.integers(0, 3))
def test_resampled_taus_are_those_of_scipy_for_the_queries_that_were_drawn(values, seed):
    n_queries = values.shape[-1]
    taus = resample_taus(values, 5, seed)
    drawn = np.random.default_rng(seed).integers(n_queries, size=(5, n_queries))
    for of_draw, queries in zip(taus, drawn, strict=True):
        sums = values[:, :, queries].sum(axis=-1)
        for i, j in combinations(range(len(values)), 2):
            expected = math.nan
            if min(np.ptp(sums[i]), np.ptp(sums[j])) > 0:
                expected = scipy.stats.kendalltau(sums[i], sums[j]).statistic
            assert of_draw[i, j] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_the_interval_is_that_of_scipys_bootstrap():
    rng = np.random.default_rng(7)
    skill = np.linspace(0.2, 0.8, 6)[:, np.newaxis]
    values = np.stack([skill + rng.normal(0, 0.4, (6, 40)) for _ in range(2)])

    def tau(*columns):
        both = np.array(columns).reshape(2, 6, -1)
        return kendall_tau(both[0].mean(axis=-1), both[1].mean(axis=-1))

    theirs = scipy.stats.bootstrap(
        tuple(values.reshape(12, 40)),
        tau,
        paired=True,
        vectorized=False,
        method="percentile",
        n_resamples=1000,
        rng=3,
    ).confidence_interval
    ours = correlate_measures([P10, N10], list("abcdef"), values)[0].interval
    # Taus of 6 systems lie on a grid of 2 / 15; ends of random draws may differ by a step.
    assert ours.low == pytest.approx(theirs.low, abs=2 / 15 + 1e-9)
    assert ours.high == pytest.approx(theirs.high, abs=2 / 15 + 1e-9)


def test_the_same_seed_gives_the_same_bits_and_another_seed_others():
    values = np.random.default_rng(0).random((2, 5, 30))
    first, again, other = (resample_taus(values, 50, seed) for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any()


def test_orders_of_pairs_tolerate_rounding():
    assert sign_differences(np.array([0.3, 0.1 + 0.2, 0.5])).tolist() == [0.0, -1.0, -1.0]


def test_the_mean_interval_is_that_of_scipys_t_test():
    values = np.array([0.2, 0.4, 0.3, 0.55, math.nan])
    theirs = scipy.stats.ttest_1samp(values[:4], 0).confidence_interval(0.95)
    assert limited_mean_interval(values, (0, 1), 0.95) == pytest.approx([theirs.low, theirs.high])


def test_the_mean_interval_stays_within_the_limits():
    assert limited_mean_interval(np.array([0.0, 1.0]), (0.0, 1.0), 0.95) == Interval(0.0, 1.0)


def test_rankings_of_runs_are_compared_query_by_query():
    found = correlate(QRELS, RUNS, "P@1", p=0.8)
    for pair in found.runs:
        lists = [(RUNS[pair.first][q], RUNS[pair.second][q]) for q in QRELS]
        close = {"abs": 1e-12}
        assert pair.rbo == pytest.approx(np.mean([rbo(*two, p=0.8) for two in lists]), **close)
        bounds = np.mean([rbo_bounds(*two, p=0.8) for two in lists], axis=0)
        assert pair.bounds == pytest.approx(tuple(bounds), **close)
        assert pair.shared == pytest.approx(np.mean([jaccard(*two) for two in lists]), **close)
        assert pair.n_queries == 3


def test_only_the_top_of_rankings_is_compared():
    found = correlate(QRELS, RUNS, "P@1", top=1)
    assert [pair.shared for pair in found.runs] == [0.0, 0.0, 2 / 3]
    assert found.runs[2].rbo == pytest.approx(2 / 3)


def test_tau_of_runs_is_that_of_the_items_they_share():
    pair = correlate(QRELS, [RUNS["bm25"], RUNS["hybrid"]], "P@1").runs[0]
    assert (pair.tau, pair.n_tau) == (-1.0, 3)


def test_a_query_that_one_run_lacks_has_nothing_in_common_and_one_that_both_lack_is_left_out():
    some = {"q1": ["d1"]}
    found = correlate(QRELS, {"a": some, "b": {"q1": ["d1"], "q2": ["d4"]}}, "P@1")
    assert (found.runs[0].rbo, found.runs[0].n_queries, found.n_queries) == (0.5, 2, 3)


def test_queries_without_judgments_are_left_out_and_said():
    runs = [dict(run, stranger=["d1"]) for run in RUNS.values()]
    found = correlate(QRELS, runs, "P@1")
    assert [pair.n_queries for pair in found.runs] == [3, 3, 3]
    assert {"unjudged-queries"} <= {notice.code for notice in found.notices}


def test_rankings_are_compared_for_the_queries_that_the_rules_keep():
    qrels = {**QRELS, "q3": {"d6": 0}}
    kept, skipped = (correlate(qrels, RUNS, "P@1", rules=Rules(empty=e)) for e in ("zero", "skip"))
    assert [found.runs[0].n_queries for found in (kept, skipped)] == [3, 2]


def test_ties_that_are_averaged_are_not_broken_by_label():
    tied = {"q1": {"d1": 1.0, "d2": 1.0, "d9": 1.0}}
    plain = {"q1": ["d9", "d2", "d1"]}
    found = correlate({"q1": {"d1": 1}}, [tied, plain], "P@1", rules=Rules(ties="average"))
    assert found.runs[0].rbo == 1.0


def test_means_are_those_of_evaluate():
    found = correlate(QRELS, RUNS, ["P@1", "nDCG@10"])
    assert list(found.means) == list(RUNS)
    for name, run in RUNS.items():
        assert found.means[name] == evaluate(QRELS, run, ["P@1", "nDCG@10"]).mean()


@given(st.permutations(list(RUNS)), st.integers(1, 2))
def test_names_and_order_of_runs_change_no_number(order, threads):
    plain = {
        frozenset((pair.first, pair.second)): (pair.rbo, pair.bounds, pair.shared, pair.tau)
        for pair in correlate(QRELS, RUNS, "P@1").runs
    }
    renamed = correlate(QRELS, {f"my {n}": RUNS[n] for n in order}, "P@1", threads=threads)
    for pair in renamed.runs:
        key = frozenset((pair.first.removeprefix("my "), pair.second.removeprefix("my ")))
        assert (pair.rbo, pair.bounds, pair.shared, pair.tau) == plain[key]


def test_runs_of_the_same_name_do_not_overwrite_each_other():
    found = correlate(QRELS, list(RUNS.values()), "P@1")
    assert list(found.means) == ["run-1", "run-2", "run-3"]


def test_few_systems_are_warned_of():
    notice = next(n for n in correlate(QRELS, RUNS).notices if n.code == "few-systems")
    assert str(notice) == (
        "3 systems are few: two orders of them that have nothing to do with each other agree "
        "1 time in 6, with tau 1."
    )
    five = correlate(QRELS, [*RUNS.values(), *list(RUNS.values())[:2]])
    assert "few-systems" not in {notice.code for notice in five.notices}


def test_one_measure_leaves_runs_to_be_compared():
    found = correlate(QRELS, RUNS, "nDCG@10")
    assert (found.measures, len(found.runs)) == ((), 3)
    assert "few-systems" not in {notice.code for notice in found.notices}


def test_measures_of_subtopics_agree_or_do_not():
    subtopics = {"q1": {"s1": {"d1": 1}, "s2": {"d2": 1}}, "q2": {"s1": {"d4": 1}}}
    found = correlate(subtopics, {name: RUNS[name] for name in ("bm25", "dense")}, "ERR_IA@5,10")
    assert len(found.measures) == 1
    assert found.runs[0].n_queries == 2


def test_the_tidy_table_has_a_row_for_every_statistic():
    found = correlate(QRELS, RUNS, ["P@1", "nDCG@10"])
    frame = found.to_polars()
    assert frame.columns == ["between", "first", "second", "statistic", "value", "low", "high"]
    assert frame.height == 4 + 3 * 3
    assert frame["value"].to_list()[0] == found.measures[0].tau
    assert frame.filter(polars.col("statistic") == "tau_ap")["low"].to_list() == [None]
    header, *lines = found.to_csv().splitlines()
    assert header == ",".join(frame.columns)
    assert lines[1].startswith("measures,P@1,nDCG@10,tau_ap,")
    assert lines[1].endswith(",,")
    assert all(len(line.split("\t")) == 7 for line in found.to_tsv().splitlines())


def test_json_holds_everything_and_no_nan():
    found = correlate(QRELS, [RUNS["bm25"], RUNS["bm25"]], ["P@1", "nDCG@10"])
    data = json.loads(found.to_json())
    assert data["measures"][0]["tau"] is None
    assert data["measures"][0]["interval"] == [None, None]
    assert data["runs"][0]["rbo"] == 1.0
    assert data["runs"][0]["sentence"] == found.sentences[1]
    assert (data["seed"], data["p"], data["top"], data["level"]) == (0, 0.9, 100, 0.95)
    assert data["notices"][0]["code"] == "few-systems"
    swaps = correlate(QRELS, RUNS, ["P@1", "nDCG@10"]).to_dict()["measures"][0]["swaps"]
    assert swaps == [list(s) for s in correlate(QRELS, RUNS, ["P@1", "nDCG@10"]).measures[0].swaps]


def test_markdown_and_repr_end_with_the_sentences_and_notices():
    found = correlate(QRELS, RUNS, ["P@1", "nDCG@10"])
    assert all(f"- {sentence}\n" in found.to_markdown() for sentence in found.sentences)
    assert "`[few-systems]`" in found.to_markdown()
    assert repr(found).splitlines()[0] == "<Correlation of 1 pair of measures and 3 pairs of runs>"
    assert repr(found).splitlines()[1:5] == found.sentences
    assert gainful.Correlation is type(found)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"p": 1.0}, "correlate: p must be a number > 0 and < 1, got 1.0."),
        ({"top": 0}, "correlate: top must be an integer >= 1, got 0."),
        ({"level": 95}, "correlate: level must be a number > 0 and < 1, got 95."),
        ({"resamples": 0}, "correlate: resamples must be an integer >= 1, got 0."),
        ({"seed": -1}, "correlate: seed must be an integer >= 0, got -1."),
        (
            {"measures": ["P@1", "Coverage@10"]},
            "correlate: Coverage@10 has no values of queries. Choose another measure.",
        ),
        ({"runs": [RUNS["bm25"]]}, "correlate: must be given two runs or more, got 1."),
        (
            {"runs": [RUNS["bm25"], {"q1": ["d1"]}], "rules": Rules(missing="skip")},
            "correlate: every run must have the same queries, got none of 'q2' for run 'run-2'. "
            "Pass missing=zero.",
        ),
    ],
)
def test_what_cannot_be_compared_is_an_error(wrong, sentence):
    with pytest.raises(ComparisonError) as error:
        correlate(QRELS, **{"runs": RUNS, "measures": "P@1", **wrong})
    assert str(error.value) == sentence


def test_a_run_that_can_be_read_only_once_is_an_error():
    table = pyarrow.table({"query": ["q1"], "item": ["d1"], "score": [1.0]})
    with pytest.raises(SourceError) as error:
        correlate(QRELS, {"table": table, "stream": table.to_reader()}, "P@1")
    assert str(error.value) == (
        "correlate: reads every run twice, got run 'stream', which can be read once. Pass a file."
    )
