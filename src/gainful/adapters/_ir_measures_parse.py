"""Measures of ir_measures from text: its own, and trec_eval's."""

import ast
import re

from gainful.adapters._ir_measures_table import (
    AP,
    MEASURES,
    RR,
    Bpref,
    IPrec,
    Measure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    Success,
    infAP,
    nDCG,
)
from gainful.errors import MeasureError
from gainful.expressions import expression
from gainful.trec_eval.catalogue import CATALOGUE, NICKNAMES

_TREC_EVAL = {
    "num_q": NumQ,
    "num_ret": NumRet,
    "num_rel": NumRel,
    "num_rel_ret": NumRelRet,
    "map": AP,
    "Rprec": Rprec,
    "bpref": Bpref,
    "recip_rank": RR,
    "iprec_at_recall": IPrec,
    "P": P,
    "recall": R,
    "infAP": infAP,
    "ndcg": nDCG,
    "ndcg_cut": nDCG,
    "map_cut": AP,
    "success": Success,
    "set_P": SetP,
    "set_relative_P": SetRelP,
    "set_recall": SetR,
    "set_map": SetAP,
    "set_F": SetF,
}
_ENTRIES = {entry.name: entry for entry in CATALOGUE}
_PARAMETER = {"cutoffs": ("cutoff", int), "points": ("recall", float), "numbers": ("beta", float)}
_WITH_VALUES = re.compile(r"(?P<name>\w+?)[._](?P<values>\d+(\.\d+)?(,\d+(\.\d+)?)*)")


def parse_measure(measure: str | Measure) -> Measure:
    """The measure that a text names, as ir_measures spells it.

    >>> parse_measure("nDCG(dcg='exp-log2')@10")
    nDCG(dcg='exp-log2')@10
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        message = f"measures: must be measures, or text such as 'nDCG@10', got {measure!r:.60}."
        raise MeasureError(message, code="not-a-measure")
    try:
        node = expression(measure.strip())
        at, settings = None, {}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            at, node = ast.literal_eval(node.right), node.left
        if isinstance(node, ast.Call) and not node.args:
            settings = {str(word.arg): ast.literal_eval(word.value) for word in node.keywords}
            node = node.func
        if not isinstance(node, ast.Name):
            raise _unreadable(measure)
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise _unreadable(measure) from None
    if node.id not in MEASURES:
        raise _unknown(node.id)
    named = MEASURES[node.id](**settings)
    return named if at is None else named @ at


def parse_trec_measure(measure: str) -> list[Measure]:
    """The measures that a name of trec_eval stands for, one for every parameter.

    Of a nickname such as ``official``, those that ir_measures has no measure for are left out.

    >>> parse_trec_measure("ndcg_cut.5,10")
    [nDCG@5, nDCG@10]
    """
    if measure in NICKNAMES:
        known = sorted(name for name in NICKNAMES[measure] if name in _TREC_EVAL)
        return [one for name in known for one in parse_trec_measure(name)]
    name, texts = measure, None
    if measure not in _ENTRIES:
        match = _WITH_VALUES.fullmatch(measure)
        if match is None or match["name"] not in _ENTRIES:
            raise _unknown(measure)
        name, texts = match["name"], match["values"].split(",")
    if name not in _TREC_EVAL:
        message = f"{name}: ir_measures has no measure for it. Use gainful.evaluate()."
        raise MeasureError(message, code="unknown-measure")
    takes, found = _ENTRIES[name].takes, _TREC_EVAL[name]
    if takes not in _PARAMETER:
        if texts is not None:
            message = f"{name}: takes no parameter, got {measure!r}."
            raise MeasureError(message, code="unreadable-measure")
        return [found]
    setting, kind = _PARAMETER[takes]
    return [found(**{setting: kind(value)}) for value in texts or _ENTRIES[name].default]


def _unreadable(text: str) -> MeasureError:
    return MeasureError(
        f"cannot read {text!r:.60} as a measure; write it like P(rel=2)@10.",
        code="unreadable-measure",
    )


def _unknown(name: str) -> MeasureError:
    import difflib  # only a misspelt name needs it

    names = {known.lower(): known for known in MEASURES}
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    way_out = f"Did you mean {names[near[0]]}?" if near else f"There are {', '.join(MEASURES)}."
    return MeasureError(f"unknown measure {name!r:.60}. {way_out}", code="unknown-measure")
