"""An environment for every library that needs one, below ``.venv-dialects``."""

import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path
from re import split

from dialects.heavy.libraries import Library

HOME = Path(__file__).parents[4] / ".venv-dialects"

# Our packages come last: those of the environment win over those that tests and Gainful need.
_RUN_PYTEST = """\
import site, sys
site.addsitedir(sys.argv.pop(1))
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


class MissingError(Exception):
    """A library cannot be installed."""


def install_library(library: Library) -> Path:
    """Return the interpreter of an environment with the library, which is installed if missing."""
    home = HOME / (library.environment or library.name)
    python, stamp = home / "bin" / "python", home / f"{library.name}.txt"
    requirements = " ".join([library.package, *library.extra_packages])
    if stamp.exists() and stamp.read_text() == requirements:
        return python
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    if library.without_requirements:
        _install(python, *library.extra_packages)
        _install(python, "--no-deps", library.package)
    else:
        _install(python, library.package, *library.extra_packages)
    stamp.write_text(requirements)
    return python


def read_version(library: Library) -> str:
    """Return the version that is installed."""
    name = split("[<=>]", library.package)[0].lower().replace("_", "-")
    home = HOME / (library.environment or library.name)
    packages = distributions(path=[str(folder) for folder in home.glob("lib/*/site-packages")])
    return next(d.version for d in packages if d.name.lower().replace("_", "-") == name)


def run_suite(python: Path, suite: Path) -> subprocess.CompletedProcess[str]:
    """Run a test file where a library is installed, with Gainful and pytest of this process."""
    packages = sysconfig.get_path("purelib")
    command = [str(python), "-c", _RUN_PYTEST, packages]
    command += ["-n", "0", "-p", "no:cacheprovider", str(suite)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _install(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if not line.startswith("WARNING")]
        raise MissingError("\n".join(lines[-10:]))
