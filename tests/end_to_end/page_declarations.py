"""Signatures, thresholds and configurations on pages, held against what would read them."""

import ast
import inspect
from pathlib import Path

import yaml

import gainful
from gainful import spark
from gainful.gate.thresholds import read_config

ROOT = Path(__file__).parents[2]


def check_signatures(text, where):
    """Assert that every function takes what the page says, with the same defaults."""
    for function in ast.parse(text).body:
        own = [getattr(home, function.name, None) for home in (gainful, spark)]
        known = [_untyped(one) for one in own if inspect.isfunction(one)]
        assert ast.unparse(function) in known, f"{where}: {function.name}"


def _untyped(function):
    parameters = inspect.signature(function).parameters.values()
    plain = inspect.Signature([one.replace(annotation=one.empty) for one in parameters])
    return ast.unparse(ast.parse(f"def {function.__name__}{plain}: ..."))


def check_thresholds(text, folder, where):
    """Assert that a file of thresholds is understood by the gate."""
    file = folder / "gainful.toml"
    file.write_text(text, encoding="utf-8")
    try:
        assert read_config(file), where
    finally:
        file.unlink()


def check_configuration(text, where):
    """Assert that steps of GitHub and hooks of pre-commit name inputs and hooks that there are."""
    ours = [one for one in yaml.safe_load(text) if "OWNER/gainful" in str(one)]
    assert ours, f"{where}: nothing in it is ours"
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    declared = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    hooks = {hook["id"] for hook in declared}
    for one in ours:
        assert set(one.get("with", {})) <= set(inputs), where
        assert {hook["id"] for hook in one.get("hooks", [])} <= hooks, where
