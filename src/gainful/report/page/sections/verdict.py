"""The verdict, in words that anyone understands."""

from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from gainful.comparison.result import Comparison, Pair
from gainful.comparison.sections import level
from gainful.comparison.standing import Beside, beside, first_pairs, of_measure, ordered
from gainful.experiment.result import Experiment
from gainful.measures import Measure
from gainful.report.page.parts import Section
from gainful.report.page.runs import values_of
from gainful.report.page.sections.banner import (
    gate_shown,
    glance,
    judged,
    judged_warnings,
    order_warnings,
)
from gainful.report.page.words import chance, digits_for, listed, named, plus
from gainful.tables import printable
from gainful.wording import count

_NAMED = 5
_SPOKEN = 3  # runs that a sentence names


class Verdict(NamedTuple):
    """What is said first.

    Attributes:
        kind: One of ``VERDICTS``, or ``alone`` for one run.
        headline: The verdict, in a few words.
        detail: What it rests on, in plain words.
        technical: The same, as a statistician has it.
    """

    kind: str
    headline: str
    detail: str
    technical: tuple[str, ...]


def verdict(experiment: Experiment) -> Verdict:
    """What the experiment says, by its first measure."""
    comparison = experiment.comparison
    if comparison is None or experiment.candidate is None:
        return _alone(experiment)
    if len(experiment.runs) == 2 or comparison.baseline is not None:
        return _against_baseline(experiment, comparison)
    return _best_of_all(comparison)


def section(experiment: Experiment) -> Section:
    """The banner: the verdict, what the gate said, how much is judged."""
    said = verdict(experiment)
    values: dict[str, Any] = {
        "verdict": said,
        "gate": None if experiment.gate is None else gate_shown(experiment.gate, said.kind),
        "glance": glance(experiment),
        "judged": judged(experiment),
        "warnings": [
            *_higher_only(experiment),
            *order_warnings(experiment),
            *judged_warnings(experiment),
        ],
    }
    return Section("verdict", "Verdict", values)


def _higher_only(experiment: Experiment) -> list[str]:
    measure = experiment.measures[0]
    if measure.higher_is_better:
        return []
    return [
        f"A higher {measure} is not a better one: where this page calls a run or a query better or "
        "worse, its value is higher or lower."
    ]


def _against_baseline(experiment: Experiment, comparison: Comparison) -> Verdict:
    assert experiment.candidate is not None
    pair = comparison.pair(experiment.candidate, experiment.baseline)
    others = beside(first_pairs(comparison), experiment.baseline)
    detail = _detail(pair, comparison)
    if len(others) > 1:
        detail += f" {_counted(others, comparison)} {_chosen(pair, list(others), comparison)}"
    headline = _headline(pair, "" if comparison.baseline is None else "the baseline ")
    return Verdict(pair.verdict, headline, detail, (printable(pair.sentence),))


def _chosen(pair: Pair, others: list[str], comparison: Comparison) -> str:
    """Why it is this run that is set beside the baseline."""
    most = "highest" if pair.measure.higher_is_better else "lowest"
    equals = _level_with(pair.system, others, comparison)
    if len(equals) == 1:
        return f"Of them {named(pair.system)} has the {most} mean."
    who = listed([named(run) for run in equals]) if len(equals) <= _SPOKEN else f"{len(equals):,}"
    return f"Of them {who} have the {most} mean; this is about {named(pair.system)}."


def _level_with(run: str, others: list[str], comparison: Comparison) -> list[str]:
    """The run and those of the others that have the same mean."""
    mean = _mean(comparison, run)
    near = [o for o in others if abs(_mean(comparison, o) - mean) <= comparison.tie]
    return list(dict.fromkeys([run, *near]))


