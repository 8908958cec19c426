"""Measures from text: ``nDCG@10``, ``ndcg_cut_10``, ``nDCG(gain=exp2, discount=jk(2))@5,10``."""

import ast
import os
import re
import threading
from typing import Any

from gainful.errors import MeasureError
from gainful.measures._declare import REGISTRY, Measure, make_trec_eval_pattern

# CPython 3.11 counts the depth of a tree for all threads in one number: two that parse at once may
# end in "SystemError: AST constructor recursion depth mismatch".
_PARSING = threading.RLock()
if hasattr(os, "register_at_fork"):
    # Or a child would wait forever for a thread that it does not have.
    os.register_at_fork(
        before=_PARSING.acquire,
        after_in_parent=_PARSING.release,
        after_in_child=_PARSING.release,
    )


def parse_expression(text: str) -> ast.expr:
    """Return the tree of a Python expression, which is parsed and never run.

    Raises SyntaxError, ValueError, RecursionError or MemoryError if it cannot be parsed.

    >>> ast.unparse(parse_expression("f(rel = 2)"))
    'f(rel=2)'
    """
    with _PARSING:
        return ast.parse(text, mode="eval").body


_SHAPE = re.compile(
    r"\s*(?P<name>[A-Za-z_][\w+-]*(?: [A-Za-z]\w*)*)"
    r"\s*(\((?P<settings>.*)\))?\s*(@\s*(?P<cutoff>[^@()]*))?\s*",
    re.DOTALL,
)
_LONGEST = 1000


def parse_measure(text: str) -> Measure:
    """Return the measure that a text names.

    Args:
        text: A measure as users write it: its name, settings in parentheses, and ``@`` a cutoff.

    Returns:
        The measure.

    Raises:
        MeasureError: No measure has that name, a setting is wrong, or the text names several.

    >>> parse_measure("ndcg_cut_10")
    nDCG@10
    """
    measures = parse_measures(text)
    if len(measures) != 1:
        message = f"{text!r} names {len(measures)} measures; name one."
        raise MeasureError(message, code="one-measure")
    return measures[0]


def parse_measures(text: str) -> list[Measure]:
    """Return the measures that a text names, separated by commas, one for every cutoff.

    >>> parse_measures("ndcg@5,10, map")
    [nDCG@5, nDCG@10, AP]
    """
    parts = _split_list(text) if len(text) <= _LONGEST else [text]
    return [measure for part in parts for measure in _parse_part(part)]


def _split_list(text: str) -> list[str]:
    """Split a text at commas that are outside parentheses and not before a number."""
    depth, starts = 0, [0]
    for i, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0 and re.match(r"\s*[A-Za-z]", text[i + 1 :]):
            starts.append(i + 1)
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _parse_part(text: str) -> list[Measure]:
    shape = _SHAPE.fullmatch(text) if len(text) <= _LONGEST else None
    if shape is None or shape["name"] not in REGISTRY:
        # Only these need all measures, each of which may have names in trec_eval.
        by_trec_eval = _parse_trec_eval_name(text.strip()) if len(text) <= _LONGEST else []
        if by_trec_eval:
            return by_trec_eval
    if shape is None:
        raise _make_unreadable_error(text)
    settings = _parse_settings(shape["settings"] or "", text)
    declared = _find_measure(shape["name"])(**settings)
    if shape["cutoff"] is None:
        return [declared]
    if declared.at in settings:
        raise _make_unreadable_error(text)
    return [declared @ _parse_number(value) for value in shape["cutoff"].split(",")]


def _parse_trec_eval_name(text: str) -> list[Measure]:
    for declared in REGISTRY.values():
        for name in declared.trec_eval:
            match = make_trec_eval_pattern(name).fullmatch(text)
            if match:
                return _apply_values(declared, *next(iter(match.groupdict().items()), ("", "")))
    return []


def _apply_values(declared: Measure, setting: str, values: str) -> list[Measure]:
    numbers = [_parse_number(value) for value in values.split(",") if value]
    return [declared(**{setting: number}) for number in numbers] or [declared]


def _find_measure(name: str) -> Measure:
    if name in REGISTRY:
        return REGISTRY[name]
    by_alias = {
        _normalize_name(also): canonical for canonical, m in REGISTRY.items() for also in m.also
    }
    by_spelling = by_alias | {_normalize_name(canonical): canonical for canonical in REGISTRY}
    if _normalize_name(name) in by_spelling:
        return REGISTRY[by_spelling[_normalize_name(name)]]
    import difflib  # only a misspelled name needs it

    likely = [spelling for spelling in by_spelling if len(spelling) > 1]
    matches = difflib.get_close_matches(_normalize_name(name), likely, n=1, cutoff=0.6)
    way_out = f"There are {len(REGISTRY)}: see gainful measures."
    stem_and_number = re.fullmatch(r"(.*\D)(\d+)", _normalize_name(name))
    if stem_and_number and stem_and_number[1] in by_spelling:
        way_out = f"Did you mean {by_spelling[stem_and_number[1]]}@{stem_and_number[2]}?"
    elif matches:
        way_out = f"Did you mean {by_spelling[matches[0]]}?"
    message = f"unknown measure {name!r}. {way_out}"
    raise MeasureError(message, code="unknown-measure")


def _normalize_name(name: str) -> str:
    """Return a name as it is looked up: in lower case, without the signs that join words."""
    return re.sub(r"[-_ ]", "", name.lower().replace("+", "plus"))


def _parse_number(text: str) -> Any:
    # What is no number is left to the setting to refuse: its error names what it takes.
    for kind, pattern in ((int, r"\s*-?\d+\s*"), (float, r"\s*-?(\d+\.\d*|\.\d+)\s*")):
        if re.fullmatch(pattern, text):
            return kind(text)
    return text


def _parse_settings(inside: str, text: str) -> dict[str, Any]:
    try:
        call = parse_expression(f"f({inside})")
        if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Name):
            raise _make_unreadable_error(text)
        names = [str(keyword.arg) for keyword in call.keywords]
        if len(set(names)) < len(names):
            raise _make_unreadable_error(text)
        return {str(keyword.arg): _parse_value(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _make_unreadable_error(text) from None


def _parse_value(node: ast.expr) -> Any:
    # Bare words stand for themselves: gain=exp2, discount=jk(2).
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return ast.unparse(node)
    return ast.literal_eval(node)


def _make_unreadable_error(text: str) -> MeasureError:
    excerpt = text if len(text) <= 60 else text[:57] + "..."
    return MeasureError(
        f"cannot read {excerpt!r} as a measure; write it like nDCG@10 or nDCG(gain=exp2)@5,10.",
        code="unreadable-measure",
    )
