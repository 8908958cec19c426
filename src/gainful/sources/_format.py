"""Format: how one shape of qrels or run is declared, and the list of all of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from gainful import _native
from gainful.records import Record
from gainful.sources._reading import Reading
from gainful.sources._room import with_room
from gainful.sources._wanted import Wanted

Receiver = _native.Index | _native.Aligner

# Every format, by what it holds, under the module that declares it, which is imported when the
# format is met. Those that are told apart by their content are in `_detect.py`.
MODULES: dict[str, dict[str, tuple[str, ...]]] = {
    "qrels": {
        "trec": ("trec",),
        "delimited": ("csv", "tsv", "beir", "triples"),
        "jsonl": ("jsonl",),
        "json": ("json",),
        "parquet": ("parquet", "arrow"),
        "letor": ("letor",),
        "mappings": ("sets", "dict"),
        "nested": ("nested",),
        "rows": ("rows",),
        "column_rows": ("columns",),
        "frames": ("frame",),
        "spark": ("spark",),
        "datasets": ("ir_datasets", "hugging_face"),
        "matrices": ("matrix",),
        "grouped": ("grouped",),
    },
    "run": {
        "trec": ("trec",),
        "delimited": ("csv", "tsv", "msmarco", "triples"),
        "jsonl": ("jsonl",),
        "json": ("json",),
        "parquet": ("parquet", "arrow"),
        "predictions": ("predictions", "scores"),
        "mappings": ("lists", "dict"),
        "nested": ("nested",),
        "rows": ("rows",),
        "column_rows": ("columns",),
        "frames": ("frame",),
        "spark": ("spark",),
        "datasets": ("ir_datasets", "hugging_face"),
        "matrices": ("matrix",),
        "grouped": ("grouped",),
    },
    "subtopics": {"groups": ("trec", "dict", "columns")},
    "preferences": {"preferences": ("trec", "dict", "columns")},
    "items": {"items": ("text", "table", "frame", "data")},
    "queries": {"queries": ("table", "frame")},
}


def _unfit(*_: Any) -> Any:
    raise NotImplementedError


@dataclass(eq=False, repr=False)
class Format(Record):
    """A shape that qrels or runs come in.

    A file is handed to the functions below as ``Bytes`` if it holds qrels or a run.

    Attributes:
        name: How users name it.
        holds: What is read from it: qrels, run, subtopics, preferences, items or queries.
        summary: What it looks like, in one sentence.
        tables: The rows, as tables that speak the Arrow PyCapsule interface, all with the same
            columns, one after the other; may be called again.
        names: What its columns are called, where it names them.
        feed: Hands the rows over to the native core, where there is a faster way than tables.
            Returns the query and the item of every row where a run may come as scores alone.
        queries: Every query that it names, where one may have no row.
        read: Reads judgments of another kind.
        is_file: Whether it is read from a path.
        columns: The columns of one row, in their order, where they are known by it.
        renamed: Whether its tables call their columns query, item, label, score and rank, the
            names that the user gave being looked up.
        unit: What errors count its rows by: line, row, or nothing.
    """

    name: str
    holds: str
    summary: str
    tables: Callable[[Any, Wanted], Iterator[Any]] = _unfit
    names: Callable[[Any], Sequence[str]] | None = None
    feed: Callable[[Any, Receiver, Wanted, Reading], Any] | None = None
    queries: Callable[[Any, Wanted], list[Any]] | None = None
    read: Callable[[Any], Any] = _unfit
    is_file: bool = False
    columns: tuple[str, ...] = ()
    renamed: bool = False
    unit: str = ""

    def made(self, given: Any, wanted: Wanted) -> Iterator[Any]:
        """The tables of a source; those of a file are made by polars, once it has memory."""
        tables = self.tables(given, wanted)
        return with_room(tables) if self.is_file else tables

    def __reduce__(self) -> tuple[Any, ...]:
        # By its name: another process has declared it as well.
        return _declared, (self.holds, self.name)


class _Formats(Mapping[tuple[str, str], Format]):
    """Every format under what it holds and its name, its module imported when it is asked for."""

    def __init__(self) -> None:
        self._declared: dict[tuple[str, str], Format] = {}

    def __getitem__(self, key: tuple[str, str]) -> Format:
        holds, name = key
        module = next(m for m, names in MODULES.get(holds, {}).items() if name in names)
        # Even if it is declared: another thread may still be importing what it calls.
        import_module(f"gainful.sources.{module}")
        return self._declared[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for holds, modules in MODULES.items():
            for names in modules.values():
                yield from ((holds, name) for name in names)

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


def _declared(holds: str, name: str) -> Format:
    return FORMATS[holds, name]


def declare(form: Format) -> Format:
    """Register a format under what it holds and its name."""
    FORMATS.declare(form)
    return form
