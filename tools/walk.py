"""Print how large the package is, how its modules hang together, and what a few calls walk through.

    python tools/walk.py [--list] [--root TREE]

Imports are read with ``ast``, wherever they are: at the top, in functions, under TYPE_CHECKING.
``from gainful.pkg import name`` is an import of the module that defines the name, if the door
``pkg/__init__.py`` re-exports it: with an import, in a mapping of lazy names, or in the
``__init__.pyi`` beside it. A door is not an importer of what it re-exports. A module that is loaded
by name is an adapter, a command, a dialect family or a measure family, none of which begins with an
underscore, or is named in a string in a module that calls ``import_module``. Stems are compared
without their leading underscore.

Calls are counted with ``sys.setprofile`` in the calling thread of a fresh process, after ``import
gainful``. A call is one event "call" of a function, method or lambda whose code is in
``src/gainful``; each resumption of a generator is such an event. Comprehensions and generator
expressions, which newer Pythons partly inline, are counted apart. Bodies of modules and classes are
left out. A change of folder is a call in another folder than the call before it. With ``--list``,
the modules of each call follow in the order in which they are entered, with their functions.

Opens are counted with ``sys.addaudithook`` in a fresh process for each command: how often Python
opens the qrels and each of two runs of the demo.
"""

import argparse
import ast
import contextlib
import inspect
import io
import multiprocessing
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

SMALL = 40  # lines
LOADED_BY_NAME = {"adapters", "cli", "dialects", "measures"}
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
LABELS = [3, 2, 3, 0, 1]


