"""Tools that build, check and release are those that somebody looked at: pinned by hashes."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "tools" / "requirements"
WORKFLOWS = [*sorted((ROOT / ".github" / "workflows").glob("*.yml")), ROOT / "action.yml"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK_FILES = sorted(REQUIREMENTS.glob("*.txt"))


def get_name(path):
    return path.name


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=get_name)
def test_every_action_is_pinned_to_a_commit_and_says_its_version(workflow):
    uses = re.findall(r"^\s*(?:- )?uses: (.+)$", workflow.read_text(encoding="utf-8"), re.MULTILINE)
    assert uses
    for action in uses:
        assert re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_an_action_has_one_commit_everywhere():
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    pins = set(re.findall(r"uses: ([\w./-]+)@(\S+)", text))
    assert len({action for action, _ in pins}) == len(pins)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=get_name)
def test_no_workflow_runs_a_tool_straight_from_an_index(workflow):
    text = workflow.read_text(encoding="utf-8")
    assert not re.search(r"pipx|uvx|npx|curl|wget", text)


@pytest.mark.parametrize("locked", LOCK_FILES, ids=get_name)
def test_every_tool_has_one_version_and_hashes(locked):
    entries = re.split(r"\n(?=[a-z])", locked.read_text(encoding="utf-8"))[1:]
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


@pytest.mark.parametrize("locked", LOCK_FILES, ids=get_name)
def test_what_is_locked_names_no_index_and_no_address(locked):
    text = locked.read_text(encoding="utf-8") + locked.with_suffix(".in").read_text("utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host|@ ", text)


def test_every_list_of_tools_is_locked_and_made_by_make_requirements():
    assert {path.stem for path in LOCK_FILES} == {path.stem for path in REQUIREMENTS.glob("*.in")}
    match = re.search(r"^REQUIREMENTS := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert sorted(match[1].split()) == [path.stem for path in LOCK_FILES]


def test_what_pyproject_pins_is_what_is_locked():
    extras = PROJECT["project"]["optional-dependencies"]
    requirements = [
        Requirement(requirement)
        for extra in ("deep", "check", "docs")
        for requirement in extras[extra]
    ]
    exact = [
        requirement for requirement in requirements if str(requirement.specifier).startswith("==")
    ]
    pinned = {
        canonicalize_name(requirement.name): str(requirement.specifier)[2:] for requirement in exact
    }
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", read_texts(LOCK_FILES), re.MULTILINE))
    assert {"ruff", "mypy", "clang-format", "nanobind", "mkdocs"} <= pinned.keys()
    assert pinned.items() <= locked.items()


def test_what_builds_the_package_is_locked():
    text = (REQUIREMENTS / "build.txt").read_text(encoding="utf-8")
    for requirement in PROJECT["build-system"]["requires"]:
        assert re.search(rf"^{re.split('[<>=]', requirement)[0]}==", text, re.MULTILINE)


def read_texts(paths):
    return "".join(path.read_text(encoding="utf-8") for path in paths)
