"""The house rules that no linter knows."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "gainful"


def modules():
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


def test_importing_gainful_loads_numpy_and_nothing_heavier():
    code = "import sys, json, gainful; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", code]))
    code = "import sys, json, numpy; print(json.dumps(sorted(sys.modules)))"
    with_numpy = json.loads(subprocess.check_output([sys.executable, "-c", code]))
    added = {name.partition(".")[0] for name in set(loaded) - set(with_numpy)}
    assert added - set(sys.stdlib_module_names) <= {"gainful", "numpy"}


def test_a_command_loads_no_other_command_and_no_format_that_it_does_not_write():
    code = "import sys; from gainful.cli import run; sys.argv[1:] = ['eval', '-h']; run(); "
    code += "print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    others = {"gainful.cli.demo", "gainful.cli.explain", "gainful.cli.reference"}
    others |= {"gainful.diagnostics.codes", "gainful.report.views.reference"}
    heavy = {
        "csv",
        "html",
        "json",
        "numpy.typing",
        "polars",
        "pandas",
        "pyarrow",
    }
    assert not {*others, *heavy} & set(printed.splitlines()[-1].split())


@pytest.mark.parametrize("name", ["eval", "compare", "gate", "power", "correlate", "unjudged"])
def test_scipy_is_loaded_when_statistics_are_asked_for_and_not_before(name):
    code = f"import sys; from gainful.cli import run; sys.argv[1:] = [{name!r}, '-h']; run(); "
    code += "import gainful; gainful.compare, gainful.gate, gainful.unjudged; print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert "scipy" not in printed.splitlines()[-1].split()


def test_only_the_command_line_prints_or_exits():
    for path in modules():
        if path.relative_to(SOURCE).parts[0] in ("cli", "__main__.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", None)
            assert name not in ("print", "exit", "quit"), f"{path}:{node.lineno}"


@pytest.mark.parametrize("tool", ["generate_docs.py", "generate_exports.py"])
def test_generated_files_are_current(tool):
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / tool), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_no_property_holds_a_lock_that_a_fork_would_keep_forever():
    pattern = re.compile(r"functools import .*\bcached_property|functools\.cached_property\b[^`]")
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    assert [path for path, text in texts.items() if pattern.search(text)] == []


def test_only_the_bindings_include_python():
    for path in (ROOT / "src" / "native").iterdir():
        text = path.read_text(encoding="utf-8")
        if "nanobind" in text or "Python.h" in text:
            assert path.name.startswith("bindings")


def test_every_local_link_in_the_documentation_leads_somewhere():
    for page in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
