"""Open a source in its format and feed its rows to the native core."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from gainful.base import InputFile, ReadOptions, _native, format_repr, open_file
from gainful.errors import SourceError
from gainful.sources.columns import KNOWN_NAMES, Columns, has_any_name
from gainful.sources.detect import FileStart, detect_file_format, detect_object_format, is_path
from gainful.sources.formats import FORMATS, Format, ReadSpec, Receiver
from gainful.sources.native_errors import explain_bad_input
from gainful.sources.text import RowLines


class RowLocator(NamedTuple):
    """A source that was read.

    Attributes:
        place: What errors call it.
        unit: What its rows are counted by: line, row, or nothing.
        lines: The line of each row, where the core counted rows.
        rows: The query and the item of every row, where a run may come as scores alone.
    """

    place: str
    unit: str = ""
    lines: RowLines | None = None
    rows: Any = None

    @property
    def n_comments(self) -> int:
        """Number of comment lines that were skipped before the core saw any."""
        return sum(part.n_comments for part in (self.lines, self.rows) if part is not None)

    def explain_error(self, error: _native.BadInput) -> SourceError:
        """Return the error with a sentence for what the native core found wrong."""
        return explain_bad_input(error, self.place, unit=self.unit, lines=self.lines)

    def name_row(self, number: int) -> str:
        """Return the name of a row, such as line 7."""
        if self.lines is not None:
            number = self.lines.find_line(number)
        return f"{self.unit or 'row'} {number:,}"


T = TypeVar("T")


def find_format(source: object, holds: str, name: str | None = None) -> Format | None:
    """Return the format of a source; None for a file whose content must be read first.

    Args:
        source: The source.
        holds: What is to be read from it.
        name: The format of a file, if the user names it.
    """
    if is_path(source):
        return None if name is None else _find_named_format(name, holds)
    detected = detect_object_format(source, holds)
    if name is not None or detected is None:
        raise SourceError(_describe_unknown(source, holds), code="wrong-type")
    return FORMATS[holds, detected]


def push_source(
    source: object,
    form: Format | None,
    spec: ReadSpec,
    receiver: Receiver,
    read_options: ReadOptions,
    finish: Callable[[], T],
) -> tuple[T, RowLocator]:
    """Feed all rows of a source to the native core; return the result and a row locator.

    Args:
        source: The source.
        form: Its format; None for a file whose format is to be detected.
        spec: What is to be read from it.
        receiver: The index or aligner of the native core that takes the rows.
        read_options: How files are read.
        finish: Called when all rows are handed over.
    """
    with open_source(source, form, spec.holds, spec.columns) as (value, source_format):
        locator = RowLocator(spec.place, source_format.unit)
        try:
            rows = _feed(value, source_format, receiver, spec, read_options)
            result = finish()
        except _native.BadInput as error:
            lines = getattr(value, "row_lines", None)
            raise locator._replace(lines=lines).explain_error(error) from None
        return result, locator._replace(lines=getattr(value, "row_lines", None), rows=rows)


@contextmanager
def open_source(
    source: Any, form: Format | None, holds: str, columns: Mapping[str, str]
) -> Iterator[tuple[Any, Format]]:
    """Yield the source as its format takes it, a file being open, and that format."""
    if not is_path(source):
        assert form is not None
        yield source, form
        return
    with open_file(source) as file:
        yield (
            file,
            form
            or FORMATS[holds, _detect_format(FileStart(file.name, file.start), holds, columns)],
        )


def _detect_format(start: FileStart, holds: str, columns: Mapping[str, str]) -> str:
    """Return the format that a file is in; one with columns that the user numbers is a table."""
    name = detect_file_format(start, holds)
    is_numbered = any(column.isdigit() for column in columns.values())
    return "csv" if name == "trec" and is_numbered else name


def _feed(
    source: object, form: Format, receiver: Receiver, spec: ReadSpec, read_options: ReadOptions
) -> Any:
    # Text formats that are read directly do not map words to labels.
    knows_words = spec.labels is None or not form.is_file
    if form.push is not None and spec.collapse is None and knows_words:
        return form.push(source, receiver, spec, read_options)
    from gainful.sources.entries import entries_to_table, feed_entries, feed_tables, is_single_pass

    if form.read_entries is None:
        table_spec = spec if form.has_own_names else replace(spec, columns={})
        single_pass = is_single_pass(source)
        feed_tables(
            lambda: form.read_tables(source, spec), receiver, table_spec, single_pass=single_pass
        )
        return None
    if spec.collapse is None:
        return feed_entries(form.read_entries, source, receiver, spec, read_options)
    entries = form.read_entries(source, spec)
    if entries.queries is not None:
        receiver.name_queries(list(entries.queries))
    table = entries_to_table(entries, spec)
    feed_tables(lambda: [table], receiver, replace(spec, columns={}))
    return None


def _find_named_format(name: str, holds: str) -> Format:
    names = [n for h, n in FORMATS if h == holds and FORMATS[h, n].is_file]
    if name not in names:
        message = f"{holds} format: must be one of {', '.join(names)}, got {name!r}."
        raise SourceError(message, code="unknown-format")
    return FORMATS[holds, name]


def _describe_unknown(source: object, holds: str) -> str:
    forms = [FORMATS[key] for key in FORMATS if key[0] == holds]
    shapes = (
        "a path" if form.is_file else form.summary.partition(":")[0].partition(",")[0]
        for form in forms
    )
    shapes = (shape[0].lower() + shape[1:] for shape in shapes)
    return f"{holds}: must be one of {', '.join(dict.fromkeys(shapes))}, got {format_repr(source)}."


# What only the one or the other has for columns; both have a "score".
_ONLY_QRELS = set(KNOWN_NAMES["label"]) - {"score"}
_ONLY_RUNS = {*KNOWN_NAMES["score"], *KNOWN_NAMES["rank"]} - {"score"}


@contextmanager
def open_source_as(
    holds: str | None,
    source: Any,
    format: str | None,
    columns: Mapping[str, str],
    fallback: str | None = None,
) -> Iterator[tuple[Any, Format]]:
    """Yield the source as its format takes it, a file being open, and that format.

    Args:
        holds: ``"qrels"`` or ``"run"``; None to detect it from the source, which is an error if it
            cannot be detected.
        source: The source.
        format: The name of the format of a file, if the user gave it.
        columns: The names of columns that the user gave.
        fallback: What the source holds if nothing else decides it.
    """
    if not is_path(source):
        kind = holds or _require_content(
            _detect_content_by_columns(columns) or _detect_object_content(source) or fallback,
            "source",
        )
        form = find_format(source, kind, format)
        assert form is not None
        yield source, form
        return
    with open_file(source) as file:
        kind = holds or _require_content(
            _detect_content_by_columns(columns) or _detect_file_content(file, format) or fallback,
            file.name,
        )
        file_format = find_format(source, kind, format)
        yield (
            file,
            file_format
            or FORMATS[kind, detect_file_format(FileStart(file.name, file.start), kind)],
        )


def _require_content(content: str | None, place: str) -> str:
    if content is None:
        message = (
            f"{place}: cannot tell whether it holds qrels or a run. "
            "Pass --holds qrels or --holds run, holds= in Python."
        )
        raise SourceError(message, code="unclear-format")
    return content


def _detect_content_by_columns(columns: Mapping[str, str]) -> str | None:
    is_run = bool({"score", "rank"} & set(columns))
    if is_run == ("label" in columns):
        return None
    return "run" if is_run else "qrels"


def _detect_object_content(source: Any) -> str | None:
    if isinstance(source, Columns):
        return _choose_content(
            source.label is not None, source.score is not None or source.rank is not None
        )
    return (
        "qrels" if detect_object_format(source, "qrels") == "sets" and _has_sets(source) else None
    )


def _has_sets(source: Mapping[Any, Any]) -> bool:
    return any(isinstance(items, set | frozenset) for items in source.values())


def _detect_file_content(file: InputFile, format: str | None) -> str | None:
    start = FileStart(file.name, file.start)
    name = format or detect_file_format(start, "qrels")
    kinds = [kind for kind in ("qrels", "run") if (kind, name) in FORMATS]
    if len(kinds) < 2 or name == "trec":
        return _detect_content_by_fields(start) if name == "trec" else next(iter(kinds), None)
    names = FORMATS["qrels", name].read_names
    return None if names is None else _detect_content_by_names(names(file))


def _detect_content_by_fields(start: FileStart) -> str | None:
    n_fields = len(start.first.split())
    return _choose_content(n_fields == 4, n_fields >= 6)


def _detect_content_by_names(names: Sequence[str]) -> str | None:
    return _choose_content(has_any_name(names, _ONLY_QRELS), has_any_name(names, _ONLY_RUNS))


def _choose_content(is_qrels: object, is_run: object) -> str | None:
    if bool(is_qrels) == bool(is_run):
        return None
    return "qrels" if is_qrels else "run"
