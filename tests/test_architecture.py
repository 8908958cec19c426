"""Data flows one way: a package imports only packages to its left, through their doors.

Further rules of the source that no linter knows.
"""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "gainful"

PACKAGES = (
    *("errors", "base", "sources", "alignment", "measures", "dialects", "diagnostics"),
    *("evaluation", "unjudged", "stats", "gate", "report", "spark", "adapters", "cli"),
)

# The only imports to the right, each inside the function that needs it.
LAZY = {
    ("evaluation/evaluate.py", "spark"),  # DataFrames of Spark are evaluated where they are
    ("base/results.py", "report"),  # methods that show or export a result: Scores.to_csv()
}


def read_imports(path):
    """Yield what a module imports of ours, as (module, names, whether inside a function)."""

    def visit(node, is_lazy):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ImportFrom) and f"{child.module}.".startswith("gainful."):
                yield child.module, [alias.name for alias in child.names], is_lazy
            elif isinstance(child, ast.Import):
                names = [alias.name for alias in child.names]
                yield from ((name, [], is_lazy) for name in names if name.startswith("gainful."))
            else:
                yield from visit(child, is_lazy or isinstance(child, ast.FunctionDef))

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), is_lazy=False)


@pytest.fixture(scope="module")
def imports():
    """The imports of every module below the root, by its path."""
    paths = [path for path in sorted(SOURCE.rglob("*.py")) if path.parent != SOURCE]
    return {path.relative_to(SOURCE).as_posix(): [*read_imports(path)] for path in paths}


def test_a_package_imports_only_packages_to_its_left(imports):
    used = set()
    for importer, module_imports in imports.items():
        to_the_left = {*PACKAGES[: PACKAGES.index(importer.split("/")[0]) + 1], "_version"}
        for module, names, is_lazy in module_imports:
            packages = names if module == "gainful" else [module.split(".")[1]]
            to_the_right = {(importer, package) for package in {*packages} - to_the_left}
            assert to_the_right <= LAZY, (importer, module)
            assert is_lazy or not to_the_right, (importer, module)
            used |= to_the_right
    assert used == LAZY


def test_a_package_imports_others_through_their_doors(imports):
    for importer, module_imports in imports.items():
        for module, names, _ in module_imports:
            package, *rooms = module.split(".")[1:] or [importer.split("/")[0]]
            if package in (importer.split("/")[0], "_version", "errors"):
                continue
            assert rooms in ([], ["_native"]), (importer, module)
            if not rooms:
                exports = {"_native", *import_module(module).__all__}
                assert {*names} <= exports, (importer, module)


def test_the_root_holds_packages_and_six_files():
    files = {path.name for path in SOURCE.iterdir() if path.is_file()}
    stubs = {"__init__.pyi", "py.typed"}
    assert files == {"__init__.py", "__main__.py", "_version.py", "errors.py"} | stubs
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == {*PACKAGES, "demo"} - {"errors"}


def test_contributing_has_the_same_list_of_packages():
    listed = ", ".join(PACKAGES[:2]) + " < " + " < ".join(PACKAGES[2:])
    assert listed in (SOURCE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def modules():
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


def test_documented_arguments_are_those_of_the_function():
    section = re.compile(r"^Args:\n((?:    .*\n?)+)", re.MULTILINE)
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not (doc := ast.get_docstring(node)):
                continue
            if match := section.search(doc):
                names = re.findall(r"^    \*{0,2}(\w+): ", match[1], re.MULTILINE)
                nodes = ast.walk(node.args)
                assert {*names} <= {n.arg for n in nodes if isinstance(n, ast.arg)}, (path, names)


def test_only_the_command_line_prints_or_exits():
    for path in modules():
        if path.relative_to(SOURCE).parts[0] in ("cli", "__main__.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", None)
            assert name not in ("print", "exit", "quit"), f"{path}:{node.lineno}"


def test_no_property_holds_a_lock_that_a_fork_would_keep_forever():
    pattern = re.compile(r"functools import .*\bcached_property|functools\.cached_property\b[^`]")
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    users = [path.name for path, text in texts.items() if pattern.search(text)]
    assert users == ["caching.py"]


def test_only_the_bindings_include_python():
    for path in (SOURCE.parent / "native").iterdir():
        text = path.read_text(encoding="utf-8")
        if "nanobind" in text or "Python.h" in text:
            assert path.name.startswith("bindings")
