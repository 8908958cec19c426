"""Machines that have some programs and no others, to run our scripts on."""

import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
LINUX = {"uname": "echo Linux"}


def make_apt(program, code=""):
    """An apt-get that installs a program, whatever it is asked for."""
    return {
        "apt-get": f'[ "$1" = update ] || cp "${{0%/*}}/new" "${{0%/*}}/{program}"',
        "apt-cache": "echo '  Candidate: 156.0'",
        "new": code,
    }


@pytest.fixture
def machine(tmp_path):
    """Runs a script on a machine, and gives what it said and its exit code."""
    for name in ("env", "grep", "sed", "cp"):
        (tmp_path / name).symlink_to(shutil.which(name))

    def run(script, programs, **variables):
        for name, code in programs.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(f"#!/bin/sh\n{code}\n")
            (tmp_path / name).chmod(0o755)
        environment = {"PATH": str(tmp_path), **variables}
        command = ["/bin/sh", str(TOOLS / script)]
        result = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
        assert result.stdout == ""
        return result.stderr, result.returncode

    return run