class Tree:
    """The modules of the package, by dotted name, and what each imports."""

    def __init__(self, source: Path) -> None:
        files = sorted(source.rglob("*.py"))
        self.source = source
        self.paths = {_format_module_name(source, file): file for file in files}
        self.trees = {name: ast.parse(file.read_bytes()) for name, file in self.paths.items()}
        self.doors = {name for name, file in self.paths.items() if file.stem == "__init__"}
        self.exports = {door: self._find_exports(door) for door in self.doors}

    def find_importers(self) -> dict[str, set[str]]:
        """Return, for each module, the modules that import it."""
        importers: dict[str, set[str]] = {name: set() for name in self.paths}
        for importer, tree in self.trees.items():
            for module, name in self._read_imports(importer, tree):
                imported = self._find_definition(module, name)
                is_export = importer in self.doors and name in self.exports[importer]
                if imported and imported != importer and not is_export:
                    importers[imported].add(importer)
        return importers

    def find_loaded_by_name(self) -> set[str]:
        """Return the modules that are loaded by name at run time, so that nothing imports them."""
        loaded = set()
        for name in self.paths:
            package, _, stem = name.removeprefix("gainful.").partition(".")
            if package in LOADED_BY_NAME and stem and not stem.startswith("_"):
                loaded.add(name)
        for name, tree in self.trees.items():
            if "import_module" in ast.dump(tree):
                loaded |= self._read_loaded_names(name, tree)
        return loaded

    def _read_loaded_names(self, loader: str, tree: ast.Module) -> set[str]:
        """Return the modules that strings of the loader name, whole or after a prefix."""
        nodes = list(ast.walk(tree))
        texts = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        prefixes = {text for text in texts if text.startswith("gainful.") and text.endswith(".")}
        # The lazy names of a door are exports, not modules that are loaded by name.
        absolute_names: set[str] = set() if loader in self.doors else texts
        names = absolute_names | {prefix + text for prefix in prefixes for text in texts}
        return {name for name in names if name in self.paths and name not in self.doors}

    def _read_imports(self, importer: str, tree: ast.AST) -> Iterator[tuple[str, str]]:
        """Yield (module, name) of each import; the name is empty for ``import module``."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = self._resolve_relative(importer, node)
                yield from ((module, alias.name) for alias in node.names)

    def _resolve_relative(self, importer: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = importer.split(".")
        n_kept_parts = len(parts) - node.level + (importer in self.doors)
        return ".".join([*parts[:n_kept_parts], *([node.module] if node.module else [])])

    def _find_definition(self, module: str, name: str) -> str | None:
        """Return the module of the package that defines a name, through any number of doors."""
        visited = set()
        while (module, name) not in visited:
            visited.add((module, name))
            if f"{module}.{name}" in self.paths:
                return f"{module}.{name}"
            module = self.exports.get(module, {}).get(name, module)
        return module if module in self.paths else None

    def _find_exports(self, door: str) -> dict[str, str]:
        """Return the module of each name that a door re-exports."""
        tree, stub = self.trees[door], self.paths[door].with_suffix(".pyi")
        trees = [tree, ast.parse(stub.read_bytes())] if stub.exists() else [tree]
        exports = {
            name: module
            for module_tree in trees
            for module, name in self._read_imports(door, module_tree)
            if module in self.paths and f"{module}.{name}" not in self.paths
        }
        return {**self._read_lazy_names(door, tree), **exports}

    def _read_lazy_names(self, door: str, tree: ast.Module) -> dict[str, str]:
        """Return the module of each name in the mappings of a door, read in both directions."""
        lazy: dict[str, str] = {}
        for node in ast.walk(tree):
            pairs: list[tuple[ast.expr | None, ast.expr]] = []
            if isinstance(node, ast.Dict):
                pairs = list(zip(node.keys, node.values, strict=True))
            elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "fromkeys":
                pairs = [(node.args[0], node.args[1])] if len(node.args) > 1 else []
            for left, right in pairs:
                for first, second in ((left, right), (right, left)):
                    module = next(iter(_read_strings(first)), "").lstrip(".")
                    absolute = next(
                        (m for m in (module, f"{door}.{module}") if m in self.paths and module), ""
                    )
                    if absolute:
                        lazy |= dict.fromkeys(_read_strings(second), absolute)
        return lazy


def _format_module_name(source: Path, file: Path) -> str:
    parts = file.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _read_strings(node: ast.expr | None) -> list[str]:
    """Return the string that a node is, or the strings in a list or tuple."""
    nodes = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def print_modules(source: Path, *, with_names: bool) -> None:
    """Print the rows about modules and imports."""
    tree = Tree(source)
    texts = {name: file.read_text(encoding="utf-8") for name, file in tree.paths.items()}
    n_lines = {name: len(text.splitlines()) for name, text in texts.items()}
    importers = tree.find_importers()
    single = {
        n: f"<- {next(iter(names))}"
        for n, names in importers.items()
        if len(names) == 1 and n not in tree.doors
    }
    loaded = tree.find_loaded_by_name()
    stems = defaultdict(list)
    for name in tree.paths.keys() - tree.doors:
        stems[name.rpartition(".")[2].lstrip("_")].append(name)
    shared = {stem: ", ".join(sorted(names)) for stem, names in stems.items() if len(names) > 1}
    small = {n: f"{lines} lines" for n, lines in n_lines.items() if lines < SMALL}
    small = {n: lines for n, lines in small.items() if n not in tree.doors}
    n_any = sum(": Any" in line for text in texts.values() for line in text.splitlines())
    _print_row("Python modules", len(tree.paths))
    _print_row("Python lines", sum(n_lines.values()))
    _print_row("files in the package root (.py)", len(list(source.glob("*.py"))))
    by_name = {n: importer for n, importer in single.items() if n in loaded}
    _print_row("modules with one importer", len(single), by_name if with_names else {})
    by_import = {n: importer for n, importer in single.items() if n not in loaded}
    _print_row("  without those loaded by name", len(by_import), by_import if with_names else {})
    _print_row(f"modules under {SMALL} lines, doors aside", len(small), small if with_names else {})
    _print_row("file stems of several modules", len(shared), shared if with_names else {})
    _print_row("lines with `: Any`", n_any)


def _print_row(label: str, value: int, names: dict[str, str] | None = None) -> None:
    print(f"{label:<40}{value:>9,}")
    for name, note in sorted((names or {}).items()):
        print(f"    {name} {note}")


class CallProfiler:
    """A profiler of the calls of functions in a folder."""

    def __init__(self, source: Path) -> None:
        self.folder = f"{source}{os.sep}"
        self.functions: Counter[CodeType] = Counter()
        self.n_comprehensions = self.n_changes = 0
        self.last = ""

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(self.folder):
            return
        if code.co_name in COMPREHENSIONS:
            self.n_comprehensions += 1
        elif code.co_flags & inspect.CO_OPTIMIZED:  # not the body of a module or a class
            folder = os.path.dirname(code.co_filename)
            self.n_changes += bool(self.last) and folder != self.last
            self.functions[code] += 1
            self.last = folder

    def trace(self, call: Callable[[], Any]) -> "Walk":
        """Make a call, and return its walk."""
        sys.setprofile(self)
        try:
            call()
        finally:
            sys.setprofile(None)
        if not self.functions:
            sys.exit(f"gainful is not imported from {self.folder}")
        path: dict[str, dict[str, None]] = {}
        for code in self.functions:
            module = code.co_filename.removeprefix(self.folder)
            path.setdefault(module, {})[code.co_qualname] = None
        n_functions = sum(map(len, path.values()))
        n_calls = self.functions.total()
        counts = (n_calls, self.n_comprehensions, n_functions, len(path), self.n_changes)
        return Walk(counts, {module: [*functions] for module, functions in path.items()})


class Walk(NamedTuple):
    """The functions that a call passes through.

    Attributes:
        counts: Calls, comprehensions, functions, modules, changes of folder.
        path: The functions of every module, in the order in which they are first called.
    """

    counts: tuple[int, ...]
    path: dict[str, list[str]]


def trace_ndcg(source: Path) -> dict[str, Walk]:
    """Walk through the first and the second call of ndcg()."""
    import gainful

    walks = [CallProfiler(source).trace(lambda: gainful.ndcg(LABELS)) for _ in range(2)]
    return {"ndcg([3,2,3,0,1]), first call": walks[0], "ndcg([3,2,3,0,1]), second": walks[1]}


def trace_eval(source: Path) -> dict[str, Walk]:
    """Walk through `gainful eval` with one run of the demo."""
    demo = source / "demo"
    arguments = ["eval", str(demo / "qrels.txt"), str(demo / "keyword.run"), "-m", "nDCG@10"]
    return {"gainful eval": _trace_command(source, arguments)}


def trace_report(source: Path) -> dict[str, Walk]:
    """Walk through `gainful report` with two runs of the demo."""
    files = [str(source / "demo" / name) for name in ("qrels.txt", "keyword.run", "semantic.run")]
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["report", *files, "-o", os.path.join(folder, "report.html")]
        return {"gainful report": _trace_command(source, arguments)}


def trace_spark(source: Path) -> dict[str, Walk]:
    """Walk through evaluate() with small Spark DataFrames, on the driver."""
    from pyspark.sql import SparkSession

    import gainful

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    options = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    spark = SparkSession.builder.master("local[1]").config(map=options).getOrCreate()
    qrels = spark.createDataFrame([("q1", "a", 1), ("q2", "b", 2)], ["query", "item", "label"])
    rows = [("q1", "a", 0.9), ("q1", "b", 0.8), ("q2", "a", 0.7)]
    run = spark.createDataFrame(rows, ["query", "item", "score"])
    try:
        walk = CallProfiler(source).trace(lambda: gainful.evaluate(qrels, run, "nDCG@10").mean())
    finally:
        spark.stop()
    return {"evaluate() on Spark, driver": walk}


def _trace_command(source: Path, arguments: list[str]) -> Walk:
    from gainful.cli import gainful as group

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        return CallProfiler(source).trace(lambda: group.main(arguments, standalone_mode=False))


def count_opens(source: Path, name: str, n_runs: int, options: list[str]) -> list[int]:
    """Return how often a command opens the qrels, and each of its runs."""
    from gainful.cli import gainful as group

    files = ["qrels.txt", "keyword.run", "hybrid.run"][: 1 + n_runs]
    times = {str(source / "demo" / file): 0 for file in files}

    def count(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and arguments[0] in times:
            times[arguments[0]] += 1

    sys.addaudithook(count)
    out = io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        contextlib.suppress(SystemExit),
    ):
        group.main([name, *times, *options], standalone_mode=False)
    return [*times.values()]


# Commands that read qrels and runs: the number of runs, and further arguments.
COMMANDS: dict[str, tuple[int, list[str]]] = {
    "eval": (2, []),
    "compare": (2, []),
    "explain": (1, ["q06"]),
    "report": (2, ["-o", "report.html"]),
    "gate": (2, []),
    "unjudged": (2, []),
    "reconcile": (1, []),
    "check": (2, []),
}


def print_opens(source: Path) -> None:
    """Print how often each command opens its files."""
    print("\nopens of                             qrels       runs")
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        for name, arguments in COMMANDS.items():
            qrels, *runs = pool.submit(count_opens, source, name, *arguments).result()
            print(f"gainful {name:<23}{qrels:>11}{', '.join(map(str, runs)):>11}")


def print_walks(source: Path, *, with_paths: bool) -> None:
    """Print a row for each traced call."""
    heads = ("calls", "compr.", "functions", "modules", "folders")
    print(f"\n{'walk of':<31}" + "".join(f"{head:>11}" for head in heads))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        for trace in (trace_eval, trace_ndcg, trace_report):
            _print_walk(pool.submit(trace, source).result(), with_paths=with_paths)
        try:
            _print_walk(pool.submit(trace_spark, source).result(), with_paths=with_paths)
        except (ImportError, RuntimeError) as error:  # without pyspark, without Java
            print(f"evaluate() on Spark: skipped, {str(error).partition(chr(10))[0]}")


def _print_walk(walks: dict[str, Walk], *, with_paths: bool) -> None:
    for label, (counts, path) in walks.items():
        print(f"{label:<31}" + "".join(f"{count:>11,}" for count in counts))
        if with_paths:
            _print_path(path)


def _print_path(path: dict[str, list[str]]) -> None:
    for module, functions in path.items():
        print(f"    {module}: {', '.join(functions)}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="name what is counted")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    source = options.root.resolve() / "src" / "gainful"
    print_modules(source, with_names=options.list)
    print_walks(source, with_paths=options.list)
    print_opens(source)


if __name__ == "__main__":
    main()
