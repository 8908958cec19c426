"""Dialects are found by their names and versions; unknown ones are errors."""

import re

import pytest

from gainful.dialects import DIALECTS, FAMILIES, Dialect, find_dialect, list_versions
from gainful.errors import RuleError

ALL_DIALECTS = [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS.values()]


def _normalize_name(name: str) -> str:
    return re.sub(r"[-_ ]", "", name.lower())


@pytest.mark.parametrize("dialect", ALL_DIALECTS)
def test_each_dialect_is_found_by_every_name_that_it_has(dialect: Dialect) -> None:
    for name in (dialect.name, *dialect.also):
        assert find_dialect(name) is dialect
        assert find_dialect(name.upper().replace("-", "_")) is dialect


def test_no_two_dialects_have_a_name_in_common() -> None:
    names = [_normalize_name(name) for d in DIALECTS.values() for name in (d.name, *d.also)]
    assert sorted(names) == sorted(set(names))


def test_families_hold_every_dialect_once() -> None:
    assert [d.name for family in FAMILIES.values() for d in family] == list(DIALECTS)
    assert all(FAMILIES)


@pytest.mark.parametrize(
    ("name", "expected"),
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
def test_a_version_beside_the_name_chooses_what_held_then(name: str, expected: str) -> None:
    assert find_dialect(name).name == expected


@pytest.mark.parametrize(
    ("name", "sentence"),
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
def test_a_dialect_that_is_not_known_is_refused_in_a_sentence(name: object, sentence: str) -> None:
    with pytest.raises(RuleError) as error:
        find_dialect(name)  # type: ignore[arg-type]
    assert str(error.value) == sentence


def test_versions_are_told_newest_first_and_where_each_ends() -> None:
    versions = [(dialect.name, end) for dialect, end in list_versions(find_dialect("sklearn@1.1"))]
    assert versions == [("sklearn", ""), ("sklearn@1.2", "1.3"), ("sklearn@1.1", "1.2")]
    assert [(d.name, b) for d, b in list_versions(find_dialect("rax"))] == [("rax", "")]
