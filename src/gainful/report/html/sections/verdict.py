"""The verdict, in words that anyone understands."""

from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from gainful.base import format_count, format_percent
from gainful.gate import CANNOT_TELL, FAIL, PASS, Gate, format_outcome
from gainful.measures import Measure
from gainful.report.html.model import Experiment, find_systems, find_values
from gainful.report.html.parts import (
    TEXT,
    PageCell,
    PageColumn,
    PageSection,
    choose_digits,
    format_signed,
    isolate_name,
    join_texts,
    make_table,
    phrase_p_value,
)
from gainful.report.tables import make_printable
from gainful.report.views.comparison import (
    RunAgainstReference,
    compare_with_reference,
    format_level,
    order_runs,
    select_first_pairs,
    select_systems,
)
from gainful.report.views.gate import select_checks
from gainful.stats import Comparison, Pair
from gainful.unjudged import could_reverse, describe_order

_LITTLE = 0.8  # of what is ranked is judged
_UNEVEN = 0.05
_OUTCOMES = {PASS: "passed", FAIL: "failed", CANNOT_TELL: "open"}
_MOST_SHARES = 5
# By the verdict of the gate: what it found, and verdicts on the runs that agree with it.
_GATE_FINDINGS = {
    PASS: ("meets them", ("better", "practically equal", "identical")),
    FAIL: ("misses some of them", ("worse",)),
    CANNOT_TELL: ("may or may not meet them, as items that nobody judged leave it open", ()),
}
_ONE_SIDED = (
    "What the gate says of chance is one-sided, about a drop alone; the p-value of the verdict is "
    "two-sided."
)


def make_gate_values(gate: Gate, kind: str) -> dict[str, Any]:
    """Return the gate's outcome, how it relates to the verdict, and its checks."""
    rows = [
        [
            PageCell(format_outcome(check.outcome), _OUTCOMES[check.outcome]),
            check.name,
            str(check.measure),
            make_printable(check.sentence),
            "yes" if check.decides else "no",
        ]
        for evidence in gate.evidence
        for check in select_checks(gate, evidence)
    ]
    titles = ("outcome", "check", "measure", "what was found", "decides")
    columns = [PageColumn(title, TEXT) for title in titles]
    note = _ONE_SIDED if any("p" in check.numbers for check in gate.checks) else ""
    return {
        "outcome": _OUTCOMES[gate.verdict],
        "sentence": make_printable(gate.sentence),
        "together": _explain_gate(gate, kind),
        "table": make_table("gate-table", "What the candidate was held to", columns, rows, note),
    }


def _explain_gate(gate: Gate, kind: str) -> str | None:
    """Explain how gate and verdict can both be right; None where they agree."""
    finding, same = _GATE_FINDINGS[gate.verdict]
    if kind == "alone" or kind in same:
        return None
    return (
        f"The gate holds {isolate_name(gate.candidate)} to thresholds, and it {finding}; the "
        "verdict below is about chance alone."
    )


def list_links(experiment: Experiment) -> list[tuple[str, str]]:
    """Return short facts, each with the section that has the details."""
    order = [notice.severity for notice in dict.fromkeys(experiment.notices)]
    counts = [(order.count("error"), "error", "errors")]
    counts += [
        (order.count("warning"), "warning", "warnings"),
        (order.count("info"), "note", "notes"),
    ]
    notices = (
        ", ".join(format_count(n, singular, plural) for n, singular, plural in counts if n)
        or "no notices"
    )
    return [(notices, "notices"), (f"rules: {experiment.scores[0].rules}", "setup")]


def list_judged_shares(experiment: Experiment) -> list[dict[str, Any]]:
    """Return the judged share of every run; of many runs the least and the most."""
    systems = [s for s in find_systems(experiment) if s.judged == s.judged]
    if len(systems) > _MOST_SHARES:
        systems = sorted(systems, key=lambda s: s.judged)
        systems = [systems[0], systems[-1]]
    return [
        {"run": s.name, "share": format_percent(s.judged), "low": s.judged < _LITTLE}
        for s in systems
    ]


def list_judged_warnings(experiment: Experiment) -> list[str]:
    """Return warnings about how much is judged."""
    systems = find_systems(experiment)
    by_share = sorted((s for s in systems if s.judged == s.judged), key=lambda s: s.judged)
    if not by_share:
        return []
    least, most = by_share[0], by_share[-1]
    lowest = isolate_name(least.name)
    sentences = []
    if most.judged - least.judged >= _UNEVEN:
        sentences.append(
            f"{format_percent(least.judged)} of what {lowest} ranks is judged, but "
            f"{format_percent(most.judged)} of what {isolate_name(most.name)} ranks: items without "
            f"a judgment count as not relevant, so {lowest} may be better than it looks."
        )
    elif least.judged < _LITTLE:
        sentences.append(
            f"Only {format_percent(least.judged)} of what {lowest} ranks is judged: "
            "items without a judgment count as not relevant, so the true values may be higher."
        )
    return sentences


