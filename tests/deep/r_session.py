"""Blocks of R, run as R prints them: each expression, then its output behind #>."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# A file, for Rscript -e takes no lines; output is caught, so that it stands below its expression.
ECHO = """
expressions <- parse("block.R", keep.source = TRUE)
for (n in seq_along(expressions)) {
  cat(as.character(attr(expressions, "srcref")[[n]]), sep = "\\n")
  printed <- capture.output({
    found <- withVisible(eval(expressions[[n]], globalenv()))
    if (found$visible) print(found$value)
  })
  if (length(printed)) cat(paste("#>", printed), sep = "\\n")
}
"""


def run_block(text: str, folder: Path) -> str:
    """The block's expressions with the output that each has in a new session of R."""
    code = [line for line in text.splitlines(keepends=True) if not line.startswith("#>")]
    (folder / "block.R").write_text("".join(code), encoding="utf-8")
    (folder / "echo.R").write_text(ECHO, encoding="utf-8")
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8",
    }
    result = subprocess.run(
        ["Rscript", "--vanilla", "echo.R"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return "".join(f"{line.rstrip()}\n" for line in result.stdout.splitlines())


def has_package(name: str) -> bool:
    """Whether R is there, and has the package."""
    question = f"quit(status = !requireNamespace('{name}', quietly = TRUE))"
    command = ["Rscript", "--vanilla", "-e", question]
    return bool(shutil.which("Rscript")) and subprocess.run(command, check=False).returncode == 0


needs_r = pytest.mark.skipif(
    shutil.which("Rscript") is None,
    reason="there is no R; Debian and Ubuntu have it with: apt-get install r-base-core",
)
