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
        guided: Whether its programs are guided by coverage.
    """

    program: str
    name: str
    compile_flags: tuple[str, ...]
    link_flags: tuple[str, ...]
    guided: bool


def find_compiler() -> Compiler | None:
    """Return the best compiler on this machine; None if there is none."""
    command = ["sh", str(ROOT / "tools" / "clang.sh"), "--find"]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode == 0:
        compile_flags = ("-fsanitize=fuzzer-no-link", *SANITIZED)
        link_flags = ("-fsanitize=fuzzer", *SANITIZED)
        return Compiler(result.stdout.strip(), "clang", compile_flags, link_flags, guided=True)
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
            result = subprocess.run(command, input=b"int main() {}", capture_output=True)
        except OSError:
            return False
        return result.returncode == 0


def run_compiler(command: list[str]) -> None:
    """Run a compiler, and exit if it fails."""
    if subprocess.run(command).returncode != 0:
        sys.exit(f"error: {command[0]} failed, see above.")


def build_targets(targets: list[Path], compiler: Compiler) -> dict[str, Path]:
    """Return the program of every target, compiled where it or a header has changed."""
    folder = BUILD / compiler.name
    folder.mkdir(parents=True, exist_ok=True)
    newest = max(header.stat().st_mtime for header in HEADERS)
    driver = [] if compiler.guided else [ROOT / "fuzz" / "driver.cpp"]
    objects = {
        source: folder / f"{source.parent.parent.name}-{source.stem}.o"
        for source in [*CORE, *targets, *driver]
    }

    def compile_source(source: Path) -> None:
        path = objects[source]
        if path.exists() and path.stat().st_mtime > max(newest, source.stat().st_mtime):
            return
        command = [compiler.program, *FLAGS, *compiler.compile_flags, "-c", str(source)]
        run_compiler([*command, "-o", str(path)])

    def link_target(target: Path) -> Path:
        program = folder / target.stem
        parts = [objects[source] for source in (target, *CORE, *driver)]
        stale = not program.exists() or any(
            part.stat().st_mtime > program.stat().st_mtime for part in parts
        )
        if stale:
            command = [compiler.program, *FLAGS, *compiler.link_flags, *map(str, parts)]
            run_compiler([*command, "-o", str(program)])
        return program

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_source, objects))
        return {target.stem: link_target(target) for target in targets}