def list_order_warnings(experiment: Experiment) -> list[str]:
    """Return a warning if judging could reverse the verdict."""
    pair = _find_decided_pair(experiment)
    if pair is None or experiment.to_judge is None:
        return []
    bounds = experiment.to_judge.bounds
    now, possible = bounds.value_difference(*pair), bounds.difference(*pair)
    if not could_reverse(possible):
        return []
    system, baseline = map(isolate_name, pair)
    return [describe_order(system, baseline, now, possible)]


def _find_decided_pair(experiment: Experiment) -> tuple[str, str] | None:
    """Find the two runs that the verdict ranks; the nearest pair, if it names several."""
    comparison = experiment.comparison
    if comparison is None or experiment.candidate is None:
        return None
    system, other_runs = experiment.candidate, [experiment.baseline]
    if comparison.baseline is None and len(experiment.runs) > 2:
        system, *other_runs = order_runs(comparison)
    pairs = compare_with_reference(select_first_pairs(comparison), system)
    decided = [run for run in other_runs if pairs[run].verdict in ("better", "worse")]
    return (system, decided[0]) if decided else None


_MOST_SENTENCES = 5
_MOST_NAMES = 3  # runs that a sentence names


class Verdict(NamedTuple):
    """The verdict on the first measure.

    Attributes:
        kind: One of ``VERDICTS``, or ``alone`` for one run.
        headline: The verdict, in a few words.
        detail: The numbers behind it, in plain words.
        technical: The same in statistical terms.
    """

    kind: str
    headline: str
    detail: str
    technical: tuple[str, ...]


def make_verdict(experiment: Experiment) -> Verdict:
    """Return the verdict of the experiment by its first measure."""
    comparison = experiment.comparison
    if comparison is None or experiment.candidate is None:
        return _describe_single_run(experiment)
    if len(experiment.runs) == 2 or comparison.baseline is not None:
        return _compare_with_baseline(experiment, comparison)
    return _describe_best(comparison)


def build_verdict_section(experiment: Experiment) -> PageSection:
    """Return the banner: the verdict, the outcome of the gate and the judged shares."""
    verdict = make_verdict(experiment)
    values: dict[str, Any] = {
        "verdict": verdict,
        "gate": None
        if experiment.gate is None
        else make_gate_values(experiment.gate, verdict.kind),
        "glance": list_links(experiment),
        "judged": list_judged_shares(experiment),
        "warnings": [
            *_warn_of_direction(experiment),
            *list_order_warnings(experiment),
            *list_judged_warnings(experiment),
        ],
    }
    return PageSection("verdict", "Verdict", values)


def _warn_of_direction(experiment: Experiment) -> list[str]:
    measure = experiment.measures[0]
    if measure.higher_is_better:
        return []
    return [
        f"A higher {measure} is not a better one: where this page calls a run or a query better or "
        "worse, its value is higher or lower."
    ]


def _compare_with_baseline(experiment: Experiment, comparison: Comparison) -> Verdict:
    assert experiment.candidate is not None
    pair = comparison.pair(experiment.candidate, experiment.baseline)
    others = compare_with_reference(select_first_pairs(comparison), experiment.baseline)
    detail = _write_detail(pair, comparison)
    if len(others) > 1:
        choice = _explain_choice(pair, list(others), comparison)
        detail += f" {_count_verdicts(others, comparison)} {choice}"
    headline = _write_headline(pair, "" if comparison.baseline is None else "the baseline ")
    return Verdict(pair.verdict, headline, detail, (make_printable(pair.sentence),))


def _explain_choice(pair: Pair, other_runs: list[str], comparison: Comparison) -> str:
    """Explain why this run is compared with the baseline."""
    most = "highest" if pair.measure.higher_is_better else "lowest"
    equals = _find_equal_means(pair.system, other_runs, comparison)
    if len(equals) == 1:
        return f"Of them {isolate_name(pair.system)} has the {most} mean."
    subject = (
        join_texts([isolate_name(run) for run in equals])
        if len(equals) <= _MOST_NAMES
        else f"{len(equals):,}"
    )
    return f"Of them {subject} have the {most} mean; this is about {isolate_name(pair.system)}."


