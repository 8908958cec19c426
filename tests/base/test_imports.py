"""Lazy exports: imported on first use, never replaced by a submodule, pickled by name."""

import importlib
import pickle
import sys

import pytest
from pyspark import cloudpickle  # the one that sends functions to Spark

import gainful
from gainful import measures

FILES = {
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
    """Import a package with a function ``gate``, in a package and a module of the same name."""
    for name, text in FILES.items():
        path = tmp_path / "shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("shop")
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]


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


@pytest.mark.parametrize("pickler", [pickle, cloudpickle])
def test_packages_and_what_they_export_are_pickled_by_name(shop, pickler):
    for thing in (shop, shop.gate, shop.Rule, gainful, gainful.evaluate, gainful.nDCG, measures):
        assert pickle.loads(pickler.dumps(thing)) is thing or thing is gainful.nDCG
    assert pickle.loads(pickler.dumps(gainful.nDCG)) == gainful.nDCG


def test_a_function_that_uses_the_package_is_sent_to_another_process(shop):
    namespace = {"gainful": gainful, "__name__": "__main__"}
    exec("def score(labels): return gainful.ndcg(labels)", namespace)
    assert pickle.loads(cloudpickle.dumps(namespace["score"]))([3, 2, 3, 0, 1]) > 0.97
