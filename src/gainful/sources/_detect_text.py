"""Which format a text file is in, if its first line is not one of TREC's."""

from typing import TYPE_CHECKING, Any

from gainful.errors import SourceError
from gainful.sources._format import FORMATS
from gainful.sources._header import SEPARATORS, is_number
from gainful.sources._roles import holds_all, named

if TYPE_CHECKING:
    from gainful.sources._detect import Start

_BEIR = ["query-id", "corpus-id", "score"]
_JSON_LINES = (".jsonl", ".ndjson")
_LOOKED_AT = 1000  # lines
_ALIEN = {
    b"\xff\xfe": "UTF-16 text. Save it as UTF-8.",
    b"\xfe\xff": "UTF-16 text. Save it as UTF-8.",
    b"FEA1": "the first version of Feather. Write the second, which is Arrow, or Parquet.",
    b"\x89PNG": "a picture. Pass the table itself.",
    b"%PDF-": "a PDF document. Save the table in it as CSV.",
    b"\x80\x04\x95": "a pickle, which is never loaded. Write CSV, JSON or Parquet.",
    b"\x80\x05\x95": "a pickle, which is never loaded. Write CSV, JSON or Parquet.",
    b"<!DOCTYPE": "a web page. Save the table in it as CSV.",
    b"<!doctype": "a web page. Save the table in it as CSV.",
    b"<html": "a web page. Save the table in it as CSV.",
    b"SQLite format 3": "a database of SQLite. Write the table as CSV or Parquet.",
    b"PK\x03\x04": "a zip archive, as Excel files are. Unpack it, or save the table as CSV.",
}


def text_format(start: "Start", holds: str) -> str:
    """The name of the format: by its content, then by its name; TREC's if neither tells."""
    for magic, kind in _ALIEN.items():
        if start.text.startswith(magic):
            message = f"{start.name}: is {kind}"
            code = "not-text" if kind.startswith("UTF") else "foreign-file"
            raise SourceError(message, code=code)
    first = start.first.decode("utf-8", "replace")
    if _is_json(start):
        name = json_format(start)
        return name if (holds, name) in FORMATS else "jsonl"
    return (
        _of_learning(start, holds)
        or _with_header(first, holds)
        or _of_three(start, holds)
        or _separated(start, first)
        or "trec"
    )


def _of_learning(start: "Start", holds: str) -> str | None:
    """Rows with a label, a query and features, or the scores that were predicted for them."""
    fields = start.lines[0].split()
    if holds == "qrels" and len(fields) > 1 and fields[1].startswith(b"qid:"):
        return "letor"
    lines = (line.decode("utf-8", "replace") for line in start.lines[:_LOOKED_AT])
    return "predictions" if holds == "run" and all(map(is_number, lines)) else None


def _is_json(start: "Start") -> bool:
    text = b"".join(start.lines[:2])
    after = text[1:].lstrip()[:1]
    if text[:1] == b"{":
        return after in (b'"', b"}")
    return text[:1] == b"[" and (after in b'{["]-' or after.isdigit())


def json_format(start: "Start") -> str:
    """JSON lines if the first is a row; else JSON, whatever its shape."""
    import json

    try:
        row = json.loads(start.first)
    except (ValueError, RecursionError):
        if len(start.lines) == 1 and start.is_cut:
            return "json"
        several = len(start.lines) > 1 and all(line.startswith(b"{") for line in start.lines[:2])
        return "jsonl" if several or start.extension in _JSON_LINES else "json"
    return "jsonl" if isinstance(row, dict) and _is_row(row) else "json"


def _is_row(row: dict[str, Any]) -> bool:
    names, values = list(row), list(row.values())
    nested = [isinstance(value, list | dict) for value in values]
    if holds_all(names):
        return not any(nested[named(names, role) or 0] for role in ("query", "item"))
    return len(names) > 1 and not any(nested)


def _with_header(first: str, holds: str) -> str | None:
    for separator in (*SEPARATORS, None):
        names = [name.strip().strip('"') for name in first.split(separator)]
        if len(names) > 1 and holds_all(names):
            if holds == "qrels" and separator == "\t" and names == _BEIR:
                return "beir"
            return "tsv" if separator == "\t" else "csv"
    return None


def _of_three(start: "Start", holds: str) -> str | None:
    """Rows of query, item and a number, without a header."""
    sample = [line.decode("utf-8", "replace") for line in start.lines[:_LOOKED_AT]]
    for separator in (*SEPARATORS, None):
        rows = [line.split(separator) for line in sample]
        if all(len(row) == 3 and is_number(row[2]) for row in rows):
            return "triples" if holds == "qrels" else _ranks_or_scores(start, rows)
    return None


def _ranks_or_scores(start: "Start", rows: list[list[str]]) -> str:
    numbers = [row[2].strip() for row in rows]
    if not all(number.lstrip("+-").isdigit() for number in numbers):
        return "triples"
    if numbers[0] in ("0", "1") and _rise([row[0] for row in rows], list(map(float, numbers))):
        return "msmarco"
    message = (
        f"{start.name}: cannot tell whether the third column holds ranks or scores. Pass "
        "--run-format msmarco for ranks, triples for scores, or format= in Python."
    )
    raise SourceError(message, code="unclear-format")


def _rise(queries: list[str], numbers: list[float]) -> bool:
    """Whether numbers rise from row to row of every query, as ranks do.

    >>> _rise(["q1", "q2", "q1"], [1, 1, 2]), _rise(["q1", "q1"], [1, 0])
    (True, False)
    """
    last: dict[str, float] = {}
    for query, number in zip(queries, numbers, strict=True):
        if query in last and number <= last[query]:
            return False
        last[query] = number
    return True


def _separated(start: "Start", first: str) -> str | None:
    """A table whose header is unknown, or that has none; its columns are to be named."""
    if start.extension in (".csv", ".tsv") and any(s in first for s in SEPARATORS):
        return start.extension[1:] if "\t" in first else "csv"
    if start.extension in _JSON_LINES:
        return "jsonl"
    for separator in ",;|\t":
        n_fields = {line.count(separator.encode()) for line in start.lines[:_LOOKED_AT]}
        if len(n_fields) == 1 and min(n_fields) >= 2 and len(start.lines) > 1:
            return "tsv" if separator == "\t" else "csv"
    return None
