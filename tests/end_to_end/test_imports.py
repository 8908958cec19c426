"""Modules that importing gainful and starting a command load, and those they do not load."""

import json
import subprocess
import sys

import pytest


def test_importing_gainful_loads_no_measure_and_not_even_numpy():
    code = "import sys, gainful; print(*sorted(n for n in sys.modules if n.startswith('gainful')))"
    code += "; print('numpy' in sys.modules)"
    loaded, numpy = subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()
    assert loaded.split() == [
        "gainful",
        "gainful.base",
        "gainful.base.imports",
        "gainful.measures",
        "gainful.measures._index",
    ]
    assert numpy == "False"


def test_importing_gainful_loads_no_other_package_than_numpy():
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
    other_modules = {"gainful.cli.demo", "gainful.cli.explain", "gainful.cli.reference"}
    other_modules |= {"gainful.diagnostics.codes", "gainful.report.views.reference"}
    heavy = {
        "csv",
        "html",
        "json",
        "numpy.typing",
        "polars",
        "pandas",
        "pyarrow",
    }
    assert not {*other_modules, *heavy} & set(printed.splitlines()[-1].split())


@pytest.mark.parametrize("name", ["eval", "compare", "gate", "power", "correlate", "unjudged"])
def test_scipy_is_loaded_when_statistics_are_asked_for_and_not_before(name):
    code = f"import sys; from gainful.cli import run; sys.argv[1:] = [{name!r}, '-h']; run(); "
    code += "import gainful; gainful.compare, gainful.gate, gainful.unjudged; print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert "scipy" not in printed.splitlines()[-1].split()
