"""The measures of ir_measures: their settings, and what each is here."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from gainful import measures
from gainful.alignment import Rules
from gainful.base import Frozen, Record
from gainful.errors import MeasureError

if TYPE_CHECKING:
    from gainful.adapters.ir_measures import CalcResults, Evaluator, Metric

# The rules of the providers that ir_measures asks by default. A query that the run does not have
# is scored 0 by all of them, be it a count; an item that is named twice counts as named last.
_COMMON_RULES = Rules(missing="skip", duplicates="last")
TREC_EVAL = replace(_COMMON_RULES, precision="float32")
GDEVAL = _COMMON_RULES
IDS_ASCENDING = replace(_COMMON_RULES, ties="item-asc")  # judged, msmarco, compat and pyndeval
IN_INPUT_ORDER = replace(_COMMON_RULES, ties="input", empty="nan")  # accuracy
_DEPTH = 1000
CWL_EVAL = replace(_COMMON_RULES, ties="input", depth=_DEPTH)


@dataclass(eq=False, repr=False)
class Relabel(Record):
    """What labels become before they are scored.

    Attributes:
        gains: Labels and what stands in their place.
        top: The highest label; those above it become it.
        drops_negatives: Whether a negative label is no judgment.

    >>> Relabel(gains=((2, 5),), top=4).of(2.0), Relabel(gains=((2, 5),)).of(3.0)
    (4, 3.0)
    """

    gains: tuple[tuple[float, float], ...] = ()
    top: float = math.inf
    drops_negatives: bool = False

    def of(self, label: float) -> float | None:
        """What stands in its place; None if it is no judgment."""
        becomes = min(dict(self.gains).get(label, label), self.top)
        return None if self.drops_negatives and becomes < 0 else becomes


NO_RELABEL = Relabel()


@dataclass(eq=False, repr=False)
class GainfulMeasure(Record):
    """A measure of ir_measures as Gainful computes it.

    Attributes:
        measure: What it is called here.
        rules: How to join and rank.
        relabel: What labels become before.
        times: What its values are multiplied by.
        witness: A query for which this is 0 is left out, where all that is asked for has one.
    """

    measure: measures.Measure
    rules: Rules
    relabel: Relabel = NO_RELABEL
    times: float = 1.0
    witness: measures.Measure | None = None


Settings = Mapping[str, Any]
_Translate = Callable[[str, Settings, Rules], GainfulMeasure]


@dataclass(eq=False, repr=False)
class Row(Frozen):
    """A measure as the table declares it.

    Attributes:
        name: Its name in ir_measures.
        settings: Its settings and their defaults; None where it has none.
        rules: Those of the provider that has it.
        here: Its name, its settings and these rules, to what it is here.
        at: The setting that ``@`` sets.
        adds_up: Whether the values of all queries are added up.
    """

    name: str
    settings: Settings
    rules: Rules
    here: _Translate
    at: str
    adds_up: bool


@dataclass(eq=False, repr=False)
class Measure(Frozen):
    """A measure of ir_measures: a value that is spelled, compared and hashed as it is there.

    >>> nDCG(dcg="exp-log2", judged_only=False) @ 10
    nDCG(dcg='exp-log2')@10
    >>> P(rel=1) @ 5 == P @ 5
    True
    """

    row: Row
    params: Settings

    def __call__(self, **params: object) -> "Measure":
        for name in params:
            if name not in self.row.settings:
                known = ", ".join(self.row.settings) or "none"
                message = f"{self.NAME} has no setting {name!r}; it takes {known}."
                raise MeasureError(message, code="unknown-setting")
        return Measure(self.row, {**self.params, **params})

    def __matmul__(self, at: float) -> "Measure":
        return self(**{self.row.at: at})

    def __getitem__(self, name: str) -> Any:
        return self.params.get(name, self.row.settings[name])

    def __repr__(self) -> str:
        inside = ",".join(
            f"{n}={_format_value(v)}" for n, v in self._told.items() if n != self.row.at
        )
        at = f"@{self.params[self.row.at]}" if self.row.at in self.params else ""
        return self.NAME + (f"({inside})" if inside else "") + at

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return (self.NAME, self._said) == (other.NAME, other._said)

    def __hash__(self) -> int:
        return hash((self.NAME, self._said))

    def __reduce__(self) -> tuple[Callable[..., "Measure"], tuple[str, dict[str, Any]]]:
        """Pickled as its name and settings: what it computes is found again by its name."""
        return _restore_measure, (self.NAME, dict(self.params))

    @property
    def NAME(self) -> str:
        """Its name without settings."""
        return self.row.name

    @property
    def _told(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        default = self.row.settings
        return {n: v for n, v in self.params.items() if v is not None and v != default[n]}

    @property
    def _said(self) -> frozenset[tuple[str, str]]:
        return frozenset((name, _format_value(value)) for name, value in self._told.items())

    @property
    def here(self) -> GainfulMeasure:
        """What Gainful computes for it; an error where a setting does not fit."""
        given = {**self.row.settings, **self.params}
        judged_only = given.pop("judged_only", False)
        here = self.row.here(self.NAME, _drop_none(given), self.row.rules)
        if not judged_only:
            return here
        relabel = here.relabel
        if self.row.rules == TREC_EVAL:  # which takes an item with a negative label for unjudged
            relabel = replace(relabel, drops_negatives=True)
        return replace(here, rules=replace(here.rules, unjudged="condense"), relabel=relabel)

    def evaluator(self, qrels: object) -> "Evaluator":
        """It alone and qrels, to be used for many runs."""
        from gainful.adapters.ir_measures import Evaluator  # which needs this module

        return Evaluator([self], qrels)

    def calc_aggregate(self, qrels: object, run: object) -> float:
        """Its one number for a run."""
        return self.evaluator(qrels).calc_aggregate(run)[self]

    def iter_calc(self, qrels: object, run: object) -> "Iterator[Metric]":
        """Its values for every query."""
        return self.evaluator(qrels).iter_calc(run)

    def calc(self, qrels: object, run: object) -> "CalcResults":
        """Its one number, and its values for every query."""
        results = self.evaluator(qrels).calc(run)
        return results._replace(aggregated=results.aggregated[self])

    def averaged(self, values: list[float]) -> float:
        """One number for all queries: their sum or mean, NaN without a query."""
        if self.row.adds_up:
            return math.fsum(values)
        return math.fsum(values) / len(values) if values else math.nan


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{v}" for k, v in sorted(value.items()) if k != v) + "}"
    return repr(value)


def _drop_none(settings: Settings) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if value is not None}


def _translate_directly(name: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    return GainfulMeasure(measures.REGISTRY[name](**settings), rules)


def _translate_accuracy(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    return GainfulMeasure(measures.Accuracy(**settings), rules, witness=measures.RR(**settings))


def _translate_ndcg(name: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    shape, cutoff = settings["dcg"], settings.get("cutoff")
    if shape not in ("log2", "exp-log2"):
        message = f"{name}: dcg must be one of log2, exp-log2, got {shape!r}."
        raise MeasureError(message, code="bad-setting")
    if shape == "exp-log2":
        rules = replace(rules, precision=GDEVAL.precision)
    gain = "exp2" if shape == "exp-log2" else "linear"
    gains = settings.get("gains", {})
    real = isinstance(gains, Mapping) and all(
        isinstance(number, Real) for pair in gains.items() for number in pair
    )
    if not real:
        message = f"{name}: gains must be a table such as {{1: 1, 2: 3}}, got {gains!r:.60}."
        raise MeasureError(message, code="bad-setting")
    gains = tuple(sorted(gains.items()))
    return GainfulMeasure(measures.nDCG(gain=gain, cutoff=cutoff), rules, Relabel(gains))


def _translate_reciprocal_rank(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    if "cutoff" in settings:  # msmarco has it, not trec_eval
        rules = replace(rules, ties=IDS_ASCENDING.ties, precision=IDS_ASCENDING.precision)
    return GainfulMeasure(measures.RR(**settings), rules)


def _translate_retrieved_count(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    return GainfulMeasure(measures.NumRelRet(**settings) if settings else measures.NumRet, rules)


def _translate_set_precision(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    share = measures.SetRelP if settings["relative"] else measures.SetP
    return GainfulMeasure(share(rel=settings["rel"]), rules)


def _translate_set_f(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    # It hands beta to trec_eval, where it stands in the place of the square.
    beta = measures.SetF(beta=settings["beta"]).all_settings["beta"]
    return GainfulMeasure(measures.SetF(beta=math.sqrt(beta), rel=settings["rel"]), rules)


def _translate_compat(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    by = "ideal" if settings["normalize"] else "weights"
    return GainfulMeasure(measures.Compat(p=settings["p"], normalization=by), rules)


def _translate_rbp(name: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    if "rel" not in settings:  # no provider that is asked by default has graded gains
        message = f"{name} needs a rel, for example {name}(rel=1)."
        raise MeasureError(message, code="missing-setting")
    chosen = measures.RBP(**settings)
    if "cutoff" in settings:
        return GainfulMeasure(chosen, rules)
    # cwl_eval spreads the weight of what is below its depth over what is above.
    return GainfulMeasure(chosen, rules, times=1 / (1 - settings["p"] ** _DEPTH))


def _translate_scaled(name: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    """Labels above the highest gain as much as it does; all rankings end at cwl_eval's depth."""
    chosen, given = measures.REGISTRY[name], dict(settings)
    if "max_rel" not in given:
        message = f"{name} needs a max_rel, for example {name}(max_rel=3)."
        raise MeasureError(message, code="missing-setting")
    if given.pop("dcg", "log2") != "log2":
        message = f"{name}: dcg must be log2, got {settings['dcg']!r}."
        raise MeasureError(message, code="bad-setting")
    if "depth" in chosen.arguments:
        given["depth"] = _DEPTH
    elif "cutoff" in given:
        given["cutoff"] = min(chosen(cutoff=given["cutoff"]).all_settings["cutoff"], _DEPTH)
    return GainfulMeasure(chosen(**given), rules, Relabel(top=given["max_rel"]))


