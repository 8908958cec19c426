"""Build the sdist and the wheel into dist/, look into both, and use them in clean environments.

    python tools/wheel.py [PYTHON ...]

The sdist is built first and every wheel from it, with tools whose hashes are known. A wheel is then
installed for each interpreter where nothing can compile, and the sdist where a compiler can. An
interpreter that a wheel in dist/ fits already, by the stable ABI, gets that one.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
BUILD_REQUIREMENTS = ROOT / "tools" / "requirements" / "build.txt"
SMOKE = ROOT / "tools" / "wheel_smoke.py"
# Where a compiler is asked for, it fails; where one is looked for, there is none.
NO_COMPILER = {"CC": "/bin/false", "CXX": "/bin/false", "CMAKE_ARGS": ""}


def run(*command: str | Path, env: Mapping[str, str] | None = None, cwd: Path = ROOT) -> None:
    """Run a command, and end with an error if it fails."""
    subprocess.run([str(word) for word in command], env=env, cwd=cwd, check=True)


def make_environment(folder: Path, python: str) -> Path:
    """Return the interpreter of a new virtual environment that holds pip and nothing else."""
    run(python, "-m", "venv", folder)
    return folder / "bin" / "python"


def install(python: Path, *arguments: str | Path, env: Mapping[str, str] | None = None) -> None:
    """Install into the environment of an interpreter, quietly."""
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments, env=env)


def make_build_environment(folder: Path, python: str) -> Path:
    """Return the interpreter of an environment with build tools whose hashes are known."""
    builder = make_environment(folder, python)
    install(builder, "--require-hashes", "--only-binary", ":all:", "-r", BUILD_REQUIREMENTS)
    return builder


def build(python: Path, kind: str, source: Path) -> None:
    """Write an sdist or a wheel of the source to dist/."""
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        [python, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", DIST, source],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        sys.exit(f"{result.stdout}{result.stderr}error: the {kind} cannot be built.")


def find_sdist() -> Path:
    """Return the path of the sdist in dist/."""
    return next(DIST.glob("*.tar.gz"))


def unpack_sdist(folder: Path) -> Path:
    """Unpack the sdist and return the folder of its files."""
    with tarfile.open(find_sdist()) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


def find_fitting_wheel(python: Path) -> Path | None:
    """Return the wheel in dist/ that the interpreter can use."""
    code = "import sys; print('cp%d%d' % sys.version_info[:2], *sys.version_info[:2])"
    tag, major, minor = subprocess.check_output([python, "-c", code], text=True).split()
    stable = (int(major), int(minor)) >= (3, 12)
    pattern = "*-cp312-abi3-*.whl" if stable else f"*-{tag}-{tag}-*.whl"
    return next(DIST.glob(pattern), None)


def hide_compiler(python: Path) -> dict[str, str]:
    """Return an environment in which only programs beside the interpreter are found."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**variables, **NO_COMPILER, "PATH": str(python.parent)}


def try_wheel(wheel: Path, folder: Path, python: str) -> None:
    """Install a wheel where nothing compiles, try it, add what a report needs, and try that."""
    interpreter = make_environment(folder / "clean", python)
    env = hide_compiler(interpreter)
    for extra in ("", "report"):
        requirement = f"gainful{f'[{extra}]' if extra else ''} @ {wheel.as_uri()}"
        install(interpreter, "--only-binary", ":all:", requirement, env=env)
        run(interpreter, "-I", SMOKE, *filter(None, [extra]), env=env, cwd=folder)


def try_sdist(folder: Path, python: str) -> None:
    """Install the sdist where a compiler is found, and try it."""
    interpreter = make_environment(folder / "compiled", python)
    install(interpreter, "--no-binary", "gainful", find_sdist())
    run(interpreter, "-I", SMOKE, "compiled", env=hide_compiler(interpreter), cwd=folder)


def main(pythons: list[str]) -> None:
    """Build, audit, install and try the distributions for each interpreter."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="gainful-wheel-") as work:
        for number, python in enumerate(pythons):
            folder = Path(work) / str(number)
            builder = make_build_environment(folder / "builder", python)
            if number == 0:
                build(builder, "sdist", ROOT)
            if find_fitting_wheel(builder) is None:
                build(builder, "wheel", unpack_sdist(folder / "source"))
            wheel = find_fitting_wheel(builder)
            if wheel is None:
                names = ", ".join(path.name for path in DIST.iterdir())
                sys.exit(f"error: no wheel fits {python}; dist/ has {names}.")
            run(builder, ROOT / "tools" / "wheel_audit.py", find_sdist(), wheel)
            try_wheel(wheel, folder, python)
        try_sdist(Path(work), pythons[0])
    print("make wheel: all of it works.")


if __name__ == "__main__":
    main(sys.argv[1:] or [sys.executable])
