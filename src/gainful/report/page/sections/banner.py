"""What stands beside the verdict: what the gate said, what to look at, how much is judged."""

from typing import Any

from gainful.comparison.digits import percent
from gainful.comparison.standing import beside, first_pairs, ordered
from gainful.experiment.result import Experiment
from gainful.gating.result import CANNOT_TELL, FAIL, PASS, Gate, mark
from gainful.gating.text import shown as checks_shown
from gainful.report.page.parts import TEXT, Cell, Column, table
from gainful.report.page.runs import systems_of
from gainful.report.page.words import named
from gainful.tables import printable
from gainful.unjudged.sentences import could_turn, order_sentence
from gainful.wording import count

_LITTLE = 0.8  # of what is ranked is judged
_UNEVEN = 0.05
_OUTCOMES = {PASS: "passed", FAIL: "failed", CANNOT_TELL: "open"}
_NAMED = 5
# By what the gate says: what it found, and verdicts that say the same.
_FOUND = {
    PASS: ("meets them", ("better", "practically equal", "identical")),
    FAIL: ("misses some of them", ("worse",)),
    CANNOT_TELL: ("may or may not meet them, as items that nobody judged leave it open", ()),
}
_ONE_SIDED = (
    "What the gate says of chance is one-sided, about a drop alone; the p-value of the verdict is "
    "two-sided."
)


def gate_shown(gate: Gate, kind: str) -> dict[str, Any]:
    """What the gate said, how that goes with the kind of verdict, and every check of it."""
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
    note = _ONE_SIDED if any("p" in check.numbers for check in gate.checks) else ""
    return {
        "outcome": _OUTCOMES[gate.verdict],
        "sentence": printable(gate.sentence),
        "together": _together(gate, kind),
        "table": table("gate-table", "What the candidate was held to", columns, rows, note),
    }


def _together(gate: Gate, kind: str) -> str | None:
    """How the gate and the verdict can both be right; None where they say the same."""
    found, same = _FOUND[gate.verdict]
    if kind == "alone" or kind in same:
        return None
    return (
        f"The gate holds {named(gate.candidate)} to thresholds, and it {found}; the verdict below "
        "is about chance alone."
    )


def glance(experiment: Experiment) -> list[tuple[str, str]]:
    """What else there is to know, in a few words, and the section that has it."""
    order = [notice.severity for notice in dict.fromkeys(experiment.notices)]
    counts = [(order.count("error"), "error", "errors")]
    counts += [
        (order.count("warning"), "warning", "warnings"),
        (order.count("info"), "note", "notes"),
    ]
    notices = ", ".join(count(n, one, many) for n, one, many in counts if n) or "no notices"
    return [(notices, "notices"), (f"rules: {experiment.scores[0].rules}", "setup")]


def judged(experiment: Experiment) -> list[dict[str, Any]]:
    """How much of what every run ranks is judged; of many runs the least and the most."""
    known = [s for s in systems_of(experiment) if s.judged == s.judged]
    if len(known) > _NAMED:
        known = sorted(known, key=lambda s: s.judged)
        known = [known[0], known[-1]]
    return [{"run": s.name, "share": percent(s.judged), "low": s.judged < _LITTLE} for s in known]


def judged_warnings(experiment: Experiment) -> list[str]:
    """What a reader should know of how much is judged."""
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


def order_warnings(experiment: Experiment) -> list[str]:
    """That judging could turn over what the verdict says, where that is so."""
    pair = _told_apart(experiment)
    if pair is None or experiment.holes is None:
        return []
    bounds = experiment.holes.bounds
    now, possible = bounds.value_difference(*pair), bounds.difference(*pair)
    if not could_turn(possible):
        return []
    system, baseline = map(named, pair)
    return [order_sentence(system, baseline, now, possible)]


def _told_apart(experiment: Experiment) -> tuple[str, str] | None:
    """The two runs that the verdict sets one above the other; the nearest, if it names several."""
    comparison = experiment.comparison
    if comparison is None or experiment.candidate is None:
        return None
    system, others = experiment.candidate, [experiment.baseline]
    if comparison.baseline is None and len(experiment.runs) > 2:
        system, *others = ordered(comparison)
    found = beside(first_pairs(comparison), system)
    apart = [run for run in others if found[run].verdict in ("better", "worse")]
    return (system, apart[0]) if apart else None
