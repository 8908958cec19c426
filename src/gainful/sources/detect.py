"""Detect the format of a source: an object by its type, a file by its content and name."""

import numbers
import os
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, is_dataclass
from typing import Any

from gainful.base import InputFile, cached_property, get_file_extension
from gainful.errors import SourceError
from gainful.sources.columns import SEPARATORS, Columns, find_role, has_id_columns, is_number
from gainful.sources.formats import FORMATS


@dataclass(frozen=True, eq=False)
class FileStart:
    """The first bytes of a file, and its name.

    Attributes:
        name: Its path.
        text: The first bytes, unpacked; some thousands, if there are as many.
    """

    name: str
    text: bytes

    @cached_property
    def first(self) -> bytes:
        """The first line that holds data; empty if there is none."""
        return next(self._list_data_lines(), b"")

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines that hold data; a last one that may be cut is left out."""
        lines = list(self._list_data_lines())
        return lines[:-1] if self.is_cut and len(lines) > 1 else lines

    @property
    def is_cut(self) -> bool:
        """True if there may be more of the file."""
        return len(self.text) >= InputFile.START

    def _list_data_lines(self) -> Iterator[bytes]:
        end = b"\r" if b"\r" in self.text and b"\n" not in self.text else b"\n"
        for line in self.text.removeprefix(b"\xef\xbb\xbf").split(end):
            stripped = line.strip()
            if stripped and not stripped.startswith(b"#"):
                yield stripped

    @property
    def extension(self) -> str:
        """The end of its name, without the mark of a compression: ``.csv`` of ``a.csv.gz``."""
        return get_file_extension(self.name)


# The prefix of the name of a data set of ir_datasets, accepted in place of a path.
IR_DATASETS = "irds:"

# The text files that are read without looking at them.
PLAIN = {"subtopics": "trec", "preferences": "trec"}


def is_path(source: object) -> bool:
    """Return whether it is a path, to be read as a file."""
    if isinstance(source, str) and source.startswith(IR_DATASETS):
        return False
    return isinstance(source, str | os.PathLike)


def detect_file_format(start: FileStart, holds: str) -> str:
    """Return the name of the format of a file; ``trec`` if it looks like no other."""
    for magic, name in BINARY.items():
        if start.text.startswith(magic):
            return name
    if not start.first or (_is_trec(start.first) and not _is_tabbed(start)):
        return "trec"

    return _detect_text_format(start, holds)


# How files begin that are not text.
BINARY = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}


def _is_trec(line: bytes) -> bool:
    """Return whether a line is one of TREC qrels or of a TREC run."""
    fields = line.split()
    if len(fields) != 4 and len(fields) < 6:
        return False
    try:
        float(fields[3] if len(fields) == 4 else fields[4])
    except ValueError:
        return False
    return True


def _is_tabbed(start: FileStart) -> bool:
    """Return whether tabs make three fields of a line, in a file that is named for them.

    White space may stand inside these, where queries are what people typed.
    """
    return start.extension == ".tsv" and start.first.count(b"\t") == 2


def detect_object_format(source: object, holds: str) -> str | None:
    """Return the name of the format that an object is in."""
    if holds in ("qrels", "run"):
        if is_spark(source):
            return "spark"
        if is_frame(source):
            return "frame"

        return _detect_by_type(source, holds) or _detect_by_content(source, holds)
    if isinstance(source, Columns):
        return "columns"
    return "dict" if isinstance(source, Mapping) else None


def has_item_ids(qrels: object) -> bool:
    """Return whether judged items have ids; those of arrays of labels are numbered.

    >>> import gainful
    >>> has_item_ids({"q1": {"d1": 1}}), has_item_ids(gainful.Grouped([1, 0], group_sizes=[2]))
    (True, False)
    """
    # First those that may have an attribute of any name: the columns of a frame.
    if is_path(qrels) or is_spark(qrels) or is_frame(qrels):
        return True
    if hasattr(qrels, "has_item_ids"):
        return bool(qrels.has_item_ids)
    if _detect_by_type(qrels, "qrels") not in ("grouped", "matrix"):
        return True
    return is_dataclass(qrels) and getattr(qrels, "items", None) is not None


def find_library(source: object) -> str:
    """Return the library that an object comes from, without importing it."""
    return type(source).__module__.partition(".")[0]


def is_spark(source: object) -> bool:
    """Return whether it is a DataFrame of Spark, Spark Connect, or pandas on Spark."""
    libraries = {base.__module__.partition(".")[0] for base in type(source).__mro__}
    return "pyspark" in libraries and (hasattr(source, "mapInArrow") or hasattr(source, "to_spark"))


def is_frame(source: object) -> bool:
    """Return whether it is a table of some library; an object of one dimension is not."""
    if len(getattr(source, "shape", (0, 0))) == 1:
        return False
    attributes = _FRAMES.get(find_library(source), ())
    return hasattr(source, "__arrow_c_stream__") or any(
        hasattr(source, name) for name in attributes
    )


# What tables of these libraries have that do not speak the Arrow interface.
_FRAMES = {
    "pandas": ("columns",),
    "polars": ("collect_schema",),
    "narwhals": ("collect_schema",),
    "pyarrow": ("scanner", "to_reader"),
}


_BEIR = ["query-id", "corpus-id", "score"]
_JSON_LINES = (".jsonl", ".ndjson")
_SAMPLE = 1000  # lines
_FOREIGN = {
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


def _detect_text_format(start: FileStart, holds: str) -> str:
    """Return the name of the format, by content, then by file name; ``trec`` if undecided."""
    for magic, kind in _FOREIGN.items():
        if start.text.startswith(magic):
            message = f"{start.name}: is {kind}"
            code = "not-text" if kind.startswith("UTF") else "foreign-file"
            raise SourceError(message, code=code)
    first = start.first.decode("utf-8", "replace")
    if is_json(start):
        name = detect_json_format(start)
        return name if (holds, name) in FORMATS else "jsonl"
    return (
        _detect_learning_to_rank(start, holds)
        or _detect_header(first, holds)
        or _detect_triples(start, holds)
        or _detect_delimited(start, first)
        or "trec"
    )


def _detect_learning_to_rank(start: FileStart, holds: str) -> str | None:
    """Detect rows with label, query and features, or the scores predicted for them."""
    fields = start.lines[0].split()
    if holds == "qrels" and len(fields) > 1 and fields[1].startswith(b"qid:"):
        return "letor"
    lines = (line.decode("utf-8", "replace") for line in start.lines[:_SAMPLE])
    return "predictions" if holds == "run" and all(map(is_number, lines)) else None


def is_json(start: FileStart) -> bool:
    """Return whether a file begins as JSON does."""
    text = b"".join(start.lines[:2])
    second = text[1:].lstrip()[:1]
    if text[:1] == b"{":
        return second in (b'"', b"}")
    return text[:1] == b"[" and (second in b'{["]-' or second.isdigit())


def detect_json_format(start: FileStart) -> str:
    """Return JSON lines if the first line is a row, else JSON."""
    import json

    try:
        row = json.loads(start.first)
    except (ValueError, RecursionError):
        if len(start.lines) == 1 and start.is_cut:
            return "json"
        are_objects = len(start.lines) > 1 and all(
            line.startswith(b"{") for line in start.lines[:2]
        )
        return "jsonl" if are_objects or start.extension in _JSON_LINES else "json"
    return "jsonl" if isinstance(row, dict) and _is_row(row) else "json"


def _is_row(row: dict[str, Any]) -> bool:
    names, values = list(row), list(row.values())
    nested = [isinstance(value, list | dict) for value in values]
    if has_id_columns(names):
        return not any(nested[find_role(names, role) or 0] for role in ("query", "item"))
    return len(names) > 1 and not any(nested)


def _detect_header(first: str, holds: str) -> str | None:
    for separator in (*SEPARATORS, None):
        names = [name.strip().strip('"') for name in first.split(separator)]
        if len(names) > 1 and has_id_columns(names):
            if holds == "qrels" and separator == "\t" and names == _BEIR:
                return "beir"
            return "tsv" if separator == "\t" else "csv"
    return None


def _detect_triples(start: FileStart, holds: str) -> str | None:
    """Detect rows of query, item and a number, without a header."""
    sample = [line.decode("utf-8", "replace") for line in start.lines[:_SAMPLE]]
    for separator in (*SEPARATORS, None):
        rows = [line.split(separator) for line in sample]
        if all(len(row) == 3 and is_number(row[2]) for row in rows):
            return "triples" if holds == "qrels" else _detect_ranks_or_scores(start, rows)
    return None


def _detect_ranks_or_scores(start: FileStart, rows: list[list[str]]) -> str:
    numbers = [row[2].strip() for row in rows]
    if not all(number.lstrip("+-").isdigit() for number in numbers):
        return "triples"
    if numbers[0] in ("0", "1") and _has_rising_numbers(
        [row[0] for row in rows], list(map(float, numbers))
    ):
        return "msmarco"
    message = (
        f"{start.name}: cannot tell whether the third column holds ranks or scores. Pass "
        "--run-format msmarco for ranks, triples for scores, or format= in Python."
    )
    raise SourceError(message, code="unclear-format")


def _has_rising_numbers(queries: list[str], numbers: list[float]) -> bool:
    """Return whether numbers rise from row to row of every query, as ranks do.

    >>> _has_rising_numbers(["q1", "q2", "q1"], [1, 1, 2])
    True
    >>> _has_rising_numbers(["q1", "q1"], [1, 0])
    False
    """
    last: dict[str, float] = {}
    for query, number in zip(queries, numbers, strict=True):
        if query in last and number <= last[query]:
            return False
        last[query] = number
    return True


def _detect_delimited(start: FileStart, first: str) -> str | None:
    """Detect a table without a known header, whose columns the user has to name."""
    if start.extension in (".csv", ".tsv") and any(s in first for s in SEPARATORS):
        return start.extension[1:] if "\t" in first else "csv"
    if start.extension in _JSON_LINES:
        return "jsonl"
    for separator in ",;|\t":
        n_fields = {line.count(separator.encode()) for line in start.lines[:_SAMPLE]}
        if len(n_fields) == 1 and min(n_fields) >= 2 and len(start.lines) > 1:
            return "tsv" if separator == "\t" else "csv"
    return None


def _detect_by_type(source: object, holds: str) -> str | None:
    """Return the format of an object that its class or its methods identify."""
    # Imported here: a file needs none of them.
    from gainful.sources.arrays import is_array
    from gainful.sources.learning_to_rank import Grouped
    from gainful.sources.objects import Matrix, is_sparse

    formats: dict[type, str] = {Columns: "columns", Grouped: "grouped", Matrix: "matrix"}
    if type(source) in formats:
        return formats[type(source)]
    if is_sparse(source):
        return "matrix"
    if is_array(source):
        return _detect_array_format(source, holds)
    if isinstance(source, str) or (hasattr(source, "qrels_iter") and hasattr(source, "has_qrels")):
        return "ir_datasets"
    if hasattr(source, "with_format") and hasattr(source, "column_names"):
        return "hugging_face"
    return None


def _detect_by_content(source: object, holds: str) -> str | None:
    """Return the format of dicts, lists and other iterables."""
    from gainful.sources.nested import find_items_key, is_container

    if isinstance(source, Mapping):
        return _detect_mapping_format(source, holds)
    if isinstance(source, str | bytes | bytearray | Set) or not isinstance(source, Iterable):
        return None
    if not isinstance(source, list | tuple):
        return "rows"
    first = source[0] if source else None
    if hasattr(first, "__arrow_c_stream__") or hasattr(first, "columns"):
        return None  # several tables: each is a run of its own
    if isinstance(first, numbers.Number) and not isinstance(first, bool):
        return "scores" if holds == "run" else None
    if isinstance(first, Mapping) and (
        find_items_key(first, holds) is not None or any(map(is_container, first.values()))
    ):
        return "nested"
    return "rows"


def _detect_array_format(source: object, holds: str) -> str:
    is_flat = len(getattr(source, "shape", ())) == 1
    return "scores" if is_flat and holds == "run" else "matrix"


def _detect_mapping_format(source: Mapping[Any, Any], holds: str) -> str:
    """Return the format of a dict, by its first query that has items."""
    from gainful.sources.arrays import is_array
    from gainful.sources.nested import find_items_key, is_columnar, is_single_query
    from gainful.sources.objects import list_field_names

    if is_columnar(source) or is_single_query(source, holds):
        return "nested"
    values = source.values()
    first = next((v for v in values if not hasattr(v, "__len__") or len(v)), None)
    if first is None:
        first = next(iter(values), None)
    if isinstance(first, Mapping):
        return "nested" if find_items_key(first, holds) is not None else "dict"
    plain = set | frozenset | list | tuple if holds == "qrels" else list | tuple
    if isinstance(first, plain):
        element = next(iter(first), None)
        simple = not isinstance(element, list | tuple | Mapping) and not list_field_names(element)
        return ("sets" if holds == "qrels" else "lists") if simple else "nested"
    return "nested" if is_array(first) else "dict"
