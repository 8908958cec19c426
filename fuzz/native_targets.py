"""Builds of the native targets: by clang with libFuzzer, or by any compiler with driver.cpp."""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "fuzz"
CORE = sorted(
    path for path in (ROOT / "src" / "native").glob("*.cpp") if "bindings" not in path.name
)
HEADERS = [*(ROOT / "src" / "native").glob("*.hpp"), *(ROOT / "fuzz" / "native").glob("*.hpp")]
FLAGS = (
    *("-std=c++20", "-O1", "-g", "-pthread", "-fno-omit-frame-pointer", "-D_GLIBCXX_ASSERTIONS"),
    *("-Wall", "-Wextra", "-Wno-deprecated-declarations"),
    *(f"-I{ROOT / 'src' / 'native'}", f"-I{ROOT / 'fuzz' / 'native'}"),
)
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@dataclass(frozen=True)
class Compiler:
    """A compiler and its flags.

    Attributes:
        guided: Whether what it builds is guided by coverage.
    """

    program: str
    name: str
    compiling: tuple[str, ...]
    linking: tuple[str, ...]
    guided: bool


def find_compiler() -> Compiler | None:
    """Return the best compiler on this machine; None if there is none."""
    finding = ["sh", str(ROOT / "tools" / "clang.sh"), "--find"]
    found = subprocess.run(finding, stdout=subprocess.PIPE, text=True)
    if found.returncode == 0:
        compiling = ("-fsanitize=fuzzer-no-link", *SANITIZED)
        linking = ("-fsanitize=fuzzer", *SANITIZED)
        return Compiler(found.stdout.strip(), "clang", compiling, linking, guided=True)
    program = os.environ.get("CXX", "c++")
    flags: tuple[str, ...]
    for name, flags in (("sanitized", SANITIZED), ("plain", ())):
        if _can_compile(program, flags):
            return Compiler(program, name, flags, flags, guided=False)
    return None


def _can_compile(program: str, flags: tuple[str, ...]) -> bool:
    """Return whether there is such a compiler, with the libraries that the flags need."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, *FLAGS[:1], *flags, "-x", "c++", "-", "-o", f"{folder}/program"]
        try:
            tried = subprocess.run(command, input=b"int main() {}", capture_output=True)
        except OSError:
            return False
        return tried.returncode == 0


def run_compiler(command: list[str]) -> None:
    """Run a compiler, and show its complaints."""
    if subprocess.run(command).returncode != 0:
        sys.exit(f"error: {command[0]} failed, see above.")


def build_targets(targets: list[Path], using: Compiler) -> dict[str, Path]:
    """Return the program of every target, compiled where it or a header has changed."""
    folder = BUILD / using.name
    folder.mkdir(parents=True, exist_ok=True)
    newest = max(header.stat().st_mtime for header in HEADERS)
    driver = [] if using.guided else [ROOT / "fuzz" / "driver.cpp"]
    places = {
        one: folder / f"{one.parent.parent.name}-{one.stem}.o" for one in [*CORE, *targets, *driver]
    }

    def compile_one(source: Path) -> None:
        place = places[source]
        if place.exists() and place.stat().st_mtime > max(newest, source.stat().st_mtime):
            return
        command = [using.program, *FLAGS, *using.compiling, "-c", str(source), "-o", str(place)]
        run_compiler(command)

    def link_one(target: Path) -> Path:
        program = folder / target.stem
        parts = [places[one] for one in (target, *CORE, *driver)]
        stale = not program.exists() or any(
            part.stat().st_mtime > program.stat().st_mtime for part in parts
        )
        if stale:
            command = [using.program, *FLAGS, *using.linking, *map(str, parts)]
            run_compiler([*command, "-o", str(program)])
        return program

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, places))
        return {one.stem: link_one(one) for one in targets}
