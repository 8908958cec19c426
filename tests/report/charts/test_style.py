"""What charts share: colors that everyone can tell apart, labels, axes and the extra."""

import sys
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import OutputError, PackageError
from gainful.report.charts.style import (
    PALETTE,
    RUNS,
    choose_ticks,
    round_span,
    shorten_names,
    spread_places,
)
from report.charts.sample_charts import OLD, QRELS, RUN_PAIR

THEMES = ("light", "dark")
TEXTS = ["ink", "muted", "a", "b", "better", "worse", "accent", *RUNS]
MARKS = [*TEXTS, "same", "relevant", "nonrelevant", "unjudged"]
APART = [
    ("a", "b"),
    ("better", "worse"),
    ("relevant", "nonrelevant"),
    ("relevant", "unjudged"),
    ("nonrelevant", "unjudged"),
]
# How people see who lack red or green: Machado, Oliveira and Fernandes (2009), severity 1.
SIGHTS = {
    "all colors": np.eye(3),
    "no red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}
# Linear RGB to the cone responses of OKLab, and these to OKLab: Ottosson (2020).
CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def linear(color):
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(color, other):
    """As the Web Content Accessibility Guidelines define it."""
    dark, bright = sorted(linear(c) @ [0.2126, 0.7152, 0.0722] for c in (color, other))
    return (bright + 0.05) / (dark + 0.05)


def distance(color, other, sight):
    """Of two colors in OKLab, as seen by somebody; from black to white it is 100."""
    simulations = (np.clip(np.array(SIGHTS[sight]) @ linear(c), 0, 1) for c in (color, other))
    ours, theirs = (np.array(OKLAB) @ np.cbrt(np.array(CONES) @ s) for s in simulations)
    return 100 * np.linalg.norm(ours - theirs)


def test_contrast_and_distance_are_those_of_black_and_white():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert distance("#ffffff", "#000000", "all colors") == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["page", "panel"])
def test_text_and_marks_stand_out_from_what_is_behind_them(theme, ground):
    behind = getattr(PALETTE[ground], theme)
    assert all(contrast(getattr(PALETTE[name], theme), behind) >= 4.5 for name in TEXTS)
    assert all(contrast(getattr(PALETTE[name], theme), behind) >= 3 for name in MARKS)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["relevant", "same"])
def test_text_in_the_color_of_the_page_can_be_read_on_bars(theme, name):
    assert contrast(getattr(PALETTE[name], theme), getattr(PALETTE["page"], theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_colors_that_mean_opposites_are_told_apart_by_everyone(theme, sight):
    for pair in APART:
        color, other = (getattr(PALETTE[name], theme) for name in pair)
        assert distance(color, other, sight) >= 10, pair


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_colors_of_runs_are_told_apart_by_everyone(theme, sight):
    for pair in combinations(RUNS, 2):
        color, other = (getattr(PALETTE[name], theme) for name in pair)
        assert distance(color, other, sight) >= 6, pair


def test_every_value_is_there_once_so_that_a_page_can_tell_its_name():
    for theme in THEMES:
        values = [getattr(color, theme) for color in PALETTE.values()]
        assert len(set(values)) == len(values)
        assert all(len(value) == 7 and value == value.lower() for value in values)


numbers = st.floats(-1e6, 1e6)


@given(st.lists(st.floats(0, 1000), max_size=12), st.floats(1, 50))
def test_labels_are_moved_apart_and_keep_their_order(places, gap):
    moved = spread_places(places, gap)
    order = sorted(range(len(places)), key=lambda i: places[i])
    after = [moved[i] for i in order]
    assert all(high - low >= gap - 1e-6 for low, high in pairwise(after))


@given(st.lists(st.floats(0, 100), max_size=6))
def test_labels_that_are_apart_stay_where_they_are(places):
    spread = [100.0 * i + place / 100 for i, place in enumerate(places)]
    assert spread_places(spread, 10) == pytest.approx(spread)


@given(st.lists(st.one_of(st.none(), numbers), max_size=9))
def test_the_ends_of_an_axis_hold_every_value(values):
    low, high = round_span(values)
    assert low < high
    for value in values:
        if value is not None:
            assert low <= value <= high


@given(st.integers(1, 5), st.integers(0, 5000), st.booleans())
def test_ticks_are_whole_few_and_within_the_ends(first, more, log):
    ticks = choose_ticks(first, first + more, log=log)
    assert ticks == sorted(set(ticks))
    assert len(ticks) <= 14
    assert all(first <= tick <= first + more for tick in ticks)


@given(st.lists(st.text(max_size=60), unique=True, max_size=8), st.integers(3, 30))
def test_shortened_names_stay_different(names, widest):
    short = shorten_names(names, widest)
    assert list(short) == names
    assert len(set(short.values())) == len(names)


def test_a_short_name_stays_as_it_is():
    assert shorten_names(["bm25"], 4) == {"bm25": "bm25"}


def test_a_kind_that_is_not_there_is_refused():
    scores, why = gainful.evaluate(QRELS, OLD), gainful.explain(QRELS, OLD, "q1")
    with pytest.raises(OutputError) as error:
        scores.plot(kind="pie")
    assert str(error.value) == "plot: kind must be one of histogram, ecdf, got 'pie'."
    with pytest.raises(OutputError) as error:
        why.plot(kind="pie")
    assert str(error.value) == "plot: kind must be one of contributions, gains, got 'pie'."
    with pytest.raises(OutputError) as error:
        gainful.compare(QRELS, RUN_PAIR).plot(of="runs")
    assert str(error.value) == "plot: of must be one of queries, pairs, got 'runs'."


def test_without_altair_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    results = {
        "Scores": gainful.evaluate(QRELS, OLD),
        "Comparison": gainful.compare(QRELS, RUN_PAIR),
        "Explanation": gainful.explain(QRELS, OLD, "q1"),
    }
    for name, result in results.items():
        with pytest.raises(PackageError) as error:
            result.plot()
        assert str(error.value) == (
            f"{name}.plot: altair is not installed. Install it with: pip install 'gainful[report]'"
        )
