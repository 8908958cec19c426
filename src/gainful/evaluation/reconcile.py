"""reconcile(): what every dialect makes of one run, and why they disagree."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gainful.alignment import JudgedRankings
from gainful.base import Progress, Result, to_jsonable
from gainful.diagnostics import Notice
from gainful.dialects import DIALECTS, Dialect, check_rules, find_dialect
from gainful.errors import GainfulError, MeasureError, RuleError
from gainful.evaluation.arguments import list_measures, resolve_rules
from gainful.evaluation.collection import Collection, Qrels, open_collection
from gainful.evaluation.definitions import (
    Choice,
    Definition,
    Step,
    ValueCache,
    define_in_dialect,
    find_steps,
)
from gainful.measures import Measure, parse_measure
from gainful.sources import Run, Source

TOLERANCE = 5e-7


@dataclass(frozen=True, eq=False)
class Attribution:
    """The value of a dialect, and the choices that set it apart from the reference.

    Attributes:
        dialect: The dialect.
        definition: What it means by the measure.
        value: The mean over queries; NaN where it has none.
        steps: What turns the value of the reference into this one, to the last bit: the choices
            that matter on these data, none that could be left out. Empty where it has no value.
        refusal: Why it has no value, in a sentence; empty if it has one.
    """

    dialect: Dialect
    definition: Definition
    value: float
    steps: tuple[Step, ...] = ()
    refusal: str = ""

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All choices of its steps."""
        return tuple(choice for step in self.steps for choice in step.choices)

    def apply_to(self, reference: Definition) -> Definition:
        """Return the reference with the choices applied: a definition with exactly this value."""
        return reference.apply_choices(self.choices)

    def to_dict(self) -> dict[str, Any]:
        """Return the attribution as plain values; a dialect without a value has None."""
        return {
            "dialect": self.dialect.name,
            "tool": self.dialect.tool,
            "function": self.dialect.function,
            "value": to_jsonable(self.value),
            "measure": str(self.definition.measure),
            "rules": self.definition.rules.to_dict(),
            "steps": [step.to_dict() for step in self.steps],
            "refusal": self.refusal or None,
        }


@dataclass(frozen=True, eq=False)
class Group:
    """Dialects of equal value, or with the same reason to have none.

    Attributes:
        members: What each of them makes of the data.
        value: The value of the one that the fewest choices explain; NaN where they have none.
        difference: That value less the value of the reference; NaN where they have none.
        has_reference: Whether the reference is one of them.
    """

    members: tuple[Attribution, ...]
    value: float
    difference: float
    has_reference: bool

    @property
    def simplest(self) -> Attribution:
        """The member that the fewest choices set apart from the reference."""
        return min(self.members, key=_rate_simplicity)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that set it apart from the reference: those of its simplest member."""
        return self.simplest.steps

    @property
    def refusal(self) -> str:
        """The reason why they have no value; empty if they have one."""
        return self.members[0].refusal

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its dialects."""
        return tuple(member.dialect.name for member in self.members)

    def to_dict(self) -> dict[str, Any]:
        """Return the group as plain values."""
        return {
            "value": to_jsonable(self.value),
            "difference": to_jsonable(self.difference),
            "dialects": list(self.names),
            "simplest": self.simplest.dialect.name,
            "steps": [step.to_dict() for step in self.steps],
            "refusal": self.refusal or None,
        }


def _rate_simplicity(member: Attribution) -> tuple[int, int]:
    """Return a sort key: the number of choices in visible steps, then of all choices."""
    visible_steps = [step for step in member.steps if not is_last_bits(step, member.value)]
    return sum(len(step.choices) for step in visible_steps), len(member.choices)


def is_last_bits(step: Step, value: float) -> bool:
    """Return True if a step changes the value too little to set groups apart."""
    return abs(step.effect) <= compute_tolerance(value)


def compute_tolerance(value: float) -> float:
    """Return how far apart the values of a group may be: single precision and rounding.

    >>> compute_tolerance(0.5), compute_tolerance(2.0)
    (5e-07, 1e-06)
    """
    return TOLERANCE * max(1.0, abs(value))


