"""Items that are parts of others, such as the chunks of a document, named by what they are of."""

from collections.abc import Sequence
from typing import Any

from gainful.errors import SourceError


class Collapse:
    """A pattern that finds the item a part belongs to, and how often it did.

    >>> import polars
    >>> collapse = Collapse(r"^(.*)#\\d+$")
    >>> collapse.applied(polars.DataFrame({"item": ["d1#0", "d1#7", "d2"]}), "item").to_dicts()
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

    def names(self, items: Sequence[str]) -> list[str]:
        """What items are parts of; others stay as they are.

        >>> Collapse("^(.*)#").names(["d1#0", "d2"])
        ['d1', 'd2']
        """
        import polars as pl

        column = pl.DataFrame({"item": items}, schema={"item": pl.String})
        named: list[str] = self.applied(column, "item").get_column("item").to_list()
        return named

    def applied(self, table: Any, item: str) -> Any:
        """The table with the column ``item`` changed."""
        import polars as pl

        frame = pl.DataFrame(table)
        text = frame.get_column(item).cast(pl.String)
        try:
            whole = text.str.extract(self.pattern, 1)
        except pl.exceptions.ComputeError as error:
            message = f"collapse: {_reason(error)}, got {self.pattern!r}."
            raise SourceError(message, code="bad-rule") from None
        self.n_items += len(text)
        self.n_whole += whole.null_count() - text.null_count()
        return frame.with_columns(whole.fill_null(text).alias(item))


def _reason(error: Exception) -> str:
    told = [line for line in str(error).splitlines() if line.startswith("error: ")]
    return told[0].removeprefix("error: ") if told else "the pattern cannot be used"
