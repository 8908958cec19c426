"""Write the index of measures, and the stub of every package that is imported lazily.

With --check, nothing is written, and the files that differ are named.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "gainful"
MEASURES = SOURCE / "measures"
Exports = dict[str, tuple[str, ...]]

GENERATED = "# Written by tools/generate_exports.py; run make exports.\n"

# The order of families in lists and documentation; those that are not named here come last.
FIRST_FAMILIES = (
    *("cumulative_gain", "precision", "average_precision", "reciprocal_rank"),
    *("sets", "counts", "judged", "pairwise", "expected_reciprocal_rank", "rank_biased", "inst"),
    *("nearly_err", "bejeweled", "time_biased", "foraging", "compatibility", "trec_gains"),
    *("blended", "normalized_utility", "diversity", "intent_aware"),
    *("understandability", "preferences", "recommendation"),
)


def generate_files() -> dict[Path, str]:
    """Return the text of every generated file."""
    families = find_families()
    files = {MEASURES / "_index.py": format_index(families)}
    for path in sorted(SOURCE.rglob("__init__.py")):
        exports = read_exports(path, families)
        if exports is not None:
            package = ".".join(path.parent.relative_to(SOURCE.parent).parts)
            files[path.with_suffix(".pyi")] = format_stub(package, exports)
    return files


def find_families() -> Exports:
    """Return the names of the measures that each file of ``measures/`` declares, in file order."""
    names = {path.stem: find_measures(path) for path in sorted(MEASURES.glob("[!_]*.py"))}
    missing = [family for family in FIRST_FAMILIES if not names.get(family)]
    if missing:
        raise SystemExit(f"FIRST_FAMILIES: no measures are declared in {', '.join(missing)}.")
    order = dict.fromkeys([*FIRST_FAMILIES, *names])
    return {family: names[family] for family in order if names[family]}


def find_measures(path: Path) -> tuple[str, ...]:
    """Return the names of the functions of a file that are decorated with ``measure``."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    return tuple(f.name for f in functions if any(map(is_measure, f.decorator_list)))


def is_measure(decorator: ast.expr) -> bool:
    """Return whether a decorator is ``@measure`` or ``@measure(...)``."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(function, ast.Name) and function.id == "measure"


def read_exports(path: Path, families: Exports) -> Exports | None:
    """Return the mapping that an ``__init__.py`` passes to ``lazy_exports``, or None.

    The file is parsed, not imported: names that it takes from the index may not exist yet.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "lazy_exports":
            code = compile(ast.Expression(node.args[1]), str(path), "eval")
            exports: Exports = eval(code, {"FAMILIES": families})
            return exports
    return None


def format_index(families: Exports) -> str:
    """Return the source of the index: the families and their measures."""
    rows = "".join(
        f'    "{family}": {format_names(names)},\n' for family, names in families.items()
    )
    return (
        f'"""The measures that each file declares."""\n\n{GENERATED}'
        f"FAMILIES: dict[str, tuple[str, ...]] = {{\n{rows}}}\n"
    )


def format_stub(package: str, exports: Exports) -> str:
    """Return the stub of a package, which imports every public name from its module."""
    imports = "".join(
        f"from {package if module == '.' else f'{package}.{module}'} import {name} as {name}\n"
        for module, names in exports.items()
        for name in sorted(names)
    )
    names = sorted(name for module in exports.values() for name in module)
    listing = "".join(f'    "{name}",\n' for name in names)
    return f"{GENERATED}\n{imports}\n__all__ = [\n{listing}]\n"


def format_names(names: tuple[str, ...]) -> str:
    """Return a tuple of names as ruff formats it, on one line if there is only one name."""
    if len(names) == 1:
        return f'("{names[0]}",)'
    return "(\n" + "".join(f'        "{name}",\n' for name in names) + "    )"


def main() -> int:
    """Write the files, or with --check name those that differ."""
    files = generate_files()
    unknown = set(SOURCE.rglob("__init__.pyi")) - set(files)
    stale = [p for p, t in files.items() if not p.exists() or p.read_text(encoding="utf-8") != t]
    if "--check" in sys.argv:
        names = [str(path.relative_to(ROOT)) for path in sorted({*stale, *unknown})]
        if names:
            print(f"{', '.join(names)}: out of date. Run make exports.")
        return bool(names)
    for path in stale:
        path.write_text(files[path], encoding="utf-8")
    for path in unknown:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
