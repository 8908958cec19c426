"""Measures from text: ``nDCG@10``, ``ndcg_cut_10``, ``nDCG(gain=exp2, discount=jk(2))@5,10``."""

import ast
import re
from typing import Any

from gainful.errors import MeasureError
from gainful.expressions import expression
from gainful.measures._declare import REGISTRY, Measure, trec_eval_pattern

_SHAPE = re.compile(
    r"\s*(?P<name>[A-Za-z_][\w+-]*(?: [A-Za-z]\w*)*)"
    r"\s*(\((?P<settings>.*)\))?\s*(@\s*(?P<cutoff>[^@()]*))?\s*",
    re.DOTALL,
)
_LONGEST = 1000


def parse(text: str) -> Measure:
    """The measure that a text names.

    >>> parse("ndcg_cut_10")
    nDCG@10
    """
    found = parse_all(text)
    if len(found) != 1:
        message = f"{text!r} names {len(found)} measures; name one."
        raise MeasureError(message, code="one-measure")
    return found[0]


def parse_all(text: str) -> list[Measure]:
    """The measures that a text names: one for every cutoff; several stand between commas.

    >>> parse_all("ndcg@5,10, map")
    [nDCG@5, nDCG@10, AP]
    """
    several = _listed(text) if len(text) <= _LONGEST else [text]
    return [measure for one in several for measure in _parse_one(one)]


def _listed(text: str) -> list[str]:
    """What stands between commas that are in no parentheses and before no number."""
    depth, starts = 0, [0]
    for i, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and re.match(r"\s*[A-Za-z]", text[i + 1 :]):
            starts.append(i + 1)
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _parse_one(text: str) -> list[Measure]:
    shape = _SHAPE.fullmatch(text) if len(text) <= _LONGEST else None
    if shape is None or shape["name"] not in REGISTRY:
        # Only these need all measures, each of which may have names in trec_eval.
        by_trec_eval = _from_trec_eval(text.strip()) if len(text) <= _LONGEST else []
        if by_trec_eval:
            return by_trec_eval
    if shape is None:
        raise _unreadable(text)
    settings = _settings(shape["settings"] or "", text)
    declared = _named(shape["name"])(**settings)
    if shape["cutoff"] is None:
        return [declared]
    if declared.at in settings:
        raise _unreadable(text)
    return [declared @ _number(value) for value in shape["cutoff"].split(",")]


def _from_trec_eval(text: str) -> list[Measure]:
    for declared in REGISTRY.values():
        for name in declared.trec_eval:
            match = trec_eval_pattern(name).fullmatch(text)
            if match:
                return _with_each(declared, *next(iter(match.groupdict().items()), ("", "")))
    return []


def _with_each(declared: Measure, setting: str, values: str) -> list[Measure]:
    each = [_number(value) for value in values.split(",") if value]
    return [declared(**{setting: value}) for value in each] or [declared]


def _named(name: str) -> Measure:
    if name in REGISTRY:
        return REGISTRY[name]
    other = {_spelt(also): known for known, m in REGISTRY.items() for also in m.also}
    by_spelling = other | {_spelt(known): known for known in REGISTRY}
    if _spelt(name) in by_spelling:
        return REGISTRY[by_spelling[_spelt(name)]]
    import difflib  # only a misspelt name needs it

    likely = [spelt for spelt in by_spelling if len(spelt) > 1]
    near = difflib.get_close_matches(_spelt(name), likely, n=1, cutoff=0.6)
    way_out = f"There are {len(REGISTRY)}: see gainful measures."
    cut = re.fullmatch(r"(.*\D)(\d+)", _spelt(name))
    if cut and cut[1] in by_spelling:
        way_out = f"Did you mean {by_spelling[cut[1]]}@{cut[2]}?"
    elif near:
        way_out = f"Did you mean {by_spelling[near[0]]}?"
    message = f"unknown measure {name!r}. {way_out}"
    raise MeasureError(message, code="unknown-measure")


def _spelt(name: str) -> str:
    """A name as it is looked up: in lower case, without the signs that join words."""
    return re.sub(r"[-_ ]", "", name.lower().replace("+", "plus"))


def _number(text: str) -> Any:
    # What is no number is left to the setting to refuse: its error names what it takes.
    for kind, pattern in ((int, r"\s*-?\d+\s*"), (float, r"\s*-?(\d+\.\d*|\.\d+)\s*")):
        if re.fullmatch(pattern, text):
            return kind(text)
    return text


def _settings(inside: str, text: str) -> dict[str, Any]:
    try:
        call = expression(f"f({inside})")
        if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Name):
            raise _unreadable(text)
        names = [str(keyword.arg) for keyword in call.keywords]
        if len(set(names)) < len(names):
            raise _unreadable(text)
        return {str(keyword.arg): _value(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unreadable(text) from None


def _value(node: ast.expr) -> Any:
    # Bare words stand for themselves: gain=exp2, discount=jk(2).
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return f"{_value(node.left)}+{_value(node.right)}"  # arithmetic=ln_ratio+pairwise
    if isinstance(node, ast.Call):
        return ast.unparse(node)
    return ast.literal_eval(node)


def _unreadable(text: str) -> MeasureError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return MeasureError(
        f"cannot read {shown!r} as a measure; write it like nDCG@10 or nDCG(gain=exp2)@5,10.",
        code="unreadable-measure",
    )
