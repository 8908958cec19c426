"""Format: how a form of qrels, runs and other sources is declared, and the list of all."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gainful.base import ReadOptions, _native
from gainful.sources.read_spec import ReadSpec

if TYPE_CHECKING:
    from gainful.sources.entries import Entries

Receiver = _native.Index | _native.Aligner

# Every format, by what it holds, and the module that declares it, which is imported when the
# format is first used. `detect.py` recognizes a format by the content of a source.
MODULES: dict[str, dict[str, str]] = {
    "qrels": {
        "trec": "trec",
        "csv": "delimited",
        "tsv": "delimited",
        "beir": "delimited",
        "triples": "delimited",
        "jsonl": "json",
        "json": "json",
        "parquet": "frames",
        "arrow": "frames",
        "letor": "learning_to_rank",
        "sets": "nested",
        "dict": "nested",
        "nested": "nested",
        "rows": "objects",
        "columns": "objects",
        "frame": "frames",
        "spark": "frames",
        "ir_datasets": "datasets",
        "hugging_face": "datasets",
        "matrix": "objects",
        "grouped": "learning_to_rank",
    },
    "run": {
        "trec": "trec",
        "csv": "delimited",
        "tsv": "delimited",
        "msmarco": "delimited",
        "triples": "delimited",
        "jsonl": "json",
        "json": "json",
        "parquet": "frames",
        "arrow": "frames",
        "predictions": "learning_to_rank",
        "scores": "learning_to_rank",
        "lists": "nested",
        "dict": "nested",
        "nested": "nested",
        "rows": "objects",
        "columns": "objects",
        "frame": "frames",
        "spark": "frames",
        "ir_datasets": "datasets",
        "hugging_face": "datasets",
        "matrix": "objects",
        "grouped": "learning_to_rank",
    },
    "subtopics": dict.fromkeys(("trec", "dict", "columns"), "grouped_judgments"),
    "preferences": dict.fromkeys(("trec", "dict", "columns"), "grouped_judgments"),
    "items": dict.fromkeys(("text", "table", "frame", "data"), "items"),
    "queries": dict.fromkeys(("table", "frame"), "queries"),
}


def _refuse_use(*_: object) -> Any:
    raise NotImplementedError


@dataclass(frozen=True)
class Format:
    """A shape that qrels or runs come in.

    The functions below take a file of qrels or of a run as an ``InputFile``.

    Attributes:
        name: How users name it.
        holds: What is read from it: qrels, run, subtopics, preferences, items or queries.
        summary: What it looks like, in one sentence.
        read_entries: Reads the rows as columns of Python or NumPy.
        read_tables: Or reads them as tables that speak the Arrow PyCapsule interface, all with the
            same columns, one after the other; may be called again.
        read_names: What its columns are called, where it names them.
        push: Passes the rows over to the native core, where there is a faster way.
            Returns the query and the item of every row where a run may come as scores alone.
        read: Reads judgments of another kind.
        is_file: Whether it is read from a path.
        columns: The columns of one row, in their order, where they are known by it.
        has_own_names: Whether its tables have the names of the source; else their columns are
            called query, item, label, score and rank.
        unit: What errors count its rows by: line, row, or nothing.
    """

    name: str
    holds: str
    summary: str
    read_entries: Callable[[Any, ReadSpec], "Entries"] | None = None
    read_tables: Callable[[Any, ReadSpec], Iterator[Any]] = _refuse_use
    read_names: Callable[[Any], Sequence[str]] | None = None
    push: Callable[[Any, Any, ReadSpec, ReadOptions], Any] | None = None
    read: Callable[[Any], Any] = _refuse_use
    is_file: bool = False
    columns: tuple[str, ...] = ()
    has_own_names: bool = False
    unit: str = ""

    def make_tables(self, source: object, spec: ReadSpec) -> Iterable[Any]:
        """Return the tables of a source."""
        if self.read_entries is None:
            return self.read_tables(source, spec)
        from gainful.sources.entries import entries_to_table

        return [entries_to_table(self.read_entries(source, spec), spec)]

    def __reduce__(self) -> tuple[Any, ...]:
        # By its name: another process has declared it as well.
        return _find_declared, (self.holds, self.name)


class _Formats(Mapping[tuple[str, str], Format]):
    """Every format under what it holds and its name, its module imported when it is asked for."""

    def __init__(self) -> None:
        self._declared: dict[tuple[str, str], Format] = {}

    def __getitem__(self, key: tuple[str, str]) -> Format:
        holds, name = key
        # Even if it is declared: another thread may still be importing what it calls.
        import_module(f"gainful.sources.{MODULES[holds][name]}")
        return self._declared[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for holds, modules in MODULES.items():
            yield from ((holds, name) for name in modules)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, key: object) -> bool:
        return key in list(self)

    def declare(self, form: Format) -> None:
        key = form.holds, form.name
        assert key not in self._declared, f"{key} is declared twice"
        assert key in self, f"{key} is missing in MODULES"
        self._declared[key] = form


FORMATS = _Formats()


def _find_declared(holds: str, name: str) -> Format:
    return FORMATS[holds, name]


def declare_format(form: Format) -> Format:
    """Register a format under what it holds and its name."""
    FORMATS.declare(form)
    return form
