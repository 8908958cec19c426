"""Public names: imported lazily, listed completely, and never replaced by a submodule."""

import importlib
import pickle
import subprocess
import sys

import pytest
from pyspark import cloudpickle  # the one that sends functions to Spark

import gainful
import generate_exports
from gainful import measures

ROOMS = {
    "__init__.py": """
from gainful.base.imports import lazy_exports
__getattr__, __dir__, __all__ = lazy_exports(__name__, {"gate": ("gate",), "rules.deep": ("Rule",)})
""",
    "gate/__init__.py": """
from gainful.base.imports import lazy_exports
__getattr__, __dir__, __all__ = lazy_exports(__name__, {"gate": ("gate",), "checks": ("LIMIT",)})
""",
    "gate/gate.py": """
from shop.gate import LIMIT
def gate():
    return LIMIT
""",
    "gate/checks.py": "LIMIT = 3",
    "rules/__init__.py": "",
    "rules/deep.py": "class Rule: pass",
}


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A package with a function ``gate``, in a package and a module of the same name."""
    for name, text in ROOMS.items():
        path = tmp_path / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("shop")
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]


@pytest.mark.parametrize("package", [gainful, measures])
def test_every_public_name_is_listed_and_nothing_else(package):
    assert dir(package) == package.__all__ == sorted(set(package.__all__))
    for name in package.__all__:
        assert getattr(package, name) is vars(package)[name]


def test_every_measure_is_a_public_name_of_the_package():
    assert {name for names in measures.FAMILIES.values() for name in names} <= {*gainful.__all__}
    assert gainful.nDCG is measures.nDCG is measures.REGISTRY["nDCG"]


def test_importing_gainful_loads_no_measure_and_not_even_numpy():
    code = "import sys, gainful; print(*sorted(n for n in sys.modules if n.startswith('gainful')))"
    code += "; print('numpy' in sys.modules)"
    ours, numpy = subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()
    assert ours.split() == [
        "gainful",
        "gainful.base",
        "gainful.base.imports",
        "gainful.measures",
        "gainful.measures._index",
    ]
    assert numpy == "False"


def test_a_room_is_imported_when_one_of_its_names_is_first_used(shop):
    assert "shop.rules.deep" not in sys.modules
    from shop import Rule

    assert Rule is shop.Rule is sys.modules["shop.rules.deep"].Rule
    assert vars(shop)["Rule"] is Rule


@pytest.mark.parametrize("name", ["Nothing", "__path_hooks__"])
def test_an_unknown_name_is_an_attribute_error_in_the_usual_words(shop, name):
    with pytest.raises(AttributeError) as error:
        getattr(shop, name)
    assert str(error.value) == f"module 'shop' has no attribute {name!r}"
    with pytest.raises(ImportError, match=f"cannot import name {name!r} from 'shop'"):
        exec(f"from shop import {name}")


@pytest.mark.parametrize(
    "code",
    [
        "import shop.gate",
        "import shop.gate.checks",
        "import shop.gate.gate",
        "from shop.gate.gate import gate",
        "from shop.gate.checks import LIMIT",
        "from shop.gate import checks, gate",
        "from shop import gate",
        "from shop import *",
        "importlib.import_module('shop.gate')",
        "importlib.import_module('shop.gate.checks')",
        "importlib.reload(importlib.import_module('shop.gate'))",
        "importlib.reload(shop)",
    ],
)
def test_a_public_name_is_not_replaced_by_its_submodule(shop, code):
    for _ in range(2):
        exec(code, {"shop": shop, "importlib": importlib})
        assert shop.gate() == sys.modules["shop.gate"].gate() == 3
        assert importlib.import_module("shop.gate") is sys.modules["shop.gate"]


def test_other_submodules_are_attributes_as_usual(shop):
    import shop.rules.deep as deep

    assert shop.rules.deep is deep is sys.modules["shop.rules.deep"]


def test_a_public_name_can_be_replaced_by_anything_else(shop, monkeypatch):
    monkeypatch.setattr(shop, "gate", len)
    assert shop.gate is len
    monkeypatch.undo()
    assert shop.gate() == 3


@pytest.mark.parametrize("pickled", [pickle, cloudpickle])
def test_packages_and_what_they_export_are_pickled_by_name(shop, pickled):
    for thing in (shop, shop.gate, shop.Rule, gainful, gainful.evaluate, gainful.nDCG, measures):
        assert pickle.loads(pickled.dumps(thing)) is thing or thing is gainful.nDCG
    assert pickle.loads(pickled.dumps(gainful.nDCG)) == gainful.nDCG


def test_a_function_that_uses_the_package_is_sent_to_another_process(shop):
    namespace = {"gainful": gainful, "__name__": "__main__"}
    exec("def score(labels): return gainful.ndcg(labels)", namespace)
    assert pickle.loads(cloudpickle.dumps(namespace["score"]))([3, 2, 3, 0, 1]) > 0.97


def test_the_function_gate_remains_beside_the_package_gate():
    code = "import gainful.gate; from gainful.gate import Gate; import gainful; "
    code += "print(type(gainful.gate).__name__)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "function\n"


def test_a_measure_is_found_by_its_decorator(tmp_path):
    path = tmp_path / "family.py"
    path.write_text(
        "@measure\ndef A(r): ...\n\n@measure(bounds=(0, 1))\ndef B(r): ...\n\n"
        "@cache\ndef helper(): ...\n\ndef plain(): ...\n"
    )
    assert generate_exports.declared_measures(path) == ("A", "B")


def test_a_stub_imports_every_name_from_its_room(tmp_path):
    path = tmp_path / "__init__.py"
    path.write_text(
        "__getattr__, __dir__, __all__ = lazy_exports(__name__, {'b': ('y', 'x'), **FAMILIES})"
    )
    rooms = generate_exports.read_rooms(path, {"family": ("A",)})
    assert generate_exports.stub_text("shop", rooms) == (
        f"{generate_exports.GENERATED}\n"
        "from shop.b import x as x\nfrom shop.b import y as y\nfrom shop.family import A as A\n\n"
        '__all__ = [\n    "A",\n    "x",\n    "y",\n]\n'
    )
    path.write_text("from gainful.base.imports import Door")
    assert generate_exports.read_rooms(path, {}) is None


def test_every_measure_is_public_under_its_name():
    for name in (name for family in gainful.measures.FAMILIES.values() for name in family):
        assert isinstance(getattr(gainful, name), gainful.Measure)
