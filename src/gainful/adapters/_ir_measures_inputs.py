"""Qrels, runs and measure names in the forms that ir_measures accepts."""

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

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
from gainful.adapters.trec_eval.measure_list import CATALOG, NICKNAMES
from gainful.base import open_file, read_whole
from gainful.errors import MeasureError, SourceError
from gainful.measures import parse_expression
from gainful.sources import Columns, split_lines


class Qrel(NamedTuple):
    """A judgment."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """An item of a run."""

    query_id: str
    doc_id: str
    score: float


def read_trec_qrels(file: object) -> Iterator[Qrel]:
    """The judgments of a file, one by one.

    Args:
        file: A path, an open file, or the text itself if it has a line break.

    >>> list(read_trec_qrels("q1 0 d1 2\\n"))
    [Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')]
    """
    columns = _split_columns(file, ("query", "iteration", "item", "label"))
    for query, iteration, item, label in zip(*columns, strict=True):
        yield Qrel(query, item, _parse_number(label, int, "label"), iteration)


def read_trec_run(file: object) -> Iterator[ScoredDoc]:
    """The items of a run, one by one. For the argument see ``read_trec_qrels``.

    >>> list(read_trec_run("q1 Q0 d1 1 2.5 bm25\\n"))
    [ScoredDoc(query_id='q1', doc_id='d1', score=2.5)]
    """
    columns = _split_columns(file, ("query", "Q0", "item", "rank", "score", "tag"))
    for query, _, item, _, score, _ in zip(*columns, strict=True):
        yield ScoredDoc(query, item, _parse_number(score, float, "score"))


def _parse_number(text: str, kind: Any, name: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        message = f"{name} must be {'an integer' if kind is int else 'a number'}, got {text!r}."
        raise SourceError(message, code="not-numbers") from None


def _split_columns(file: Any, names: tuple[str, ...]) -> list[list[str]]:
    is_text = isinstance(file, str) and "\n" in file
    if hasattr(file, "read") or is_text:
        content = file if is_text else file.read()
        text = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        return split_lines(text, "text", names).columns
    with open_file(file) as opened:
        return split_lines(read_whole(opened), opened.name, names).columns


def prepare_qrels(source: object) -> Any:
    """Return judgments in a form that Gainful reads: a dict or a path as is, rows as columns."""
    if _is_read_directly(source):
        return source
    query, item, label, subtopic = _collect_columns(
        source, "qrels", Qrel._fields, Qrel._field_defaults
    )
    return Columns(query=query, item=item, label=label, subtopic=subtopic)


def prepare_run(source: object) -> Any:
    """Return a run in a form that Gainful reads: a dict or a path as is, rows as columns."""
    if _is_read_directly(source):
        return source
    query, item, score = _collect_columns(source, "run", ScoredDoc._fields, {})
    return Columns(query=query, item=item, score=score)


def _is_read_directly(source: object) -> bool:
    return isinstance(source, str | os.PathLike | Mapping)


def _collect_columns(
    source: Any, name: str, fields: tuple[str, ...], defaults: Mapping[str, Any]
) -> list[list[Any]]:
    """Return a column for each field, from a DataFrame or from rows."""
    if hasattr(source, "itertuples"):
        _check_fields(source.columns, name, fields, defaults)
        n_rows = len(source)
        return [
            source[f].tolist() if f in source.columns else [defaults[f]] * n_rows for f in fields
        ]
    if not isinstance(source, Iterable):
        message = (
            f"{name}: must be a dict of dicts, a DataFrame, rows or a path, got {source!r:.60}."
        )
        raise SourceError(message, code="wrong-type")
    rows = list(source)
    if rows:
        present = [field for field in fields if hasattr(rows[0], field)]
        _check_fields(present or [repr(rows[0])[:60]], name, fields, defaults)
    return [
        [getattr(row, f) for row in rows]
        if f not in defaults
        else [getattr(row, f, defaults[f]) for row in rows]
        for f in fields
    ]


def _check_fields(
    present: Iterable[Any], name: str, fields: tuple[str, ...], defaults: Mapping[str, Any]
) -> None:
    required = [field for field in fields if field not in defaults]
    names = list(map(str, present))
    if not set(required) <= set(names):
        message = f"{name}: rows must have {', '.join(required)}, got {', '.join(names)}."
        raise SourceError(message, code="missing-column")


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
_ENTRIES = {entry.name: entry for entry in CATALOG}
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
        node = parse_expression(measure.strip())
        at_value, settings = None, {}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            at_value, node = ast.literal_eval(node.right), node.left
        if isinstance(node, ast.Call) and not node.args:
            settings = {str(word.arg): ast.literal_eval(word.value) for word in node.keywords}
            node = node.func
        if not isinstance(node, ast.Name):
            raise _make_syntax_error(measure)
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise _make_syntax_error(measure) from None
    if node.id not in MEASURES:
        raise _make_unknown_error(node.id)
    parsed = MEASURES[node.id](**settings)
    return parsed if at_value is None else parsed @ at_value


def parse_trec_measure(measure: str) -> list[Measure]:
    """The measures that a name of trec_eval stands for, one for every parameter.

    Of a nickname such as ``official``, those that ir_measures has no measure for are left out.

    >>> parse_trec_measure("ndcg_cut.5,10")
    [nDCG@5, nDCG@10]
    """
    if measure in NICKNAMES:
        names = sorted(name for name in NICKNAMES[measure] if name in _TREC_EVAL)
        return [parsed for name in names for parsed in parse_trec_measure(name)]
    name, texts = measure, None
    if measure not in _ENTRIES:
        match = _WITH_VALUES.fullmatch(measure)
        if match is None or match["name"] not in _ENTRIES:
            raise _make_unknown_error(measure)
        name, texts = match["name"], match["values"].split(",")
    if name not in _TREC_EVAL:
        message = f"{name}: ir_measures has no measure for it. Use gainful.evaluate()."
        raise MeasureError(message, code="unknown-measure")
    parameter_kind, base = _ENTRIES[name].parameter_kind, _TREC_EVAL[name]
    if parameter_kind not in _PARAMETER:
        if texts is not None:
            message = f"{name}: takes no parameter, got {measure!r}."
            raise MeasureError(message, code="unreadable-measure")
        return [base]
    setting, kind = _PARAMETER[parameter_kind]
    return [base(**{setting: kind(value)}) for value in texts or _ENTRIES[name].default]


def _make_syntax_error(text: str) -> MeasureError:
    return MeasureError(
        f"cannot read {text!r:.60} as a measure; write it like P(rel=2)@10.",
        code="unreadable-measure",
    )


def _make_unknown_error(name: str) -> MeasureError:
    import difflib  # only a misspelled name needs it

    names = {measure.lower(): measure for measure in MEASURES}
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    way_out = f"Did you mean {names[near[0]]}?" if near else f"There are {', '.join(MEASURES)}."
    return MeasureError(f"unknown measure {name!r:.60}. {way_out}", code="unknown-measure")
