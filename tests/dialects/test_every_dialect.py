"""Every dialect: a valid declaration, an evaluation, and the same score alone as among others."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.adapters.torchmetrics import RetrievalMetric
from gainful.dialects import DIALECTS, EXACT, Dialect
from gainful.measures import REGISTRY, nDCG
from gainful.measures.cumulative_gain import DCG, IDCG

WITHOUT_IDS = {"input", "input-reversed", "average", "best", "worst", "middle"}
LISTS = st.lists(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5])),
        min_size=2,
        max_size=6,
    ),
    min_size=2,
    max_size=4,
)


@pytest.mark.parametrize(
    "dialect",
    [d for d in DIALECTS.values() if d.rules.ties in WITHOUT_IDS and d.rules.order == "score"],
    ids=str,
)
@given(lists=LISTS)
def test_a_query_scores_the_same_alone_as_among_others(dialect, lists):
    lists = [[(1, 0.6), *items] for items in lists]  # so that no query is empty
    metric = RetrievalMetric("nDCG@3", dialect=dialect, aggregation=list)
    for number, items in enumerate(lists):
        label, score = zip(*items, strict=True)
        metric.update(score, label, [number] * len(items))
    single_values = []
    for number, items in enumerate(lists):
        label, score = zip(*items, strict=True)
        single_metric = RetrievalMetric("nDCG@3", dialect=dialect, aggregation=list)
        single_values += single_metric(score, label, [number] * len(items))
    assert np.array_equal(metric.compute(), single_values)


ALL_DIALECTS = [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS.values()]


@pytest.mark.parametrize("dialect", ALL_DIALECTS)
def test_each_dialect_is_told_in_one_sentence(dialect: Dialect) -> None:
    assert re.fullmatch(r"[^.\n]+(\.[\w(][^.\n]*)*\.", dialect.summary)
    assert len(dialect.summary) <= 90


@pytest.mark.parametrize("dialect", ALL_DIALECTS)
def test_each_dialect_says_where_it_is_from_and_how_exact_it_is(dialect: Dialect) -> None:
    assert dialect.tool
    assert dialect.function
    assert dialect.source
    assert dialect.exact in EXACT
    assert dialect.checked or dialect.exact == "source-only"


@pytest.mark.parametrize("dialect", ALL_DIALECTS)
@pytest.mark.parametrize("measure", [nDCG, nDCG @ 10, DCG @ 10, IDCG], ids=str)
def test_each_dialect_settles_the_measures_of_cumulative_gain(dialect: Dialect, measure) -> None:
    resolved = dialect.resolve(measure)
    assert resolved.name == measure.name
    assert resolved.all_settings["cutoff"] in (10, dialect.default_cutoff)


@pytest.mark.parametrize("dialect", ALL_DIALECTS)
def test_each_setting_of_a_dialect_is_one_of_some_measure(dialect: Dialect) -> None:
    assert set(dialect.settings) <= set(nDCG.arguments)
    for name, settings in dialect.of_measure.items():
        assert set(settings) <= set(REGISTRY[name].arguments)
    assert set(dialect.measures) <= set(REGISTRY)


@pytest.mark.parametrize("dialect", ALL_DIALECTS)
def test_what_is_said_of_a_dialect_is_said_in_sentences(dialect: Dialect) -> None:
    for sentence in (*dialect.edges.values(), *dialect.defects):
        assert sentence.endswith(".")
        assert sentence == sentence.strip()


QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0}, "q3": {"z": 1}}


@pytest.mark.parametrize("name", [n for n, d in DIALECTS.items() if d.rules.missing != "error"])
def test_every_dialect_evaluates_a_run(name: str) -> None:
    run = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}}
    for qrels in (QRELS["q1"], {"a": 1, "b": 0, "c": 1}):
        scores = gainful.evaluate({"q1": qrels}, run, ["nDCG@2", "DCG@2"], dialect=name)
        assert 0.0 < scores["nDCG@2"] <= 1.5
