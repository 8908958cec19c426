"""An environment for every library that needs one, below ``.venv-dialects``."""

import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path
from re import split

from dialects.heavy.libraries import Library

HOME = Path(__file__).parents[4] / ".venv-dialects"

# Ours come last: what the environment has wins over what tests and Gainful bring along.
_WITH_OURS = """\
import site, sys
site.addsitedir(sys.argv.pop(1))
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


class MissingError(Exception):
    """A library cannot be installed."""


def python_with(library: Library) -> Path:
    """The interpreter of an environment that has the library, which is installed if it is not."""
    home = HOME / (library.environment or library.name)
    python, stamp = home / "bin" / "python", home / f"{library.name}.txt"
    wanted = " ".join([library.package, *library.besides])
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    if library.alone:
        _install(python, *library.besides)
        _install(python, "--no-deps", library.package)
    else:
        _install(python, library.package, *library.besides)
    stamp.write_text(wanted)
    return python


def version_of(library: Library) -> str:
    """The version that is installed."""
    name = split("[<=>]", library.package)[0].lower().replace("_", "-")
    home = HOME / (library.environment or library.name)
    found = distributions(path=[str(one) for one in home.glob("lib/*/site-packages")])
    return next(d.version for d in found if d.name.lower().replace("_", "-") == name)


def run_suite(python: Path, suite: Path) -> subprocess.CompletedProcess[str]:
    """What came of a test file where a library is installed; Gainful and pytest come from here."""
    ours = sysconfig.get_path("purelib")
    command = [str(python), "-c", _WITH_OURS, ours, "-n", "0", "-p", "no:cacheprovider", str(suite)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _install(python: Path, *what: str) -> None:
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *what]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        said = [line for line in made.stderr.splitlines() if not line.startswith("WARNING")]
        raise MissingError("\n".join(said[-10:]))
