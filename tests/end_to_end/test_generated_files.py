"""Generated files are current, and the generator of exports reads what is declared."""

import subprocess
import sys
from pathlib import Path

import pytest

import generate_exports

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("tool", ["bundle_vega.py", "generate_docs.py", "generate_exports.py"])
def test_generated_files_are_current(tool):
    result = subprocess.run(
        [sys.executable, str(ROOT / "tools" / tool), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout, result.returncode) == ("", 0)


def test_a_measure_is_found_by_its_decorator(tmp_path):
    path = tmp_path / "family.py"
    path.write_text(
        "@measure\ndef A(r): ...\n\n@measure(bounds=(0, 1))\ndef B(r): ...\n\n"
        "@cache\ndef helper(): ...\n\ndef plain(): ...\n"
    )
    assert generate_exports.find_measures(path) == ("A", "B")


def test_a_stub_imports_every_name_from_its_room(tmp_path):
    path = tmp_path / "__init__.py"
    path.write_text(
        "__getattr__, __dir__, __all__ = lazy_exports(__name__, {'b': ('y', 'x'), **FAMILIES})"
    )
    rooms = generate_exports.read_exports(path, {"family": ("A",)})
    assert generate_exports.format_stub("shop", rooms) == (
        f"{generate_exports.GENERATED}\n"
        "from shop.b import x as x\nfrom shop.b import y as y\nfrom shop.family import A as A\n\n"
        '__all__ = [\n    "A",\n    "x",\n    "y",\n]\n'
    )
    path.write_text("from gainful.base.imports import Door")
    assert generate_exports.read_exports(path, {}) is None
