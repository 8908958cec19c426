"""Checks of examples on pages: every block of code is run, or read by its reader."""

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from end_to_end.page_additions import check_additions
from end_to_end.page_declarations import check_configuration, check_signatures, check_thresholds
from end_to_end.page_shell import check_shell
from site_links import ADOPTED
from terminal import run_in_terminal

ROOT = Path(__file__).parents[2]
_REASON = re.compile(r"<!-- not run: (.+?) -->\s*", re.DOTALL)


class Block(NamedTuple):
    """A block of code, and why it is not run, if it is not."""

    language: str
    text: str
    line: int
    reason: str | None


def list_pages():
    """Return all pages that may hold code."""
    return [*(ROOT / name for name in ADOPTED), *sorted((ROOT / "docs").rglob("*.md"))]


def read_blocks(page):
    """Return the blocks of code on a page, in their order."""
    blocks, reason = [], None
    for token in MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            blocks.append(Block(token.info, token.content, token.map[0] + 1, reason))
        match = _REASON.fullmatch(token.content) if token.type == "html_block" else None
        reason = match and " ".join(match[1].split())
    return blocks


def check_examples(page, folder, **more_checks):
    """Assert that the examples print what the page says, with the demo's files in the folder.

    ``more_checks`` are checks of further languages, by name.
    """
    run_in_terminal("gainful demo --save shop", folder)
    shop = {path.name: path.read_bytes() for path in (folder / "shop").iterdir()}
    check_blocks(page, folder, **more_checks)
    assert shop == {path.name: path.read_bytes() for path in (folder / "shop").iterdir()}


def check_blocks(page, folder, **more_checks):
    """Assert that every block of code does what the page says, or says why it is not run."""
    names: dict[str, object] = {}
    checks = CHECKS | more_checks
    for block in read_blocks(page):
        location = f"{page.name}, line {block.line}"
        assert block.language in checks, f"{location}: nothing checks {block.language!r}"
        if block.reason is None:
            checks[block.language](block.text, folder, names, location)


def _check_commands(text, folder, names, location):
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert parts[0] == "", f"{location}: text before the first command"
    for part in parts[1:]:
        command, _, expected = part.partition("\n")
        if "--save shop" in command:  # the first command of every page; it has run already
            command = command.replace("shop", "again")
            expected = expected.replace("shop", "again")
        screen = run_in_terminal(command, folder, NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8")
        assert screen == expected, f"{location}: {command}"


def _check_python(text, folder, names, location):
    example = doctest.DocTestParser().get_doctest(text, names, location, location, 0)
    assert example.examples, f"{location}: Python without >>>; what is a script is called py"
    assert "+SKIP" not in text, f"{location}: an example that is skipped"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append, clear_globs=False)
    names.update(example.globs)
    assert not report, "".join(report)


def _check_script(text, folder, names, location):
    # MLflow keeps what is logged in a database by default, for which it needs further packages.
    variables = {
        "MLFLOW_TRACKING_URI": (folder / "runs").as_uri(),
        "MLFLOW_ALLOW_FILE_STORE": "true",
    }
    run = subprocess.run(
        [sys.executable, "-c", text],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, f"{location}: {run.stderr}"


# Text is read by no machine. A language that is not here is an error.
CHECKS = {
    "console": _check_commands,
    "python": _check_python,
    "py": _check_script,
    "diff": lambda text, folder, names, location: check_additions(text, folder, location),
    "pyi": lambda text, folder, names, location: check_signatures(text, location),
    "sh": lambda text, folder, names, location: check_shell(text, folder, location),
    "toml": lambda text, folder, names, location: check_thresholds(text, folder, location),
    "yaml": lambda text, folder, names, location: check_configuration(text, location),
    "json": lambda text, folder, names, location: json.loads(text),
    "text": lambda text, folder, names, location: None,
}
