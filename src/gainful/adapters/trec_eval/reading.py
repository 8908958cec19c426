"""Qrels and runs, read and joined as trec_eval does it.

The native core reads the files that it reads as trec_eval does; others are read here, line by line.
"""

import os
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from gainful.adapters.trec_eval.command_line import Arguments, Exit
from gainful.adapters.trec_eval.measure_list import atof, atol
from gainful.alignment import JudgedRankings, Rules, join
from gainful.base import (
    BoolArray,
    FloatArray,
    ReadOptions,
    _native,
    open_file,
    read_whole,
)
from gainful.errors import SourceError
from gainful.sources import Columns, Format, Judgments, ReadSpec, Run, read_qrels, read_run

_TAIL = 1 << 16


class FileKind(NamedTuple):
    """A kind of file: trec_eval's function that reads it, its name and its number of fields."""

    reader: str
    name: str
    n_fields: int
    malformed_reader: str = ""


QRELS = FileKind("trec_eval.get_qrels", "qrels", 4)
GROUPS = FileKind("trec_eval.get_qrels_jg", "qrels", 4)
PREFERENCES = FileKind("trec_eval.get_prefs", "prefs", 5)
QRELS_PREFERENCES = FileKind("trec_eval.get_prefs", "prefs", 4, "trec_eval.get_qrels_prefs")
RESULTS = FileKind("trec_eval.get_results", "results", 6)
ZSCORES = FileKind("trec_eval.get_prefs", "zscores", 4, "trec_eval.get_zscores")


def read_content(path: str, kind: FileKind, *, code: int = 2) -> bytes:
    """Return all bytes of a file; raise ``Exit`` if there are none."""
    try:
        with open_file(path) as file:
            text = read_whole(file)
    except SourceError:
        text = b""
    if not text:
        raise refuse_file(path, f"{kind.reader}: Cannot read {kind.name} file '{path}'\n", code)
    return text


def refuse_file(path: str, message: str, code: int = 2) -> Exit:
    """Return the error that ends the program because of a file."""
    return Exit(code, f"{message}trec_eval: Quit in file '{path}'\n" if code == 2 else message)


def split_columns(path: str, text: bytes, kind: FileKind, arguments: Arguments) -> list[list[str]]:
    """Return the fields of all lines, column by column; raise ``Exit`` at a malformed line."""
    is_run = kind is RESULTS
    columns = {str(number): number for number in range(kind.n_fields)}
    comments = _get_comments(kind, arguments)
    rows = _native.Rows(
        text, columns, kind.n_fields, more=is_run, skip_blank=is_run, comments=comments
    )
    if rows.bad is not None:
        reader = kind.malformed_reader or kind.reader
        code = 2 if kind is not ZSCORES else 255
        raise refuse_file(path, f"{reader}: Malformed line {len(rows) + 1}\n", code)
    return rows.columns


def _get_comments(kind: FileKind, arguments: Arguments) -> _native.Comments:
    """Return which lines are comments; only trec_eval 10 has any, in qrels and runs."""
    if not arguments.is_newer or kind not in (QRELS, RESULTS):
        return _native.Comments.none
    if kind is RESULTS:
        return _native.Comments.indented
    # trec_eval 10.0 reads the second of two comments in qrels as data.
    return _native.Comments.isolated if arguments.compat == 10 else _native.Comments.plain


class Tail:
    """The end of a file as bytes; read, not mapped, since the file may become shorter."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = file.seek(0, os.SEEK_END)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, tail: slice) -> bytes:
        self._file.seek(max(self._size + tail.start, 0))
        return self._file.read()


def find_run_tag(text: bytes | Tail, arguments: Arguments) -> str:
    """Return the run's name: the sixth field of its last line."""
    size = _TAIL
    while True:
        tail = text[-size:]
        for line in reversed(tail.split(b"\n")[size < len(text) :]):
            fields = line.split()
            comment = arguments.is_newer and fields and fields[0].startswith(b"#")
            if len(fields) >= 6 and not comment:
                return fields[5].decode("utf-8", "surrogateescape")
        if size >= len(text):
            return ""
        size *= 8


NOTHING_SHARED = "trec_eval: No queries with both results and relevance info\n"
_BYTE_ORDER_MARK = (
    b"\xef\xbb\xbf"  # the byte order mark, which trec_eval reads as a part of the first id
)


def read_judgments_file(
    path: str, arguments: Arguments
) -> tuple[Judgments, dict[str, str], FloatArray]:
    """Return the judgments, the first item of each query that is judged twice, and all labels."""
    if _is_plain_file(path) and not _starts_with_mark(path):
        try:
            judgments = read_qrels(path, format="trec")
            odd = judgments.index.odd
            if not (odd.comments or odd.blanks or odd.unwhole):
                return judgments, {}, judgments.pool_label
        except SourceError:
            pass  # trec_eval reads it differently, or has its own error message
    text = read_content(path, QRELS)
    queries, _, items, labels = split_columns(path, text, QRELS, arguments)
    repeats = find_first_repeats(queries, items)
    levels = [float(atol(text)) for text in labels]
    columns = Columns(query=queries, item=items, label=levels)
    if not queries:
        raise refuse_file(path, f"trec_eval.get_qrels: Cannot read qrels file '{path}'\n")
    return read_qrels(columns, duplicates="first"), repeats, np.array(levels)


