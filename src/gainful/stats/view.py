"""What people are shown of a Comparison: the verdict, then tables, then what their titles mean."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gainful.measures import Measure
from gainful.stats.digits import (
    decimals,
    effect,
    ends,
    p_value,
    percent,
    probability,
    signed,
    signed_percent,
)
from gainful.stats.standing import Beside, beside, first_pairs, letters, of_measure, ordered
from gainful.wording import count, examples

if TYPE_CHECKING:
    from gainful.stats.comparison import Comparison, Pair, System

_FEW = 10  # pairs, of which each has its sentence
_NAMED = 5  # runs, where there are too many to name
_INTERVAL = "95% interval"
_MEANINGS = {
    _INTERVAL: "a range that holds the number for all such queries, 19 times out of 20",
    "judged": "how much of what is ranked, down to the cutoff, has a judgment",
    "difference": "the mean of the run less the mean of the run it is compared with",
    "relative": "the difference as a share of the mean of the run it is compared with",
    "d_z": "effect size: the difference in standard deviations of the queries' differences",
    "won/tied/lost": "on how many queries the run does better, the same, worse",
    "p (t-test)": "how often chance alone makes a difference at least as large",
    "p (randomised)": "the same, by a test that assumes less",
    "p adjusted": "p, given how many pairs there are; the verdict asks for less than {alpha:g}",
    "P(better)": "how probable it is that the run is better in the long run",
    "detectable": "the smallest difference that so many queries show 4 times out of 5",
    "P(within margin)": "how probable it is that they differ by less than {margin:g}",
    "p (within margin)": "how often runs that differ by more look as close, by chance alone",
    "any labels": "where the difference may be, whatever the labels of unjudged items",
}


class Section(NamedTuple):
    """A table, the first ``n_text`` columns of which are text."""

    title: str
    header: list[str]
    rows: list[list[str]]
    n_text: int


class View(NamedTuple):
    """What is shown, from top to bottom."""

    verdict: list[str]
    sections: list[Section]
    legend: list[list[str]]


def view(comparison: "Comparison", *, all_pairs: bool = False, lettered: bool = False) -> View:
    """Everything people are shown; of many pairs only those with one run, unless all are wanted.

    This run is the baseline, or the one with the highest mean. ``lettered`` calls runs by letters,
    where names would not fit.
    """
    pairs = first_pairs(comparison)
    called = dict(zip(comparison.runs, letters(len(comparison.runs)), strict=True))
    if len(pairs) > _FEW and not all_pairs:
        verdict, sections = _of_many(comparison)
    else:
        verdict = [pair.sentence for pair in pairs]
        names = called if lettered else {name: name for name in called}
        sections = _of_few(comparison, names, called if lettered else {})
    return View(verdict, sections, _legend(comparison, sections))


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


def _of_few(
    comparison: "Comparison", names: Mapping[str, str], called: Mapping[str, str]
) -> list[Section]:
    baseline = comparison.baseline
    pairs, against = comparison.pairs, "" if baseline is None else f" from {names[baseline]}"
    by = f" by {comparison.measures[0]}" if len(comparison.measures) == 1 else ""
    few = [_scored(comparison, called, f"What the runs score{by}, {_over(comparison)}")]
    title = f"How they differ{against}{by}"
    few.append(_section(comparison, title, names, pairs, _DIFFERENCE))
    few.append(_section(comparison, "How sure that is", names, pairs, _certainty(comparison)))
    for title, columns in _asked(comparison).items():
        few.append(_section(comparison, title, names, pairs, columns))
    return few


def _scored(comparison: "Comparison", called: Mapping[str, str], title: str) -> Section:
    place = {name: number for number, name in enumerate(ordered(comparison))}
    header, n_text = ["run", "mean", _INTERVAL, "judged"], 1
    rows = []
    for measure in comparison.measures:
        for s in sorted(of_measure(comparison, measure), key=lambda s: place[s.name]):
            rows.append([*_measure(comparison, measure), *_letter(called, s.name)])
            rows[-1] += [_title(comparison, s), decimals(s.mean), ends(s.interval)]
            rows[-1].append(percent(s.judged))
    header = [*_measure_title(comparison), *([""] if called else []), *header]
    return Section(title, header, rows, n_text + len(header) - 4)


Cell = Callable[["Pair"], str]
_DIFFERENCE: dict[str, Cell] = {
    "difference": lambda pair: signed(pair.difference),
    _INTERVAL: lambda pair: ends(pair.interval),
    "relative": lambda pair: signed_percent(pair.relative),
    "d_z": lambda pair: effect(pair.effect),
    "won/tied/lost": lambda pair: f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}",
}


def _certainty(comparison: "Comparison") -> dict[str, Cell]:
    alpha = comparison.alpha
    return {
        "p (t-test)": lambda pair: p_value(pair.p_t, alpha),
        "p (randomised)": lambda pair: p_value(pair.p_randomised, alpha),
        "p adjusted": lambda pair: p_value(pair.p_adjusted, alpha),
        "P(better)": lambda pair: probability(pair.p_better),
        "detectable": lambda pair: decimals(pair.detectable),
    }


def _asked(comparison: "Comparison") -> dict[str, dict[str, Cell]]:
    """What is known of pairs only because it was asked for: columns, by the title of a table."""
    pairs, alpha = comparison.pairs, comparison.alpha
    tests = dict.fromkeys(test for pair in pairs for test in pair.more)
    asked: dict[str, dict[str, Cell]] = {
        "What other tests say": {f"p ({test})": _requested(test, alpha) for test in tests},
        "How close they are": {},
    }
    close = asked["How close they are"]
    if any(pair.p_equal is not None for pair in pairs):
        close["P(within margin)"] = lambda pair: probability(_or_nan(pair.p_equal))
        close["p (within margin)"] = lambda pair: p_value(_or_nan(pair.p_equivalent), alpha)
    if any(pair.possible is not None for pair in pairs):
        close["any labels"] = lambda pair: ends(pair.possible)
    return {title: columns for title, columns in asked.items() if columns}


def _requested(test: str, alpha: float) -> Cell:
    return lambda pair: p_value(_or_nan(pair.more.get(test)), alpha)


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _section(
    comparison: "Comparison",
    title: str,
    names: Mapping[str, str],
    pairs: Sequence["Pair"],
    columns: Mapping[str, Cell],
) -> Section:
    """A row for every pair; if all are with the baseline, the title may say so."""
    against = [] if comparison.baseline is not None else ["compared with"]
    rows = []
    for pair in pairs:
        other = [names[pair.baseline]] if against else []
        cells = [cell(pair) for cell in columns.values()]
        rows.append([*_measure(comparison, pair.measure), names[pair.system], *other, *cells])
    named = [*_measure_title(comparison), "run", *against]
    return Section(title, [*named, *columns], rows, len(named))


def _of_many(comparison: "Comparison") -> tuple[list[str], list[Section]]:
    pairs, order = first_pairs(comparison), ordered(comparison)
    reference = comparison.baseline or order[0]
    others = beside(pairs, reference)
    own = {s.name: s for s in of_measure(comparison, comparison.measures[0])}
    rows = []
    for name in order:
        system = own[name]
        cells = [_title(comparison, system), decimals(system.mean), ends(system.interval)]
        rows.append([*cells, percent(system.judged), *_beside(comparison, others.get(name))])
    header = ["run", "mean", _INTERVAL, "judged", "difference", "p adjusted", "verdict"]
    by = f"by {comparison.measures[0]}, {_over(comparison)}"
    title = f"What the runs score {by}, and how they differ from {reference}"
    verdict = [_summary(comparison, reference, others), _left_out(comparison, reference)]
    return verdict, [Section(title, header, rows, 1)]


def _beside(comparison: "Comparison", other: Beside | None) -> list[str]:
    if other is None:
        return ["-", "-", "-"]
    p = p_value(other.p_adjusted, comparison.alpha)
    return [signed(other.difference), p, other.verdict]


_SAID_OF_REFERENCE = {
    "worse": "it is better than {}",
    "better": "it is worse than {}",
    "cannot tell": "it cannot be told apart from {}",
    "practically equal": "it is practically equal to {}",
    "identical": "it is identical to {}",
}


def _summary(comparison: "Comparison", reference: str, others: Mapping[str, Beside]) -> str:
    """What becomes of one run beside many, by how many."""
    said = []
    for verdict, wording in _SAID_OF_REFERENCE.items():
        names = [name for name, other in others.items() if other.verdict == verdict]
        if names:
            runs = f"{count(len(names), 'run', 'runs')} ({examples(names, _NAMED)})"
            said.append(wording.format(runs))
    what = "is the baseline" if comparison.baseline else "has the highest mean"
    return f"By {comparison.measures[0]}, {reference!r} {what}: {'; '.join(said)}."


def _left_out(comparison: "Comparison", reference: str) -> str:
    n_pairs = count(len(comparison.pairs), "pair", "pairs")
    measures = count(len(comparison.measures), "measure", "measures")
    return (
        f"Shown are the pairs with {reference!r}. All {n_pairs}, by {measures}: --all-pairs or "
        "-o csv, in Python to_markdown(all_pairs=True) or to_csv()."
    )


def _over(comparison: "Comparison") -> str:
    return f"on average over {count(len(comparison.queries), 'query', 'queries')}"


def _title(comparison: "Comparison", system: "System") -> str:
    return f"{system.name} (baseline)" if system.name == comparison.baseline else system.name


def _letter(called: Mapping[str, str], name: str) -> list[str]:
    return [called[name]] if called else []


def _measure_title(comparison: "Comparison") -> list[str]:
    return ["measure"] if len(comparison.measures) > 1 else []


def _measure(comparison: "Comparison", measure: Measure) -> list[str]:
    if len(comparison.measures) == 1:
        return []
    return [str(measure) if measure == comparison.measures[0] else f"{measure} *"]


def _legend(comparison: "Comparison", sections: Sequence[Section]) -> list[list[str]]:
    """What the titles mean that are there."""
    titles = {title for section in sections for title in section.header}
    margin = comparison.margin or 0.0
    said = [
        [title, meaning.format(alpha=comparison.alpha, margin=margin)]
        for title, meaning in _MEANINGS.items()
        if title in titles
    ]
    if "measure" in titles:
        said.append(["*", f"exploratory: the verdict is on {comparison.measures[0]} alone"])
    return said
