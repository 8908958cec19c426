"""docs/performance.md: its figures are those of bench/RESULTS.md."""

import re

import pytest

from end_to_end.pages import ROOT

PAGE = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
MEASUREMENTS = [
    float(number.replace(",", ""))
    for number in re.findall(
        r"\d[\d,]*\.\d+", (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    )
]
FIGURES = sorted(
    {*re.findall(r"\b\d+\.\d+\b(?= (?:times|of the time))", PAGE)}
    | {*re.findall(r"\b\d+\.\d\d\b(?= \|)", PAGE)}
)


def test_the_page_has_figures():
    assert len(FIGURES) > 15


@pytest.mark.parametrize("figure", FIGURES)
def test_every_ratio_of_the_page_was_measured(figure):
    decimals = len(figure.partition(".")[2])
    assert any(f"{number:.{decimals}f}" == figure for number in MEASUREMENTS)
