"""Format: how one shape of qrels or run is declared."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gainful import _native
from gainful.sources._reading import Reading

FORMATS: dict[str, "Format"] = {}


def _no_ranks(_source: Any) -> bool:
    return False


def _unfit(*_: Any) -> Any:
    raise NotImplementedError


@dataclass(frozen=True)
class Format:
    """A shape that qrels or runs come in.

    Attributes:
        name: How users name it.
        holds: What is read from it: qrels, run, subtopics or items.
        summary: What it looks like, in one sentence.
        recognises: Whether an object is in this format.
        feed: Hands the object over to the native core, which indexes qrels and runs.
        read: Reads judgments of another kind.
        columns: The columns of one row, in their order; empty for objects.
        has_ranks: Whether the rows of an object say which rank they have.
    """

    name: str
    holds: str
    summary: str
    recognises: Callable[[Any], bool]
    feed: Callable[[Any, _native.Index | _native.Aligner, Reading], None] = _unfit
    read: Callable[[Any], Any] = _unfit
    columns: tuple[str, ...] = ()
    has_ranks: Callable[[Any], bool] = _no_ranks

    @property
    def is_file(self) -> bool:
        """Whether it is read from a path, line by line."""
        return bool(self.columns)


def declare(form: Format) -> Format:
    """Register a format under its name."""
    assert form.name not in FORMATS, f"{form.name} is declared twice"
    FORMATS[form.name] = form
    return form
