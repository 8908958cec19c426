"""JSON files: one value in any shape that people use, or one object a line."""

import json
from typing import Any

from gainful.errors import SourceError
from gainful.sources import nested
from gainful.sources._entries import Entries, feeding, naming, tabled
from gainful.sources._files import Bytes
from gainful.sources._format import Format, declare
from gainful.sources._limits import whole
from gainful.sources._shapes import Repeated
from gainful.sources._wanted import Wanted

_EXTRA = "Extra data"


def entries_of(file: Bytes, wanted: Wanted) -> Entries:
    """The entries of a JSON file."""
    text = whole(file, again=True)
    # Bytes that are no UTF-8 stay what they are, as in other files.
    value = value_of(text.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape"), wanted)
    return nested.entries_of(value, wanted)


def value_of(text: str, wanted: Wanted) -> Any:
    """What a text in JSON says; several values, one a line, are a list of them."""
    try:
        return json.loads(text, object_pairs_hook=Repeated.or_dict)
    except json.JSONDecodeError as error:
        if error.msg != _EXTRA:
            raise _unread(error, 0, wanted) from None
    except (ValueError, RecursionError) as error:
        raise _unfit(error, wanted) from None
    return [
        _of_line(line, number, wanted)
        for number, line in enumerate(text.split("\n"))
        if line and not line.isspace()
    ]


def _of_line(line: str, number: int, wanted: Wanted) -> Any:
    try:
        return json.loads(line, object_pairs_hook=Repeated.or_dict)
    except json.JSONDecodeError as error:
        raise _unread(error, number, wanted) from None
    except (ValueError, RecursionError) as error:
        raise _unfit(error, wanted) from None


def _unread(error: json.JSONDecodeError, lines_before: int, wanted: Wanted) -> SourceError:
    line, found = lines_before + error.lineno, error.doc[error.pos : error.pos + 20]
    shown = f"got {found!r}" if found else "got the end"
    reason = f"{error.msg[0].lower()}{error.msg[1:]}"
    return SourceError(
        f"{wanted.place}, line {line}, column {error.colno}: is not JSON: {reason}, {shown}.",
        code="not-json",
    )


def _unfit(error: Exception, wanted: Wanted) -> SourceError:
    deep = isinstance(error, RecursionError)
    reason = "objects are nested too deeply" if deep else "a number has too many digits"
    return SourceError(f"{wanted.place}: cannot be read as JSON; {reason}.", code="not-json")


QRELS = declare(
    Format(
        name="json",
        holds="qrels",
        summary="A JSON file: {query: {item: label}}, {query: [item, ...]}, a list of rows, a list "
        "or lines of objects that hold one query each, or an object of columns.",
        is_file=True,
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
        queries=naming(entries_of),
    )
)
RUN = declare(
    Format(
        name="json",
        holds="run",
        summary="A JSON file: {query: {item: score}}, {query: [item, ...]} best first, a list of "
        "rows, a list or lines of objects that hold one query each, or an object of columns.",
        is_file=True,
        feed=feeding(entries_of),
        tables=tabled(entries_of),
        renamed=True,
        queries=naming(entries_of),
    )
)