class JoinedRun(NamedTuple):
    """The rankings of a run: which queries it has, its tag, and the items that it lists twice."""

    ranked: JudgedRankings
    in_run: BoolArray
    tag: str
    repeats: dict[str, str]


def join_run(judgments: Judgments, path: str, arguments: Arguments) -> JoinedRun:
    """Return the rankings of all judged queries, which of them the run has, and its tag."""
    rules, native = make_rules(arguments), read_native_run(path, arguments)
    if native is not None:
        run, tag = native
        try:
            joined = join(judgments, run, rules)
            if arguments.is_newer or not joined.aligner.odd.comments:
                return JoinedRun(joined.ranked, joined.aligned.in_run != 0, tag, {})
        except SourceError:
            pass  # trec_eval reads it differently, or has its own error message
    content = native[0].source if native is not None else None
    columns, tag, repeats = read_run_columns(path, content, arguments)
    rules = replace(rules, duplicates="max")
    joined = join(judgments, read_run(columns), rules)
    return JoinedRun(joined.ranked, joined.aligned.in_run != 0, tag, repeats)


def make_rules(arguments: Arguments) -> Rules:
    """Return trec_eval's rules: order by score, then by item, both descending."""
    max_retrieved = arguments.max_retrieved
    return Rules(
        precision="float64" if arguments.is_newer else "float32",
        depth=max_retrieved if max_retrieved is not None and max_retrieved > 0 else None,
    )


def read_native_run(path: str, arguments: Arguments) -> tuple[Run, str] | None:
    """Return the run for the native core and its tag; None if the core would misread it."""
    if _is_plain_file(path):
        if _starts_with_mark(path):
            return None
        with open(path, "rb") as file:
            return read_run(path, format="trec"), find_run_tag(Tail(file), arguments)
    text = _read_results(path, arguments)
    return Run("results", text, _BYTES), find_run_tag(text, arguments)


def _read_results(path: str, arguments: Arguments) -> bytes:
    if path.startswith("-") and not arguments.is_newer:
        raise refuse_file(path, f"{RESULTS.reader}: Cannot read results file '{path}'\n")
    return read_content("-" if path.startswith("-") else path, RESULTS)


def read_run_columns(
    path: str, content: object, arguments: Arguments
) -> tuple[Columns, str, dict[str, str]]:
    """Return the run as columns, its tag, and the first repeated item of every query."""
    text = content if isinstance(content, bytes) else _read_results(path, arguments)
    queries, _, items, _, scores, tags = split_columns(path, text, RESULTS, arguments)
    if not queries:
        raise Exit(7, NOTHING_SHARED)
    score = np.array([atof(text) for text in scores])
    if np.isnan(score).any():
        row = int(np.isnan(score).argmax())
        message = (
            f"{path}: query {queries[row]!r}, item {items[row]!r}: "
            f"score must be a number that can be ordered, got {scores[row]!r:.60}."
        )
        raise SourceError(message, code="not-numbers")
    dtype: Any = np.float64 if arguments.is_newer else np.float32
    repeats = _find_repeats_above(queries, items, score.astype(dtype), arguments)
    return Columns(query=queries, item=items, score=score.tolist()), tags[-1], repeats


def find_first_repeats(queries: list[str], items: list[str]) -> dict[str, str]:
    """Return the first item in byte order that each query lists twice."""
    seen: set[tuple[str, str]] = set()
    repeats: dict[str, str] = {}
    for pair in zip(queries, items, strict=True):
        if pair in seen:
            query, item = pair
            repeats[query] = min(item, repeats.get(query, item), key=encode_text)
        seen.add(pair)
    return repeats


def _find_repeats_above(
    queries: list[str], items: list[str], score: Any, arguments: Arguments
) -> dict[str, str]:
    """Return the first item that each query of a run lists twice above the cutoff of -M."""
    repeats = find_first_repeats(queries, items)
    if not repeats or arguments.max_retrieved is None:
        return repeats
    rows_by_query: dict[str, list[int]] = {query: [] for query in repeats}
    for i, query in enumerate(queries):
        if query in rows_by_query:
            rows_by_query[query].append(i)
    above: dict[str, str] = {}
    for query, rows in rows_by_query.items():
        descending = not _is_ascending(arguments)
        by_item = sorted(rows, key=lambda i: encode_text(items[i]), reverse=descending)
        best = sorted(by_item, key=lambda i: -score[i])
        top = best[: max(arguments.max_retrieved, 0)]
        above |= find_first_repeats([query] * len(top), [items[i] for i in top])
    return above


def _is_ascending(arguments: Arguments) -> bool:
    """Return whether equal scores are in ascending order of items: only for preferences."""
    return "prefs" in arguments.judgments_format


def _is_plain_file(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        with open_file(path) as file:
            return file.plain is not None
    except SourceError:
        return False


def _starts_with_mark(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK


def _feed_bytes(text: Any, aligner: Any, _spec: ReadSpec, _read_options: ReadOptions) -> None:
    try:
        aligner.feed(text)
        aligner.feed(b"")
    except _native.Ungrouped:
        aligner.start_over()
        aligner.feed(text)
        aligner.feed(b"")


_BYTES = Format("bytes", "run", "The text of a run.", push=_feed_bytes)


def encode_text(text: str) -> bytes:
    """Return the bytes that trec_eval orders by."""
    return text.encode("utf-8", "surrogateescape")
