"""What is shown of many runs: all of them beside one, by the first measure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gainful.comparison.digits import decimals, ends, p_value, percent, signed
from gainful.comparison.sections import Section, deciding, interval_title, over_queries, run_title
from gainful.comparison.standing import Beside, beside, first_pairs, of_measure, ordered
from gainful.measures import Measure
from gainful.wording import count, examples

if TYPE_CHECKING:
    from gainful.comparison.result import Comparison

_NAMED = 5  # runs, where there are too many to name
_SAID = {  # of the one run, by the verdict on the others
    "worse": "is better than",
    "better": "is worse than",
    "cannot tell": "cannot be told apart from",
    "practically equal": "is practically equal to",
    "identical": "is identical to",
}


def verdict_of_many(comparison: "Comparison") -> list[str]:
    """What becomes of one run beside the others, and where all pairs are."""
    reference = _reference(comparison)
    others = beside(first_pairs(comparison), reference)
    said = []
    for verdict in _SAID:
        if names := [name for name, other in others.items() if other.verdict == verdict]:
            runs = f"{count(len(names), 'run', 'runs')} ({examples(names, _NAMED)})"
            said.append(f"it {_relation(verdict, comparison.measures[0])} {runs}")
    what = "has the highest mean" if comparison.baseline is None else "is the baseline"
    summary = f"By {comparison.measures[0]}, {reference!r} {what}: {'; '.join(said)}."
    return [summary, *_left_out(comparison, reference)]


def section_of_many(comparison: "Comparison") -> Section:
    """A row for every run: what it scores, and how it differs from the one."""
    measure, reference = comparison.measures[0], _reference(comparison)
    others = beside(first_pairs(comparison), reference)
    own = {system.name: system for system in of_measure(comparison, measure)}
    rows = []
    for name in ordered(comparison):
        system = own[name]
        row = [run_title(comparison, system), decimals(system.mean), ends(system.interval)]
        rows.append([*row, percent(system.judged), *_cells(comparison, others, name)])
    header = ["run", "mean", interval_title(comparison), "judged"]
    by = f"by {measure}, {over_queries(own.values())}"
    title = f"What the runs score {by}, and how they differ from {reference}"
    return Section(title, [*header, "difference", deciding(comparison), "verdict"], rows, 1)


def _reference(comparison: "Comparison") -> str:
    return ordered(comparison)[0] if comparison.baseline is None else comparison.baseline


def _cells(comparison: "Comparison", others: Mapping[str, Beside], name: str) -> list[str]:
    if name not in others:
        return ["-", "-", "-"]
    other = others[name]
    p = p_value(other.p_adjusted, comparison.alpha)
    return [signed(other.difference), p, other.verdict]


def _relation(verdict: str, measure: Measure) -> str:
    """Where a higher value is not a better one, it is only higher."""
    only = {"worse": "scores higher than", "better": "scores lower than"}
    return _SAID[verdict] if measure.higher_is_better else only.get(verdict, _SAID[verdict])


def _left_out(comparison: "Comparison", reference: str) -> list[str]:
    if comparison.baseline is not None and len(comparison.measures) == 1:
        return []  # nothing is
    pairs = count(len(comparison.pairs), "pair", "pairs")
    measures = count(len(comparison.measures), "measure", "measures")
    return [
        f"Shown are the pairs with {reference!r}. All {pairs}, by {measures}: --all-pairs or "
        "-o csv, in Python to_markdown(all_pairs=True) or to_csv()."
    ]
