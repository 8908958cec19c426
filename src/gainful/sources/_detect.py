"""Which format a source is in: an object by its kind, a file by its content and name."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gainful.cached import cached_property
from gainful.records import Frozen
from gainful.sources._files import Bytes, extension
from gainful.sources.columns import Columns


@dataclass(eq=False, repr=False)
class Start(Frozen):
    """How a file begins.

    Attributes:
        name: Its path.
        text: The first bytes, unpacked; some thousands, if there are as many.
    """

    name: str
    text: bytes

    @cached_property
    def first(self) -> bytes:
        """The first line that holds data; empty if there is none."""
        return next(self._each(), b"")

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines that hold data; a last one that may be cut is left out."""
        lines = list(self._each())
        return lines[:-1] if self.is_cut and len(lines) > 1 else lines

    @property
    def is_cut(self) -> bool:
        """Whether there may be more of the file."""
        return len(self.text) >= Bytes.START

    def _each(self) -> Iterator[bytes]:
        end = b"\r" if b"\r" in self.text and b"\n" not in self.text else b"\n"
        for line in self.text.removeprefix(b"\xef\xbb\xbf").split(end):
            stripped = line.strip()
            if stripped and not stripped.startswith(b"#"):
                yield stripped

    @property
    def extension(self) -> str:
        """What its name ends in, without the mark of a compression: ``.csv`` of ``a.csv.gz``."""
        return extension(self.name)


# What begins the name of a data set of ir_datasets, which may stand where a path could.
IR_DATASETS = "irds:"

# The text files that are read without looking at them.
PLAIN = {"subtopics": "trec", "preferences": "trec"}


def is_path(source: Any) -> bool:
    """Whether it is a path, to be read as a file."""
    if isinstance(source, str) and source.startswith(IR_DATASETS):
        return False
    return isinstance(source, str | os.PathLike)


def file_format(start: Start, holds: str) -> str:
    """The name of the format that a file is in; TREC's where it looks like nothing else."""
    for magic, name in _BINARY.items():
        if start.text.startswith(magic):
            return name
    if not start.first or (_is_trec(start.first) and not _is_tabbed(start)):
        return "trec"
    from gainful.sources import _detect_text

    return _detect_text.text_format(start, holds)


# How files begin that are not text.
_BINARY = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}


def _is_trec(line: bytes) -> bool:
    """Whether a line is one of qrels or of a run, as it should be."""
    fields = line.split()
    if len(fields) != 4 and len(fields) < 6:
        return False
    try:
        float(fields[3] if len(fields) == 4 else fields[4])
    except ValueError:
        return False
    return True


def _is_tabbed(start: Start) -> bool:
    """Whether tabs make three fields of a line, in a file that is named for them.

    White space may stand inside these, where queries are what people typed.
    """
    return start.extension == ".tsv" and start.first.count(b"\t") == 2


def object_format(source: Any, holds: str) -> str | None:
    """The name of the format that an object is in."""
    if holds in ("qrels", "run"):
        if is_spark(source):
            return "spark"
        if is_frame(source):
            return "frame"
        from gainful.sources._objects import known_by_content, known_by_kind

        return known_by_kind(source, holds) or known_by_content(source, holds)
    if isinstance(source, Columns):
        return "columns"
    return "dict" if isinstance(source, Mapping) else None


def library_of(source: Any) -> str:
    """The library that an object comes from, which is not imported to find out."""
    return type(source).__module__.partition(".")[0]


def is_spark(source: Any) -> bool:
    """Whether it is a DataFrame of Spark, of a session here or of a server, or pandas on Spark."""
    libraries = {base.__module__.partition(".")[0] for base in type(source).__mro__}
    return "pyspark" in libraries and (hasattr(source, "mapInArrow") or hasattr(source, "to_spark"))


def is_frame(source: Any) -> bool:
    """Whether it is a table of some library; what has one dimension is none."""
    if len(getattr(source, "shape", (0, 0))) == 1:
        return False
    known = _FRAMES.get(library_of(source), ())
    return hasattr(source, "__arrow_c_stream__") or any(hasattr(source, name) for name in known)


# What tables of these libraries have that do not speak the Arrow interface.
_FRAMES = {
    "pandas": ("columns",),
    "polars": ("collect_schema",),
    "narwhals": ("collect_schema",),
    "pyarrow": ("scanner", "to_reader"),
}
