"""Every error and notice has a page, and every page belongs to an error or notice."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import gainful
from gainful import errors
from gainful.adapters.pytrec_eval import UnfitError
from gainful.diagnostics.codes import CODES, GROUPS, find_code, normalize_code
from gainful.diagnostics.notices import NOTICE_TYPES, SEVERITIES
from gainful.sources.native_errors import _CODES
from gainful.spark.failures import _KNOWN_ERRORS

SOURCE = Path(gainful.__file__).parent
CLASSES = {
    name: kind
    for name, kind in [*vars(errors).items(), ("UnfitError", UnfitError)]
    if isinstance(kind, type) and issubclass(kind, errors.GainfulError)
}
# Codes that are looked up where the error is made, with the exceptions they are given to.
LOOKED_UP = {("SourceError", code) for code in _CODES.values()}
LOOKED_UP |= {("SparkError", code) for code, _ in _KNOWN_ERRORS.values()}
LOOKED_UP |= {("MemoryError", "no-memory")}  # Python's own; the command line gives it a sentence


def parse_sources():
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name != "codes.py":
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def read_name(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def read_literals(node):
    """Return the texts that an expression may be."""
    if isinstance(node, ast.IfExp):
        return read_literals(node.body) + read_literals(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) else []


def find_raised_codes():
    """Yield every exception and code that are written together, with their place."""
    for path, tree in parse_sources():
        assignments = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
        values = {read_name(node.targets[0]): node.value for node in assignments}
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            kind = read_name(node.func)
            argument = next((word.value for word in node.keywords if word.arg == "code"), None)
            place = f"{path.name}:{node.lineno}"
            if kind in CLASSES:
                assert argument is not None, place
                if isinstance(argument, ast.Name) and argument.id in values:
                    argument = values[argument.id]
                yield from ((kind, code, place) for code in read_literals(argument))
            elif kind == "_refuse" and argument is not None:
                yield from (("SourceError", code, place) for code in read_literals(argument))
            elif kind == "check" and len(node.args) == 4 and read_literals(node.args[3]):
                yield read_name(node.args[2]), node.args[3].value, place


def find_notices():
    for path in SOURCE.rglob("*.py"):
        if "@declare_notice(" in path.read_text(encoding="utf-8"):
            import_module(".".join(path.relative_to(SOURCE.parent).with_suffix("").parts))
    return NOTICE_TYPES


def test_the_codes_that_are_raised_are_those_that_are_declared():
    raised_codes = {(kind, code) for kind, code, _ in find_raised_codes()} | LOOKED_UP
    raised_codes = {(kind, code) for kind, code in raised_codes if code in CODES}
    undeclared = [
        (kind, code, place) for kind, code, place in find_raised_codes() if code not in CODES
    ]
    assert undeclared == []
    declared = {(kind, code.code) for code in CODES.values() for kind in code.errors}
    assert declared - raised_codes == set()
    assert raised_codes - declared == set()


def test_every_reason_of_the_native_core_has_a_code():
    tree = ast.parse((SOURCE / "sources" / "native_errors.py").read_text(encoding="utf-8"))
    worded = next(
        {key.value for key in node.value.keys}
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and read_name(node.targets[0]) == "sentences"
    )
    assert worded == set(_CODES)


def test_every_notice_has_a_page_and_no_code_is_an_error_and_a_notice():
    assert {code.code for code in CODES.values() if not code.errors} == set(find_notices())
    assert sum(map(len, GROUPS.values())) == len(CODES)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_a_page_says_what_it_means_what_causes_it_and_what_to_do(code):
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.code)
    for text in (code.summary, code.cause, code.remedy):
        assert text.strip() == text
        assert text.endswith(".")
        assert text.count("`") % 2 == 0
    assert len({code.summary, code.cause, code.remedy}) == 3
    assert len(code.cause.split()) >= 8
    assert len(code.remedy.split()) >= 5
    assert code.example
    assert "\n" not in code.example
    if code.errors:
        assert code.severity == "error"
    else:
        assert code.severity == find_notices()[code.code].severity
        assert code.severity in SEVERITIES


def test_a_code_is_found_however_it_is_typed():
    for text in ("missing-queries", "[missing-queries]", "Missing_Queries", " missing queries "):
        assert find_code(text) is CODES["missing-queries"]
    assert normalize_code("[NEAR_ids]") == "near-ids"
    assert find_code("no-such-code") is None