def _find_equal_means(run: str, other_runs: list[str], comparison: Comparison) -> list[str]:
    """Find the run and the others that have the same mean."""
    mean = _find_mean(comparison, run)
    near = [o for o in other_runs if abs(_find_mean(comparison, o) - mean) <= comparison.tie]
    return list(dict.fromkeys([run, *near]))


def _write_headline(pair: Pair, role: str) -> str:
    system, baseline = isolate_name(pair.system), f"{role}{isolate_name(pair.baseline)}"
    names = f"{system} and {baseline}"
    headlines = {
        "better": f"{system} is better than {baseline}.",
        "worse": f"{system} is worse than {baseline}.",
        "cannot tell": f"{names} cannot be told apart.",
        "practically equal": f"{names} are practically equal.",
        "identical": f"{names} score the same on every query.",
    }
    if not pair.measure.higher_is_better:
        headlines["better"] = f"{system} scores higher than {baseline}."
        headlines["worse"] = f"{system} scores lower than {baseline}."
    return headlines[pair.verdict]


def _write_detail(pair: Pair, comparison: Comparison) -> str:
    """Say how many queries changed, by how much on average, and whether that is chance."""
    before, now = (_find_mean(comparison, run) for run in (pair.baseline, pair.system))
    if pair.verdict == "identical":
        return f"The mean {pair.measure} of both is {now:.4f}."
    up, down = ("better", "worse") if pair.measure.higher_is_better else ("higher", "lower")
    n_queries = format_count(pair.n_queries, "query", "queries")
    changes = f"{pair.wins:,} of {n_queries} got {up}, {pair.losses:,} {down}"
    same = f", {pair.ties:,} stayed the same" if pair.ties else ""
    is_tied = abs(pair.difference) <= comparison.tie
    digits = choose_digits(0.0 if is_tied else pair.difference)
    low, high = pair.t_interval
    by = format_signed(pair.difference, digits)
    if isfinite(high - low) and low < high:
        ends = f"{format_signed(low, digits)} to {format_signed(high, digits)}"
        by += f", {format_level(comparison)} interval {ends}"
    movement = f"{'rises' if pair.difference > 0 else 'falls'} from {before:.{digits}f} to"
    return (
        f"{changes}{same}. On average {pair.measure} {'stays at' if is_tied else movement} "
        f"{now:.{digits}f} ({by}){_explain_chance(pair, comparison)}."
    )


def _explain_chance(pair: Pair, comparison: Comparison) -> str:
    p = phrase_p_value(pair.p_adjusted, comparison.alpha)
    if pair.verdict in ("better", "worse"):
        return f"; chance alone hardly explains it ({p})"
    if pair.verdict == "practically equal":
        return f", shown to be smaller than {comparison.margin:g}, which does not matter"
    if pair.n_queries < 2:
        return "; one query shows nothing"
    shows = f"; chance alone may explain it ({p})"
    if pair.detectable > 0:
        digits = choose_digits(pair.detectable)
        n_queries = format_count(pair.n_queries, "query", "queries")
        shows += f". Differences below about {pair.detectable:.{digits}f} do not show reliably on "
        shows += n_queries
    return shows


def _describe_best(comparison: Comparison) -> Verdict:
    """Describe the run with the highest mean and the runs that it beats."""
    best, measure = order_runs(comparison)[0], comparison.measures[0]
    others = compare_with_reference(select_first_pairs(comparison), best)
    kind, headline = _write_best_headline(best, others, comparison)
    system = next(s for s in select_systems(comparison, measure) if s.name == best)
    low, high = system.interval
    mean = f"On average {measure} is {system.mean:.2f} ({format_level(comparison)} interval "
    mean += f"{low:.2f} to {high:.2f}) over {format_count(system.n_queries, 'query', 'queries')}."
    detail = " ".join([mean, *_list_standings(others, comparison, measure)])
    technical = [
        p.sentence for p in select_first_pairs(comparison) if best in (p.system, p.baseline)
    ]
    return Verdict(kind, headline, detail, tuple(map(make_printable, technical[:_MOST_SENTENCES])))


