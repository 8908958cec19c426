"""Checks of signatures, thresholds and configurations on pages."""

import ast
import inspect
from pathlib import Path

import yaml

import gainful
from gainful import spark
from gainful.gate.thresholds import read_config

ROOT = Path(__file__).parents[2]


def check_signatures(text, location):
    """Assert that every function takes what the page says, with the same defaults."""
    for function in ast.parse(text).body:
        values = [getattr(package, function.name, None) for package in (gainful, spark)]
        signatures = [_strip_types(value) for value in values if inspect.isfunction(value)]
        assert ast.unparse(function) in signatures, f"{location}: {function.name}"


def _strip_types(function):
    parameters = inspect.signature(function).parameters.values()
    signature = inspect.Signature(
        [parameter.replace(annotation=parameter.empty) for parameter in parameters]
    )
    return ast.unparse(ast.parse(f"def {function.__name__}{signature}: ..."))


def check_thresholds(text, folder, location):
    """Assert that a file of thresholds is understood by the gate."""
    file = folder / "gainful.toml"
    file.write_text(text, encoding="utf-8")
    try:
        assert read_config(file), location
    finally:
        file.unlink()


def check_configuration(text, location):
    """Assert that the inputs of GitHub steps and the pre-commit hooks exist."""
    entries = [entry for entry in yaml.safe_load(text) if "OWNER/gainful" in str(entry)]
    assert entries, f"{location}: nothing in it is ours"
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    declared = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    hooks = {hook["id"] for hook in declared}
    for entry in entries:
        assert set(entry.get("with", {})) <= set(inputs), location
        assert {hook["id"] for hook in entry.get("hooks", [])} <= hooks, location
