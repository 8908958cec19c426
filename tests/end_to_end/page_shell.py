"""Checks of commands on pages whose output is not shown: run, or run as far as a test can."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from end_to_end.page_files import make_files
from gainful.cli.spark import spark_command

ROOT = Path(__file__).parents[2]
ON_SPARK = "gainful/spark/__main__.py"
# Without dependencies, which would be downloaded.
DRY = ["-m", "pip", "install", "--dry-run", "--no-index", "--no-deps", "--no-build-isolation", "-q"]
# A replacement for jq, where there is none; its last argument is the name of a field.
JQ = f"""#!{sys.executable}
import json, sys
print(json.load(sys.stdin)[sys.argv[-1].removeprefix(".")])
"""


def check_shell(text, folder, location):
    """Assert that every line of a block does something, and succeeds."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if commands := _split_commands(line):
            assert _check_line(line, commands, folder), (
                f"{location}: nothing checks {line.strip()!r}"
            )


def _split_commands(line):
    """Return the commands of a line as words, without assignments and redirections."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;><")
    lexer.whitespace_split = True
    commands = [[]]
    for word in lexer:
        if set(word) <= set("|&;><"):
            commands.append([word] if ">" in word or "<" in word else [])
        elif commands[-1] or not re.match(r"\w+=", word):
            commands[-1].append(word)
    return [words for words in commands if words and words[0] not in (">", "<", ">>")]


def _check_line(line, commands, folder):
    """Check that a line succeeds; return whether it is of a kind that can be checked."""
    if any(words[0] == "gainful" and words[1:2] != ["spark"] for words in commands):
        place = _make_workplace(folder)
        if commands[0][:2] == ["gainful", "convert"]:
            (place / commands[0][3]).unlink(missing_ok=True)  # convert replaces no file
        # HOME is "~", and BROWSER opens a page.
        _run_command(
            ["bash", "-c", f"set -o pipefail; {line}"], place, HOME=str(place), BROWSER="true"
        )
        return True
    (words,) = commands
    match words:
        case ["make", *rest]:
            # A dry run: the commands themselves, set-up included, would take hours.
            _run_command(["make", "-n", *rest], ROOT)
        case ["pip", "install", *rest]:
            _check_extras(rest)
            _run_command([sys.executable, *DRY, *rest], ROOT)
        case ["python", "-m", "bench", *rest]:
            _run_command([sys.executable, "-m", "bench", *rest, "--quick"], ROOT)
        case ["gainful", "spark", *rest]:
            _parse_spark_arguments(rest)
        case ["spark-submit", *rest] if any(word.endswith(ON_SPARK) for word in rest):
            start = next(i for i, word in enumerate(rest) if word.endswith(ON_SPARK))
            _parse_spark_arguments(rest[start + 1 :])
        case _:
            return False
    return True


def _make_workplace(folder):
    """Return a folder with the files that commands name and the programs that they call."""
    place = folder / "workplace"
    if not place.exists():
        make_files(place)
        if not shutil.which("jq"):
            (place / "bin" / "jq").write_text(JQ)
            (place / "bin" / "jq").chmod(0o755)
    return place


def _run_command(command, folder, **variables):
    """Run a command, and check that it succeeds."""
    path = os.pathsep.join(map(str, (folder / "bin", Path(sys.executable).parent)))
    variables["PATH"] = f"{path}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, f"{shlex.join(command)}: {result.stdout}{result.stderr}"


def _check_extras(words):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extras in re.findall(r"^(?:\.|gainful)\[(.+)\]$", "\n".join(words), re.MULTILINE):
        for extra in extras.split(","):
            assert extra in project["optional-dependencies"], f"pip install {extras}"


def _parse_spark_arguments(words):
    """Read the arguments as the command line does; tests/cli/test_spark.py runs such."""
    spark_command.make_context(spark_command.name, list(words)).close()
