"""Public names: listed completely, and found under their names."""

import subprocess
import sys

import pytest

import gainful
from gainful import measures


@pytest.mark.parametrize("package", [gainful, measures])
def test_every_public_name_is_listed_and_nothing_else(package):
    assert dir(package) == package.__all__ == sorted(set(package.__all__))
    for name in package.__all__:
        assert getattr(package, name) is vars(package)[name]


def test_every_measure_is_a_public_name_of_the_package():
    assert {name for names in measures.FAMILIES.values() for name in names} <= {*gainful.__all__}
    assert gainful.nDCG is measures.nDCG is measures.REGISTRY["nDCG"]


def test_the_function_gate_remains_beside_the_package_gate():
    code = "import gainful.gate; from gainful.gate import Gate; import gainful; "
    code += "print(type(gainful.gate).__name__)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "function\n"


def test_every_measure_is_public_under_its_name():
    for name in (name for family in gainful.measures.FAMILIES.values() for name in family):
        assert isinstance(getattr(gainful, name), gainful.Measure)
