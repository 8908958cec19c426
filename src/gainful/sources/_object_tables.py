"""Python objects as tables: for what only tables can be, such as collapsed or converted."""

from collections.abc import Mapping, Sequence
from typing import Any

from gainful.errors import SourceError
from gainful.sources import arrays
from gainful.sources._rows import id_of
from gainful.sources._wanted import Wanted


def table(wanted: Wanted, query: Sequence[Any], item: Sequence[Any], **others: Any) -> Any:
    """Rows of ids and of what else is known of them, where it is."""
    import polars as pl

    ids = {"query": query, "item": item}
    columns = [_ids(name, column, wanted) for name, column in ids.items()]
    numbers = {name: column for name, column in others.items() if column is not None}
    columns += [pl.Series(name, _numbers(name, c, wanted)) for name, c in numbers.items()]
    return pl.DataFrame(columns)


def _ids(name: str, column: Sequence[Any], wanted: Wanted) -> Any:
    import polars as pl

    texts = [id_of(one, wanted.place) for one in column]
    try:
        return pl.Series(name, texts, dtype=pl.String)
    except UnicodeEncodeError:
        odd = next(text for text in texts if not _is_text(text))
        message = f"{wanted.place}: an id must be UTF-8 text, got {odd!r:.60}."
        raise SourceError(message) from None


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _numbers(name: str, column: Any, wanted: Wanted) -> Any:
    if name == "rank":
        return column
    if name == "label" and isinstance(wanted.labels, Mapping):
        column = arrays.worded(list(column), wanted.labels)
    return arrays.numbers(column, f"{name}s")
