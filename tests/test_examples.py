"""Every example in README.md and docs/: Python as doctest, commands as seen on a terminal."""

import doctest
import re
from pathlib import Path

import pytest

from terminal import needs_unix, seen_on_a_terminal

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@needs_unix
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen_on_a_terminal("gainful demo --save shop", tmp_path)
    shop = {path.name: path.read_bytes() for path in (tmp_path / "shop").iterdir()}
    names: dict[str, object] = {}
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            check_commands(text, tmp_path)
        elif language == "python":
            check_python(text, names, page)
    assert shop == {path.name: path.read_bytes() for path in (tmp_path / "shop").iterdir()}


def check_commands(text, folder):
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        if "--save shop" in command:  # saved already: the first command of every page
            command = command.replace("shop", "again")
            expected = expected.replace("shop", "again")
        seen = seen_on_a_terminal(command, folder, NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8")
        assert seen == expected, command


def check_python(text, names, page):
    example = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append, clear_globs=False)
    names.update(example.globs)
    assert not report, "".join(report)