@dataclass(frozen=True, eq=False, repr=False)
class Reconciliation(Result):
    """The value of every dialect for one run, and the reasons why they differ.

    Attributes:
        run: The name of the run.
        measure: The measure, as it was asked for.
        rules: The rules that were set, and hold in every dialect.
        reference: The dialect that the others are compared with.
        attributions: What each dialect makes of the data, by its name.
        groups: The dialects in groups of equal value, the highest first; then those without one.
        older: Older versions of tools, whose values are not those of the newest; tables have them
            in a note, unless all versions were asked for.
        n_queries: How many queries the reference averages over.
        left_out: The dialects of tools that do not report the measure.
        notices: What a reader of the value of the reference should know.

    >>> import gainful
    >>> qrels, run = {"q1": {"a": 3, "b": 1}}, {"q1": ["b", "a"]}
    >>> found = gainful.reconcile(qrels, run, dialects=["lightgbm"])
    >>> round(found["lightgbm"].value, 4), round(found.value, 4)
    (0.7098, 0.7967)
    """

    run: str
    measure: str
    rules: Mapping[str, Any]
    reference: Dialect
    attributions: Mapping[str, Attribution]
    groups: tuple[Group, ...]
    older: tuple[str, ...]
    n_queries: int
    left_out: tuple[str, ...]
    notices: tuple[Notice, ...]

    _view = "view_reconciliation"

    def __getitem__(self, dialect: str) -> Attribution:
        """Return the value of a dialect and the steps that lead to it.

        >>> import gainful
        >>> found = gainful.reconcile({"q1": {"a": 1}}, {"q1": ["a"]}, dialects=["lightgbm"])
        >>> found["lightgbm"].value
        1.0
        """
        name = dialect if dialect in self.attributions else find_dialect(dialect).name
        if name not in self.attributions:
            message = f"dialect {name} was not asked for; there are {', '.join(self.attributions)}."
            raise RuleError(message, code="not-in-result")
        return self.attributions[name]

    __iter__ = None  # its items are dialects by name, not by number

    @property
    def values(self) -> dict[str, float]:
        """The value of every dialect by its name; NaN where it has none."""
        return {name: attribution.value for name, attribution in self.attributions.items()}

    @property
    def value(self) -> float:
        """The value of the reference."""
        return self.attributions[self.reference.name].value

    @property
    def refused(self) -> tuple[Attribution, ...]:
        """The dialects that have no value."""
        return tuple(a for a in self.attributions.values() if math.isnan(a.value))

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values; a dialect without a value has None."""
        group_number = {name: i for i, group in enumerate(self.groups, 1) for name in group.names}
        return {
            "run": self.run,
            "measure": self.measure,
            "rules": dict(self.rules),
            "n_queries": self.n_queries,
            "reference": self.attributions[self.reference.name].to_dict(),
            "tolerance": TOLERANCE,
            "groups": [group.to_dict() for group in self.groups],
            "dialects": [
                {**attribution.to_dict(), "group": group_number[name]}
                for name, attribution in self.attributions.items()
            ],
            "left_out": list(self.left_out),
            "notices": [notice.to_dict() for notice in self.notices],
        }


def group_equal_values(
    attributions: Iterable[Attribution], reference: Attribution
) -> tuple[Group, ...]:
    """Group attributions by equal value, the highest first, then by reason for having none.

    Values are equal if they are as close to the highest of their group as rounding puts them.
    """
    all_attributions = list(attributions)
    valued = [attribution for attribution in all_attributions if not math.isnan(attribution.value)]
    groups: list[list[Attribution]] = []
    for attribution in sorted(valued, key=lambda attribution: -attribution.value):
        if groups and groups[-1][0].value - attribution.value <= compute_tolerance(
            attribution.value
        ):
            groups[-1].append(attribution)
        else:
            groups.append([attribution])
    reasons = dict.fromkeys(
        attribution.refusal for attribution in all_attributions if math.isnan(attribution.value)
    )
    groups += [
        [attribution for attribution in all_attributions if attribution.refusal == reason]
        for reason in reasons
    ]
    return tuple(_make_group(members, all_attributions, reference) for members in groups)


def list_older_versions(groups: Iterable[Group], reference: Dialect) -> tuple[str, ...]:
    """List versions of tools with another value than the newest, except for the reference."""
    group_number = {member.dialect: i for i, group in enumerate(groups) for member in group.members}
    newest = {
        version.stem: version
        for version in sorted(group_number, key=lambda dialect: dialect.version)
    }
    older = [
        version
        for version in group_number
        if group_number[version] != group_number[newest[version.stem]]
    ]
    return tuple(version.name for version in older if version is not reference)


def list_shown_groups(result: Reconciliation) -> tuple[Group, ...]:
    """Return the groups without the versions that tables do not show."""
    attributions = result.attributions
    current = (
        attribution for name, attribution in attributions.items() if name not in result.older
    )
    return group_equal_values(current, attributions[result.reference.name])


def _make_group(
    members: list[Attribution], attributions: list[Attribution], reference: Attribution
) -> Group:
    ordered = tuple(
        attribution for attribution in attributions if attribution in members
    )  # in the order in which they are declared
    group = Group(ordered, math.nan, math.nan, reference in ordered)
    value = reference.value if group.has_reference else group.simplest.value
    return Group(ordered, value, value - reference.value, group.has_reference)


_NO_VALUE = "no query has a value."


def reconcile(
    qrels: Qrels | Collection,
    run: Source | Run | None = None,
    k: int | None = 10,
    *,
    measure: str | Measure = "nDCG",
    reference: str | Dialect = "gainful",
    dialects: str | Dialect | Iterable[str | Dialect] | None = None,
    rules: Mapping[str, Any] | None = None,
    versions: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Reconciliation:
    """Compute one measure in every dialect, and find the choices that set each apart.

    Dialects whose values are equal, except for rounding, make a group. For every dialect there are
    the choices that turn the value of the reference into its own, to the last bit, and by how much
    each changes it. None of them can be left out.

    Args:
        qrels: As for ``evaluate``.
        run: As for ``evaluate``.
        k: Where to cut a measure that names no cutoff; None for nowhere, unless a dialect does.
        measure: The measure. A setting that is given with it holds in every dialect.
        reference: The dialect that the others are compared with.
        dialects: One, or several; those of all tools that report the measure if not given.
        rules: Rules that hold in every dialect, by name: ``{"depth": 100}``. If not given, those
            of a collection that are not the default.
        versions: Whether tables have rows for older versions of tools; if not, those that give
            another value than the newest stand in a note. Dialects that are named have rows.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The value of every dialect, and the choices that set it apart from the reference.

    Raises:
        MeasureError: There is not exactly one measure, or a named dialect does not define it.
        RuleError: A dialect or a rule is unknown.
        SourceError: The qrels or the run cannot be read.
        AlignError: They do not fit together.

    >>> qrels = {"q1": {"a": 2, "b": 1}, "q2": {"c": 0}}
    >>> found = reconcile(qrels, {"q1": ["b", "a"], "q2": ["c"]}, dialects="lightgbm")
    >>> found["lightgbm"].value - found.value
    0.4684...
    >>> [(str(step.choices[0]), round(step.effect, 4)) for step in found["lightgbm"].steps]
    [('empty=one', 0.5), ('gain=exp2', -0.0315)]
    """
    if isinstance(qrels, Collection):
        qrels.refuse_dialect("reconcile")
        rules = _list_rules(qrels) if rules is None else rules
    parsed, fixed, base = _parse_measure(measure, k), _check_rules(rules), find_dialect(reference)
    other_dialects = _require_reporting(parsed) if dialects is None else _find_dialects(dialects)
    compared = dict.fromkeys([base, *other_dialects])
    _refuse_undefined(parsed, compared)
    base_definition = define_in_dialect(base, parsed, fixed)
    runs = None if run is None else [run]
    with open_collection(qrels, runs, threads=threads, progress=progress) as collection:
        cache = ValueCache(collection, parsed)
        scores = cache.scores(base_definition)
        attributions = [
            _attribute(cache, base_definition, dialect, parsed, fixed) for dialect in compared
        ]
        notices = cache.notices(base_definition.rules)
    groups = group_equal_values(attributions, attributions[0])
    return Reconciliation(
        run=scores.run,
        measure=str(parsed),
        reference=base,
        attributions={attribution.dialect.name: attribution for attribution in attributions},
        rules=fixed,
        groups=groups,
        older=() if versions or dialects is not None else list_older_versions(groups, base),
        n_queries=len(scores.queries),
        left_out=tuple(
            name
            for name, dialect in DIALECTS.items()
            if dialects is None and dialect not in compared
        ),
        notices=notices,
    )


def _parse_measure(measure: str | Measure, k: int | None) -> Measure:
    parsed = list_measures(measure)
    if len(parsed) > 1 or not _is_supported(parsed[0]):
        names = ", ".join(map(str, parsed))
        message = f"reconcile: takes one measure of judged items, such as nDCG, got {names}."
        raise MeasureError(message, code="one-measure")
    [requested] = parsed
    cuttable = "cutoff" in requested.arguments and "cutoff" not in requested.stated
    return requested @ k if cuttable and k is not None else requested


def _is_supported(measure: Measure) -> bool:
    return not measure.whole and issubclass(JudgedRankings, measure.reads)


def find_dialects_reporting(measure: Measure) -> tuple[Dialect, ...]:
    """Return the dialects of all tools that report the measure.

    >>> from gainful import CG
    >>> find_dialects_reporting(CG)[0].name
    'gainful'
    """
    return tuple(dialect for dialect in DIALECTS.values() if measure.name in dialect.measures)


def _require_reporting(measure: Measure) -> tuple[Dialect, ...]:
    """Return the dialects of tools that report the measure; raise where there are none."""
    reporting = find_dialects_reporting(measure)
    if not reporting:
        measures = dict.fromkeys(name for dialect in DIALECTS.values() for name in dialect.measures)
        supported = ", ".join(name for name in measures if _is_supported(parse_measure(name)))
        message = (
            f"reconcile: no dialect is known for {measure.name}; there are some for {supported}."
        )
        raise MeasureError(message, code="unfit-measure")
    return reporting


def _find_dialects(dialects: str | Dialect | Iterable[str | Dialect]) -> tuple[Dialect, ...]:
    listed = [dialects] if isinstance(dialects, str | Dialect) else dialects
    return tuple(map(find_dialect, listed))


def _refuse_undefined(measure: Measure, dialects: Iterable[Dialect]) -> None:
    for dialect in dialects:
        if not dialect.defines(measure):
            defined = ", ".join(dialect.measures)
            message = f"reconcile: dialect {dialect} defines {defined}, got {measure}."
            raise MeasureError(message, code="unfit-measure")


def _check_rules(rules: Mapping[str, Any] | None) -> dict[str, Any]:
    if rules is not None and not isinstance(rules, Mapping):
        message = f"rules: must be some by name, as in {{'depth': 100}}, got {rules!r:.60}."
        raise RuleError(message, code="bad-rule")
    return check_rules(rules or {})


def _list_rules(collection: Collection) -> dict[str, Any]:
    """Return the rules of a collection that are not the default, by name."""
    default = resolve_rules(None, collection.qrels).to_dict()
    rules = collection.rules.to_dict()
    return {name: value for name, value in rules.items() if value != default.get(name)}


def _attribute(
    cache: ValueCache,
    base_definition: Definition,
    dialect: Dialect,
    measure: Measure,
    fixed: Mapping[str, Any],
) -> Attribution:
    definition = define_in_dialect(dialect, measure, {})
    try:
        definition = define_in_dialect(dialect, measure, fixed)
        value = cache.value(definition)
    except GainfulError as error:
        return Attribution(dialect, definition, math.nan, refusal=str(error))
    if math.isnan(value):
        return Attribution(dialect, definition, math.nan, refusal=_NO_VALUE)
    return Attribution(dialect, definition, value, find_steps(cache, base_definition, definition))
