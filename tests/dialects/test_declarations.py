"""Every dialect that is declared: found by its names, taken by its measures, told in a sentence."""

import re

import pytest

from gainful.dialects import DIALECTS, EXACT, FAMILIES, Dialect, find_dialect
from gainful.errors import RuleError
from gainful.measures import REGISTRY, nDCG
from gainful.measures.cumulative_gain import DCG, IDCG

EVERY = [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS.values()]


def _spelt(name: str) -> str:
    return re.sub(r"[-_ ]", "", name.lower())


@pytest.mark.parametrize("dialect", EVERY)
def test_each_dialect_is_found_by_every_name_that_it_has(dialect: Dialect) -> None:
    for name in (dialect.name, *dialect.also):
        assert find_dialect(name) is dialect
        assert find_dialect(name.upper().replace("-", "_")) is dialect


@pytest.mark.parametrize("dialect", EVERY)
def test_each_dialect_is_told_in_one_sentence(dialect: Dialect) -> None:
    assert re.fullmatch(r"[^.\n]+(\.[\w(][^.\n]*)*\.", dialect.summary)
    assert len(dialect.summary) <= 90


@pytest.mark.parametrize("dialect", EVERY)
def test_each_dialect_says_where_it_is_from_and_how_exact_it_is(dialect: Dialect) -> None:
    assert dialect.tool
    assert dialect.function
    assert dialect.source
    assert dialect.exact in EXACT
    assert dialect.checked or dialect.exact == "source-only"


@pytest.mark.parametrize("dialect", EVERY)
@pytest.mark.parametrize("measure", [nDCG, nDCG @ 10, DCG @ 10, IDCG], ids=str)
def test_each_dialect_settles_the_measures_of_cumulative_gain(dialect: Dialect, measure) -> None:
    settled = dialect.resolve(measure)
    assert settled.name == measure.name
    assert settled.all_settings["cutoff"] in (10, dialect.default_cutoff)


@pytest.mark.parametrize("dialect", EVERY)
def test_each_setting_of_a_dialect_is_one_of_some_measure(dialect: Dialect) -> None:
    assert set(dialect.settings) <= set(nDCG.arguments)
    for name, settings in dialect.of_measure.items():
        assert set(settings) <= set(REGISTRY[name].arguments)
    assert set(dialect.measures) <= set(REGISTRY)


@pytest.mark.parametrize("dialect", EVERY)
def test_what_is_said_of_a_dialect_is_said_in_sentences(dialect: Dialect) -> None:
    for said in (*dialect.edges.values(), *dialect.defects):
        assert said.endswith(".")
        assert said == said.strip()


def test_no_two_dialects_have_a_name_in_common() -> None:
    names = [_spelt(name) for d in DIALECTS.values() for name in (d.name, *d.also)]
    assert sorted(names) == sorted(set(names))


def test_families_hold_every_dialect_once() -> None:
    assert [d.name for family in FAMILIES.values() for d in family] == list(DIALECTS)
    assert all(FAMILIES)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("sklearn", "sklearn"),
        ("sklearn@1.1", "sklearn@1.1"),
        ("sklearn@1.2.2", "sklearn@1.2"),
        ("sklearn==1.5", "sklearn"),
        ("scikit-learn@1.0.2", "sklearn@1.1"),
        ("catboost@0.24", "catboost@0.24"),
        ("catboost@0.25", "catboost"),
        ("catboost-exp@0.20.1", "catboost-exp@0.24"),
        ("torchmetrics@1.1.0", "torchmetrics@1.1.0"),
        ("torchmetrics@1.1.1", "torchmetrics@1.1.0"),
        ("torchmetrics>=1.1.2", "torchmetrics"),
        ("trec_eval", "trec_eval@10"),
        ("trec_eval@9.0.7", "trec_eval@9"),
        ("trec_eval==10", "trec_eval@10"),
        ("xgboost@1.7.6", "xgboost@1"),
        ("xgboost>=2.0", "xgboost"),
        ("xgb@3", "xgboost"),
        (" LightGBM ", "lightgbm"),
        ("Sentence Transformers", "sentence-transformers"),
        ("tfr", "tensorflow-ranking"),
        ("es", "elasticsearch"),
        ("ms-recommenders", "recommenders"),
        ("pyspark", "spark"),
        ("llamaindex", "llama-index"),
    ],
)
def test_a_version_beside_the_name_chooses_what_held_then(asked: str, found: str) -> None:
    assert find_dialect(asked).name == found


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("lightgmb", "unknown dialect 'lightgmb'. Did you mean lightgbm?"),
        ("sklearn,lightgbm", "unknown dialect 'sklearn,lightgbm'. Name one at a time."),
        ("torch", "unknown dialect 'torch'. Did you mean torchmetrics?"),
        ("elastics", "unknown dialect 'elastics'. Did you mean elasticsearch?"),
        ("trec@10", "unknown dialect 'trec@10'. Did you mean trec_eval@10?"),
        ("gbm", "unknown dialect 'gbm'. Did you mean lightgbm?"),
        ("xgbost@2", "unknown dialect 'xgbost@2'. Did you mean xgboost?"),
        (
            "qqqq",
            f"unknown dialect 'qqqq'. There are {len(DIALECTS)}: see gainful dialects.",
        ),
        (
            "trec_eval@8.1",
            "dialect 'trec_eval@8.1': must be version 9.0 or later; none before is known.",
        ),
        (
            "sklearn==0.21",
            "dialect 'sklearn==0.21': must be version 0.22 or later; none before is known.",
        ),
        (7, "dialect: must be a name such as lightgbm, got 7."),
    ],
)
def test_a_dialect_that_is_not_known_is_refused_in_a_sentence(asked: object, sentence: str) -> None:
    with pytest.raises(RuleError) as refused:
        find_dialect(asked)  # type: ignore[arg-type]
    assert str(refused.value) == sentence


def test_a_setting_that_is_stated_wins_over_the_dialect() -> None:
    settled = find_dialect("lightgbm").resolve(nDCG(gain="linear") @ 5)
    assert str(settled.all_settings["gain"]) == "linear"
    assert settled.all_settings["ideal"] == "list"


def test_only_a_measure_without_cutoff_is_cut_where_the_dialect_says() -> None:
    xgboost = find_dialect("xgboost")
    assert xgboost.resolve(nDCG).all_settings["cutoff"] == 32
    assert xgboost.resolve(nDCG @ 40).all_settings["cutoff"] == 40
    assert find_dialect("xgboost@1").resolve(nDCG).all_settings["cutoff"] is None
