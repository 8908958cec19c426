"""tools/*.sh: each finds a program, installs it if it may, or says how to get it."""

from typing import NamedTuple

import pytest

from machines import LINUX, make_apt
from machines import machine as machine
from terminal import needs_unix

pytestmark = needs_unix


def make_java(version):
    return f"""echo 'openjdk version "{version}" 2025-04-15' >&2"""


class Tool(NamedTuple):
    program: str
    code: str  # of the program, as a script
    installed: str  # the packages, as apt-get calls them
    skipped: str  # what is said without it
    ways: dict[str, str]  # how to get it, by package manager


TOOLS = {
    "browser.sh": Tool(
        "chromium",
        "",
        "chromium",
        "note: tests in a browser are skipped, for there is none",
        {"apt": "chromium", "dnf": "chromium", "brew": "--cask chromium"},
    ),
    "java.sh": Tool(
        "java",
        make_java("17.0.15"),
        "openjdk-17-jre-headless",
        "note: tests of Spark are skipped, for there is no Java 17 or newer",
        {"apt": "openjdk-17-jre-headless", "dnf": "java-17-openjdk-headless", "brew": "openjdk@17"},
    ),
    "r.sh": Tool(
        "Rscript",
        "",
        "r-base-core",
        "note: tests of the page for R users are skipped, for there is no R",
        {"apt": "r-base-core", "dnf": "R-core", "brew": "r"},
    ),
    "clang.sh": Tool(
        "clang++-21",
        "while read -r _; do :; done",  # takes what it is to compile
        "clang-21 libclang-rt-21-dev",
        "note: inputs are mutated without looking at what they reach, for there is no clang with "
        "libFuzzer",
        {"apt": "clang libclang-rt-dev", "dnf": "clang compiler-rt", "brew": "llvm"},
    ),
}


@pytest.mark.parametrize("script", TOOLS)
def test_what_is_there_is_enough(machine, script):
    tool = TOOLS[script]
    assert machine(script, {**LINUX, tool.program: tool.code}) == ("", 0)


@pytest.mark.parametrize("script", TOOLS)
def test_who_needs_no_password_installs_it(machine, script):
    tool = TOOLS[script]
    message = f"Installing with apt-get: {tool.installed}\n"
    sudo = '[ "$1" != -n ] || exit 0; exec "$@"'
    programs = {**LINUX, **make_apt(tool.program, tool.code), "id": "echo 1000", "sudo": sudo}
    assert machine(script, programs) == (message, 0)


@pytest.mark.parametrize("script", TOOLS)
def test_others_are_told_what_to_type(machine, script):
    tool, pronoun = TOOLS[script], "one" if script == "browser.sh" else "it"
    with_apt = {**LINUX, **make_apt(tool.program, tool.code), "id": "echo 7", "sudo": "exit 1"}
    message = f"{tool.skipped}; install {pronoun} with: sudo apt-get install {tool.ways['apt']}\n"
    assert machine(script, with_apt) == (message, 1)


@pytest.mark.parametrize("script", TOOLS)
def test_other_systems_have_other_ways(machine, script):
    tool, pronoun = TOOLS[script], "one" if script == "browser.sh" else "it"
    message = f"{tool.skipped}; install {pronoun} with: brew install {tool.ways['brew']}\n"
    assert machine(script, {"uname": "echo Darwin"}) == (message, 1)
    message = f"{tool.skipped}; install {pronoun} with: sudo dnf install {tool.ways['dnf']}\n"
    assert machine(script, {**LINUX, "dnf": ""}) == (message, 1)


def test_a_program_may_be_named_and_nothing_else_takes_its_place(machine, tmp_path):
    programs = {**LINUX, "chromium": "", "mine": ""}
    assert machine("browser.sh", programs, GAINFUL_BROWSER="mine") == ("", 0)
    assert machine("browser.sh", programs, GAINFUL_BROWSER="none")[1] == 1
    programs = {**LINUX, "java": make_java("11.0.2"), "home/bin/java": make_java("17.0.1")}
    assert machine("java.sh", programs, JAVA_HOME=str(tmp_path / "home")) == ("", 0)
    assert machine("java.sh", programs, JAVA_HOME="/nowhere")[1] == 1


@pytest.mark.parametrize("old", ["1.8.0_402", "11.0.22"])
def test_an_old_java_is_none_and_a_newer_package_will_do(machine, old):
    only = 'case "$2" in *-21-*) echo "  Candidate: 21" ;; *) echo "  Candidate: (none)" ;; esac'
    packages = {**make_apt("java", make_java("21")), "apt-cache": only, "id": "echo 0"}
    message = "Installing with apt-get: openjdk-21-jre-headless\n"
    assert machine("java.sh", {**LINUX, "java": make_java(old), **packages}) == (message, 0)
