"""Dialect: a name for settings and rules, so that a number can be called by the tool it is of."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from gainful.dialects.rules import DialectRules, check_rules
from gainful.measures import Measure

Version = tuple[int, ...]


def split_version(name: str) -> tuple[str, Version | None]:
    """Split a name into the name without its version, and the version or None.

    >>> split_version("xgboost@1.7"), split_version("ranx")
    (('xgboost', (1, 7)), ('ranx', None))
    """
    match = re.fullmatch(r"(.+?)\s*(?:@|>=|==)\s*(\d[\w.]*)", name.strip())
    return (match[1], parse_version(match[2])) if match else (name.strip(), None)


def parse_version(version: str) -> Version:
    """Return a version as numbers; versions that differ only in zeros at their end are equal.

    >>> parse_version("2.0") == parse_version("2"), parse_version("1.10") > parse_version("1.9")
    (True, True)
    """
    numbers = list(map(int, re.findall(r"\d+", version)))
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def is_version(text: str) -> bool:
    """Return whether a text is numbers with points between, as releases have.

    >>> is_version("4.7.0"), is_version("d04e4001"), is_version("the paper")
    (True, False, False)
    """
    return re.fullmatch(r"\d+(\.\d+)+", text) is not None


EXACT = {
    "bits": "equal to the tool's own values, bit for bit",
    "float64": "equal to the tool's own values within 1e-12, relatively",
    "float32": "equal to the tool's own values within 1e-6, for it computes in single precision",
    "unstable-ties": "equal to the tool's own values unless its sort leaves the order of ties open",
    "expected": "the mean of the tool's own values, which are drawn at random among ties",
    "formula": "the formula as it is published, worked out as ours are",
    "source-only": "made by its source; the tool itself was not run",
}


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """The definitions of one tool's measures, as settings and rules of ours.

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
        edges: How edge cases are treated, by case, where the rules do not say it all.
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
    settings: Mapping[str, object] = field(default_factory=dict)
    of_measure: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    rules: DialectRules = field(default_factory=DialectRules)
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

    def resolve(self, measure: Measure) -> Measure:
        """Return the measure as the tool defines it; a setting that was stated stays as it is.

        >>> from gainful.dialects import find_dialect
        >>> from gainful.measures import nDCG
        >>> find_dialect("lightgbm").resolve(nDCG @ 10).all_settings["gain"]
        Gain(name='exp2', table=())
        """
        settings = {**self.settings, **self.of_measure.get(measure.name, {})}
        new = {
            n: v for n, v in settings.items() if n in measure.arguments and n not in measure.stated
        }
        if self.default_cutoff is not None and measure.at == "cutoff":
            new = {"cutoff": self.default_cutoff, **new} if _has_no_cutoff(measure) else new
        return measure(**new)

    def relabel(self, measure: Measure) -> Measure:
        """Return the measure with the name that tells it apart in the dialect.

        A setting that was stated is part of it, be it our default, where the tool has another.

        >>> from gainful.dialects import find_dialect
        >>> from gainful.measures import nDCG
        >>> [find_dialect(n).relabel(nDCG(gain="linear") @ 10) for n in ("lightgbm", "sklearn")]
        [nDCG(gain=linear)@10, nDCG@10]
        """
        defaults = self.resolve(replace(measure, stated=())).all_settings
        resolved = self.resolve(measure).all_settings
        names = {n for n in measure.stated if n in resolved and resolved[n] != defaults[n]}
        values = {**{n: resolved[n] for n in names}, **dict(measure.settings)}
        return replace(
            measure, settings=tuple((n, values[n]) for n in measure.arguments if n in values)
        )

    def defines(self, measure: Measure) -> bool:
        """Return whether the tool reports the measure; others only get its settings and rules.

        >>> from gainful.dialects import find_dialect
        >>> from gainful.measures import AP, nDCG
        >>> [find_dialect("lightgbm").defines(measure) for measure in (nDCG @ 10, AP)]
        [True, False]
        """
        return self.of_all or measure.name in self.measures

    def with_rules(self, **rules: object) -> "Dialect":
        """Return the dialect with some rules replaced.

        >>> from gainful.dialects import find_dialect
        >>> find_dialect("lightgbm").with_rules(empty="skip").rules.empty
        'skip'
        """
        return replace(self, rules=replace(self.rules, **check_rules(rules)))

    @property
    def title(self) -> str:
        """The name and the tool, with the version that was checked if that is a number.

        >>> from gainful.dialects import find_dialect
        >>> [find_dialect(name).title for name in ("lightgbm", "elasticsearch")]
        ['lightgbm (as in LightGBM 4.7.0)', 'elasticsearch (Elasticsearch)']
        """
        if is_version(self.checked):
            return f"{self.name} (as in {self.tool} {self.checked})"
        return f"{self.name} ({self.tool})"

    @property
    def stem(self) -> str:
        """The name without a version."""
        return split_version(self.name)[0]

    @property
    def version(self) -> Version:
        """The first version that it applies to, as numbers that can be compared."""
        return parse_version(self.since)

    def to_dict(self, measures: Iterable[Measure] = ()) -> dict[str, object]:
        """Return the name, the tool and its version, and what the measures are in the dialect."""
        resolved = {str(measure): str(self.resolve(measure)) for measure in measures}
        return {"name": self.name, "tool": self.tool, "checked": self.checked, "measures": resolved}

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


def _has_no_cutoff(measure: Measure) -> bool:
    return "cutoff" in measure.arguments and measure.all_settings.get("cutoff") is None


# Most tools take an array of scores and an array of labels: an item that was not retrieved, or a
# query without results, cannot be passed to them.
LABEL_LIST_RULES = DialectRules(ties="input", missing="skip")
LABEL_LIST_SETTINGS = {"ideal": "list", "ideal_order": "gain", "above_one": "keep"}

# Others take item ids, best first, and the items that are relevant.
ITEM_LIST_RULES = DialectRules(ties="input")
RELEVANT_LIST_SETTINGS = {"gain": "positive", "above_one": "keep"}
GRADED_LIST_SETTINGS = {"ideal_order": "gain", "negatives": "keep", "above_one": "keep"}
