"""tools/browser.sh: finds a browser, installs one if it may, or says how to get one."""

import shutil
import subprocess
from pathlib import Path

import pytest

from terminal import needs_unix

SCRIPT = Path(__file__).parents[1] / "tools" / "browser.sh"
SKIPPED = "note: tests in a browser are skipped, for there is none; install one with"

pytestmark = needs_unix


@pytest.fixture
def machine(tmp_path):
    """Runs the script on a machine that has these programs and no others, and says what it said."""
    for name in ("env", "grep", "touch", "chmod"):
        (tmp_path / name).symlink_to(shutil.which(name))

    def run(programs, **variables):
        for name, script in programs.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / name).chmod(0o755)
        environment = {"PATH": str(tmp_path), **variables}
        done = subprocess.run(
            ["/bin/sh", str(SCRIPT)], env=environment, capture_output=True, text=True, check=False
        )
        assert done.stdout == ""
        return done.stderr, done.returncode

    return run


LINUX = {"uname": "echo Linux"}
# Installs what it is asked for, as long as nobody has to type a password.
APT = {
    "apt-get": '[ "$1" = update ] || { cd "${0%/*}"; touch chromium; chmod +x chromium; }',
    "apt-cache": "echo '  Candidate: 156.0'",
}


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_browser_that_is_there_is_enough(machine, name):
    assert machine({**LINUX, name: ""}) == ("", 0)


def test_a_browser_may_be_named(machine, tmp_path):
    assert machine({**LINUX, "mine": ""}, GAINFUL_BROWSER="mine") == ("", 0)
    assert machine({}, GAINFUL_BROWSER=str(tmp_path / "mine")) == ("", 0)


def test_a_name_of_nothing_is_not_replaced_by_what_is_there(machine):
    said, code = machine({**LINUX, **APT, "chromium": "", "id": "echo 0"}, GAINFUL_BROWSER="none")
    assert (said, code) == (f"{SKIPPED}: sudo apt-get install chromium\n", 1)


def test_root_installs_it(machine):
    said, code = machine({**LINUX, **APT, "id": "echo 0"})
    assert (said, code) == ("Installing with apt-get: chromium\n", 0)


def test_who_needs_no_password_installs_it(machine):
    sudo = '[ "$1" != -n ] || exit 0; exec "$@"'
    said, code = machine({**LINUX, **APT, "id": "echo 1000", "sudo": sudo})
    assert (said, code) == ("Installing with apt-get: chromium\n", 0)


def test_who_needs_a_password_is_told_what_to_type(machine):
    said, code = machine({**LINUX, **APT, "id": "echo 1000", "sudo": "exit 1"})
    assert (said, code) == (f"{SKIPPED}: sudo apt-get install chromium\n", 1)


def test_a_package_that_does_not_exist_is_not_installed(machine):
    without = {**APT, "apt-cache": "echo '  Candidate: (none)'"}
    said, code = machine({**LINUX, **without, "id": "echo 0"})
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
    assert machine(programs) == (f"{SKIPPED}{way_out}\n", 1)
