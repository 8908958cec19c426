"""Dialect: a name for settings and rules, so that a number can be called by the tool it is of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gainful.dialects._versions import Version, is_version, numbered, versioned
from gainful.measures import Measure
from gainful.records import Record
from gainful.rules import Rules, checked_rules

EXACT = {
    "bits": "equal to the tool's own values, bit for bit",
    "ulp": "equal to the tool's own values but for the last bits",
    "float32": "equal to the tool's own values in single precision",
    "unstable-ties": "equal to the tool's own values unless its sort leaves the order of ties open",
    "expected": "the mean of the tool's own values, which are drawn at random among ties",
    "formula": "the formula as it is published, worked out as ours are",
    "source-only": "made by its source; the tool itself was not run",
}


@dataclass(eq=False, repr=False, kw_only=True)
class Dialect(Record):
    """How one tool defines its measures, as settings and rules of ours.

    Attributes:
        name: What users call it by: ``lightgbm``, ``trec_eval@9``.
        tool: The name that the tool has for itself.
        function: What of the tool gives the number: ``ndcg_score``, ``metric=ndcg``.
        summary: How it differs from the textbook, in one sentence.
        settings: Of the measures of cumulative gain, those that take them.
        of_measure: What differs for one measure, by its name.
        rules: How it joins, ranks and averages.
        default_cutoff: Where a measure without a cutoff is cut all the same.
        since: The first version of the tool that it holds for; empty if all that were looked at.
        checked: The version that it was checked against.
        exact: How closely its values are known to agree: one of ``EXACT``.
        edges: What becomes of edge cases, by case, where the rules do not say it all.
        defects: What users should know before they trust the tool's number.
        source: Where the tool's code, or the paper, says so.
        also: Other names it is found by.
        options: What stands for the tool's own options, by their names.
        measures: Which of our measures the tool reports, by any name.
        of_all: Whether it defines all other measures too, as our own does.
    """

    name: str
    tool: str
    function: str
    summary: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    of_measure: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)
    default_cutoff: int | None = None
    since: str = ""
    checked: str = ""
    exact: str = "source-only"
    edges: Mapping[str, str] = field(default_factory=dict)
    defects: tuple[str, ...] = ()
    source: str = ""
    also: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    measures: tuple[str, ...] = ("nDCG",)
    of_all: bool = False

    def settled(self, measure: Measure) -> Measure:
        """The measure as the tool defines it; a setting that was stated stays as it is.

        >>> from gainful.dialects import find_dialect
        >>> from gainful.measures import nDCG
        >>> find_dialect("lightgbm").settled(nDCG @ 10).all_settings["gain"]
        Gain(name='exp2', table=())
        """
        said = {**self.settings, **self.of_measure.get(measure.name, {})}
        new = {n: v for n, v in said.items() if n in measure.arguments and n not in measure.stated}
        if self.default_cutoff is not None and measure.at == "cutoff":
            new = {"cutoff": self.default_cutoff, **new} if _uncut(measure) else new
        return measure(**new)

    def named(self, measure: Measure) -> Measure:
        """The measure by the name that tells it apart in the dialect.

        A setting that was stated is part of it, be it our default, where the tool has another.

        >>> from gainful.dialects import find_dialect
        >>> from gainful.measures import nDCG
        >>> [find_dialect(n).named(nDCG(gain="linear") @ 10) for n in ("lightgbm", "sklearn")]
        [nDCG(gain=linear)@10, nDCG@10]
        """
        theirs = self.settled(replace(measure, stated=())).all_settings
        held = self.settled(measure).all_settings
        shown = {n for n in measure.stated if n in held and held[n] != theirs[n]}
        named = {**{n: held[n] for n in shown}, **dict(measure.settings)}
        return replace(
            measure, settings=tuple((n, named[n]) for n in measure.arguments if n in named)
        )

    def defines(self, measure: Measure) -> bool:
        """Whether the tool reports the measure; of others it has the settings and rules alone.

        >>> from gainful.dialects import find_dialect
        >>> from gainful.measures import AP, nDCG
        >>> [find_dialect("lightgbm").defines(measure) for measure in (nDCG @ 10, AP)]
        [True, False]
        """
        return self.of_all or measure.name in self.measures

    def with_rules(self, **rules: Any) -> "Dialect":
        """The same dialect with some rules of your own.

        >>> from gainful.dialects import find_dialect
        >>> find_dialect("lightgbm").with_rules(empty="skip").rules.empty
        'skip'
        """
        return replace(self, rules=replace(self.rules, **checked_rules(rules)))

    @property
    def title(self) -> str:
        """Its name, and the tool, in the version that was looked at if that has a number.

        >>> from gainful.dialects import find_dialect
        >>> [find_dialect(name).title for name in ("lightgbm", "elasticsearch")]
        ['lightgbm (as in LightGBM 4.7.0)', 'elasticsearch (Elasticsearch)']
        """
        if is_version(self.checked):
            return f"{self.name} (as in {self.tool} {self.checked})"
        return f"{self.name} ({self.tool})"

    @property
    def stem(self) -> str:
        """Its name without a version."""
        return versioned(self.name)[0]

    @property
    def version(self) -> Version:
        """The first version that it holds for, as numbers that can be compared."""
        return numbered(self.since)

    def to_dict(self, measures: Iterable[Measure] = ()) -> dict[str, Any]:
        """Who it is, and what the measures that were asked for are in it."""
        settled = {str(measure): str(self.settled(measure)) for measure in measures}
        own = {"name": self.name, "tool": self.tool, "checked": self.checked}
        return {**own, "measures": settled}

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


def _uncut(measure: Measure) -> bool:
    return "cutoff" in measure.arguments and measure.all_settings.get("cutoff") is None
