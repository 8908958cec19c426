"""rosetta(): what every dialect makes of one run, and why they disagree."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from gainful.asked import as_measures
from gainful.dialects import DIALECTS, Dialect, find_dialect
from gainful.errors import GainfulError, MeasureError, RuleError
from gainful.measures import Measure, parse
from gainful.rankings import JudgedRankings
from gainful.rules import checked_rules
from gainful.sources import (
    Judgments,
    Progress,
    Reading,
    Run,
    Source,
    lasts,
    read_judgments,
    read_run,
)
from gainful.translation.attributing import steps_between
from gainful.translation.definition import Definition, in_dialect
from gainful.translation.grouping import grouped, older_versions
from gainful.translation.result import Attribution, Rosetta
from gainful.translation.valuing import Valuing

_NO_VALUE = "no query has a value."


def rosetta(
    qrels: Source | Judgments,
    run: Source | Run,
    k: int | None = 10,
    *,
    measure: str | Measure = "nDCG",
    reference: str | Dialect = "gainful",
    dialects: str | Dialect | Iterable[str | Dialect] | None = None,
    rules: Mapping[str, Any] | None = None,
    versions: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Rosetta:
    """The value of one measure in every dialect, and the choices that set it apart.

    Dialects whose values are equal, but for rounding, make a group. For every dialect there are the
    choices that turn the value of the reference into its own, to the last bit, and by how much
    each changes it. None of them can be left out.

    Args:
        qrels: As for ``evaluate``.
        run: As for ``evaluate``; it is read several times.
        k: Where to cut a measure that names no cutoff; None for nowhere, unless a dialect does.
        measure: The measure. A setting that is given with it holds in every dialect.
        reference: The dialect that the others are compared with.
        dialects: One, or several; those of all tools that report the measure if not given.
        rules: Rules that hold in every dialect, by name: ``{"min_label": 0}``.
        versions: Whether tables have rows for older versions of tools; if not, those that give
            another value than the newest stand in a note. Dialects that are named have rows.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> qrels = {"q1": {"a": 2, "b": 1}, "q2": {"c": 0}}
    >>> found = rosetta(qrels, {"q1": ["b", "a"], "q2": ["c"]}, dialects="lightgbm")
    >>> found["lightgbm"].value - found.value
    0.4684...
    >>> [(str(step.choices[0]), round(step.effect, 4)) for step in found["lightgbm"].steps]
    [('empty=one', 0.5), ('gain=exp2', -0.0315)]
    """
    asked, held, spoken = _asked(measure, k), _held(rules), find_dialect(reference)
    several = _reported(asked) if dialects is None else _named(dialects)
    each = dict.fromkeys([spoken, *several])
    _refuse_undefined(asked, each)
    given = read_run(run)
    given.read_twice("rosetta")
    reading = Reading(threads, progress)
    ours = in_dialect(spoken, asked, held)
    if not (isinstance(qrels, Judgments) or lasts(qrels)):
        qrels = read_judgments(qrels, ours.rules, reading)  # for all dialects
    valuing = Valuing(qrels, given, reading, asked)
    scores = valuing.scores(ours)
    found = [_attribution(valuing, ours, one, asked, held) for one in each]
    groups = grouped(found, found[0])
    return Rosetta(
        run=given.name,
        measure=str(asked),
        reference=spoken,
        attributions={one.dialect.name: one for one in found},
        rules=held,
        groups=groups,
        older=() if versions or dialects is not None else older_versions(groups, spoken),
        n_queries=len(scores.queries),
        left_out=tuple(
            name for name, one in DIALECTS.items() if dialects is None and one not in each
        ),
        notices=valuing.notices(ours.rules),
    )


def _asked(measure: str | Measure, k: int | None) -> Measure:
    several = as_measures(measure)
    if len(several) > 1 or not _taken(several[0]):
        named = ", ".join(map(str, several))
        message = f"rosetta: takes one measure of judged items, such as nDCG, got {named}."
        raise MeasureError(message, code="one-measure")
    [asked] = several
    cuttable = "cutoff" in asked.arguments and "cutoff" not in asked.stated
    return asked @ k if cuttable and k is not None else asked


def _taken(measure: Measure) -> bool:
    return not measure.whole and issubclass(JudgedRankings, measure.reads)


def reporting(measure: Measure) -> tuple[Dialect, ...]:
    """The dialects of all tools that report the measure.

    >>> from gainful import CG
    >>> reporting(CG)[0].name
    'gainful'
    """
    return tuple(one for one in DIALECTS.values() if measure.name in one.measures)


def _reported(measure: Measure) -> tuple[Dialect, ...]:
    """The same, an error where there is none."""
    found = reporting(measure)
    if not found:
        known = dict.fromkeys(name for one in DIALECTS.values() for name in one.measures)
        taken = ", ".join(name for name in known if _taken(parse(name)))
        message = f"rosetta: no dialect is known for {measure.name}; there are some for {taken}."
        raise MeasureError(message, code="unfit-measure")
    return found


def _named(dialects: str | Dialect | Iterable[str | Dialect]) -> tuple[Dialect, ...]:
    several = [dialects] if isinstance(dialects, str | Dialect) else dialects
    return tuple(map(find_dialect, several))


def _refuse_undefined(measure: Measure, dialects: Iterable[Dialect]) -> None:
    for one in dialects:
        if not one.defines(measure):
            known = ", ".join(one.measures)
            message = f"rosetta: dialect {one} defines {known}, got {measure}."
            raise MeasureError(message, code="unfit-measure")


def _held(rules: Mapping[str, Any] | None) -> dict[str, Any]:
    if rules is not None and not isinstance(rules, Mapping):
        message = f"rules: must be some by name, as in {{'min_label': 0}}, got {rules!r:.60}."
        raise RuleError(message, code="bad-rule")
    return checked_rules(rules or {})


def _attribution(
    valuing: Valuing, ours: Definition, dialect: Dialect, measure: Measure, held: Mapping[str, Any]
) -> Attribution:
    theirs = in_dialect(dialect, measure, {})
    try:
        theirs = in_dialect(dialect, measure, held)
        value = valuing.value(theirs)
    except GainfulError as error:
        return Attribution(dialect, theirs, math.nan, refusal=str(error))
    if math.isnan(value):
        return Attribution(dialect, theirs, math.nan, refusal=_NO_VALUE)
    return Attribution(dialect, theirs, value, steps_between(valuing, ours, theirs))
