"""A Comparison: the verdict, tables of runs and pairs, and the meanings of their titles."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful.base import (
    Interval,
    check_choice,
    format_count,
    format_difference,
    format_effect_size,
    format_examples,
    format_interval,
    format_p_value,
    format_percent,
    format_percent_change,
    format_probability,
)
from gainful.diagnostics import format_notice_lines
from gainful.errors import OutputError
from gainful.measures import Measure
from gainful.report.tables import (
    Bar,
    Column,
    Table,
    find_best_means,
    pick_evenly_spaced,
    to_csv,
)
from gainful.report.view import View
from gainful.stats import list_record_fields

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


def make_legend(comparison: "Comparison", titles: Iterable[str]) -> list[tuple[str, str]]:
    """Return the meanings of some titles of columns."""
    shown = set(titles)
    numbers = {"alpha": comparison.alpha, "margin": comparison.margin or 0.0}
    parts = []
    for name, meaning in _MEANINGS.items():
        title = format_interval_title(comparison) if name == "interval" else name
        if title in shown:
            decides = _DECIDES if title == find_deciding_title(comparison) else ""
            text = (meaning + decides).format(level=format_level(comparison), **numbers)
            parts.append((title, text))
    if "measure" in shown:
        parts.append(("*", f"exploratory: the verdict is on {comparison.measures[0]} alone"))
    return parts


_REVERSED = {"better": "worse", "worse": "better"}


class RunAgainstReference(NamedTuple):
    """A run compared with another, whichever of them is the baseline of the pair."""

    difference: float
    effect: float
    p_adjusted: float
    verdict: str


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


_FEW = 10  # pairs, of which each has its sentence and its rows


def view_comparison(
    comparison: "Comparison",
    *,
    of: str = "pairs",
    all_pairs: bool = False,
    per_query: bool = False,
    plot: bool = False,
    method: str = "to_csv",
) -> View:
    """Show the verdict, and what every run scores and how they differ.

    Args:
        comparison: What is shown.
        of: What the rows of data are, ``pairs`` or ``systems``.
        all_pairs: Whether all pairs are shown, however many there are; else of many those with the
            baseline, or with the run that has the highest mean.
        per_query: Whether JSON has the values of every query.
        plot: Whether a table has the differences of queries, with bars.
        method: The method that was called, for the message of an error.
    """
    check_choice(f"{method}: of", of, ("pairs", "systems"), OutputError)
    pairs = select_first_pairs(comparison)
    is_brief = len(pairs) > _FEW and not all_pairs

    def make_tables() -> list[Table]:
        tables = [_make_brief_table(comparison)] if is_brief else _make_tables(comparison)
        if plot:
            tables += [_make_query_table(comparison, p) for p in _select_plotted(pairs, all_pairs)]
        return [table for table in tables if len(table.columns)]

    def make_content() -> dict[str, Any]:
        content = comparison.to_dict()
        return content if per_query else {k: v for k, v in content.items() if k != "per_query"}

    runs = format_count(len(comparison.runs), "run", "runs")
    queries = format_count(len(comparison.queries), "query", "queries")
    shown = min(len(pairs), _MOST_PLOTS)
    omission = f"{shown} of {len(pairs):,} pairs are plotted. Pass --all-pairs to plot all."
    return View(
        title=f"Comparison of {runs} on {queries}",
        headline=_summarize_many_pairs(comparison) if is_brief else [p.sentence for p in pairs],
        tables=make_tables,
        data=lambda: make_comparison_data(comparison, of),
        content=make_content,
        closing=[omission] if plot and shown < len(pairs) and not all_pairs else [],
        legend=lambda: make_legend(comparison, [n for t in make_tables() for n in t.header]),
        settings=[f"how: {describe_settings(comparison)}", f"rules: {comparison.rules}"],
        notices=format_notice_lines(comparison.notices),
        latex=lambda: [_make_latex_table(comparison)],
        latex_notes=_list_latex_notes(comparison),
        special={"systems": lambda: to_csv(make_comparison_data(comparison, "systems"))},
    )


def _make_tables(comparison: "Comparison") -> list[Table]:
    """Make a table of runs and several of pairs, whose columns are attributes of a pair."""
    pairs, p_value = comparison.pairs, partial(format_p_value, alpha=comparison.alpha)
    by = "" if len(comparison.measures) > 1 else f" by {comparison.measures[0]}"
    against = "" if comparison.baseline is None else f" from {comparison.baseline}"
    differences = {
        "difference": Column("difference", float, format_difference),
        "t_interval": Column(format_interval_title(comparison), Interval, format_interval),
        "relative": Column("relative", float, format_percent_change),
        "effect": Column("d_z", float, format_effect_size),
        "wins ties losses": Column("won/tied/lost", tuple, _format_counts),
    }
    certainty = {
        "p_t": Column(_T_TEST, float, p_value),
        "p_randomized": Column("p (randomized)", float, p_value),
        "p_adjusted": Column(_ADJUSTED, float, p_value),
        "p_better": Column("P(better)", float, format_probability),
        "detectable": Column("detectable", float),
    }
    if comparison.correction == "none":  # it is the p-value of the t-test
        del certainty["p_adjusted"]
    tests = {
        name: Column(f"p ({name})", float, p_value)
        for name in dict.fromkeys(name for pair in pairs for name in pair.more)
    }
    closeness = {
        "p_equal": Column("P(within margin)", float, format_probability),
        "p_equivalent": Column("p (within margin)", float, p_value),
        "possible": Column("any labels", Interval, format_interval),
    }
    closeness = {
        name: column
        for name, column in closeness.items()
        if any(getattr(pair, name) is not None for pair in pairs)
    }
    parts = {
        f"How they differ{against}{by}": differences,
        "How sure that is": certainty,
        "What other tests say": tests,
        "How close they are": closeness,
    }
    scored = f"What the runs score{by}, {describe_queries(comparison.systems)}"
    return [
        _make_run_table(comparison, scored),
        *(_make_pair_table(comparison, title, part) for title, part in parts.items() if part),
    ]


def _get_value(pair: "Pair", name: str) -> Any:
    """Return an attribute, a tuple of several, or the p-value of an optional test."""
    if " " in name:
        return tuple(getattr(pair, part) for part in name.split())
    value = getattr(pair, name) if hasattr(pair, name) else pair.more.get(name)
    return math.nan if value is None else value


def _format_counts(counts: tuple[int, int, int]) -> str:
    return "/".join(map("{:,}".format, counts))


def _make_run_table(comparison: "Comparison", title: str) -> Table:
    place = {name: number for number, name in enumerate(order_runs(comparison))}
    uneven = len({system.n_queries for system in comparison.systems}) > 1
    columns = [*_make_measure_column(comparison), Column("run"), Column("mean", float)]
    columns.append(Column(format_interval_title(comparison), Interval, format_interval))
    columns.append(Column("judged", float, format_percent))
    rows: list[list[Any]] = []
    best: dict[tuple[int, int], str] = {}
    for measure in comparison.measures:
        systems = sorted(select_systems(comparison, measure), key=lambda s: place[s.name])
        top = find_best_means(measure, [system.mean for system in systems])
        best |= {(len(rows) + i, _find_mean(columns)): "best" for i in top}
        for s in systems:
            name = format_run_title(comparison, s)
            row = [*_make_measure_cell(comparison, measure), name, s.mean, s.interval, s.judged]
            rows.append([*row, *([s.n_queries] if uneven else [])])
    columns += [Column("queries", int)] if uneven else []
    return Table(columns, rows, title, styles=best)


def _find_mean(columns: Sequence[Column]) -> int:
    return [column.name for column in columns].index("mean")


def _make_pair_table(comparison: "Comparison", title: str, parts: Mapping[str, Column]) -> Table:
    """Make a row for every pair; with a baseline, the title says what runs are compared with."""
    has_other = comparison.baseline is None
    columns = [*_make_measure_column(comparison), Column("run")]
    columns += [Column("compared with")] if has_other else []
    rows = [
        [
            *_make_measure_cell(comparison, pair.measure),
            pair.system,
            *([pair.baseline] if has_other else []),
            *(_get_value(pair, name) for name in parts),
        ]
        for pair in comparison.pairs
    ]
    return Table([*columns, *parts.values()], rows, title)


def _make_measure_column(comparison: "Comparison") -> list[Column]:
    return [Column("measure")] if len(comparison.measures) > 1 else []


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


def _summarize_many_pairs(comparison: "Comparison") -> list[str]:
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


def _make_brief_table(comparison: "Comparison") -> Table:
    """Make a row for every run: its values, and its difference from the reference."""
    measure, reference = comparison.measures[0], _find_reference(comparison)
    by_run = compare_with_reference(select_first_pairs(comparison), reference)
    systems = {system.name: system for system in select_systems(comparison, measure)}
    p_value = partial(format_p_value, alpha=comparison.alpha)
    none = RunAgainstReference(math.nan, math.nan, math.nan, "-")
    rows = []
    for name in order_runs(comparison):
        s, other = systems[name], by_run.get(name, none)
        row = [format_run_title(comparison, s), s.mean, s.interval, s.judged]
        rows.append([*row, other.difference, other.p_adjusted, other.verdict])
    columns = [
        Column("run"),
        Column("mean", float),
        Column(format_interval_title(comparison), Interval, format_interval),
        Column("judged", float, format_percent),
        Column("difference", float, format_difference),
        Column(find_deciding_title(comparison), float, p_value),
        Column("verdict"),
    ]
    by = f"by {measure}, {describe_queries(systems.values())}"
    title = f"What the runs score {by}, and how they differ from {reference}"
    top = find_best_means(measure, [systems[name].mean for name in order_runs(comparison)])
    return Table(columns, rows, title, styles={(i, 1): "best" for i in top})


def _find_reference(comparison: "Comparison") -> str:
    return order_runs(comparison)[0] if comparison.baseline is None else comparison.baseline


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


_MOST_PLOTS = 3  # pairs
_MOST_QUERIES = 24  # of a plot


def _select_plotted(pairs: "Sequence[Pair]", all_pairs: bool) -> "Sequence[Pair]":
    return pairs if all_pairs else pairs[:_MOST_PLOTS]


def _make_query_table(comparison: "Comparison", pair: "Pair") -> Table:
    """Make a row with a bar for every query, or for some evenly spaced, the largest loss first."""
    differences = comparison.differences(pair.system, pair.baseline, pair.measure)
    valued = [item for item in differences.items() if math.isfinite(item[1])]
    places = pick_evenly_spaced(len(valued), _MOST_QUERIES)
    largest = max((abs(value) for _, value in valued), default=0.0)
    rows, styles = [], {}
    for i, place in enumerate(places):
        query, value = valued[place]
        is_tied = abs(value) <= comparison.tie
        rows.append([query, 0.0 if is_tied else value, Bar(0 if is_tied else value / largest)])
        styles[i, 2] = "better" if value > 0 else "worse"
    better, worse = ("better", "worse") if pair.measure.higher_is_better else ("higher", "lower")
    title = (
        f"How {pair.system} differs from {pair.baseline} by {pair.measure}, query by query: "
        f"{pair.losses:,} {worse}, {pair.ties:,} the same, {pair.wins:,} {better}"
    )
    if len(places) < len(valued):
        title += f"; {len(places)} of {len(valued):,} queries, evenly spaced"
    if n_unknown := len(differences) - len(valued):
        title += f"; {format_count(n_unknown, 'query has', 'queries have')} no value"
    columns = [Column("query"), Column("difference", float, format_difference), Column("", Bar)]
    return Table(columns, rows, title, styles=styles)


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


def _make_latex_table(comparison: "Comparison") -> Table:
    """Make a row per run and a column per measure.

    The highest mean is bold; superscripts are the letters of the runs it is above.
    """
    names = dict(zip(comparison.runs, make_letters(len(comparison.runs)), strict=True))
    rows: list[list[Any]] = [[letter, name] for name, letter in names.items()]
    styles: dict[tuple[int, int], str] = {}
    superscripts: dict[tuple[int, int], str] = {}
    for column, measure in enumerate(comparison.measures, 2):
        means = {system.name: system.mean for system in select_systems(comparison, measure)}
        for row, name in zip(rows, names, strict=True):
            row.append(means[name])
        top = find_best_means(measure, [row[column] for row in rows])
        styles |= {(row_number, column): "best" for row_number in top}
        for place, below in enumerate(find_runs_below(comparison, measure).values()):
            letters = format_superscript([comparison.runs.index(b) for b in below], len(rows))
            superscripts[place, column] = letters
    columns = [Column(""), Column("run")]
    columns += [Column(str(measure), float) for measure in comparison.measures]
    return Table(columns, rows, styles=styles, superscripts=superscripts)


def _list_latex_notes(comparison: "Comparison") -> list[str]:
    note = (
        "A superscript names the runs that a mean is significantly above "
        f"(adjusted p < {comparison.alpha:g})."
    )
    if len(comparison.measures) > 1:
        note += f" All measures but {comparison.measures[0]} are exploratory."
    return [note]


_DTYPES = {
    **dict.fromkeys(("measure", "system", "baseline", "verdict", "sentence"), str),
    **dict.fromkeys(("wins", "ties", "losses", "n_queries"), int),
    "exploratory": bool,
}


def make_comparison_data(comparison: "Comparison", of: str) -> Table:
    """Make a row for every pair and measure, or for every run and measure.

    An interval takes two columns. The p-value of an optional test is in a column named after it,
    such as ``p_wilcoxon``.
    """
    primary = comparison.measures[0]
    records = comparison.pairs if of == "pairs" else comparison.systems
    rows = [_flatten_record(record, exploratory=record.measure != primary) for record in records]
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [Column(name, _DTYPES.get(name, float)) for name in names]
    return Table(columns, [[row.get(name) for name in names] for row in rows])


def _flatten_record(record: "Pair | System", *, exploratory: bool) -> dict[str, Any]:
    values = {"measure": str(record.measure), "exploratory": exploratory}
    for name, value in list_record_fields(record).items():
        if isinstance(value, Interval) or name == "possible":
            low, high = value or (None, None)
            values |= {f"{name}_low": low, f"{name}_high": high}
        elif isinstance(value, Mapping):
            values |= {f"p_{test.replace('-', '_')}": p for test, p in value.items()}
        else:
            values[name] = value
    return values
