"""Examples on pages: Python as doctest, commands as seen on a terminal."""

import doctest
import re
from pathlib import Path

from terminal import seen_on_a_terminal

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def check_examples(page, folder):
    """Assert that the page's examples print what it says, with the demo's files in the folder."""
    seen_on_a_terminal("gainful demo --save shop", folder)
    shop = {path.name: path.read_bytes() for path in (folder / "shop").iterdir()}
    names: dict[str, object] = {}
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            _check_commands(text, folder)
        elif language == "python":
            _check_python(text, names, page)
    assert shop == {path.name: path.read_bytes() for path in (folder / "shop").iterdir()}


def _check_commands(text, folder):
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        if "--save shop" in command:  # saved already: the first command of every page
            command = command.replace("shop", "again")
            expected = expected.replace("shop", "again")
        seen = seen_on_a_terminal(command, folder, NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8")
        assert seen == expected, command


def _check_python(text, names, page):
    example = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(example, out=report.append, clear_globs=False)
    names.update(example.globs)
    assert not report, "".join(report)
