"""Formats: what is read from a source, and the list of all forms of qrels, runs and tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, Protocol

from gainful.base import ReadOptions, Setting, _native, collect_arguments, format_repr
from gainful.errors import AlignError, RuleError, SourceError

if TYPE_CHECKING:
    from gainful.sources.entries import Entries

Duplicates = Annotated[
    str,
    Setting(
        "how an item counts that is judged or retrieved twice",
        choices={
            "error": "it is an error",
            "first": "the first mention counts",
            "last": "the last mention counts",
            "max": "the mention with the highest label, or the best score, counts",
            "once": "all that are retrieved keep their rank, and only the first of them gains; of "
            "labels the first counts",
            "count": "all that are retrieved keep their rank, and every one of them gains; of "
            "labels the first counts",
        },
        phrases={
            "error": "repeated items refused",
            "first": "of repeated items the first counts",
            "last": "of repeated items the last counts",
            "max": "of repeated items the best counts",
            "once": "repeated items keep their rank, and gain once",
            "count": "repeated items keep their rank, and all gain",
        },
    ),
]
CollapsePattern = Annotated[
    str | None,
    Setting(
        "merge items by what the first group of PATTERN finds in their id; the best one counts",
        pattern=True,
        phrases={"none": "items not collapsed", "...": "items collapsed by {}"},
    ),
]


class ReadRules(Protocol):
    """The rules that reading judgments depends on; ``Rules`` has them."""

    @property
    def duplicate_rule(self) -> str: ...
    @property
    def collapse(self) -> str | None: ...


@dataclass(frozen=True, kw_only=True)
class DuplicateRules:
    """Rules for items that are judged twice, and for items that are parts of others."""

    duplicates: Duplicates = "error"
    collapse: CollapsePattern = None

    def __post_init__(self) -> None:
        for name, argument in collect_arguments(type(self)).items():
            argument.check("rules", getattr(self, name), RuleError, "bad-rule")
        if self.collapse is not None and self.duplicates in ("once", "count"):
            message = (
                f"rules: duplicates={self.duplicates} and collapse={self.collapse} cannot hold "
                "together: of the parts of an item only the best one has a rank."
            )
            raise RuleError(message, code="conflicting-rules")

    @property
    def duplicate_rule(self) -> str:
        """The mention of an item that counts, as in ``duplicates``; of parts it is the best."""
        return self.duplicates if self.collapse is None else "max"


class Collapse:
    """A pattern that finds the item a part belongs to, and how often it did.

    >>> import polars
    >>> collapse = Collapse(r"^(.*)#\\d+$")
    >>> collapse.apply(polars.DataFrame({"item": ["d1#0", "d1#7", "d2"]}), "item").to_dicts()
    [{'item': 'd1'}, {'item': 'd1'}, {'item': 'd2'}]
    >>> collapse.n_items, collapse.n_whole
    (3, 1)

    Attributes:
        pattern: A regular expression; its first group is the item.
        n_items: How many rows were looked at.
        n_whole: How many of them are no parts; they stay as they are.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.start_over()

    def start_over(self) -> None:
        """Forget what was counted."""
        self.n_items = self.n_whole = 0

    def collapse_ids(self, items: Sequence[str]) -> list[str]:
        """Return the items that parts belong to; others are unchanged.

        >>> Collapse("^(.*)#").collapse_ids(["d1#0", "d2"])
        ['d1', 'd2']
        """
        import polars as pl

        column = pl.DataFrame({"item": items}, schema={"item": pl.String})
        items_of_parts: list[str] = self.apply(column, "item").get_column("item").to_list()
        return items_of_parts

    def apply(self, table: object, item: str) -> Any:
        """Return the table with the column ``item`` changed."""
        import polars as pl

        frame = pl.DataFrame(table)
        text = frame.get_column(item).cast(pl.String)
        try:
            item_ids = text.str.extract(self.pattern, 1)
        except pl.exceptions.ComputeError as error:
            message = f"collapse: {_describe_pattern_error(error)}, got {self.pattern!r}."
            raise SourceError(message, code="bad-rule") from None
        self.n_items += len(text)
        self.n_whole += item_ids.null_count() - text.null_count()
        return frame.with_columns(item_ids.fill_null(text).alias(item))


def _describe_pattern_error(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.startswith("error: ")]
    return lines[0].removeprefix("error: ") if lines else "the pattern cannot be used"


@dataclass(frozen=True)
class ReadSpec:
    """The specification of what is read from a source.

    Attributes:
        holds: What it is read as: qrels or run.
        place: What errors call the source: its path, or "qrels", or "run" and its name.
        columns: The names of columns, or their numbers from 1, by role: ``{"query": "qid"}``.
        labels: What words mean as labels: ``{"good": 2}``.
        ranks_for: The rule that reads the rank column, if one does.
        collapse: What finds the item that a part belongs to, if parts are to be collapsed.
        all_columns: Whether columns are wanted too that qrels or runs do not need.
        rows: The query and the item of every row of the judgments, for scores alone.
    """

    holds: str
    place: str
    columns: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[Any, float] | None = None
    ranks_for: str | None = None
    collapse: Collapse | None = None
    all_columns: bool = False
    rows: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.columns, Mapping):
            message = (
                "columns: must say what columns are called, such as {'query': 'qid'}, "
                f"got {format_repr(self.columns)}."
            )
            raise SourceError(message, code="bad-columns")
        names = {role: str(name) for role, name in self.columns.items()}
        object.__setattr__(self, "columns", names)

    def check_no_ranks(self) -> None:
        """Refuse a source that has no ranks where a rule reads them."""
        if self.ranks_for is not None:
            message = (
                f"{self.place} has no rank column, got {self.ranks_for}. "
                "Pass a run file that has one."
            )
            raise AlignError(message, code="missing-ranks")


Receiver = _native.Index | _native.Aligner

# Every format, by what it holds, and the module that declares it, which is imported when the
# format is first used. `detect.py` recognizes a format by the content of a source.
MODULES: dict[str, dict[str, str]] = {
    "qrels": {
        "trec": "trec",
        "csv": "text",
        "tsv": "text",
        "beir": "text",
        "triples": "text",
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
        "csv": "text",
        "tsv": "text",
        "msmarco": "text",
        "triples": "text",
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
    "subtopics": dict.fromkeys(("trec", "dict", "columns"), "judgments"),
    "preferences": dict.fromkeys(("trec", "dict", "columns"), "judgments"),
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


_Fields = ParamSpec("_Fields")


def _register(make: Callable[_Fields, Format]) -> Callable[_Fields, Format]:
    def declare_format(*args: _Fields.args, **fields: _Fields.kwargs) -> Format:
        """Declare a format, registered under what it holds and its name."""
        form = make(*args, **fields)
        FORMATS.declare(form)
        return form

    return declare_format


declare_format = _register(Format)
