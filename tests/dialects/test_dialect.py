"""Measures and their settings, as a dialect resolves them."""

from gainful.dialects import find_dialect
from gainful.measures import nDCG


def test_a_setting_that_is_stated_wins_over_the_dialect() -> None:
    measure = find_dialect("lightgbm").resolve(nDCG(gain="linear") @ 5)
    assert str(measure.all_settings["gain"]) == "linear"
    assert measure.all_settings["ideal"] == "list"


def test_only_a_measure_without_cutoff_is_cut_where_the_dialect_says() -> None:
    xgboost = find_dialect("xgboost")
    assert xgboost.resolve(nDCG).all_settings["cutoff"] == 32
    assert xgboost.resolve(nDCG @ 40).all_settings["cutoff"] == 40
    assert find_dialect("xgboost@1").resolve(nDCG).all_settings["cutoff"] is None
