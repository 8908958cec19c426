"""Every registered measure, checked against its declaration."""

import re
from functools import cache

import numpy as np
import pytest

import gainful
from gainful import (
    GroupedRankings,
    ItemRankings,
    JudgedRankings,
    MeasureError,
    PreferenceRankings,
    measures,
)
from gainful.alignment.judgment_types import align_kind
from gainful.base.limits import ReadOptions
from gainful.evaluation.partition import score_queries
from gainful.measures import REGISTRY, parse_measure
from gainful.report.views.reference import describe_measure
from measures.every_measure import ITEMS, complete_measure

JUDGMENTS = {
    JudgedRankings: gainful.read_qrels,
    ItemRankings: gainful.read_qrels,
    GroupedRankings: lambda qrels: gainful.read_subtopics(
        # Three subtopics that share items, the last of which nothing answers.
        {
            query: {
                "relevance": labels,
                "understandability": {item: 3 - labels[item] for item in [*labels][::2]},
                "third": {item: 0 for item in [*labels][1:]},
            }
            for query, labels in qrels.items()
        }
    ),
    PreferenceRankings: lambda qrels: gainful.read_preferences(
        # Two judges, one of whom sees every other item, the wrong way round.
        {
            query: {"a": labels, "b": {item: -labels[item] for item in [*labels][::2]}}
            for query, labels in qrels.items()
        }
    ),
}


@cache
def make_rankings(kind, seed: int, *, average_ties: bool = False):
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for q in range(40):
        pool = [f"d{i}" for i in range(int(rng.integers(0, 9)))]
        qrels[f"q{q}"] = {item: int(rng.integers(-1, 4)) for item in pool}
        items = rng.permutation([*pool, *(f"u{i}" for i in range(12))])
        scores = rng.integers(0, 6, int(rng.integers(0, 15))).tolist()
        run[f"q{q}"] = dict(zip(items.tolist(), scores, strict=False))
    judgments, source = JUDGMENTS[kind](qrels), gainful.read_run(run)
    rules = gainful.Rules(ties="average" if average_ties else "item-desc")
    return align_kind(kind, judgments, source, rules, ReadOptions(), data=ITEMS, depth=5)[0]


@pytest.fixture(params=sorted(REGISTRY))
def name(request):
    return request.param


def test_each_is_exported_under_its_own_name():
    for name, m in REGISTRY.items():
        assert getattr(measures, name) is m
        assert getattr(gainful, name) is m


def test_text_round_trips():
    for name, m in REGISTRY.items():
        assert parse_measure(str(complete_measure(name))) == complete_measure(name)
        assert parse_measure(name.upper()) == parse_measure(name.lower()) == m


@pytest.mark.parametrize("average_ties", [False, True])
def test_one_value_per_query_within_bounds(name, average_ties):
    m = complete_measure(name)
    for seed in range(5):
        ranked = make_rankings(m.reads, seed, average_ties=average_ties)
        if average_ties and not m.averages_ties:
            with pytest.raises(MeasureError, match=f"^{name}: no exact average over ties"):
                m.compute_overall(ranked) if m.whole else m.score(ranked)
            continue
        values = score_queries(m, ranked, gainful.Rules())
        assert values.shape == (ranked.n_queries,)
        if m.whole:
            assert np.isnan(values).all()
            values = np.array([m.compute_overall(ranked)])
        assert values.dtype == np.float64
        assert values.min() >= m.bounds[0]
        assert values.max() <= m.bounds[1]


def test_a_query_scores_the_same_alone_as_among_others(name):
    # Partitioning by query (threads, Spark) relies on this; hence ==, not approx.
    m = complete_measure(name)
    ranked = make_rankings(m.reads, seed=3)
    values = m.score(ranked)
    single_values = [m.score(ranked.select(np.array([i])))[0] for i in range(ranked.n_queries)]
    assert np.array_equal(values, single_values, equal_nan=True)


def align_judgments(kind, judgments, run):
    arguments = JUDGMENTS[kind](judgments), gainful.read_run(run), gainful.Rules(), ReadOptions()
    return align_kind(kind, *arguments, data=ITEMS, depth=5)[0]


# These divide by the best of an endless ranking, or of one as long as the cutoff.
SCALED = {"BPM", "ERR_IA", "F", "NERR8", "NERR9", "SDCG", "alpha_DCG"}


