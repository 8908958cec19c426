"""Environments below ``.venv-cluster``: of a thin client, and of workers that lack Gainful."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests" / "deep"
HOME = ROOT / ".venv-cluster"


def build_wheel(folder: Path) -> Path:
    """A wheel of this source, which has the native core."""
    _pip(sys.executable, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT))
    return next(folder.glob("gainful-*.whl"))


def install_client(wheel: Path) -> Path:
    """The interpreter of an environment with Gainful and the thin client of Spark Connect."""
    python = _python("client")
    _pip(python, "install", f"gainful[spark-connect] @ {wheel.as_uri()}")
    _pip(python, "install", "--force-reinstall", "--no-deps", str(wheel))
    return python


def install_bare_worker() -> Path:
    """The interpreter of an environment that has what Gainful needs on workers, and not Gainful."""
    python = _python("workers")
    _pip(python, "install", "numpy", "pyarrow")
    return python


def install_worker(wheel: Path) -> Path:
    """The same with Gainful, as one would ship it."""
    python = _python("shipped")
    _pip(python, "install", "numpy", "pyarrow")
    _pip(python, "install", "--force-reinstall", "--no-deps", str(wheel))
    return python


def hide_java() -> dict[str, str]:
    """An environment in which no Java is found."""
    hidden = ("JAVA_HOME", "SPARK_HOME", "PATH", "PYTHONPATH")
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    return variables | {"PATH": str(HOME / "nothing")}


def _python(name: str) -> Path:
    home = HOME / name
    if not (home / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    return home / "bin" / "python"


def _pip(python: str | Path, *what: str) -> None:
    command = [str(python), "-m", "pip", "-q", "--disable-pip-version-check", *what]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
