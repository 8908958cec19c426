"""tools/clang.sh: finds a clang with libFuzzer, installs it if it may, or says how to."""

import pytest

from machines import LINUX, apt
from machines import machine as machine
from terminal import needs_unix

SKIPPED = (
    "note: inputs are mutated without looking at what they reach, for there is no clang with "
    "libFuzzer; install it with{}\n"
)
WITH_APT = SKIPPED.format(": sudo apt-get install clang libclang-rt-dev")
FUZZES = "while read -r _; do :; done"  # takes what it is to compile
APT = apt("clang++-21", FUZZES)

pytestmark = needs_unix


def test_root_installs_the_newest_with_its_libraries(machine):
    said = "Installing with apt-get: clang-21 libclang-rt-21-dev\n"
    assert machine("clang.sh", {**LINUX, **APT, "id": "echo 0"}) == (said, 0)


def test_a_clang_without_the_library_is_none(machine):
    programs = {**LINUX, "clang++": "exit 1"}
    way_out = " this system's package manager"
    assert machine("clang.sh", programs) == (SKIPPED.format(way_out), 1)
    assert machine("clang.sh", {**programs, "clang++-16": FUZZES}) == ("", 0)


def test_it_may_be_named(machine):
    programs = {**LINUX, **APT, "mine": FUZZES, "id": "echo 0"}
    assert machine("clang.sh", programs, GAINFUL_CLANG="mine") == ("", 0)
    assert machine("clang.sh", programs, GAINFUL_CLANG="other") == (WITH_APT, 1)


def test_who_needs_a_password_is_told_what_to_type(machine):
    programs = {**LINUX, **APT, "id": "echo 1000", "sudo": "exit 1"}
    assert machine("clang.sh", programs) == (WITH_APT, 1)


@pytest.mark.parametrize(
    ("programs", "way_out"),
    [
        ({**LINUX, "dnf": ""}, ": sudo dnf install clang compiler-rt"),
        ({"uname": "echo Darwin"}, ": brew install llvm"),
    ],
)
def test_other_systems_have_other_ways(machine, programs, way_out):
    assert machine("clang.sh", programs) == (SKIPPED.format(way_out), 1)
