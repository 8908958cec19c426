"""Explain the errors of the native core and of polars."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gainful.base import LONG_LINE, _native
from gainful.errors import SourceError

if TYPE_CHECKING:
    from gainful.sources.text import RowLines


_SWAPPED = {
    (4, 6): "This looks like a run; qrels come first.",
    (6, 4): "This looks like qrels; they come first, the run second.",
}
_N_TOP_LINES = 3
_MAX_NUMBERED = 2**32 - 2  # numbers of 32 bits, one of which stands for none
_CODES = {
    "fields": "malformed-line",
    "record": "malformed-line",
    "empty": "bad-id",
    "long-line": "malformed-line",
    "many-rows": "too-large",
    "many-ids": "too-large",
    "label": "bad-label",
    "score": "bad-score",
    "nan-score": "nan-score",
    "rank": "bad-rank",
    "null": "bad-id",
    "table": "broken-file",
    "no-scores": "missing-column",
    "id-type": "column-type",
    "number-type": "column-type",
    "id": "bad-id",
    "entries": "wrong-structure",
    "list": "wrong-structure",
    "judged-twice": "judged-twice",
    "retrieved-twice": "retrieved-twice",
}
_COLUMNS = {
    4: "A line of qrels is: query iteration item label.",
    6: "A line of a run is: query Q0 item rank score tag.",
}


def explain_bad_input(
    error: _native.BadInput,
    source: str,
    *,
    unit: str,
    lines: "RowLines | None" = None,
    is_numbered: bool = True,
) -> SourceError:
    """Return an error with a sentence for one of the native core, naming its source.

    Args:
        error: What it found.
        source: What to call the source.
        unit: What its rows are counted by.
        lines: The line of each row, where the core counted rows.
        is_numbered: Whether the number of a row says which it is; if not, ids say it.
    """
    reason, line, _, text, query, item, first, second = error.args
    if reason == "score" and text.lower().strip(b"+- ") == b"nan":
        reason = "nan-score"
    if lines is not None and line:
        line = lines.find_line(line)
        first = lines.find_line(int(first)) if reason == "retrieved-twice" else first
    line = line if unit and is_numbered else 0
    # What comes from Python is shown as it writes it; so are numbers, and null.
    is_literal = not unit or reason == "id" or (unit == "row" and _is_plain(text))
    excerpt = _decode(text) if is_literal else repr(_decode(text))
    place = f"{source}, {unit} {line}" if line else source
    pair = f"query {_decode(query)!r} item {_decode(item)!r}"
    if not line and item and "twice" not in reason:
        place = f"{place}: {pair}"
    within = f"query {_decode(query)!r}: " if query else ""
    hint = _COLUMNS.get(first, "")
    if b"\r" in text.rstrip():
        hint = "Its lines end in a carriage return alone; end them in a line feed."
    if line and b"\0" in text:
        return SourceError(
            f"{place}: the text must be UTF-8, got NUL bytes; it may be UTF-16.", code="not-text"
        )
    # Further down it is this line that is wrong, not the file.
    swapped = _SWAPPED.get((first, second), "") if is_numbered and line <= _N_TOP_LINES else ""
    hint = swapped or hint
    first_mention = f" (first on {unit} {first:.0f})" if line else ""
    sentences = {
        "fields": f"expected {first:.0f} fields, found {second:.0f}: {excerpt}. {hint}",
        "record": f"expected {first:.0f} fields, found {second:.0f}: {excerpt}.",
        "empty": f"the {_decode(text)} is empty.",
        "long-line": LONG_LINE.format(first),
        "many-rows": f"has more rows of one query than can be numbered, {_MAX_NUMBERED:,}.",
        "many-ids": f"has more ids than can be numbered, {_MAX_NUMBERED:,}.",
        "label": f"label must be a finite number, got {excerpt}.{_suggest_fix(text)}",
        "score": f"score must be a number, got {excerpt}.{_suggest_fix(text, labels=False)}",
        "nan-score": "score must be a number that can be ordered, got NaN.",
        "rank": f"rank must be an integer to order by it, got {excerpt}.",
        "null": f"{within}{_decode(text)} must be an id, got null.",
        "table": f"{_extract_first_sentence(_decode(text, max_length=300))}.",
        "no-scores": "no column is known as the score or the rank. Name it with --columns "
        "score=NAME, or columns={'score': NAME} in Python, or pass --order file where the items "
        "of each query stand in order.",
        "id-type": f"column {_decode(query)!r} must hold text or integers to be ids, got "
        f"{describe_arrow_type(_decode(text))}.{_suggest_cast(text)}",
        "number-type": f"column {_decode(query)!r} must hold numbers, got "
        f"{describe_arrow_type(_decode(text))}.",
        "id": f"{within}an id must be a string, an integer, bytes or a UUID, got {excerpt}.",
        "entries": f"query {_decode(query)!r} must hold a dict of items, got {excerpt}.",
        "list": f"query {_decode(query)!r} must hold a list of items, got {excerpt}.",
        "judged-twice": f"{pair} is judged twice (labels {first:g} and {second:g}). "
        "Pass --duplicates max to keep the higher.",
        "retrieved-twice": f"{pair} is retrieved twice{first_mention}. "
        "Pass --duplicates first, last or max to keep one.",
    }
    code = "looks-swapped" if reason == "fields" and swapped else _CODES[reason]
    source_error = SourceError(f"{place}: {sentences[reason]}", code=code)
    source_error.bad_input = error.args
    return source_error


def explain_bad_line(
    bad: tuple[Any, ...], place: str, n_before: int, *, names: Sequence[str] = (), hint: str = ""
) -> SourceError:
    """Return the error for the line that ended the rows of a text.

    Args:
        bad: What the native core says of it.
        place: What to call the file.
        n_before: Number of lines above that text.
        names: The columns that were read, unless it is a TREC file.
        hint: What follows the sentence.
    """
    reason, line, column, text, query, item, first, second = bad
    if reason == "empty":
        text = names[int(first)].encode()
    reason = "record" if reason == "fields" and names else reason
    error = _native.BadInput(reason, line + n_before, column, text, query, item, first, second)
    explained = explain_bad_input(error, place, unit="line")
    return SourceError(f"{explained}{hint}", code=explained.code) if hint else explained


_NO_NUMBERS = ("nan", "inf", "infinity", "null", "none")


def _suggest_fix(text: bytes, *, labels: bool = True) -> str:
    """Suggest what to do about text that is not a number."""
    word = _decode(text)
    if "," in word and word.replace(",", "", 1).lstrip("+-").isdigit():
        return " Write a decimal point."
    if labels and len(word) > 1 and word.isalpha() and word.lower() not in _NO_NUMBERS:
        return f" Say what words mean with --labels {word}=NUMBER, or labels= in Python."
    return ""


_TYPES = {
    "n": "nothing but nulls",
    "b": "booleans",
    "e": "floating-point numbers",
    "f": "floating-point numbers",
    "g": "floating-point numbers",
    "d": "decimals",
    "t": "dates or times",
    "z": "bytes",
    "Z": "bytes",
    "vz": "bytes",
    "w": "bytes",
    "+": "lists or structures",
}


def describe_arrow_type(form: str) -> str:
    """Describe what a column of an Arrow format holds.

    >>> describe_arrow_type("tsu:UTC")
    'dates or times'
    """
    return _TYPES.get(form) or _TYPES.get(form[:1], f"the Arrow type {form!r}")


def _suggest_cast(form: bytes) -> str:
    return "" if form[:1] in (b"+", b"n") else " Cast it to text."


def _is_plain(text: bytes) -> bool:
    """Return whether a text is null or a number, NaN and infinity included: no quotes needed.

    >>> _is_plain(b"null"), _is_plain(b"1.5"), _is_plain(b"inf"), _is_plain(b"high")
    (True, True, True, False)
    """
    try:
        float(text)
    except ValueError:
        return text == b"null"
    return True


def _extract_first_sentence(text: str) -> str:
    """Return the first sentence of a library's message, without what Python adds."""
    return text.partition(". Detail: ")[0].strip().partition("\n")[0].rstrip(". ")


def _decode(text: bytes, max_length: int = 80) -> str:
    decoded = text.decode("utf-8", "replace")
    return decoded if len(decoded) <= max_length else decoded[: max_length - 3] + "..."


@contextmanager
def explain_polars_errors(kind: str, place: str) -> Iterator[None]:
    """Turn an error of polars, or a panic, which is not an Exception, into a SourceError.

    Args:
        kind: What was to be read.
        place: What errors call the source.
    """
    import polars as pl

    try:
        yield
    except BaseException as error:
        is_panic = type(error).__name__ == "PanicException"
        is_source_error = isinstance(error, SourceError)
        if is_source_error or not (
            is_panic or isinstance(error, pl.exceptions.PolarsError | OSError)
        ):
            raise
        # The text of a panic helps nobody except the authors of polars.
        text = "its bytes are damaged" if is_panic else str(error)
        reason = text.partition("\n")[0].rstrip(".")
        message = f"{place}: cannot be read as {kind} ({reason})."
        raise SourceError(message, code="broken-file") from error
