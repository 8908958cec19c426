"""Colours that can be read, and told apart by everyone."""

from itertools import combinations

import numpy as np
import pytest

from gainful.report.charts.style import PALETTE, RUNS

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
    "all colours": np.eye(3),
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


def linear(colour):
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """As the Web Content Accessibility Guidelines define it."""
    dark, bright = sorted(linear(c) @ [0.2126, 0.7152, 0.0722] for c in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def distance(one, other, sight):
    """Of two colours in OKLab, as seen by somebody; from black to white it is 100."""
    seen = (np.clip(np.array(SIGHTS[sight]) @ linear(c), 0, 1) for c in (one, other))
    ours, theirs = (np.array(OKLAB) @ np.cbrt(np.array(CONES) @ s) for s in seen)
    return 100 * np.linalg.norm(ours - theirs)


def test_contrast_and_distance_are_those_of_black_and_white():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert distance("#ffffff", "#000000", "all colours") == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["page", "panel"])
def test_text_and_marks_stand_out_from_what_is_behind_them(theme, ground):
    behind = getattr(PALETTE[ground], theme)
    assert all(contrast(getattr(PALETTE[name], theme), behind) >= 4.5 for name in TEXTS)
    assert all(contrast(getattr(PALETTE[name], theme), behind) >= 3 for name in MARKS)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["relevant", "same"])
def test_text_in_the_colour_of_the_page_can_be_read_on_bars(theme, name):
    assert contrast(getattr(PALETTE[name], theme), getattr(PALETTE["page"], theme)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_that_mean_opposites_are_told_apart_by_everyone(theme, sight):
    for pair in APART:
        one, other = (getattr(PALETTE[name], theme) for name in pair)
        assert distance(one, other, sight) >= 10, pair


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_of_runs_are_told_apart_by_everyone(theme, sight):
    for pair in combinations(RUNS, 2):
        one, other = (getattr(PALETTE[name], theme) for name in pair)
        assert distance(one, other, sight) >= 6, pair


def test_every_value_is_there_once_so_that_a_page_can_tell_its_name():
    for theme in THEMES:
        values = [getattr(colour, theme) for colour in PALETTE.values()]
        assert len(set(values)) == len(values)
        assert all(len(value) == 7 and value == value.lower() for value in values)
