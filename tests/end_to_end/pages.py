"""Examples on pages: every block of code is run, or read by whatever would read it."""

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


def every_page():
    """All pages that may hold code."""
    return [*(ROOT / name for name in ADOPTED), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page):
    """The blocks of code on a page, in their order."""
    found, reason = [], None
    for token in MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            found.append(Block(token.info, token.content, token.map[0] + 1, reason))
        said = _REASON.fullmatch(token.content) if token.type == "html_block" else None
        reason = said and " ".join(said[1].split())
    return found


def check_examples(page, folder, **besides):
    """Assert that the page's examples print what it says, with the demo's files in the folder.

    ``besides`` checks further languages, by their names.
    """
    run_in_terminal("gainful demo --save shop", folder)
    shop = {path.name: path.read_bytes() for path in (folder / "shop").iterdir()}
    check_blocks(page, folder, **besides)
    assert shop == {path.name: path.read_bytes() for path in (folder / "shop").iterdir()}


def check_blocks(page, folder, **besides):
    """Assert that every block of code does what the page says, or says why it is not run."""
    names: dict[str, object] = {}
    checks = CHECKS | besides
    for block in blocks(page):
        where = f"{page.name}, line {block.line}"
        assert block.language in checks, f"{where}: nothing checks {block.language!r}"
        if block.reason is None:
            checks[block.language](block.text, folder, names, where)


def _check_commands(text, folder, names, where):
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert parts[0] == "", f"{where}: text before the first command"
    for part in parts[1:]:
        command, _, expected = part.partition("\n")
        if "--save shop" in command:  # saved already: the first command of every page
            command = command.replace("shop", "again")
            expected = expected.replace("shop", "again")
        seen = run_in_terminal(command, folder, NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8")
        assert seen == expected, f"{where}: {command}"


def _check_python(text, folder, names, where):
    example = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    assert example.examples, f"{where}: Python without >>>; what is a script is called py"
    assert "+SKIP" not in text, f"{where}: an example that is skipped"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append, clear_globs=False)
    names.update(example.globs)
    assert not report, "".join(report)


def _check_script(text, folder, names, where):
    # MLflow keeps what is logged in a database by default, for which it needs further packages.
    kept = {"MLFLOW_TRACKING_URI": (folder / "runs").as_uri(), "MLFLOW_ALLOW_FILE_STORE": "true"}
    run = subprocess.run(
        [sys.executable, "-c", text],
        cwd=folder,
        env=os.environ | kept,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, f"{where}: {run.stderr}"


# Text is for what no machine reads. A language that is not here is an error.
CHECKS = {
    "console": _check_commands,
    "python": _check_python,
    "py": _check_script,
    "diff": lambda text, folder, names, where: check_additions(text, folder, where),
    "pyi": lambda text, folder, names, where: check_signatures(text, where),
    "sh": lambda text, folder, names, where: check_shell(text, folder, where),
    "toml": lambda text, folder, names, where: check_thresholds(text, folder, where),
    "yaml": lambda text, folder, names, where: check_configuration(text, where),
    "json": lambda text, folder, names, where: json.loads(text),
    "text": lambda text, folder, names, where: None,
}