def _headline(pair: Pair, role: str) -> str:
    system, baseline = named(pair.system), f"{role}{named(pair.baseline)}"
    both = f"{system} and {baseline}"
    said = {
        "better": f"{system} is better than {baseline}.",
        "worse": f"{system} is worse than {baseline}.",
        "cannot tell": f"{both} cannot be told apart.",
        "practically equal": f"{both} are practically equal.",
        "identical": f"{both} score the same on every query.",
    }
    if not pair.measure.higher_is_better:
        said["better"] = f"{system} scores higher than {baseline}."
        said["worse"] = f"{system} scores lower than {baseline}."
    return said[pair.verdict]


def _detail(pair: Pair, comparison: Comparison) -> str:
    """How many queries changed, by how much on average, and whether that is chance."""
    before, now = (_mean(comparison, run) for run in (pair.baseline, pair.system))
    if pair.verdict == "identical":
        return f"The mean {pair.measure} of both is {now:.4f}."
    up, down = ("better", "worse") if pair.measure.higher_is_better else ("higher", "lower")
    n_queries = count(pair.n_queries, "query", "queries")
    moved = f"{pair.wins:,} of {n_queries} got {up}, {pair.losses:,} {down}"
    same = f", {pair.ties:,} stayed the same" if pair.ties else ""
    still = abs(pair.difference) <= comparison.tie
    digits = digits_for(0.0 if still else pair.difference)
    low, high = pair.t_interval
    by = plus(pair.difference, digits)
    if isfinite(high - low) and low < high:
        by += f", {level(comparison)} interval {plus(low, digits)} to {plus(high, digits)}"
    way = f"{'rises' if pair.difference > 0 else 'falls'} from {before:.{digits}f} to"
    return (
        f"{moved}{same}. On average {pair.measure} {'stays at' if still else way} "
        f"{now:.{digits}f} ({by}){_explained(pair, comparison)}."
    )


def _explained(pair: Pair, comparison: Comparison) -> str:
    p = chance(pair.p_adjusted, comparison.alpha)
    if pair.verdict in ("better", "worse"):
        return f"; chance alone hardly explains it ({p})"
    if pair.verdict == "practically equal":
        return f", shown to be smaller than {comparison.margin:g}, which does not matter"
    if pair.n_queries < 2:
        return "; one query shows nothing"
    shows = f"; chance alone may explain it ({p})"
    if pair.detectable > 0:
        digits = digits_for(pair.detectable)
        n_queries = count(pair.n_queries, "query", "queries")
        shows += f". Differences below about {pair.detectable:.{digits}f} do not show reliably on "
        shows += n_queries
    return shows


def _best_of_all(comparison: Comparison) -> Verdict:
    """The run with the highest mean, and whom it beats."""
    best, measure = ordered(comparison)[0], comparison.measures[0]
    others = beside(first_pairs(comparison), best)
    kind, headline = _first(best, others, comparison)
    own = next(s for s in of_measure(comparison, measure) if s.name == best)
    low, high = own.interval
    mean = f"On average {measure} is {own.mean:.2f} ({level(comparison)} interval {low:.2f} to "
    mean += f"{high:.2f}) over {count(own.n_queries, 'query', 'queries')}."
    detail = " ".join([mean, *_standings(others, comparison, measure)])
    technical = [p.sentence for p in first_pairs(comparison) if best in (p.system, p.baseline)]
    return Verdict(kind, headline, detail, tuple(map(printable, technical[:_NAMED])))


def _first(best: str, others: dict[str, Beside], comparison: Comparison) -> tuple[str, str]:
    """One of ``VERDICTS``, and the headline: of the runs with the highest mean, and the others."""
    measure, found = comparison.measures[0], [other.verdict for other in others.values()]
    n_beaten, n_runs = found.count("worse"), f"{len(comparison.runs):,} runs"
    better, above = ("is better than", "is better than")
    if not measure.higher_is_better:
        better, above = "scores higher than", "is above"
    if n_beaten == len(others):
        return "better", f"{named(best)} {better} all {len(others):,} others."
    if set(found) == {"identical"}:
        return "identical", f"All {n_runs} score the same on every query."
    equals = [named(run) for run in _level_with(best, list(others), comparison)]
    who = f"{listed(equals)} share" if len(equals) <= _SPOKEN else f"{len(equals):,} runs share"
    who = f"{equals[0]} has" if len(equals) == 1 else who
    apart = f"{who} the highest {measure} of {n_runs}"
    if n_beaten:
        it = "" if len(equals) == 1 else f"{named(best)} "
        return "better", f"{apart}, and {it}{above} {n_beaten:,} of the others."
    if set(found) <= {"identical", "practically equal"}:
        return "practically equal", f"{apart}, and all others are practically equal to it."
    return "cannot tell", f"{apart}, but chance alone may explain it."


