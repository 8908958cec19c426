"""The content of a Comparison: the verdict, tables, and the meanings of their titles."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from gainful.base import (
    format_count,
    format_difference,
    format_effect_size,
    format_examples,
    format_interval,
    format_number,
    format_p_value,
    format_percent,
    format_percent_change,
    format_probability,
)
from gainful.measures import Measure

if TYPE_CHECKING:
    from gainful.stats import Comparison, Pair, System


_T_TEST, _ADJUSTED = "p (t-test)", "p adjusted"
_MEANINGS = {
    "interval": "a range that holds the number for all such queries, {level} of the time",
    "judged": "how much of what is ranked, down to the cutoff, has a judgment",
    "difference": "the mean of the run less the mean of the run it is compared with",
    "relative": "the difference as a share of the mean of the run it is compared with",
    "d_z": "effect size: the difference in standard deviations of the queries' differences",
    "won/tied/lost": "on how many queries the run does better, the same, worse",
    _T_TEST: "how often chance alone makes a difference at least as large",
    "p (randomized)": "the same, by a test that assumes less",
    _ADJUSTED: "p for all pairs together (all else is for one)",
    "P(better)": "how probable it is that the run is better in the long run",
    "detectable": "the smallest difference that so many queries show 4 times out of 5",
    "P(within margin)": "how probable it is that they differ by less than {margin:g}",
    "p (within margin)": "how often runs that differ by more look as close, by chance alone",
    "any labels": "where the difference may be, whatever the labels of unjudged items",
}
_DECIDES = "; the verdict asks for less than {alpha:g}"


class ComparisonSection(NamedTuple):
    """A table, the first ``n_text`` columns of which are text."""

    title: str
    header: list[str]
    rows: list[list[str]]
    n_text: int


def format_level(comparison: "Comparison") -> str:
    """Return the confidence level of intervals."""
    return f"{100 * (1 - comparison.alpha):g}%"


def format_interval_title(comparison: "Comparison") -> str:
    """Return the title of columns of intervals."""
    return f"{format_level(comparison)} interval"


def find_deciding_title(comparison: "Comparison") -> str:
    """Return the title of the p-value column that the verdict is based on."""
    return _T_TEST if comparison.correction == "none" else _ADJUSTED


def describe_queries(systems: Iterable["System"]) -> str:
    """Say how many queries the means are over."""
    counts = {system.n_queries for system in systems}
    if len(counts) > 1:
        return "on average over the queries that have a value"
    return f"on average over {format_count(counts.pop(), 'query', 'queries')}"


def format_run_title(comparison: "Comparison", system: "System") -> str:
    """Return the name of a run, and whether it is the baseline."""
    return f"{system.name} (baseline)" if system.name == comparison.baseline else system.name


def make_legend(comparison: "Comparison", sections: Sequence[ComparisonSection]) -> list[list[str]]:
    """Return the meaning of every title that the sections have."""
    titles = {title for section in sections for title in section.header}
    numbers = {"alpha": comparison.alpha, "margin": comparison.margin or 0.0}
    parts = []
    for name, meaning in _MEANINGS.items():
        title = format_interval_title(comparison) if name == "interval" else name
        if title in titles:
            decides = _DECIDES if title == find_deciding_title(comparison) else ""
            text = (meaning + decides).format(level=format_level(comparison), **numbers)
            parts.append([title, text])
    if "measure" in titles:
        parts.append(["*", f"exploratory: the verdict is on {comparison.measures[0]} alone"])
    return parts


_REVERSED = {"better": "worse", "worse": "better"}


class RunAgainstReference(NamedTuple):
    """A run compared with another, whichever of them is the baseline of the pair."""

    difference: float
    effect: float
    p_adjusted: float
    verdict: str


def make_letters(n: int) -> list[str]:
    """Make a name for each of ``n`` runs: a letter, two from the 27th on.

    >>> make_letters(28)[:2], make_letters(28)[25:]
    (['a', 'b'], ['z', 'aa', 'ab'])
    """
    return [_make_letter(number) for number in range(n)]


def _make_letter(number: int) -> str:
    before, last = divmod(number, len(ascii_lowercase))
    return (_make_letter(before - 1) if before else "") + ascii_lowercase[last]


def format_superscript(places: Sequence[int], n_runs: int) -> str:
    """Join the letters of some runs; with more than 26 runs, neighbors are shortened.

    >>> format_superscript([0, 1, 2, 4], 26), format_superscript([0, 1, 2, 4, 26, 27], 28)
    ('abce', 'a-c,e,aa,ab')
    """
    names = make_letters(n_runs)
    if n_runs <= len(ascii_lowercase):
        return "".join(names[place] for place in places)
    streaks: list[list[int]] = []
    for place in places:
        if streaks and place == streaks[-1][-1] + 1:
            streaks[-1].append(place)
        else:
            streaks.append([place])
    return ",".join(
        f"{names[streak[0]]}-{names[streak[-1]]}"
        if len(streak) > 2
        else ",".join(names[place] for place in streak)
        for streak in streaks
    )


def order_runs(comparison: "Comparison") -> list[str]:
    """Order the runs by the mean of the first measure, descending; NaN comes last."""
    systems = select_systems(comparison, comparison.measures[0])
    return [s.name for s in sorted(systems, key=lambda s: (math.isnan(s.mean), -s.mean))]


def select_systems(comparison: "Comparison", measure: Measure) -> list["System"]:
    """Return what every run scores by one measure."""
    return [system for system in comparison.systems if system.measure == measure]


def select_first_pairs(comparison: "Comparison") -> list["Pair"]:
    """Return the pairs by the first measure, which decides the verdict."""
    return [pair for pair in comparison.pairs if pair.measure == comparison.measures[0]]


def compare_with_reference(
    pairs: Sequence["Pair"], reference: str
) -> dict[str, RunAgainstReference]:
    """Compare every run with a reference, by the pairs of one measure."""
    results: dict[str, RunAgainstReference] = {}
    for pair in pairs:
        if pair.baseline == reference:
            results[pair.system] = RunAgainstReference(
                pair.difference, pair.effect, pair.p_adjusted, pair.verdict
            )
        elif pair.system == reference:
            verdict = _REVERSED.get(pair.verdict, pair.verdict)
            results[pair.baseline] = RunAgainstReference(
                -pair.difference, -pair.effect, pair.p_adjusted, verdict
            )
    return results


def find_runs_below(comparison: "Comparison", measure: Measure) -> dict[str, list[str]]:
    """Find the runs that each run is significantly above by one measure, in their order."""
    runs_below: dict[str, set[str]] = {name: set() for name in comparison.runs}
    for pair in comparison.pairs:
        differs = pair.p_adjusted < comparison.alpha and pair.verdict != "identical"
        if pair.measure == measure and differs:
            if pair.difference > 0:
                runs_below[pair.system].add(pair.baseline)
            elif pair.difference < 0:
                runs_below[pair.baseline].add(pair.system)
    return {
        name: [run for run in comparison.runs if run in below] for name, below in runs_below.items()
    }


PairCell = Callable[["Pair"], str]
PairColumns = Mapping[str, PairCell]


def make_pair_sections(
    comparison: "Comparison", letters: Mapping[str, str]
) -> list[ComparisonSection]:
    """Make a table of runs and several of pairs, which use the letters of runs, if any."""
    names = letters or {name: name for name in comparison.runs}
    baseline = comparison.baseline
    differ = "How they differ" if baseline is None else f"How they differ from {names[baseline]}"
    by = "" if len(comparison.measures) > 1 else f" by {comparison.measures[0]}"
    columns: dict[str, PairColumns] = {
        f"{differ}{by}": _make_difference_columns(comparison),
        "How sure that is": _make_certainty_columns(comparison),
        "What other tests say": _make_test_columns(comparison),
        "How close they are": _make_closeness_columns(comparison),
    }
    systems = comparison.systems
    scored = _make_score_section(
        comparison, letters, f"What the runs score{by}, {describe_queries(systems)}"
    )
    of_pairs = [
        _make_pair_section(comparison, t, names, cells) for t, cells in columns.items() if cells
    ]
    return [scored, *of_pairs]


def _make_score_section(
    comparison: "Comparison", letters: Mapping[str, str], title: str
) -> ComparisonSection:
    place = {name: number for number, name in enumerate(order_runs(comparison))}
    name_columns = [*_make_measure_title(comparison), *([""] if letters else []), "run"]
    uneven = len({system.n_queries for system in comparison.systems}) > 1
    rows = []
    for measure in comparison.measures:
        for system in sorted(select_systems(comparison, measure), key=lambda s: place[s.name]):
            letter = [letters[system.name]] if letters else []
            row = [
                *_make_measure_cell(comparison, measure),
                *letter,
                format_run_title(comparison, system),
            ]
            numbers = [
                format_number(system.mean),
                format_interval(system.interval),
                format_percent(system.judged),
            ]
            queries = [f"{system.n_queries:,}"] if uneven else []
            rows.append([*row, *numbers, *queries])
    header = [*name_columns, "mean", format_interval_title(comparison), "judged"]
    return ComparisonSection(
        title, [*header, *(["queries"] if uneven else [])], rows, len(name_columns)
    )


def _make_pair_section(
    comparison: "Comparison", title: str, names: Mapping[str, str], columns: PairColumns
) -> ComparisonSection:
    """Make a row for every pair; with a baseline, the title says what runs are compared with."""
    against = [] if comparison.baseline is not None else ["compared with"]
    rows = []
    for pair in comparison.pairs:
        other = [names[pair.baseline]] if against else []
        cells = [cell(pair) for cell in columns.values()]
        rows.append(
            [*_make_measure_cell(comparison, pair.measure), names[pair.system], *other, *cells]
        )
    name_columns = [*_make_measure_title(comparison), "run", *against]
    return ComparisonSection(title, [*name_columns, *columns], rows, len(name_columns))


def _make_difference_columns(comparison: "Comparison") -> PairColumns:
    return {
        "difference": lambda pair: format_difference(pair.difference),
        format_interval_title(comparison): lambda pair: format_interval(pair.t_interval),
        "relative": lambda pair: format_percent_change(pair.relative),
        "d_z": lambda pair: format_effect_size(pair.effect),
        "won/tied/lost": lambda pair: f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}",
    }


def _make_certainty_columns(comparison: "Comparison") -> PairColumns:
    alpha = comparison.alpha
    return {
        "p (t-test)": lambda pair: format_p_value(pair.p_t, alpha),
        "p (randomized)": lambda pair: format_p_value(pair.p_randomized, alpha),
        # Without a correction it is the p-value of the t-test, in its place.
        find_deciding_title(comparison): lambda pair: format_p_value(pair.p_adjusted, alpha),
        "P(better)": lambda pair: format_probability(pair.p_better),
        "detectable": lambda pair: format_number(pair.detectable),
    }


def _make_test_columns(comparison: "Comparison") -> PairColumns:
    tests = dict.fromkeys(test for pair in comparison.pairs for test in pair.more)
    return {f"p ({test})": _make_p_cell(test, comparison.alpha) for test in tests}


def _make_p_cell(test: str, alpha: float) -> PairCell:
    return lambda pair: format_p_value(_replace_none(pair.more.get(test)), alpha)


def _make_closeness_columns(comparison: "Comparison") -> PairColumns:
    columns: dict[str, PairCell] = {}
    pairs, alpha = comparison.pairs, comparison.alpha
    if any(pair.p_equal is not None for pair in pairs):
        columns["P(within margin)"] = lambda pair: format_probability(_replace_none(pair.p_equal))
        columns["p (within margin)"] = lambda pair: format_p_value(
            _replace_none(pair.p_equivalent), alpha
        )
    if any(pair.possible is not None for pair in pairs):
        columns["any labels"] = lambda pair: format_interval(pair.possible)
    return columns


def _replace_none(value: float | None) -> float:
    return float("nan") if value is None else value


def _make_measure_title(comparison: "Comparison") -> list[str]:
    return ["measure"] if len(comparison.measures) > 1 else []


def _make_measure_cell(comparison: "Comparison", measure: Measure) -> list[str]:
    """Return the measure, if there are several; all but the first have a mark."""
    if len(comparison.measures) == 1:
        return []
    return [str(measure) if measure == comparison.measures[0] else f"{measure} *"]


_MOST_NAMES = 5  # runs, where there are too many to name
_RELATIONS = {  # of the one run, by the verdict on the others
    "worse": "is better than",
    "better": "is worse than",
    "cannot tell": "cannot be told apart from",
    "practically equal": "is practically equal to",
    "identical": "is identical to",
}


def summarize_many_pairs(comparison: "Comparison") -> list[str]:
    """Summarize how one run compares with the others, and say where all pairs are."""
    reference = _find_reference(comparison)
    by_run = compare_with_reference(select_first_pairs(comparison), reference)
    parts = []
    for verdict in _RELATIONS:
        if names := [name for name, other in by_run.items() if other.verdict == verdict]:
            runs = (
                f"{format_count(len(names), 'run', 'runs')} ({format_examples(names, _MOST_NAMES)})"
            )
            parts.append(f"it {_describe_relation(verdict, comparison.measures[0])} {runs}")
    role = "has the highest mean" if comparison.baseline is None else "is the baseline"
    summary = f"By {comparison.measures[0]}, {reference!r} {role}: {'; '.join(parts)}."
    return [summary, *_describe_omissions(comparison, reference)]


def make_reference_section(comparison: "Comparison") -> ComparisonSection:
    """Make a row for every run: its values, and its difference from the reference."""
    measure, reference = comparison.measures[0], _find_reference(comparison)
    by_run = compare_with_reference(select_first_pairs(comparison), reference)
    systems = {system.name: system for system in select_systems(comparison, measure)}
    rows = []
    for name in order_runs(comparison):
        system = systems[name]
        row = [
            format_run_title(comparison, system),
            format_number(system.mean),
            format_interval(system.interval),
        ]
        rows.append(
            [*row, format_percent(system.judged), *_make_reference_cells(comparison, by_run, name)]
        )
    header = ["run", "mean", format_interval_title(comparison), "judged"]
    by = f"by {measure}, {describe_queries(systems.values())}"
    title = f"What the runs score {by}, and how they differ from {reference}"
    return ComparisonSection(
        title, [*header, "difference", find_deciding_title(comparison), "verdict"], rows, 1
    )


def _find_reference(comparison: "Comparison") -> str:
    return order_runs(comparison)[0] if comparison.baseline is None else comparison.baseline


def _make_reference_cells(
    comparison: "Comparison", by_run: Mapping[str, RunAgainstReference], name: str
) -> list[str]:
    if name not in by_run:
        return ["-", "-", "-"]
    other = by_run[name]
    p = format_p_value(other.p_adjusted, comparison.alpha)
    return [format_difference(other.difference), p, other.verdict]


def _describe_relation(verdict: str, measure: Measure) -> str:
    """Return the relation in words; without a better direction it is only higher or lower."""
    neutral = {"worse": "scores higher than", "better": "scores lower than"}
    return (
        _RELATIONS[verdict]
        if measure.higher_is_better
        else neutral.get(verdict, _RELATIONS[verdict])
    )


def _describe_omissions(comparison: "Comparison", reference: str) -> list[str]:
    if comparison.baseline is not None and len(comparison.measures) == 1:
        return []  # nothing is
    pairs = format_count(len(comparison.pairs), "pair", "pairs")
    measures = format_count(len(comparison.measures), "measure", "measures")
    return [
        f"Shown are the pairs with {reference!r}. All {pairs}, by {measures}: --all-pairs or "
        "-f csv, in Python to_markdown(all_pairs=True) or to_csv()."
    ]


_FEW = 10  # pairs, of which each has its sentence


class ComparisonView(NamedTuple):
    """The parts that are shown, from top to bottom."""

    verdict: list[str]
    sections: list[ComparisonSection]
    legend: list[list[str]]


def make_view(
    comparison: "Comparison", *, all_pairs: bool = False, lettered: bool = False
) -> ComparisonView:
    """Make everything that is shown; of many pairs only those with one run, unless ``all_pairs``.

    This run is the baseline, or the run with the highest mean. If ``lettered``, pairs use letters
    for runs, where names would not fit.
    """
    pairs = select_first_pairs(comparison)
    if len(pairs) > _FEW and not all_pairs:
        verdict, sections = summarize_many_pairs(comparison), [make_reference_section(comparison)]
    else:
        names = dict(zip(comparison.runs, make_letters(len(comparison.runs)), strict=True))
        verdict = [pair.sentence for pair in pairs]
        sections = make_pair_sections(comparison, names if lettered else {})
    return ComparisonView(verdict, sections, make_legend(comparison, sections))


def describe_settings(comparison: "Comparison") -> str:
    """Return the settings that reproduce the numbers."""
    parts = [format_count(len(comparison.queries), "query", "queries")]
    if comparison.baseline is not None:
        parts.append(f"baseline {comparison.baseline!r}")
    parts += [f"correction {comparison.correction}", f"alpha {comparison.alpha:g}"]
    if comparison.margin is not None:
        parts.append(f"margin {comparison.margin:g}")
    parts.append(f"seed {comparison.seed}")
    if resamples := [f"{n:,} ({kind})" for kind, n in comparison.resamples.items()]:
        parts.append(f"resamples {', '.join(resamples)}")
    return ", ".join(parts)
