"""The measures of ir_measures: their settings, and what each is here."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from gainful import measures
from gainful.alignment import Rules
from gainful.errors import MeasureError

if TYPE_CHECKING:
    from gainful.adapters.ir_measures import CalcResults, Evaluator, Metric

# The rules of the providers that ir_measures asks by default. All of them score 0 for a query that
# the run does not have, also for counts; of an item that is listed twice the last row counts.
_COMMON_RULES = Rules(missing="skip", duplicates="last")
TREC_EVAL = replace(_COMMON_RULES, precision="float32")
GDEVAL = _COMMON_RULES
IDS_ASCENDING = replace(_COMMON_RULES, ties="item-asc")  # judged, msmarco, compat and pyndeval
IN_INPUT_ORDER = replace(_COMMON_RULES, ties="input", empty="nan")  # accuracy
_DEPTH = 1000
CWL_EVAL = replace(_COMMON_RULES, ties="input", depth=_DEPTH)


@dataclass(frozen=True)
class Relabel:
    """A change of labels before they are scored.

    Attributes:
        gains: Labels and their replacements.
        top: The highest label; higher labels are lowered to it.
        drops_negatives: Whether a negative label is no judgment.

    >>> Relabel(gains=((2, 5),), top=4).apply(2.0), Relabel(gains=((2, 5),)).apply(3.0)
    (4, 3.0)
    """

    gains: tuple[tuple[float, float], ...] = ()
    top: float = math.inf
    drops_negatives: bool = False

    def apply(self, label: float) -> float | None:
        """Return the new label; None if it is not a judgment."""
        new_label = min(dict(self.gains).get(label, label), self.top)
        return None if self.drops_negatives and new_label < 0 else new_label


NO_RELABEL = Relabel()


@dataclass(frozen=True)
class GainfulMeasure:
    """A measure of ir_measures as Gainful computes it.

    Attributes:
        measure: The measure of Gainful.
        rules: How to join and rank.
        relabel: How to change the labels first.
        factor: A factor for its values.
        witness: A query for which this is 0 is left out, if all requested measures have a witness.
    """

    measure: measures.Measure
    rules: Rules
    relabel: Relabel = NO_RELABEL
    factor: float = 1.0
    witness: measures.Measure | None = None


Settings = Mapping[str, Any]
_Translate = Callable[[str, Settings, Rules], GainfulMeasure]


@dataclass(frozen=True, eq=False)
class Row:
    """A measure as the table declares it.

    Attributes:
        name: Its name in ir_measures.
        settings: Its settings and their defaults; None where it has none.
        rules: The rules of its provider.
        translate: A function of its name, its settings and these rules that returns the measure as
            Gainful computes it.
        at_setting: The setting that ``@`` sets.
        is_sum: Whether the values of all queries are added up.
    """

    name: str
    settings: Settings
    rules: Rules
    translate: _Translate
    at_setting: str
    is_sum: bool


@dataclass(frozen=True, eq=False)
class Measure:
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
                settings = ", ".join(self.row.settings) or "none"
                message = f"{self.NAME} has no setting {name!r}; it takes {settings}."
                raise MeasureError(message, code="unknown-setting")
        return Measure(self.row, {**self.params, **params})

    def __matmul__(self, value: float) -> "Measure":
        return self(**{self.row.at_setting: value})

    def __getitem__(self, name: str) -> Any:
        return self.params.get(name, self.row.settings[name])

    def __repr__(self) -> str:
        inside = ",".join(
            f"{n}={_format_value(v)}"
            for n, v in self._changed_params.items()
            if n != self.row.at_setting
        )
        suffix = (
            f"@{self.params[self.row.at_setting]}" if self.row.at_setting in self.params else ""
        )
        return self.NAME + (f"({inside})" if inside else "") + suffix

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return (self.NAME, self._key) == (other.NAME, other._key)

    def __hash__(self) -> int:
        return hash((self.NAME, self._key))

    def __reduce__(self) -> tuple[Callable[..., "Measure"], tuple[str, dict[str, Any]]]:
        """Pickle the name and settings: the rest is looked up by the name."""
        return _restore_measure, (self.NAME, dict(self.params))

    @property
    def NAME(self) -> str:
        """Its name without settings."""
        return self.row.name

    @property
    def _changed_params(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        default = self.row.settings
        return {n: v for n, v in self.params.items() if v is not None and v != default[n]}

    @property
    def _key(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (name, _format_value(value)) for name, value in self._changed_params.items()
        )

    @property
    def translation(self) -> GainfulMeasure:
        """The measure as Gainful computes it; an error if a setting does not fit."""
        settings = {**self.row.settings, **self.params}
        judged_only = settings.pop("judged_only", False)
        translation = self.row.translate(self.NAME, _drop_none(settings), self.row.rules)
        if not judged_only:
            return translation
        relabel = translation.relabel
        if self.row.rules == TREC_EVAL:  # it treats an item with a negative label as unjudged
            relabel = replace(relabel, drops_negatives=True)
        return replace(
            translation, rules=replace(translation.rules, unjudged="condense"), relabel=relabel
        )

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

    def average_values(self, values: list[float]) -> float:
        """Return one number for all queries: their sum or mean, NaN without a query."""
        if self.row.is_sum:
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
    has_numbers = isinstance(gains, Mapping) and all(
        isinstance(number, Real) for pair in gains.items() for number in pair
    )
    if not has_numbers:
        message = f"{name}: gains must be a table such as {{1: 1, 2: 3}}, got {gains!r:.60}."
        raise MeasureError(message, code="bad-setting")
    gains = tuple(sorted(gains.items()))
    return GainfulMeasure(measures.nDCG(gain=gain, cutoff=cutoff), rules, Relabel(gains))


def _translate_reciprocal_rank(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    if "cutoff" in settings:  # from msmarco, not trec_eval
        rules = replace(rules, ties=IDS_ASCENDING.ties, precision=IDS_ASCENDING.precision)
    return GainfulMeasure(measures.RR(**settings), rules)


def _translate_retrieved_count(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    return GainfulMeasure(measures.NumRelRet(**settings) if settings else measures.NumRet, rules)


def _translate_set_precision(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    share = measures.SetRelP if settings["relative"] else measures.SetP
    return GainfulMeasure(share(rel=settings["rel"]), rules)


def _translate_set_f(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    # It passes beta to trec_eval, which uses it in place of the square.
    beta = measures.SetF(beta=settings["beta"]).all_settings["beta"]
    return GainfulMeasure(measures.SetF(beta=math.sqrt(beta), rel=settings["rel"]), rules)


def _translate_compat(_: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    normalization = "ideal" if settings["normalize"] else "weights"
    return GainfulMeasure(measures.Compat(p=settings["p"], normalization=normalization), rules)


def _translate_rbp(name: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    if "rel" not in settings:  # no provider that is asked by default has graded gains
        message = f"{name} needs a rel, for example {name}(rel=1)."
        raise MeasureError(message, code="missing-setting")
    measure = measures.RBP(**settings)
    if "cutoff" in settings:
        return GainfulMeasure(measure, rules)
    # cwl_eval spreads the weight of the ranks below its depth over the ranks above.
    return GainfulMeasure(measure, rules, factor=1 / (1 - settings["p"] ** _DEPTH))


def _translate_scaled(name: str, settings: Settings, rules: Rules) -> GainfulMeasure:
    """Translate a measure of cwl_eval: labels are capped at max_rel, and rankings at its depth."""
    measure, params = measures.REGISTRY[name], dict(settings)
    if "max_rel" not in params:
        message = f"{name} needs a max_rel, for example {name}(max_rel=3)."
        raise MeasureError(message, code="missing-setting")
    if params.pop("dcg", "log2") != "log2":
        message = f"{name}: dcg must be log2, got {settings['dcg']!r}."
        raise MeasureError(message, code="bad-setting")
    if "depth" in measure.arguments:
        params["depth"] = _DEPTH
    elif "cutoff" in params:
        params["cutoff"] = min(measure(cutoff=params["cutoff"]).all_settings["cutoff"], _DEPTH)
    return GainfulMeasure(measure(**params), rules, Relabel(top=params["max_rel"]))


def _declare(
    name: str,
    rules: Rules,
    translate: _Translate = _translate_directly,
    *,
    at_setting: str = "cutoff",
    is_sum: bool = False,
    **settings: object,
) -> Measure:
    return Measure(Row(name, settings, rules, translate, at_setting, is_sum), {})


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
IPrec = _declare("IPrec", TREC_EVAL, at_setting="recall", recall=None, **_JUDGED)
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
NumQ = _declare("NumQ", TREC_EVAL, is_sum=True)
NumRel = _declare("NumRel", TREC_EVAL, is_sum=True, **_REL)
NumRet = _declare("NumRet", TREC_EVAL, _translate_retrieved_count, is_sum=True, rel=None)
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

MEASURES = {name: value for name, value in globals().items() if isinstance(value, Measure)}


def _restore_measure(name: str, params: dict[str, Any]) -> Measure:
    return MEASURES[name](**params)
