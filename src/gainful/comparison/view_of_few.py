"""What is shown of a few runs: what they score, how they differ, how sure that is."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gainful.comparison.digits import (
    decimals,
    effect,
    ends,
    p_value,
    percent,
    probability,
    signed,
    signed_percent,
)
from gainful.comparison.sections import Section, deciding, interval_title, over_queries, run_title
from gainful.comparison.standing import of_measure, ordered
from gainful.measures import Measure

if TYPE_CHECKING:
    from gainful.comparison.result import Comparison, Pair

Cell = Callable[["Pair"], str]
Columns = Mapping[str, Cell]


def sections_of_few(comparison: "Comparison", letters: Mapping[str, str]) -> list[Section]:
    """A table of runs and several of pairs; these call runs by their letters, if there are any."""
    names = letters or {name: name for name in comparison.runs}
    baseline = comparison.baseline
    differ = "How they differ" if baseline is None else f"How they differ from {names[baseline]}"
    by = "" if len(comparison.measures) > 1 else f" by {comparison.measures[0]}"
    columns: dict[str, Columns] = {
        f"{differ}{by}": _difference(comparison),
        "How sure that is": _certainty(comparison),
        "What other tests say": _other_tests(comparison),
        "How close they are": _closeness(comparison),
    }
    systems = comparison.systems
    scored = _scored(comparison, letters, f"What the runs score{by}, {over_queries(systems)}")
    of_pairs = [_of_pairs(comparison, t, names, cells) for t, cells in columns.items() if cells]
    return [scored, *of_pairs]


def _scored(comparison: "Comparison", letters: Mapping[str, str], title: str) -> Section:
    place = {name: number for number, name in enumerate(ordered(comparison))}
    named = [*_measure_title(comparison), *([""] if letters else []), "run"]
    uneven = len({system.n_queries for system in comparison.systems}) > 1
    rows = []
    for measure in comparison.measures:
        for system in sorted(of_measure(comparison, measure), key=lambda s: place[s.name]):
            letter = [letters[system.name]] if letters else []
            row = [*_measure(comparison, measure), *letter, run_title(comparison, system)]
            numbers = [decimals(system.mean), ends(system.interval), percent(system.judged)]
            queries = [f"{system.n_queries:,}"] if uneven else []
            rows.append([*row, *numbers, *queries])
    header = [*named, "mean", interval_title(comparison), "judged"]
    return Section(title, [*header, *(["queries"] if uneven else [])], rows, len(named))


def _of_pairs(
    comparison: "Comparison", title: str, names: Mapping[str, str], columns: Columns
) -> Section:
    """A row for every pair; with a baseline, the title says what runs are compared with."""
    against = [] if comparison.baseline is not None else ["compared with"]
    rows = []
    for pair in comparison.pairs:
        other = [names[pair.baseline]] if against else []
        cells = [cell(pair) for cell in columns.values()]
        rows.append([*_measure(comparison, pair.measure), names[pair.system], *other, *cells])
    named = [*_measure_title(comparison), "run", *against]
    return Section(title, [*named, *columns], rows, len(named))


def _difference(comparison: "Comparison") -> Columns:
    return {
        "difference": lambda pair: signed(pair.difference),
        interval_title(comparison): lambda pair: ends(pair.t_interval),
        "relative": lambda pair: signed_percent(pair.relative),
        "d_z": lambda pair: effect(pair.effect),
        "won/tied/lost": lambda pair: f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}",
    }


def _certainty(comparison: "Comparison") -> Columns:
    alpha = comparison.alpha
    return {
        "p (t-test)": lambda pair: p_value(pair.p_t, alpha),
        "p (randomised)": lambda pair: p_value(pair.p_randomised, alpha),
        # Without a correction it is the p-value of the t-test, in its place.
        deciding(comparison): lambda pair: p_value(pair.p_adjusted, alpha),
        "P(better)": lambda pair: probability(pair.p_better),
        "detectable": lambda pair: decimals(pair.detectable),
    }


def _other_tests(comparison: "Comparison") -> Columns:
    tests = dict.fromkeys(test for pair in comparison.pairs for test in pair.more)
    return {f"p ({test})": _p_of(test, comparison.alpha) for test in tests}


def _p_of(test: str, alpha: float) -> Cell:
    return lambda pair: p_value(_or_nan(pair.more.get(test)), alpha)


def _closeness(comparison: "Comparison") -> Columns:
    columns: dict[str, Cell] = {}
    pairs, alpha = comparison.pairs, comparison.alpha
    if any(pair.p_equal is not None for pair in pairs):
        columns["P(within margin)"] = lambda pair: probability(_or_nan(pair.p_equal))
        columns["p (within margin)"] = lambda pair: p_value(_or_nan(pair.p_equivalent), alpha)
    if any(pair.possible is not None for pair in pairs):
        columns["any labels"] = lambda pair: ends(pair.possible)
    return columns


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _measure_title(comparison: "Comparison") -> list[str]:
    return ["measure"] if len(comparison.measures) > 1 else []


def _measure(comparison: "Comparison", measure: Measure) -> list[str]:
    """The measure, if there are several; all but the first have a mark."""
    if len(comparison.measures) == 1:
        return []
    return [str(measure) if measure == comparison.measures[0] else f"{measure} *"]
