"""convert(): qrels or a run, from any format that is read into any that is written."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.errors import SourceError
from gainful.records import Record
from gainful.sources import Run, Wanted, extension, is_path
from gainful.wording import count

if TYPE_CHECKING:
    from gainful.writers import Writer

_HELD = {".run": "run", ".qrels": "qrels"}  # by the name of what is written


@dataclass(eq=False, repr=False)
class Converted(Record):
    """What was written.

    Attributes:
        path: Where.
        holds: qrels or run.
        format: The name of the format.
        n_rows: How many judgments, or retrieved items.
    """

    path: str
    holds: str
    format: str
    n_rows: int

    def __str__(self) -> str:
        rows = {"qrels": ("judgment", "judgments"), "run": ("item", "items")}[self.holds]
        where = "standard output" if self.path == "-" else self.path
        return f"{count(self.n_rows, *rows)} written to {where}."


def convert(
    source: Any,
    path: str | os.PathLike[str],
    *,
    holds: str | None = None,
    format: str | None = None,
    to: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
    lossy: bool = False,
    force: bool = False,
) -> Converted:
    """What was written: the rows of qrels or of a run, in another format.

    The file appears when all of it is written. Other columns are kept where the format has room.
    A run without scores gets its negative ranks as scores where the format wants some, and a run
    without ranks its places within each query, by score.

    Args:
        source: What ``read_qrels`` or ``read_run`` reads, or what the latter returned.
        path: Where to; ``-`` is standard output. ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.
        holds: ``"qrels"`` or ``"run"``, where the source does not tell.
        format: The format of a file, where its content does not tell.
        to: ``trec``, ``csv``, ``tsv``, ``jsonl`` or ``parquet``, where the path does not tell.
        columns: What the columns are called: ``{"query": "qid", "item": "docno"}``.
        labels: What words mean as labels: ``{"good": 2, "fair": 1, "bad": 0}``.
        lossy: Whether to leave out columns, and queries without items, and change ids, that cannot
            be kept.
        force: Whether to replace a file that exists.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "qrels.txt")
    >>> convert({"q1": {"d1": 2, "d2": 0}}, path, holds="qrels").n_rows
    2
    >>> print(path.read_text(), end="")
    q1 0 d1 2
    q1 0 d2 0
    """
    # Here, for all of them would cost time at the start of those who convert nothing.
    from gainful.converted_rows import Conversion
    from gainful.sources._holds import at_hand_as
    from gainful.sources._packing import packed
    from gainful.writers import writer_for
    from gainful.written_files import written

    if holds not in (None, "qrels", "run"):
        message = f"holds: must be qrels or run, got {holds!r}."
        raise SourceError(message, code="bad-argument")
    if isinstance(source, Run):
        holds, columns, format = "run", source.columns, source.form.name if source.form else None
        source = source.source
        format = format if is_path(source) else None
    writer, target = writer_for(path, to), os.fspath(path)
    _check(source, target, writer, force=force)
    place = os.fspath(source) if is_path(source) else "source"
    likely = _HELD.get(extension(target))
    with written(target) as file, at_hand_as(holds, source, format, columns or {}, likely) as found:
        given, form = found
        wanted = Wanted(form.holds, place, columns or {}, labels, whole=True)
        rows = Conversion(given, form, wanted, writer, lossy)
        with packed(file, target) as inner:
            writer.write(rows.tables(), inner)
    return Converted(target, form.holds, writer.name, rows.n_rows)


def _check(source: Any, target: str, writer: "Writer", *, force: bool) -> None:
    from gainful.sources._packing import packing
    from gainful.written_files import is_special, not_over

    if packing(target) and not writer.text:
        message = f"{target}: {writer.name} is compressed already. Leave out {packing(target)}."
        raise SourceError(message, code="unknown-format")
    if is_special(target) or not os.path.lexists(target):
        return
    not_over(target, os.fspath(source) if is_path(source) else None)
    if not force:
        message = f"{target}: exists already. Pass --force to replace it, force=True in Python."
        raise SourceError(message, code="exists-already")
