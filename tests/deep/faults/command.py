"""Runs of the command line in a separate process, in which faults are injected."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

needs_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the means to make this fail"
)
TIMEOUT = 120  # seconds; far more than is needed, for busy machines
MAIN = "from gainful_command import main; main()"
QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 c 1\n"
RUN = "q1 Q0 b 1 9 t\nq1 Q0 a 2 8 t\nq2 Q0 c 1 7 t\n"


class Result(NamedTuple):
    """Output and exit code of a process."""

    out: str
    err: str
    code: int


def run_python(code: str, *arguments: str, **options) -> Result:
    """Run a Python program from its source text."""
    process = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=options.pop("stderr", subprocess.PIPE),
        check=False,
        timeout=TIMEOUT,
        **options,
    )
    return Result(
        (process.stdout or b"").decode(), (process.stderr or b"").decode(), process.returncode
    )


def run_gainful(*arguments: str, setup: str = "", **options) -> Result:
    """Run the command after ``setup``, which is Python code that runs in the same process."""
    return run_python(f"{setup}\n{MAIN}", *arguments, **options)


def run_shell(command: str) -> Result:
    """Run a bash command in which ``gainful`` is the installed command."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    process = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        check=False,
        timeout=TIMEOUT,
        env=os.environ | {"PATH": path},
    )
    return Result(process.stdout.decode(), process.stderr.decode(), process.returncode)


def run_without_codes(*arguments: str, **options) -> Result:
    """Run the command, and remove the codes at the end of error messages."""
    out, err, code = run_gainful(*arguments, **options)
    return Result(out, re.sub(r"(?m)^(error: .*) \[[a-z-]+\]$", r"\1", err), code)


def is_one_sentence(err: str) -> bool:
    """Return whether the output is one error in one line."""
    return re.fullmatch(r"error: [^\n]*\.( \[[a-z-]+\])?\n", err) is not None


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder by file name."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
