"""trec_eval's measures in the order in which it prints them, and their parameters.

Gainful's measures are declared with their names in trec_eval; this module has only what the rest of
Gainful does not need.
"""

import re
from dataclasses import dataclass
from typing import Any

_INTEGER = re.compile(r"\s*([+-]?\d+)", re.ASCII)
_REAL = re.compile(
    r"\s*([+-]?)(?:(inf(?:inity)?)|(nan)|(0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?)"
    r"|((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))",
    re.ASCII | re.IGNORECASE,
)
_LONG = 1 << 63


def atol(text: str) -> int:
    """Return the whole number at the beginning of a text.

    >>> atol("23.4"), atol(" -7x"), atol("x")
    (23, -7, 0)
    """
    match = _INTEGER.match(text)
    return max(-_LONG, min(_LONG - 1, int(match[1]))) if match else 0


def atof(text: str) -> float:
    """Return the number at the beginning of a text.

    >>> atof("1.5e1x"), atof("0x10"), atof("-Infinity"), atof("x"), atof("1e")
    (15.0, 16.0, -inf, 0.0, 1.0)
    """
    match = _REAL.match(text)
    if match is None:
        return 0.0
    sign, infinite, undefined, hexadecimal, decimal = match.groups()
    if hexadecimal:
        return float.fromhex(sign + hexadecimal)
    return float(sign + (decimal or (infinite and "inf") or undefined))


_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(i / 10 for i in range(11))
_FIFTHS = tuple(i / 10 for i in range(2, 21, 2))


@dataclass(frozen=True)
class Entry:
    """One of trec_eval's measures.

    Attributes:
        name: Its name.
        parameter_kind: The kind of its parameters: empty, ``cutoffs`` or ``points`` (one value for
            each), ``numbers`` (some numbers for one value) or ``pairs`` (``name=number``).
        default: Its default parameters.
        reads: The kind of judgments it needs: labels, groups or preferences.
        average: How to combine its values: mean, sum, geometric, or none.
        is_count: Whether it is printed as a whole number.
        per_query: Whether it is printed for every query.
        since: The first version that has it.
    """

    name: str
    parameter_kind: str = ""
    default: tuple[float, ...] = ()
    reads: str = "labels"
    average: str = "mean"
    is_count: bool = False
    per_query: bool = True
    since: int = 9


