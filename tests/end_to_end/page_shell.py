"""Commands on pages that print nothing there: run, or tried as far as they can be within a test."""

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
# Without what it depends on, which would be fetched.
DRY = ["-m", "pip", "install", "--dry-run", "--no-index", "--no-deps", "--no-build-isolation", "-q"]
# Where there is no jq: what stands behind it is the name of a field.
JQ = f"""#!{sys.executable}
import json, sys
print(json.load(sys.stdin)[sys.argv[-1].removeprefix(".")])
"""


def check_shell(text, folder, where):
    """Assert that every line of a block does something, and succeeds."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if commands := _commands(line):
            assert _is_right(line, commands, folder), f"{where}: nothing checks {line.strip()!r}"


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


def _is_right(line, commands, folder):
    """Whether it is known; an error if it is, and fails."""
    if any(words[0] == "gainful" and words[1:2] != ["spark"] for words in commands):
        place = _workplace(folder)
        if commands[0][:2] == ["gainful", "convert"]:
            (place / commands[0][3]).unlink(missing_ok=True)  # it replaces nothing
        # Where "~" is, and what opens a page.
        _succeed(["bash", "-c", f"set -o pipefail; {line}"], place, HOME=str(place), BROWSER="true")
        return True
    (words,) = commands
    match words:
        case ["make", *rest]:
            # What it would do: to do so, set-up included, would take hours.
            _succeed(["make", "-n", *rest], ROOT)
        case ["pip", "install", *rest]:
            _check_extras(rest)
            _succeed([sys.executable, *DRY, *rest], ROOT)
        case ["python", "-m", "bench", *rest]:
            _succeed([sys.executable, "-m", "bench", *rest, "--quick"], ROOT)
        case ["gainful", "spark", *rest]:
            _understood(rest)
        case ["spark-submit", *rest] if any(word.endswith(ON_SPARK) for word in rest):
            ours = next(i for i, word in enumerate(rest) if word.endswith(ON_SPARK))
            _understood(rest[ours + 1 :])
        case _:
            return False
    return True


def _workplace(folder):
    """A folder with the files that commands name, and with programs that they call."""
    place = folder / "workplace"
    if not place.exists():
        make_files(place)
        if not shutil.which("jq"):
            (place / "bin" / "jq").write_text(JQ)
            (place / "bin" / "jq").chmod(0o755)
    return place


def _succeed(command, folder, **set_to):
    """Run a command; an error if it fails."""
    path = os.pathsep.join(map(str, (folder / "bin", Path(sys.executable).parent)))
    set_to["PATH"] = f"{path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | set_to,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{shlex.join(command)}: {done.stdout}{done.stderr}"


def _check_extras(words):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extras in re.findall(r"^(?:\.|gainful)\[(.+)\]$", "\n".join(words), re.MULTILINE):
        for extra in extras.split(","):
            assert extra in project["optional-dependencies"], f"pip install {extras}"


def _understood(words):
    """Read the arguments as the command line does; tests/cli/test_spark.py runs such."""
    spark_command.make_context(spark_command.name, list(words)).close()
