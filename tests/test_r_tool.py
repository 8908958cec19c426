"""tools/r.sh: finds R, installs it if it may, or says how to."""

import pytest

from machines import LINUX, apt
from machines import machine as machine
from terminal import needs_unix

SKIPPED = "note: tests of the page for R users are skipped, for there is no R; install it with{}\n"
APT = apt("Rscript")

pytestmark = needs_unix


def test_an_r_that_is_there_is_enough(machine):
    assert machine("r.sh", {**LINUX, "Rscript": ""}) == ("", 0)


def test_root_installs_one(machine):
    said = "Installing with apt-get: r-base-core\n"
    assert machine("r.sh", {**LINUX, **APT, "id": "echo 0"}) == (said, 0)


@pytest.mark.parametrize(
    ("programs", "way_out"),
    [
        ({**LINUX, **APT, "id": "echo 7", "sudo": "exit 1"}, ": sudo apt-get install r-base-core"),
        ({**LINUX, "dnf": ""}, ": sudo dnf install R-core"),
        ({"uname": "echo Darwin"}, ": brew install r"),
    ],
)
def test_others_are_told_what_to_type(machine, programs, way_out):
    assert machine("r.sh", programs) == (SKIPPED.format(way_out), 1)
