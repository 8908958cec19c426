"""tools/java.sh: finds a Java that is new enough, installs it if it may, or says how to."""

import pytest

from machines import LINUX, apt
from machines import machine as machine
from terminal import needs_unix

SKIPPED = "note: tests of Spark are skipped, for there is no Java 17 or newer; install it with{}\n"
WITH_APT = SKIPPED.format(": sudo apt-get install openjdk-17-jre-headless")

pytestmark = needs_unix


def java(version):
    return f"""echo 'openjdk version "{version}" 2025-04-15' >&2"""


APT = apt("java", java("17.0.15"))


@pytest.mark.parametrize("version", ["17.0.15", "21", "25-ea"])
def test_a_java_that_is_new_enough_is_enough(machine, version):
    assert machine("java.sh", {**LINUX, "java": java(version)}) == ("", 0)


def test_its_folder_may_be_named(machine, tmp_path):
    programs = {**LINUX, "java": java("11.0.2"), "mine/bin/java": java("17.0.1")}
    assert machine("java.sh", programs, JAVA_HOME=str(tmp_path / "mine")) == ("", 0)


@pytest.mark.parametrize("old", ["1.8.0_402", "11.0.22"])
def test_root_installs_one_in_the_place_of_none_or_an_old_one(machine, old):
    programs = {**LINUX, **APT, "id": "echo 0"}
    said = "Installing with apt-get: openjdk-17-jre-headless\n"
    assert machine("java.sh", {**programs, "java": java(old)}) == (said, 0)


def test_a_newer_package_will_do(machine):
    only = 'case "$2" in *-21-*) echo "  Candidate: 21" ;; *) echo "  Candidate: (none)" ;; esac'
    said, code = machine("java.sh", {**LINUX, **APT, "apt-cache": only, "id": "echo 0"})
    assert (said, code) == ("Installing with apt-get: openjdk-21-jre-headless\n", 0)


def test_a_folder_without_java_is_not_replaced_by_what_is_there(machine):
    programs = {**LINUX, **APT, "java": java("17.0.1"), "id": "echo 0"}
    assert machine("java.sh", programs, JAVA_HOME="/nowhere") == (WITH_APT, 1)


def test_who_needs_a_password_is_told_what_to_type(machine):
    programs = {**LINUX, **APT, "id": "echo 1000", "sudo": "exit 1"}
    assert machine("java.sh", programs) == (WITH_APT, 1)


@pytest.mark.parametrize(
    ("programs", "way_out"),
    [
        (LINUX, " this system's package manager"),
        ({**LINUX, "dnf": ""}, ": sudo dnf install java-17-openjdk-headless"),
        ({"uname": "echo Darwin"}, ": brew install openjdk@17"),
    ],
)
def test_other_systems_have_other_ways(machine, programs, way_out):
    assert machine("java.sh", programs) == (SKIPPED.format(way_out), 1)