CATALOG = (
    Entry("runid", average="none", per_query=False),
    Entry("num_q", average="sum", is_count=True, per_query=False),
    Entry("num_ret", average="sum", is_count=True),
    Entry("num_rel", average="sum", is_count=True),
    Entry("num_rel_ret", average="sum", is_count=True),
    Entry("map"),
    Entry("gm_map", average="geometric", per_query=False),
    Entry("Rprec"),
    Entry("bpref"),
    Entry("recip_rank"),
    Entry("iprec_at_recall", "points", _TENTHS),
    Entry("P", "cutoffs", _CUTOFFS),
    Entry("relstring", "numbers", (10.0,), average="none"),
    Entry("recall", "cutoffs", _CUTOFFS),
    Entry("infAP"),
    Entry("gm_bpref", average="geometric", per_query=False),
    Entry("Rprec_mult", "points", _FIFTHS),
    Entry("utility", "numbers", (1.0, -1.0, 0.0, 0.0)),
    Entry("11pt_avg", "numbers", _TENTHS),
    Entry("binG"),
    Entry("G", "pairs"),
    Entry("dcg", "pairs", since=10),
    Entry("ideal_dcg", "pairs", since=10),
    Entry("ndcg", "pairs"),
    Entry("ndcg_rel", "pairs"),
    Entry("Rndcg", "pairs"),
    Entry("ndcg_cut", "cutoffs", _CUTOFFS),
    Entry("map_cut", "cutoffs", _CUTOFFS),
    Entry("relative_P", "cutoffs", _CUTOFFS),
    Entry("success", "cutoffs", (1, 5, 10)),
    Entry("set_P"),
    Entry("set_relative_P"),
    Entry("set_recall"),
    Entry("set_map"),
    Entry("set_F", "numbers", (1.0,)),
    Entry("num_nonrel_judged_ret", average="sum", is_count=True),
    Entry("prefs_num_prefs_poss", reads="preferences", average="sum", is_count=True),
    Entry("prefs_num_prefs_ful", reads="preferences", average="sum", is_count=True),
    Entry("prefs_num_prefs_ful_ret", reads="preferences", average="sum", is_count=True),
    Entry("prefs_simp", reads="preferences"),
    Entry("prefs_pair", reads="preferences"),
    Entry("prefs_avgjg", reads="preferences"),
    Entry("prefs_avgjg_Rnonrel", reads="preferences"),
    Entry("prefs_simp_ret", reads="preferences"),
    Entry("prefs_pair_ret", reads="preferences"),
    Entry("prefs_avgjg_ret", reads="preferences"),
    Entry("prefs_avgjg_Rnonrel_ret", reads="preferences"),
    Entry("prefs_simp_imp", reads="preferences"),
    Entry("prefs_pair_imp", reads="preferences"),
    Entry("prefs_avgjg_imp", reads="preferences"),
    Entry("map_avgjg", reads="groups"),
    Entry("P_avgjg", "cutoffs", _CUTOFFS, reads="groups"),
    Entry("Rprec_mult_avgjg", "points", _FIFTHS, reads="groups"),
    Entry("yaap"),
    Entry("rbp", "pairs", since=10),
    Entry("rbp_resid", "pairs", since=10),
    Entry("unj", "cutoffs", (5, 10, 20), since=10),
)
_OFFICIAL = tuple(entry.name for entry in CATALOG[:12])
_PREFERENCES = tuple(entry.name for entry in CATALOG if entry.reads == "preferences")
_NOT_IN_ALL = {"dcg", "ideal_dcg", "yaap"}
NICKNAMES = {
    "official": _OFFICIAL,
    "set": (
        *_OFFICIAL[:5],
        "utility",
        "set_P",
        "set_recall",
        "set_relative_P",
        "set_map",
        "set_F",
    ),
    "all_trec": tuple(
        entry.name for entry in CATALOG if entry.reads == "labels" and entry.name not in _NOT_IN_ALL
    ),
    "all_prefs": ("runid", "num_q", *_PREFERENCES),
    "prefs": ("runid", "num_q", *_PREFERENCES[:6]),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}


def list_names(compat: int | None) -> tuple[str, ...]:
    """Return the names of the measures that a version of trec_eval has."""
    return tuple(entry.name for entry in CATALOG if entry.since <= (compat or 10))


class ParameterError(Exception):
    """Parameters that a measure does not accept, in trec_eval's words."""


@dataclass(frozen=True)
class Parameters:
    """The parameters of a measure.

    Attributes:
        text: The parameters as written; None for the default ones.
        values: The parameters as numbers.
        pairs: Those of the form ``name=number``, in order.
    """

    text: str | None
    values: tuple[float, ...] = ()
    pairs: tuple[tuple[str, float], ...] = ()


def parse_parameters(entry: Entry, text: str | None) -> Parameters:
    """Return the parameters of a measure; raise ``ParameterError`` if it does not accept them."""
    if text is None or not entry.parameter_kind:
        return Parameters(None, entry.default)
    if entry.parameter_kind == "pairs":
        return Parameters(text, pairs=_parse_pairs(text))
    convert: Any = atol if entry.parameter_kind == "cutoffs" else atof
    values = tuple(convert(value) for value in text.split(","))
    if entry.parameter_kind == "numbers":
        return Parameters(text, values)
    values = tuple(sorted(values))
    if entry.parameter_kind == "cutoffs" and values[0] <= 0:
        message = "trec_eval: Negative cutoff detected\n"
        raise ParameterError(message)
    if len(set(values)) < len(values):
        message = "trec_eval: duplicate cutoffs detected\n"
        raise ParameterError(message)
    return Parameters(text, values)


def _parse_pairs(text: str) -> tuple[tuple[str, float], ...]:
    last = ","
    for character in text:
        if character in ",=":
            if character == last:
                last = ","
                break
            last = character
    if last != "=":
        message = f"trec_eval: malformed pair parameters in '{text}'\n"
        raise ParameterError(message)
    pairs = [pair.partition("=") for pair in text.split(",")]
    return tuple((name, atof(value)) for name, _, value in pairs)
