"""Commands on pages that install, build or measure: not run, but nothing in them is made up."""

import re
import shlex
import tomllib
from pathlib import Path

import click

from gainful.cli import gainful
from gainful.cli.spark import spread

ROOT = Path(__file__).parent.parent
ON_SPARK = "gainful/engines/spark/__main__.py"


def check_shell(text, folder, where):
    """Assert that each is a command of ours and would be understood, or in a pipe with one."""
    (folder / "my_measures.py").touch()  # what --load names, and imports before anything else
    for line in re.sub(r"\\\n", " ", text).splitlines():
        commands = _commands(line)
        known = [_check(words) for words in commands]
        assert any(known) or not commands, f"{where}: nothing checks {line.strip()!r}"


def _commands(line):
    """The commands of a line as words, without what is assigned and where output goes."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;><")
    lexer.whitespace_split = True
    commands = [[]]
    for word in lexer:
        if set(word) <= set("|&;><"):
            commands.append([word] if ">" in word or "<" in word else [])
        elif commands[-1] or not re.match(r"\w+=", word):
            commands[-1].append(word)
    return [words for words in commands if words and words[0] not in (">", "<", ">>")]


def _check(words):
    """Whether it is known; an error if it is, and is wrong."""
    match words:
        case ["make", *rest]:
            _check_targets(rest)
        case ["pip", "install", *rest]:
            _check_extras(rest)
        case ["gainful", *rest]:
            _parse(gainful, rest)
        case ["python", "-m", "gainful.engines.spark", *rest]:
            _parse(spread, rest)
        case ["spark-submit", *rest] if any(word.endswith(ON_SPARK) for word in rest):
            ours = next(i for i, word in enumerate(rest) if word.endswith(ON_SPARK))
            _parse(spread, rest[ours + 1 :])
        case ["python", "-m", "bench", *rest]:
            from bench.__main__ import _parser  # found from the folder that tests start in

            _parser().parse_args(rest)
        case _:
            return False
    return True


def _check_targets(words):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    variables = set(re.findall(r"^([A-Z]+) \?=", makefile, re.MULTILINE))
    for word in words:
        name, given, _ = word.partition("=")
        assert name in (variables if given else targets), f"make {word}"


def _check_extras(words):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extras in re.findall(r"^(?:\.|gainful)\[(.+)\]$", "\n".join(words), re.MULTILINE):
        for extra in extras.split(","):
            assert extra in project["optional-dependencies"], f"pip install {extras}"


def _parse(command, words):
    """Read the arguments as the command line does, without doing anything."""
    above = None
    if isinstance(command, click.Group):
        assert words[0] in command.commands, f"gainful {words[0]}"
        # Below the group, which says how help is asked for: a command keeps what it hears first.
        above = click.Context(command, info_name=command.name, **command.context_settings)
        command, words = command.commands[words[0]], words[1:]
    command.make_context(command.name, list(words), parent=above).close()
