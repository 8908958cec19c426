"""ReadSpec: what to read from a source, and how to treat items that occur twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol

from gainful.base import Setting, collect_arguments, format_repr
from gainful.errors import AlignError, RuleError, SourceError

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
