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
HASHED = ROOT / "tools" / "requirements" / "build.txt"
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


def install(python: Path, *what: str | Path, env: Mapping[str, str] | None = None) -> None:
    """Install into the environment of an interpreter, quietly."""
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *what, env=env)


def make_build_environment(folder: Path, python: str) -> Path:
    """Return the interpreter of an environment with build tools whose hashes are known."""
    made = make_environment(folder, python)
    install(made, "--require-hashes", "--only-binary", ":all:", "-r", HASHED)
    return made


def build(python: Path, kind: str, source: Path) -> None:
    """Write an sdist or a wheel of the source to dist/."""
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [python, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", DIST, source],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}error: the {kind} cannot be built.")


def find_sdist() -> Path:
    """Return the source distribution in dist/."""
    return next(DIST.glob("*.tar.gz"))


def unpack_sdist(folder: Path) -> Path:
    """Return the folder that the sdist was unpacked into."""
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
    """Return variables under which only programs beside the interpreter are found."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, **NO_COMPILER, "PATH": str(python.parent)}


def try_wheel(wheel: Path, folder: Path, python: str) -> None:
    """Install a wheel where nothing compiles, try it, add what a report needs, and try that."""
    clean = make_environment(folder / "clean", python)
    env = hide_compiler(clean)
    for extra in ("", "report"):
        wanted = f"gainful{f'[{extra}]' if extra else ''} @ {wheel.as_uri()}"
        install(clean, "--only-binary", ":all:", wanted, env=env)
        run(clean, "-I", SMOKE, *filter(None, [extra]), env=env, cwd=folder)


def try_sdist(folder: Path, python: str) -> None:
    """Install the sdist as people do who have a compiler, and try it."""
    compiled = make_environment(folder / "compiled", python)
    install(compiled, "--no-binary", "gainful", find_sdist())
    run(compiled, "-I", SMOKE, "compiled", env=hide_compiler(compiled), cwd=folder)


def main(pythons: list[str]) -> None:
    """Build for each interpreter, look, install and try."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="gainful-wheel-") as work:
        for number, python in enumerate(pythons):
            folder = Path(work) / str(number)
            made = make_build_environment(folder / "builder", python)
            if number == 0:
                build(made, "sdist", ROOT)
            if find_fitting_wheel(made) is None:
                build(made, "wheel", unpack_sdist(folder / "source"))
            wheel = find_fitting_wheel(made)
            if wheel is None:
                names = ", ".join(path.name for path in DIST.iterdir())
                sys.exit(f"error: no wheel fits {python}; dist/ has {names}.")
            run(made, ROOT / "tools" / "wheel_audit.py", find_sdist(), wheel)
            try_wheel(wheel, folder, python)
        try_sdist(Path(work), pythons[0])
    print("make wheel: all of it works.")


if __name__ == "__main__":
    main(sys.argv[1:] or [sys.executable])
