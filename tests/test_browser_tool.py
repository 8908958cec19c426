"""tools/browser.sh: finds a browser, installs one if it may, or says how to get one."""

import pytest

from machines import LINUX, apt
from machines import machine as machine
from terminal import needs_unix

SKIPPED = "note: tests in a browser are skipped, for there is none; install one with"

pytestmark = needs_unix


APT = apt("chromium")


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_browser_that_is_there_is_enough(machine, name):
    assert machine("browser.sh", {**LINUX, name: ""}) == ("", 0)


def test_a_browser_may_be_named(machine, tmp_path):
    assert machine("browser.sh", {**LINUX, "mine": ""}, GAINFUL_BROWSER="mine") == ("", 0)
    assert machine("browser.sh", {}, GAINFUL_BROWSER=str(tmp_path / "mine")) == ("", 0)


def test_a_name_of_nothing_is_not_replaced_by_what_is_there(machine):
    programs = {**LINUX, **APT, "chromium": "", "id": "echo 0"}
    said, code = machine("browser.sh", programs, GAINFUL_BROWSER="none")
    assert (said, code) == (f"{SKIPPED}: sudo apt-get install chromium\n", 1)


def test_root_installs_it(machine):
    said, code = machine("browser.sh", {**LINUX, **APT, "id": "echo 0"})
    assert (said, code) == ("Installing with apt-get: chromium\n", 0)


def test_who_needs_no_password_installs_it(machine):
    sudo = '[ "$1" != -n ] || exit 0; exec "$@"'
    said, code = machine("browser.sh", {**LINUX, **APT, "id": "echo 1000", "sudo": sudo})
    assert (said, code) == ("Installing with apt-get: chromium\n", 0)


def test_who_needs_a_password_is_told_what_to_type(machine):
    said, code = machine("browser.sh", {**LINUX, **APT, "id": "echo 1000", "sudo": "exit 1"})
    assert (said, code) == (f"{SKIPPED}: sudo apt-get install chromium\n", 1)


def test_a_package_that_does_not_exist_is_not_installed(machine):
    without = {**APT, "apt-cache": "echo '  Candidate: (none)'"}
    said, code = machine("browser.sh", {**LINUX, **without, "id": "echo 0"})
    assert (said, code) == (f"{SKIPPED}: sudo apt-get install chromium\n", 1)


@pytest.mark.parametrize(
    ("programs", "way_out"),
    [
        (LINUX, " this system's package manager"),
        ({**LINUX, "dnf": ""}, ": sudo dnf install chromium"),
        ({"uname": "echo Darwin"}, ": brew install --cask chromium"),
    ],
)
def test_other_systems_have_other_ways(machine, programs, way_out):
    assert machine("browser.sh", programs) == (f"{SKIPPED}{way_out}\n", 1)
