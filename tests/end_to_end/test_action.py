"""The steps that GitHub runs by action.yml, and the hook of .pre-commit-hooks.yaml."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gainful.gate.thresholds import collect_threshold_arguments
from terminal import needs_unix

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
GATE = next(step for step in STEPS if step.get("name") == "gainful gate")


def make_environment(**inputs):
    """Return the variables that GitHub would set for these inputs."""
    by_variable = {
        variable: re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)[1]
        for variable, value in GATE["env"].items()
    }
    inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
    assert set(inputs) <= set(by_variable.values())
    return {variable: inputs.get(name, "") for variable, name in by_variable.items()}


@pytest.fixture
def run_action(tmp_path):
    """Return a function that runs the action's step; a fake ``gainful`` records its arguments."""
    fake = tmp_path / "bin" / "gainful"
    fake.parent.mkdir()
    fake.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        "json.dump(sys.argv[1:], open('arguments.json', 'w'))\nsys.exit(1)\n"
    )
    fake.chmod(0o755)

    def run_action(**inputs):
        path = f"{fake.parent}{os.pathsep}{os.environ['PATH']}"
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", GATE["run"]],
            env=os.environ | make_environment(**inputs) | {"PATH": path},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        arguments_file = tmp_path / "arguments.json"
        arguments = json.loads(arguments_file.read_text()) if arguments_file.exists() else None
        return arguments, result.stdout, result.returncode

    return run_action


@needs_unix
def test_the_action_passes_its_inputs_on(run_action):
    arguments, _, code = run_action(
        qrels="qrels.txt",
        baseline="old.run",
        candidate="new.run",
        measures="nDCG@10\n\n  P(rel=2)@5\n",
        max_drop="0.02",
        mode="noninferior",
        min="0.4",
        min_judged="0.8",
        junit="gate.xml",
        report="gate.html",
        args="--ties average\n  --query-max-drop 0.5",
    )
    assert arguments == [
        "gate",
        "--measure=nDCG@10",
        "--measure=P(rel=2)@5",
        "--max-drop=0.02",
        "--mode=noninferior",
        "--min=0.4",
        "--min-judged=0.8",
        "--junit=gate.xml",
        "--report=gate.html",
        "--ties",
        "average",
        "--query-max-drop",
        "0.5",
        "--",
        "qrels.txt",
        "old.run",
        "new.run",
    ]
    assert code == 1


@needs_unix
@pytest.mark.parametrize(
    ("version", "report", "requirement"),
    [
        ("", "", "/action"),
        ("", "gate.html", "/action[report]"),
        ("1.2", "", "gainful==1.2"),
        ("1.2", "gate.html", "gainful[report]==1.2"),
    ],
)
def test_the_action_installs_what_a_report_takes_if_one_is_asked_for(
    tmp_path, version, report, requirement
):
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\nfor last; do :; done; echo "$last"\n')
    fake.chmod(0o755)
    script = next(step for step in STEPS if step.get("name") == "Install gainful")["run"]
    variables = {"VERSION": version, "REPORT": report, "SOURCE": "/action"}
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | variables | {"PATH": path}
    printed = subprocess.check_output(["bash", "-euc", script], env=environment, text=True)
    assert printed == f"{requirement}\n"


@needs_unix
def test_what_is_left_out_is_not_passed_on(run_action):
    assert run_action()[0] == ["gate", "--"]
    assert run_action(candidate="new.run")[0] == ["gate", "--", "new.run"]
    assert run_action(qrels="q", candidate="new.run")[0] == ["gate", "--", "q", "new.run"]


@needs_unix
@pytest.mark.parametrize(
    ("inputs", "problem"),
    [
        ({"baseline": "old.run", "candidate": "new.run"}, "baseline is given without qrels; "),
        ({"qrels": "qrels.txt"}, "candidate is not given; "),
    ],
)
def test_files_that_would_take_the_place_of_others_are_refused(run_action, inputs, problem):
    arguments, out, code = run_action(**inputs)
    assert (arguments, code) == (None, 2)
    assert out.startswith(f"::error title=gainful gate::{problem}")


@needs_unix
def test_nothing_in_an_input_is_run(run_action, tmp_path):
    evil = "$(touch hacked); `touch hacked`; touch hacked #'\""
    arguments, _, _ = run_action(
        qrels=evil, baseline=evil, candidate=evil, measures=evil, args=evil
    )
    assert arguments.count(evil) == 3
    assert f"--measure={evil}" in arguments
    assert not (tmp_path / "hacked").exists()


def test_scripts_of_the_action_hold_no_input():
    for step in STEPS:
        assert "${{" not in step.get("run", "")


def test_every_input_is_used_and_described():
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(ACTION["inputs"])
    assert all(action_input["description"] for action_input in ACTION["inputs"].values())
    flags = {name.replace("_", "-") for name in collect_threshold_arguments()}
    assert {"max-drop", "mode", "min", "min-judged"} <= flags & set(ACTION["inputs"])


def test_the_action_runs_steps_of_its_own_and_python():
    assert ACTION["runs"]["using"] == "composite"
    assert [step.get("uses", "").partition("@")[0] for step in STEPS] == [
        "actions/setup-python",
        "",
        "",
    ]
    assert all(step["shell"] == "bash" for step in STEPS if "run" in step)


@needs_unix
@pytest.mark.parametrize(("version", "requirement"), [("", "/a place"), ("1.2", "gainful==1.2")])
def test_the_version_is_installed_that_is_asked_for(tmp_path, version, requirement):
    install = next(step for step in STEPS if step.get("name") == "Install gainful")
    (tmp_path / "python").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "python").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", install["run"]],
        env=os.environ | {"PATH": path, "VERSION": version, "SOURCE": "/a place"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.splitlines()[-1] == requirement


def test_the_hook_runs_check():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert (hook["id"], hook["entry"], hook["language"]) == (
        "gainful-check",
        "gainful check",
        "python",
    )
    assert hook["pass_filenames"] is False
    for path in ("qrels.txt", "data/test.qrels", "runs/bm25.txt", "bm25.run", "bm25.run.gz"):
        assert re.search(hook["files"], path), path
    for path in ("README.md", "src/runner.py", "prunes.txt"):
        assert not re.search(hook["files"], path), path