def _write_best_headline(
    best: str, others: dict[str, RunAgainstReference], comparison: Comparison
) -> tuple[str, str]:
    """Return one of ``VERDICTS`` and the headline on the runs with the highest mean."""
    measure, verdicts = comparison.measures[0], [other.verdict for other in others.values()]
    n_beaten, n_runs = verdicts.count("worse"), f"{len(comparison.runs):,} runs"
    better, above = ("is better than", "is better than")
    if not measure.higher_is_better:
        better, above = "scores higher than", "is above"
    if n_beaten == len(others):
        return "better", f"{isolate_name(best)} {better} all {len(others):,} others."
    if set(verdicts) == {"identical"}:
        return "identical", f"All {n_runs} score the same on every query."
    equals = [isolate_name(run) for run in _find_equal_means(best, list(others), comparison)]
    subject = (
        f"{join_texts(equals)} share"
        if len(equals) <= _MOST_NAMES
        else f"{len(equals):,} runs share"
    )
    subject = f"{equals[0]} has" if len(equals) == 1 else subject
    lead = f"{subject} the highest {measure} of {n_runs}"
    if n_beaten:
        pronoun = "" if len(equals) == 1 else f"{isolate_name(best)} "
        return "better", f"{lead}, and {pronoun}{above} {n_beaten:,} of the others."
    if set(verdicts) <= {"identical", "practically equal"}:
        return "practically equal", f"{lead}, and all others are practically equal to it."
    return "cannot tell", f"{lead}, but chance alone may explain it."


def _list_standings(
    others: dict[str, RunAgainstReference], comparison: Comparison, measure: Measure
) -> list[str]:
    better = ("better than", "worse than") if measure.higher_is_better else ("above", "below")
    beginnings = {
        "worse": f"It is {better[0]}",
        "better": f"It is {better[1]}",
        "cannot tell": "It cannot be told apart from",
        "practically equal": "It is practically equal to",
        "identical": "It scores the same as",
    }
    out = []
    for kind, words in beginnings.items():
        names = [
            isolate_name(run) + ("" if kind == "identical" else f" ({_format_gap(o, comparison)})")
            for run, o in others.items()
            if o.verdict == kind
        ]
        more = [f"{len(names) - _MOST_NAMES:,} more"] if len(names) > _MOST_NAMES + 1 else []
        if names:
            out.append(f"{words} {join_texts([*names[: _MOST_NAMES if more else None], *more])}.")
    return out


def _format_gap(other: RunAgainstReference, comparison: Comparison) -> str:
    """Return how much a run is ahead of the other, with the p-value."""
    ahead = 0.0 if abs(other.difference) <= comparison.tie else -other.difference
    p = phrase_p_value(other.p_adjusted, comparison.alpha)
    return f"{format_signed(ahead, choose_digits(ahead))}, {p}"


def _count_verdicts(others: dict[str, RunAgainstReference], comparison: Comparison) -> str:
    higher_is_better = comparison.measures[0].higher_is_better
    up, down = ("better", "worse") if higher_is_better else ("higher", "lower")
    words = {
        "better": up,
        "worse": down,
        "cannot tell": "cannot be told apart from it",
        "practically equal": "practically equal to it",
        "identical": "identical to it",
    }
    verdicts = [other.verdict for other in others.values()]
    parts = [f"{verdicts.count(kind):,} {word}" for kind, word in words.items() if kind in verdicts]
    return f"Of {len(others):,} runs beside the baseline: {', '.join(parts)}."


def _describe_single_run(experiment: Experiment) -> Verdict:
    """Describe one run: its mean and the values behind it."""
    system, measure = experiment.systems[0], experiment.measures[0]
    values = find_values(experiment, system.name)
    values = values[~np.isnan(values)]
    low, high = system.interval
    headline = f"{isolate_name(system.name)} scores {system.mean:.2f} by {measure}."
    about = f"That is the mean over {format_count(system.n_queries, 'query', 'queries')}"
    if low < high:
        about += f"; for other such queries it would lie between {low:.2f} and {high:.2f}, "
        about += "19 times out of 20"
    zeros, ones = int((values == 0).sum()), int((values == 1).sum())
    detail = f"{about}. {_format_query_share(zeros, len(values))} score 0"
    if measure.bounds == (0, 1):
        detail += f", {_format_query_share(ones, len(values))} reach 1, the best there is"
    worst = experiment.scores[0].worst(3)
    names = [
        f"{isolate_name(query)} ({value:.2f})" for query, value in worst.items() if value == value
    ]
    detail += f". The lowest: {join_texts(names)}." if names else "."
    technical = f"{system.name}: {measure} {system.mean:.4f} {system.interval} "
    technical += f"({format_count(system.n_queries, 'query', 'queries')}, bootstrap, BCa)."
    return Verdict("alone", headline, detail, (make_printable(technical),))


def _format_query_share(n: int, of: int) -> str:
    return f"{n:,} of {of:,} queries ({n / of:.0%})" if of else "0 queries"


def _find_mean(comparison: Comparison, run: str) -> float:
    systems = select_systems(comparison, comparison.measures[0])
    return next(system.mean for system in systems if system.name == run)