def _standings(others: dict[str, Beside], comparison: Comparison, measure: Measure) -> list[str]:
    better = ("better than", "worse than") if measure.higher_is_better else ("above", "below")
    said = {
        "worse": f"It is {better[0]}",
        "better": f"It is {better[1]}",
        "cannot tell": "It cannot be told apart from",
        "practically equal": "It is practically equal to",
        "identical": "It scores the same as",
    }
    out = []
    for kind, words in said.items():
        names = [
            named(run) + ("" if kind == "identical" else f" ({_apart(o, comparison)})")
            for run, o in others.items()
            if o.verdict == kind
        ]
        more = [f"{len(names) - _SPOKEN:,} more"] if len(names) > _SPOKEN + 1 else []
        if names:
            out.append(f"{words} {listed([*names[: _SPOKEN if more else None], *more])}.")
    return out


def _apart(other: Beside, comparison: Comparison) -> str:
    """How much a run is ahead of the other, and the p-value of that."""
    ahead = 0.0 if abs(other.difference) <= comparison.tie else -other.difference
    return f"{plus(ahead, digits_for(ahead))}, {chance(other.p_adjusted, comparison.alpha)}"


def _counted(others: dict[str, Beside], comparison: Comparison) -> str:
    higher_is_better = comparison.measures[0].higher_is_better
    up, down = ("better", "worse") if higher_is_better else ("higher", "lower")
    words = {
        "better": up,
        "worse": down,
        "cannot tell": "cannot be told apart from it",
        "practically equal": "practically equal to it",
        "identical": "identical to it",
    }
    found = [other.verdict for other in others.values()]
    parts = [f"{found.count(kind):,} {word}" for kind, word in words.items() if kind in found]
    return f"Of {len(others):,} runs beside the baseline: {', '.join(parts)}."


def _alone(experiment: Experiment) -> Verdict:
    """One run: its mean, and what that is made of."""
    system, measure = experiment.systems[0], experiment.measures[0]
    values = values_of(experiment, system.name)
    values = values[~np.isnan(values)]
    low, high = system.interval
    headline = f"{named(system.name)} scores {system.mean:.2f} by {measure}."
    about = f"That is the mean over {count(system.n_queries, 'query', 'queries')}"
    if low < high:
        about += f"; for other such queries it would lie between {low:.2f} and {high:.2f}, "
        about += "19 times out of 20"
    zeros, ones = int((values == 0).sum()), int((values == 1).sum())
    detail = f"{about}. {_share(zeros, len(values))} score 0"
    if measure.bounds == (0, 1):
        detail += f", {_share(ones, len(values))} reach 1, the best there is"
    worst = experiment.scores[0].worst(3)
    names = [f"{named(query)} ({value:.2f})" for query, value in worst.items() if value == value]
    detail += f". The lowest: {listed(names)}." if names else "."
    technical = f"{system.name}: {measure} {system.mean:.4f} {system.interval} "
    technical += f"({count(system.n_queries, 'query', 'queries')}, bootstrap, BCa)."
    return Verdict("alone", headline, detail, (printable(technical),))


def _share(n: int, of: int) -> str:
    return f"{n:,} of {of:,} queries ({n / of:.0%})" if of else "0 queries"


def _mean(comparison: Comparison, run: str) -> float:
    own = of_measure(comparison, comparison.measures[0])
    return next(system.mean for system in own if system.name == run)
