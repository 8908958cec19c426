"""Checks every registered measure against what its own declaration promises."""

import inspect
from pathlib import Path

import numpy as np
import pytest

import gainful
from gainful import (
    GroupedRankings,
    ItemData,
    ItemRankings,
    JudgedRankings,
    MeasureError,
    PreferenceRankings,
    measures,
)
from gainful.evaluate import values_of
from gainful.kinds import KINDS
from gainful.measures import REGISTRY, parse
from gainful.sources import Reading

JUDGMENTS = {
    JudgedRankings: gainful.read_qrels,
    ItemRankings: gainful.read_qrels,
    GroupedRankings: lambda qrels: gainful.read_subtopics(
        # Three subtopics that share items, the last of which nothing answers.
        {
            query: {
                "a": labels,
                "b": {item: 3 - labels[item] for item in [*labels][::2]},
                "c": {item: 0 for item in [*labels][1:]},
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


# Of most items all is known.
_NAMES = [f"{letter}{i}" for letter in "du" for i in range(11)]
ITEMS = ItemData(
    catalogue=_NAMES,
    popularity={item: i for i, item in enumerate(_NAMES)},
    n_users=30,
    features={item: [np.sin(i), np.cos(3 * i), i % 5 - 2] for i, item in enumerate(_NAMES)},
)


def rankings(kind, seed: int, *, average_ties: bool = False):
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for q in range(40):
        pool = [f"d{i}" for i in range(int(rng.integers(0, 9)))]
        qrels[f"q{q}"] = {item: int(rng.integers(-1, 4)) for item in pool}
        found = rng.permutation([*pool, *(f"u{i}" for i in range(12))])
        scores = rng.integers(0, 6, int(rng.integers(0, 15))).tolist()
        run[f"q{q}"] = dict(zip(found.tolist(), scores, strict=False))
    judgments, source = JUDGMENTS[kind](qrels), gainful.read_run(run)
    rules = gainful.Rules(ties="average" if average_ties else "item-desc")
    about = {"data": ITEMS, "depth": 5} if KINDS[kind].takes_items else {}
    return KINDS[kind].align(judgments, source, rules, Reading(), **about)[0]


def complete(name):
    m = REGISTRY[name]
    if "cutoff" in m.arguments:
        return m @ 5
    return m @ 0.5 if any(a.required for a in m.arguments.values()) else m


@pytest.fixture(params=sorted(REGISTRY))
def name(request):
    return request.param


def test_is_exported_under_its_own_name(name):
    assert getattr(measures, name) is REGISTRY[name]
    assert getattr(gainful, name) is REGISTRY[name]


def test_text_round_trips(name):
    assert parse(str(complete(name))) == complete(name)
    assert parse(name.upper()) == parse(name.lower()) == REGISTRY[name]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("average_ties", [False, True])
def test_one_value_per_query_within_bounds(name, seed, average_ties):
    m = complete(name)
    ranked = rankings(m.reads, seed, average_ties=average_ties)
    if average_ties and not m.averages_ties:
        with pytest.raises(MeasureError, match=f"^{name}: no exact average over ties"):
            m.overall(ranked) if m.whole else m.score(ranked)
        return
    values = values_of(m, ranked, gainful.Rules())
    assert values.shape == (ranked.n_queries,)
    if m.whole:
        assert np.isnan(values).all()
        values = np.array([m.overall(ranked)])
    assert values.dtype == np.float64
    assert values.min() >= m.bounds[0]
    assert values.max() <= m.bounds[1]


def test_a_query_scores_the_same_alone_as_among_others(name):
    # What makes partitioning by query (threads, Spark) safe; hence ==, not approx.
    m = complete(name)
    ranked = rankings(m.reads, seed=3)
    together = m.score(ranked)
    alone = [m.score(ranked.select(np.array([i])))[0] for i in range(ranked.n_queries)]
    assert np.array_equal(together, alone, equal_nan=True)


def test_has_a_one_sentence_summary(name):
    assert REGISTRY[name].summary.endswith(".")
    assert ". " not in REGISTRY[name].summary


def test_rejects_each_setting_with_a_useful_message(name):
    for a in REGISTRY[name].arguments.values():
        with pytest.raises(MeasureError) as error:
            REGISTRY[name](**{a.name: object})
        sentence = f"{name}: {a.name} must be {a.expected}, got {object!r}."
        assert str(error.value) == sentence


def test_every_measure_file_is_imported_by_the_only_list():
    folder = inspect.getfile(measures).removesuffix("__init__.py")
    declared = {inspect.getfile(m.compute).removeprefix(folder) for m in REGISTRY.values()}
    files = {path.name for path in Path(folder).glob("[!_]*.py")}
    assert files <= declared
