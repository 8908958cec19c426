"""The verdict, in words that anyone understands."""

from math import isfinite
from typing import Any, NamedTuple

from gainful.comparison.digits import percent
from gainful.comparison.result import Comparison, Pair
from gainful.comparison.sections import level
from gainful.comparison.standing import Beside, beside, first_pairs, of_measure, ordered
from gainful.experiment.result import Experiment
from gainful.gating.result import CANNOT_TELL, FAIL, PASS, Gate, mark
from gainful.gating.text import shown as checks_shown
from gainful.measures import Measure
from gainful.report.page.parts import TEXT, Cell, Column, Section, table
from gainful.report.page.runs import systems_of, values_of
from gainful.report.page.words import chance, digits_for, listed, named
from gainful.tables import printable
from gainful.wording import count

_LITTLE = 0.8  # of what is ranked is judged
_UNEVEN = 0.05
_NAMED = 5
_SPOKEN = 3  # runs that a sentence names
_OUTCOMES = {PASS: "passed", FAIL: "failed", CANNOT_TELL: "open"}


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
        "gate": None if experiment.gate is None else _gate(experiment.gate),
        "glance": _glance(experiment),
        "judged": _judged(experiment),
        "warnings": _judged_warnings(experiment),
    }
    return Section("verdict", "Verdict", values)


def _against_baseline(experiment: Experiment, comparison: Comparison) -> Verdict:
    assert experiment.candidate is not None
    pair = comparison.pair(experiment.candidate, experiment.baseline)
    others = beside(first_pairs(comparison), experiment.baseline)
    detail = _detail(pair, comparison)
    if len(others) > 1:
        detail += f" {_counted(others, comparison)} {named(pair.system)} has the highest mean."
    headline = _headline(pair, "" if comparison.baseline is None else "the baseline ")
    return Verdict(pair.verdict, headline, detail, (printable(pair.sentence),))


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
    digits = digits_for(pair.difference)
    way = "rises" if pair.difference > 0 else "falls"
    low, high = pair.t_interval
    by = f"{pair.difference:+.{digits}f}"
    if isfinite(high - low) and low < high:
        by += f", {level(comparison)} interval {low:+.{digits}f} to {high:+.{digits}f}"
    return (
        f"{moved}{same}. On average {pair.measure} {way} from {before:.{digits}f} to "
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
    beaten = [run for run, other in others.items() if other.verdict == "worse"]
    apart = f"has the highest {measure} of {len(comparison.runs):,} runs"
    if len(beaten) == len(others):
        better = "is better than" if measure.higher_is_better else "scores higher than"
        kind, headline = "better", f"{named(best)} {better} all {len(others):,} others."
    elif beaten:
        above = "better than" if measure.higher_is_better else "above"
        kind = "better"
        headline = f"{named(best)} {apart}, and is {above} {len(beaten):,} of the others."
    else:
        kind, headline = "cannot tell", f"{named(best)} {apart}, but chance alone may explain it."
    own = next(s for s in of_measure(comparison, measure) if s.name == best)
    low, high = own.interval
    mean = f"On average {measure} is {own.mean:.2f} ({level(comparison)} interval {low:.2f} to "
    mean += f"{high:.2f}) over {count(own.n_queries, 'query', 'queries')}."
    detail = " ".join([mean, *_standings(others, comparison, measure)])
    technical = [p.sentence for p in first_pairs(comparison) if best in (p.system, p.baseline)]
    return Verdict(kind, headline, detail, tuple(map(printable, technical[:_NAMED])))


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
            f"{named(run)} ({-o.difference:+.{digits_for(o.difference)}f}, "
            f"{chance(o.p_adjusted, comparison.alpha)})"
            for run, o in others.items()
            if o.verdict == kind
        ]
        more = [f"{len(names) - _SPOKEN:,} more"] if len(names) > _SPOKEN + 1 else []
        if names:
            out.append(f"{words} {listed([*names[: _SPOKEN if more else None], *more])}.")
    return out


def _counted(others: dict[str, Beside], comparison: Comparison) -> str:
    up, down = (
        ("better", "worse")
        if comparison.measures[0].higher_is_better
        else (
            "higher",
            "lower",
        )
    )
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
    names = [f"{named(query)} ({value:.2f})" for query, value in worst.items()]
    detail += f". The lowest: {listed(names)}." if names else "."
    technical = f"{system.name}: {measure} {system.mean:.4f} {system.interval} "
    technical += f"({count(system.n_queries, 'query', 'queries')}, bootstrap, BCa)."
    return Verdict("alone", headline, detail, (printable(technical),))


def _share(n: int, of: int) -> str:
    return f"{n:,} of {of:,} queries ({n / of:.0%})" if of else "0 queries"


def _gate(gate: Gate) -> dict[str, Any]:
    """What the gate said, and every check of it."""
    rows = [
        [
            Cell(mark(check.outcome), _OUTCOMES[check.outcome]),
            check.name,
            str(check.measure),
            printable(check.sentence),
            "yes" if check.decides else "no",
        ]
        for gated in gate.gated
        for check in checks_shown(gate, gated)
    ]
    titles = ("outcome", "check", "measure", "what was found", "decides")
    columns = [Column(title, TEXT) for title in titles]
    return {
        "outcome": _OUTCOMES[gate.verdict],
        "sentence": printable(gate.sentence),
        "table": table("gate-table", "What the candidate was held to", columns, rows),
    }


def _glance(experiment: Experiment) -> list[tuple[str, str]]:
    """What else there is to know, in a few words, and the section that has it."""
    order = [notice.severity for notice in dict.fromkeys(experiment.notices)]
    counts = [(order.count("error"), "error", "errors")]
    counts += [
        (order.count("warning"), "warning", "warnings"),
        (order.count("info"), "note", "notes"),
    ]
    notices = ", ".join(count(n, one, many) for n, one, many in counts if n) or "no notices"
    return [(notices, "notices"), (f"rules: {experiment.scores[0].rules}", "setup")]


def _mean(comparison: Comparison, run: str) -> float:
    own = of_measure(comparison, comparison.measures[0])
    return next(system.mean for system in own if system.name == run)


def _judged(experiment: Experiment) -> list[dict[str, Any]]:
    """How much of what every run ranks is judged; of many runs the least and the most."""
    known = [s for s in systems_of(experiment) if s.judged == s.judged]
    if len(known) > _NAMED:
        known = sorted(known, key=lambda s: s.judged)
        known = [known[0], known[-1]]
    return [{"run": s.name, "share": percent(s.judged), "low": s.judged < _LITTLE} for s in known]


def _judged_warnings(experiment: Experiment) -> list[str]:
    own = systems_of(experiment)
    known = sorted((s for s in own if s.judged == s.judged), key=lambda s: s.judged)
    if not known:
        return []
    least, most = known[0], known[-1]
    said = []
    if most.judged - least.judged >= _UNEVEN:
        said.append(
            f"{percent(least.judged)} of what {named(least.name)} ranks is judged, but "
            f"{percent(most.judged)} of what {named(most.name)} ranks: items without a judgment "
            f"count as not relevant, so {named(least.name)} may be better than it looks."
        )
    elif least.judged < _LITTLE:
        said.append(
            f"Only {percent(least.judged)} of what {named(least.name)} ranks is judged: items "
            "without a judgment count as not relevant, so the true values may be higher."
        )
    return said
