"""TREC qrels and run files."""

import os
from typing import Any

from gainful import _native
from gainful.sources._files import chunks
from gainful.sources._format import Format, declare


def _is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike)


def _feed(path: Any, receiver: _native.Index | _native.Aligner) -> None:
    for chunk in chunks(path):
        receiver.feed(chunk)
    receiver.feed(b"")


QRELS = declare(
    Format(
        name="trec-qrels",
        holds="qrels",
        summary="A text file, one judgment a line, fields separated by spaces or tabs.",
        columns=("query", "iteration", "item", "label"),
        recognises=_is_path,
        feed=_feed,
    )
)
RUN = declare(
    Format(
        name="trec-run",
        holds="run",
        summary="A text file, one retrieved item a line, fields separated by spaces or tabs.",
        columns=("query", "Q0", "item", "rank", "score", "tag"),
        has_ranks=lambda _: True,
        recognises=_is_path,
        feed=_feed,
    )
)
