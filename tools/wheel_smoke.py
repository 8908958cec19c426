"""Try what is installed, as its first user would: no source tree, no tests, no compiler.

    python -I wheel_smoke.py [report | compiled]

Run with the interpreter of the environment, in a folder outside the source tree. With ``report``,
the packages of that extra are installed. With ``compiled``, the package was built on this machine.
"""

import doctest
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from importlib import import_module, metadata, resources
from pathlib import Path

COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "cmake", "ninja", "make")
COMMAND = str(Path(sys.executable).with_name("gainful"))
# Packages for which there is an adapter or an engine, that few have.
OPTIONAL = ("ir_measures", "pyarrow", "pyspark")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run_gainful(*arguments: str) -> str:
    """Return what a command prints; it must succeed."""
    result = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, (arguments, result.stdout, result.stderr)
    return result.stdout + result.stderr


def check_installation() -> None:
    """Check that the installed package is complete, and that no compiler is in reach."""
    import gainful

    assert Path(sys.prefix) in Path(gainful.__file__).parents, gainful.__file__
    assert not [name for name in COMPILERS if shutil.which(name)], "a compiler is in reach"
    package = resources.files("gainful")
    data = ("base/_native.pyi", "demo/qrels.txt", "diagnostics/codes/runs.md")
    for name in ("py.typed", *data, "report/html/template/page.html"):
        assert (package / name).is_file(), name
    assert run_gainful("--version") == f"gainful, version {metadata.version('gainful')}\n"


def check_imports() -> int:
    """Import every module whose requirements are installed, and return how many there are."""
    import gainful

    names = [module.name for module in pkgutil.walk_packages(gainful.__path__, "gainful.")]
    missing = [_find_missing_package(name) for name in names if not name.endswith("__main__")]
    assert {*missing} <= {None, *OPTIONAL}, {*missing}
    return missing.count(None)


def _find_missing_package(module: str) -> str | None:
    """Return the package without which a module cannot be imported; None if it can."""
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        return error.name
    return None


def check_readme() -> int:
    """Check that the README's first commands and first lines of Python give what it shows."""
    blocks = BLOCK.findall(metadata.metadata("gainful")["Description"])
    console = next(text for language, text in blocks if language == "console")
    commands = re.split(r"^\$ gainful ", console, flags=re.MULTILINE)[1:]
    for part in commands:
        command, _, expected = part.partition("\n")
        format_arguments = ["-f", "table"] if command.startswith("eval") else []
        assert run_gainful(*shlex.split(command), *format_arguments) == expected, command
    python = next(text for language, text in blocks if language == "python")
    example = doctest.DocTestParser().get_doctest(python, {}, "README", None, 0)
    result = doctest.DocTestRunner().run(example)
    assert (result.failed, result.attempted > 0) == (0, True)
    return len(commands) + result.attempted


def check_demo(*, with_report: bool) -> None:
    """Check that the tour writes a report, or names the extra that a report needs."""
    output = run_gainful("demo")
    page = Path("demo-report.html")
    assert "$ gainful explain qrels.txt hybrid.run q06" in output
    assert page.exists() is with_report, output
    assert with_report or "pip install 'gainful[report]'" in output
    if with_report:
        run_gainful("report", "shop/qrels.txt", "shop/hybrid.run", "-o", "report.html")
        text = Path("report.html").read_text(encoding="utf-8")
        assert text.startswith("<!doctype html>"), text[:40]
        assert "<svg" in text


def main(mode: str = "") -> None:
    """Check everything, and print a line."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        check_installation()
        modules = check_imports()
        lines = check_readme()
        check_demo(with_report=mode == "report")
    python = ".".join(map(str, sys.version_info[:2]))
    print(f"Python {python}: {modules} modules, {lines} examples of the README, the demo", mode)


if __name__ == "__main__":
    main(*sys.argv[1:])
