"""The command line in a process of its own, where something goes wrong."""

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
PATIENCE = 120  # seconds; it takes far less, but machines may be busy
MAIN = "from gainful_command import main; main()"
QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 c 1\n"
RUN = "q1 Q0 b 1 9 t\nq1 Q0 a 2 8 t\nq2 Q0 c 1 7 t\n"


class Ended(NamedTuple):
    """How a process ended, and what it said."""

    out: str
    err: str
    code: int


def python(code: str, *arguments: str, **how) -> Ended:
    """How a program ends that is given as text."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        stdout=how.pop("stdout", subprocess.PIPE),
        stderr=how.pop("stderr", subprocess.PIPE),
        check=False,
        timeout=PATIENCE,
        **how,
    )
    return Ended((done.stdout or b"").decode(), (done.stderr or b"").decode(), done.returncode)


def gainful(*arguments: str, before: str = "", **how) -> Ended:
    """How the command ends, after some code has run in its process."""
    return python(f"{before}\n{MAIN}", *arguments, **how)


def shell(command: str) -> Ended:
    """What a command of bash leaves behind; ``gainful`` is ours."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        env=os.environ | {"PATH": path},
    )
    return Ended(done.stdout.decode(), done.stderr.decode(), done.returncode)


def uncoded(*arguments: str, **how) -> Ended:
    """The same as ``gainful``, without the code that errors end in."""
    out, err, code = gainful(*arguments, **how)
    return Ended(out, re.sub(r"(?m)^(error: .*) \[[a-z-]+\]$", r"\1", err), code)


def is_one_sentence(err: str) -> bool:
    """Whether all that is said is one error, in one line."""
    return re.fullmatch(r"error: [^\n]*\.( \[[a-z-]+\])?\n", err) is not None


def content(folder: Path) -> dict[str, bytes]:
    """What every file in a folder holds."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