@pytest.mark.parametrize("name", [n for n in sorted(REGISTRY) if "cutoff" in REGISTRY[n].arguments])
def test_a_cutoff_beyond_the_list_counts_in_a_divisor_alone(name):
    m = complete_measure(name)
    if m.whole:
        return
    ranked = make_rankings(m.reads, seed=1)
    values_at_40, values_at_80 = (m @ 40).score(ranked), (m @ 80).score(ranked)
    is_divided = np.isclose(values_at_40 * 40, values_at_80 * 80, rtol=1e-12)
    if name in SCALED:
        assert not (values_at_80 > m.bounds[1]).any()
    else:
        assert (
            np.isclose(values_at_40, values_at_80, rtol=1e-12, equal_nan=True) | is_divided
        ).all()


def test_a_query_without_results_is_undefined_or_no_better_than_another():
    qrels = {"q": {"a": 3, "b": 1, "c": 0}, "r": {"a": 1}}
    for m in (complete_measure(name) for name, m in REGISTRY.items() if not m.whole):
        empty_value = m.score(align_judgments(m.reads, qrels, {"r": ["a"]}))[0]
        value = m.score(align_judgments(m.reads, qrels, {"q": ["a", "b", "x"], "r": ["a"]}))[0]
        assert np.isnan(empty_value) or m.bounds[0] <= empty_value <= m.bounds[1], m
        if m.monotone and not np.isnan([empty_value, value]).any():
            assert empty_value <= value, m


def test_a_query_with_nothing_relevant_is_undefined_or_finite():
    qrels, run = {"q": {"a": 0, "b": 0}, "r": {"a": 1}}, {"q": ["a"], "r": ["a"]}
    for m in (complete_measure(name) for name, m in REGISTRY.items() if not m.whole):
        ranked = align_judgments(m.reads, qrels, run)
        value = m.score(ranked)[ranked.queries.index("q")]
        assert np.isnan(value) or m.bounds[0] <= value <= m.bounds[1], m


@cache
def swap_items(kind, seed):
    """Return rankings, and the same with a better item exchanged with one above it."""
    rng = np.random.default_rng(seed)
    qrels, run, swapped_run = {}, {}, {}
    for q in range(60):
        labels = rng.integers(-1, 4, int(rng.integers(2, 9)))
        items = [f"d{i}" for i in range(len(labels))]
        judged = rng.random(len(labels)) < 0.8
        qrels[f"q{q}"] = {items[i]: int(labels[i]) for i in np.flatnonzero(judged)}
        qrels[f"q{q}"] |= {f"missed{i}": int(rng.integers(0, 4)) for i in range(rng.integers(3))}
        worth = np.where(judged, labels, 0)
        better = np.argwhere(np.triu(worth[np.newaxis] > worth[:, np.newaxis]))
        run[f"q{q}"], swapped_run[f"q{q}"] = list(items), list(items)
        if len(better):
            up, down = better[rng.integers(len(better))]
            swapped_run[f"q{q}"][up], swapped_run[f"q{q}"][down] = items[down], items[up]
    return align_judgments(kind, qrels, run), align_judgments(kind, qrels, swapped_run)


@pytest.mark.parametrize("name", [name for name in sorted(REGISTRY) if REGISTRY[name].monotone])
def test_an_improving_swap_never_lowers_what_is_declared_monotone(name):
    m = complete_measure(name)
    for seed in range(8):
        worse, improved = (m.score(ranked) for ranked in swap_items(m.reads, seed))
        assert not (improved < worse - 1e-12).any(), seed


def names_another_measure(name):
    words = set(re.findall(r"\w+", REGISTRY[name].documentation))
    return bool(words & set(REGISTRY) - {name})


def test_each_states_its_formula_which_reads_as_plain_text():
    for name, m in REGISTRY.items():
        text = describe_measure(m)
        assert "$" not in text, name
        assert "\\" not in text, name
        assert "$$" in m.documentation or names_another_measure(name), name


def test_each_names_its_reference_or_what_it_is_made_of():
    for name, m in REGISTRY.items():
        assert "Reference: " in m.documentation or names_another_measure(name), name


def test_each_has_a_one_sentence_summary():
    for name, m in REGISTRY.items():
        assert m.summary.endswith("."), name
        assert ". " not in m.summary, name


def test_each_rejects_each_setting_with_a_useful_message():
    for name, m in REGISTRY.items():
        for a in m.arguments.values():
            with pytest.raises(MeasureError) as error:
                m(**{a.name: object})
            assert str(error.value) == f"{name}: {a.name} must be {a.expected}, got {object!r}."