def _declare(
    name: str,
    rules: Rules,
    here: _Translate = _translate_directly,
    *,
    at: str = "cutoff",
    adds_up: bool = False,
    **settings: object,
) -> Measure:
    return Measure(Row(name, settings, rules, here, at, adds_up), {})


_REL: dict[str, Any] = {"rel": 1}
_CUT: dict[str, Any] = {"cutoff": None}
_JUDGED: dict[str, Any] = {**_REL, "judged_only": False}
_CUT_JUDGED: dict[str, Any] = {**_CUT, **_JUDGED}
_GRADED: dict[str, Any] = {"min_rel": 0, "max_rel": None}

Accuracy = _declare("Accuracy", IN_INPUT_ORDER, _translate_accuracy, **_CUT, **_REL)
alpha_DCG = α_DCG = _declare("alpha_DCG", IDS_ASCENDING, alpha=0.5, **_CUT_JUDGED)
alpha_nDCG = α_nDCG = _declare("alpha_nDCG", IDS_ASCENDING, alpha=0.5, **_CUT_JUDGED)
AP = MAP = _declare("AP", TREC_EVAL, **_CUT_JUDGED)
AP_IA = MAP_IA = _declare("AP_IA", IDS_ASCENDING, **_JUDGED)
BPM = _declare("BPM", CWL_EVAL, _translate_scaled, T=1.0, **_CUT, **_GRADED)
Bpref = BPref = _declare("Bpref", TREC_EVAL, **_REL)
Compat = _declare("Compat", IDS_ASCENDING, _translate_compat, p=0.95, normalize=True)
ERR = _declare("ERR", GDEVAL, **_CUT)
ERR_IA = _declare("ERR_IA", IDS_ASCENDING, **_CUT_JUDGED)
infAP = _declare("infAP", TREC_EVAL, **_REL)
INSQ = _declare("INSQ", CWL_EVAL, _translate_scaled, T=1.0, **_GRADED)
INST = _declare("INST", CWL_EVAL, _translate_scaled, T=1.0, **_GRADED)
IPrec = _declare("IPrec", TREC_EVAL, at="recall", recall=None, **_JUDGED)
Judged = _declare("Judged", IDS_ASCENDING, **_CUT)
nDCG = NDCG = _declare(
    "nDCG", TREC_EVAL, _translate_ndcg, cutoff=None, dcg="log2", gains=None, judged_only=False
)
NERR8 = _declare("NERR8", CWL_EVAL, _translate_scaled, **_CUT, **_GRADED)
NERR9 = _declare("NERR9", CWL_EVAL, _translate_scaled, **_CUT, **_GRADED)
NERR10 = _declare("NERR10", CWL_EVAL, _translate_scaled, p=0.9, **_GRADED)
NERR11 = _declare("NERR11", CWL_EVAL, _translate_scaled, T=1.0, **_GRADED)
nERR_IA = _declare("nERR_IA", IDS_ASCENDING, **_CUT_JUDGED)
nNRBP = _declare("nNRBP", IDS_ASCENDING, alpha=0.5, beta=0.5, **_REL)
NRBP = _declare("NRBP", IDS_ASCENDING, alpha=0.5, beta=0.5, **_REL)
NumQ = _declare("NumQ", TREC_EVAL, adds_up=True)
NumRel = _declare("NumRel", TREC_EVAL, adds_up=True, **_REL)
NumRet = _declare("NumRet", TREC_EVAL, _translate_retrieved_count, adds_up=True, rel=None)
NumRelRet = NumRet(rel=1)
P = Precision = _declare("P", TREC_EVAL, **_CUT_JUDGED)
P_IA = _declare("P_IA", IDS_ASCENDING, **_CUT_JUDGED)
R = Recall = _declare("R", TREC_EVAL, **_CUT_JUDGED)
RBP = _declare("RBP", CWL_EVAL, _translate_rbp, cutoff=None, p=0.8, rel=None)
Rprec = RPrec = _declare("Rprec", TREC_EVAL, **_JUDGED)
RR = MRR = _declare("RR", TREC_EVAL, _translate_reciprocal_rank, **_CUT_JUDGED)
SDCG = _declare("SDCG", CWL_EVAL, _translate_scaled, dcg="log2", **_CUT, **_GRADED)
SetAP = _declare("SetAP", TREC_EVAL, **_JUDGED)
SetF = _declare("SetF", TREC_EVAL, _translate_set_f, beta=1.0, **_JUDGED)
SetP = _declare("SetP", TREC_EVAL, _translate_set_precision, relative=False, **_JUDGED)
SetRelP = SetP(relative=True)
SetR = _declare("SetR", TREC_EVAL, **_REL)
StRecall = _declare("StRecall", IDS_ASCENDING, **_CUT, **_REL)
Success = _declare("Success", TREC_EVAL, **_CUT_JUDGED)

MEASURES = {name: held for name, held in globals().items() if isinstance(held, Measure)}


def _restore_measure(name: str, params: dict[str, Any]) -> Measure:
    return MEASURES[name](**params)
