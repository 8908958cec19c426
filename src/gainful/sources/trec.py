"""TREC qrels and run files."""

from collections.abc import Iterator
from typing import Any

from gainful import _native
from gainful.sources._files import Bytes
from gainful.sources._format import Format, declare
from gainful.sources._reading import Reading
from gainful.sources._wanted import Wanted


def _feed_qrels(file: Bytes, index: Any, _wanted: Wanted, reading: Reading) -> None:
    _feed(file, index, reading, again=False)


def _feed_run(file: Bytes, aligner: Any, _wanted: Wanted, reading: Reading) -> None:
    try:
        _feed(file, aligner, reading, again=True)
    except _native.Ungrouped:
        aligner.start_over()
        file.rewind()
        _feed(file, aligner, reading, again=True)


def _feed(
    file: Bytes, receiver: _native.Index | _native.Aligner, reading: Reading, *, again: bool
) -> None:
    progress = reading.progress or (lambda *_: None)
    if file.plain is not None:
        descriptor, begin, end = file.plain
        receiver.read(
            descriptor, begin, end, lambda at: progress(file.name, at - begin, end - begin)
        )
        progress(file.name, end - begin, end - begin)
        return
    try:
        for piece, done in file.pieces(again=again):
            receiver.feed(piece)
            progress(file.name, done, file.size)
        receiver.feed(b"")
    except Exception:
        # A bad line above the place where reading failed comes first.
        receiver.abandon(settled=True)
        raise
    except BaseException:
        receiver.abandon(settled=False)
        raise


def _tables(file: Bytes, wanted: Wanted) -> Iterator[Any]:
    from gainful.sources import _trec_tables

    return _trec_tables.tables(file, wanted)


QRELS = declare(
    Format(
        name="trec",
        holds="qrels",
        summary="A text file, one judgment a line, fields separated by spaces or tabs.",
        columns=("query", "iteration", "item", "label"),
        is_file=True,
        unit="line",
        renamed=True,
        feed=_feed_qrels,
        tables=_tables,
    )
)
RUN = declare(
    Format(
        name="trec",
        holds="run",
        summary="A text file, one retrieved item a line, fields separated by spaces or tabs.",
        columns=("query", "Q0", "item", "rank", "score", "tag"),
        is_file=True,
        unit="line",
        renamed=True,
        feed=_feed_run,
        tables=_tables,
    )
)
