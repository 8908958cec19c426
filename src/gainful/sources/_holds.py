"""Whether a source holds qrels or a run, where it tells."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gainful.errors import SourceError
from gainful.sources._detect import Start, file_format, is_path, object_format
from gainful.sources._files import Bytes, opened
from gainful.sources._format import FORMATS, Format
from gainful.sources._given import format_of
from gainful.sources._roles import ALIASES, has_any
from gainful.sources.columns import Columns

# What only the one or the other has for columns; both have a "score".
_ONLY_QRELS = set(ALIASES["label"]) - {"score"}
_ONLY_RUNS = {*ALIASES["score"], *ALIASES["rank"]} - {"score"}


@contextmanager
def at_hand_as(
    holds: str | None,
    source: Any,
    format: str | None,
    columns: Mapping[str, str],
    likely: str | None = None,
) -> Iterator[tuple[Any, Format]]:
    """The source as its format takes it, a file being open, and that format.

    Args:
        holds: ``"qrels"`` or ``"run"``; None where the source is to tell, which is an error if it
            does not.
        source: The source.
        format: The name of the format of a file, if the user gave it.
        columns: The names of columns that the user gave.
        likely: What it holds if it does not tell.
    """
    if not is_path(source):
        kind = holds or _told(_said(columns) or _in_object(source) or likely, "source")
        form = format_of(source, kind, format)
        assert form is not None
        yield source, form
        return
    with opened(source) as file:
        kind = holds or _told(_said(columns) or _in_file(file, format) or likely, file.name)
        known = format_of(source, kind, format)
        yield file, known or FORMATS[kind, file_format(Start(file.name, file.start), kind)]


def _told(found: str | None, place: str) -> str:
    if found is None:
        message = (
            f"{place}: cannot tell whether it holds qrels or a run. "
            "Pass --holds qrels or --holds run, holds= in Python."
        )
        raise SourceError(message, code="unclear-format")
    return found


def _said(columns: Mapping[str, str]) -> str | None:
    is_run = bool({"score", "rank"} & set(columns))
    if is_run == ("label" in columns):
        return None
    return "run" if is_run else "qrels"


def _in_object(source: Any) -> str | None:
    if isinstance(source, Columns):
        return _only(source.label is not None, source.score is not None or source.rank is not None)
    return "qrels" if object_format(source, "qrels") == "sets" and _has_sets(source) else None


def _has_sets(source: Mapping[Any, Any]) -> bool:
    return any(isinstance(items, set | frozenset) for items in source.values())


def _in_file(file: Bytes, format: str | None) -> str | None:
    start = Start(file.name, file.start)
    name = format or file_format(start, "qrels")
    kinds = [kind for kind in ("qrels", "run") if (kind, name) in FORMATS]
    if len(kinds) < 2 or name == "trec":
        return _by_fields(start) if name == "trec" else next(iter(kinds), None)
    names = FORMATS["qrels", name].names
    return None if names is None else _by_names(names(file))


def _by_fields(start: Start) -> str | None:
    n_fields = len(start.first.split())
    return _only(n_fields == 4, n_fields >= 6)


def _by_names(names: Sequence[str]) -> str | None:
    return _only(has_any(names, _ONLY_QRELS), has_any(names, _ONLY_RUNS))


def _only(is_qrels: object, is_run: object) -> str | None:
    if bool(is_qrels) == bool(is_run):
        return None
    return "qrels" if is_qrels else "run"
