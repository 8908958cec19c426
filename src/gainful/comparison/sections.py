"""Section: a table that people are shown, and what the titles of its columns mean."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gainful.wording import count

if TYPE_CHECKING:
    from gainful.comparison.result import Comparison, System

_T_TEST, _ADJUSTED = "p (t-test)", "p adjusted"
_MEANINGS = {
    "interval": "a range that holds the number for all such queries, {level} of the time",
    "judged": "how much of what is ranked, down to the cutoff, has a judgment",
    "difference": "the mean of the run less the mean of the run it is compared with",
    "relative": "the difference as a share of the mean of the run it is compared with",
    "d_z": "effect size: the difference in standard deviations of the queries' differences",
    "won/tied/lost": "on how many queries the run does better, the same, worse",
    _T_TEST: "how often chance alone makes a difference at least as large",
    "p (randomised)": "the same, by a test that assumes less",
    _ADJUSTED: "p for all pairs together (all else is for one)",
    "P(better)": "how probable it is that the run is better in the long run",
    "detectable": "the smallest difference that so many queries show 4 times out of 5",
    "P(within margin)": "how probable it is that they differ by less than {margin:g}",
    "p (within margin)": "how often runs that differ by more look as close, by chance alone",
    "any labels": "where the difference may be, whatever the labels of unjudged items",
}
_DECIDES = "; the verdict asks for less than {alpha:g}"


class Section(NamedTuple):
    """A table, the first ``n_text`` columns of which are text."""

    title: str
    header: list[str]
    rows: list[list[str]]
    n_text: int


def level(comparison: "Comparison") -> str:
    """How often intervals are right."""
    return f"{100 * (1 - comparison.alpha):g}%"


def interval_title(comparison: "Comparison") -> str:
    """What columns of intervals are called."""
    return f"{level(comparison)} interval"


def deciding(comparison: "Comparison") -> str:
    """What the column of the p-value is called that the verdict is based on."""
    return _T_TEST if comparison.correction == "none" else _ADJUSTED


def over_queries(systems: Iterable["System"]) -> str:
    """What the means are of."""
    counts = {system.n_queries for system in systems}
    if len(counts) > 1:
        return "on average over the queries that have a value"
    return f"on average over {count(counts.pop(), 'query', 'queries')}"


def run_title(comparison: "Comparison", system: "System") -> str:
    """The name of a run, and whether it is the baseline."""
    return f"{system.name} (baseline)" if system.name == comparison.baseline else system.name


def legend(comparison: "Comparison", sections: Sequence[Section]) -> list[list[str]]:
    """What the titles mean that the sections have."""
    titles = {title for section in sections for title in section.header}
    numbers = {"alpha": comparison.alpha, "margin": comparison.margin or 0.0}
    said = []
    for name, meaning in _MEANINGS.items():
        title = interval_title(comparison) if name == "interval" else name
        if title in titles:
            decides = _DECIDES if title == deciding(comparison) else ""
            told = (meaning + decides).format(level=level(comparison), **numbers)
            said.append([title, told])
    if "measure" in titles:
        said.append(["*", f"exploratory: the verdict is on {comparison.measures[0]} alone"])
    return said
