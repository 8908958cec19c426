"""Sources that are recognised, opened and handed over to the native core."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from gainful import _native
from gainful.errors import SourceError
from gainful.sources._detect import Start, file_format, is_path, object_format
from gainful.sources._files import opened
from gainful.sources._format import FORMATS, Format, Receiver
from gainful.sources._handed import Handed
from gainful.sources._reading import Reading
from gainful.sources._wanted import Wanted
from gainful.wording import as_written

T = TypeVar("T")


def format_of(source: Any, holds: str, name: str | None = None) -> Format | None:
    """The format that a source is in, or is said to be in; None for a file that is yet to be seen.

    Args:
        source: The source.
        holds: What is to be read from it.
        name: The format of a file, if the user names it.
    """
    if is_path(source):
        return None if name is None else _named(name, holds)
    found = object_format(source, holds)
    if name is not None or found is None:
        raise SourceError(_unknown(source, holds), code="wrong-type")
    return FORMATS[holds, found]


def hand_over(
    source: Any,
    form: Format | None,
    wanted: Wanted,
    receiver: Receiver,
    reading: Reading,
    finish: Callable[[], T],
) -> tuple[T, Handed]:
    """What comes of all rows of a source, handed over to the native core, and what they are called.

    Args:
        source: The source.
        form: Its format; None for a file whose content is to tell.
        wanted: What is to be read from it.
        receiver: Who takes the rows.
        reading: How files are read.
        finish: Called when all rows are handed over.
    """
    with at_hand(source, form, wanted.holds, wanted.columns) as (given, known):
        handed = Handed(wanted.place, known.unit)
        try:
            rows = _feed(given, known, receiver, wanted, reading)
            done = finish()
        except _native.BadInput as error:
            lines = getattr(given, "row_lines", None)
            raise handed._replace(lines=lines).worded(error) from None
        return done, handed._replace(lines=getattr(given, "row_lines", None), rows=rows)


@contextmanager
def at_hand(
    source: Any, form: Format | None, holds: str, columns: Mapping[str, str]
) -> Iterator[tuple[Any, Format]]:
    """The source as its format takes it, a file being open, and that format."""
    if not is_path(source):
        assert form is not None
        yield source, form
        return
    with opened(source) as file:
        yield file, form or FORMATS[holds, _told(Start(file.name, file.start), holds, columns)]


def _told(start: Start, holds: str, columns: Mapping[str, str]) -> str:
    """The format that a file is in; one with columns that the user numbers is a table."""
    name = file_format(start, holds)
    is_numbered = any(column.isdigit() for column in columns.values())
    return "csv" if name == "trec" and is_numbered else name


def _feed(given: Any, form: Format, receiver: Receiver, wanted: Wanted, reading: Reading) -> Any:
    # Words are no numbers in text that is read as such; tables know them.
    knows_words = wanted.labels is None or not form.is_file
    if form.feed is not None and wanted.collapse is None and knows_words:
        return form.feed(given, receiver, wanted, reading)
    from gainful.sources import _tables

    if form.queries is not None:
        receiver.name_queries(form.queries(given, wanted))
    known = replace(wanted, columns={}) if form.renamed else wanted
    once = _tables.streams_once(given)
    _tables.feed(lambda: form.made(given, wanted), receiver, known, once=once)
    return None


def _named(name: str, holds: str) -> Format:
    names = [n for h, n in FORMATS if h == holds and FORMATS[h, n].is_file]
    if name not in names:
        message = f"{holds} format: must be one of {', '.join(names)}, got {name!r}."
        raise SourceError(message, code="unknown-format")
    return FORMATS[holds, name]


def _unknown(source: Any, holds: str) -> str:
    forms = [FORMATS[key] for key in FORMATS if key[0] == holds]
    shapes = (
        "a path" if form.is_file else form.summary.partition(":")[0].partition(",")[0]
        for form in forms
    )
    shapes = (shape[0].lower() + shape[1:] for shape in shapes)
    return f"{holds}: must be one of {', '.join(dict.fromkeys(shapes))}, got {as_written(source)}."
