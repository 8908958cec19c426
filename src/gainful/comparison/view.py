"""What people are shown of a Comparison: the verdict, then tables, then what their titles mean."""

from typing import TYPE_CHECKING, NamedTuple

from gainful.comparison.sections import Section, legend
from gainful.comparison.standing import first_pairs, letters
from gainful.comparison.view_of_few import sections_of_few
from gainful.comparison.view_of_many import section_of_many, verdict_of_many
from gainful.wording import count

if TYPE_CHECKING:
    from gainful.comparison.result import Comparison

_FEW = 10  # pairs, of which each has its sentence


class View(NamedTuple):
    """What is shown, from top to bottom."""

    verdict: list[str]
    sections: list[Section]
    legend: list[list[str]]


def view(comparison: "Comparison", *, all_pairs: bool = False, lettered: bool = False) -> View:
    """Everything people are shown; of many pairs only those with one run, unless all are wanted.

    This run is the baseline, or the one with the highest mean. ``lettered`` calls the runs of
    pairs by letters, where names would not fit.
    """
    pairs = first_pairs(comparison)
    if len(pairs) > _FEW and not all_pairs:
        verdict, sections = verdict_of_many(comparison), [section_of_many(comparison)]
    else:
        names = dict(zip(comparison.runs, letters(len(comparison.runs)), strict=True))
        verdict = [pair.sentence for pair in pairs]
        sections = sections_of_few(comparison, names if lettered else {})
    return View(verdict, sections, legend(comparison, sections))


def how(comparison: "Comparison") -> str:
    """How the numbers were had: what it takes to have them again."""
    said = [count(len(comparison.queries), "query", "queries")]
    if comparison.baseline is not None:
        said.append(f"baseline {comparison.baseline!r}")
    said += [f"correction {comparison.correction}", f"alpha {comparison.alpha:g}"]
    if comparison.margin is not None:
        said.append(f"margin {comparison.margin:g}")
    said.append(f"seed {comparison.seed}")
    if drawn := [f"{n:,} ({what})" for what, n in comparison.resamples.items()]:
        said.append(f"resamples {', '.join(drawn)}")
    return ", ".join(said)
