"""Qrels and runs, read and joined as trec_eval does it.

The native core reads what it would read alike; what is odd is read here, line by line.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from gainful.adapters.trec_eval.command_line import Arguments, Exit
from gainful.adapters.trec_eval.measure_list import atof, atol
from gainful.alignment import JudgedRankings, Rules, join
from gainful.base import (
    BoolArray,
    FileSnapshot,
    FloatArray,
    Reading,
    _native,
    open_file,
    read_whole,
)
from gainful.errors import SourceError
from gainful.sources import Columns, Format, Judgments, ReadSpec, Run, read_qrels, read_run

_TAIL = 1 << 16


class FileKind(NamedTuple):
    """A kind of file: who complains about it, what it calls the file, and how many fields."""

    reader: str
    file: str
    fields: int
    malformed: str = ""


QRELS = FileKind("trec_eval.get_qrels", "qrels", 4)
GROUPS = FileKind("trec_eval.get_qrels_jg", "qrels", 4)
PREFERENCES = FileKind("trec_eval.get_prefs", "prefs", 5)
QRELS_PREFERENCES = FileKind("trec_eval.get_prefs", "prefs", 4, "trec_eval.get_qrels_prefs")
RESULTS = FileKind("trec_eval.get_results", "results", 6)
ZSCORES = FileKind("trec_eval.get_prefs", "zscores", 4, "trec_eval.get_zscores")


def read_content(path: str, wanted: FileKind, *, code: int = 2) -> bytes:
    """All bytes of a file; ``Exit`` where there are none."""
    try:
        with open_file(path) as file:
            text = read_whole(file)
    except SourceError:
        text = b""
    if not text:
        raise refuse_file(path, f"{wanted.reader}: Cannot read {wanted.file} file '{path}'\n", code)
    return text


def refuse_file(path: str, said: str, code: int = 2) -> Exit:
    """The end of the program because of a file."""
    return Exit(code, f"{said}trec_eval: Quit in file '{path}'\n" if code == 2 else said)


def split_rows(path: str, text: bytes, wanted: FileKind, arguments: Arguments) -> list[list[str]]:
    """The fields of every line; ``Exit`` at the first that is not as it must be."""
    found: list[list[str]] = []
    code = 2 if wanted is not ZSCORES else 255
    for line in _split_lines(text, wanted, arguments):
        fields = line.decode("utf-8", "surrogateescape").split()
        enough = len(fields) >= 6 if wanted is RESULTS else len(fields) == wanted.fields
        if not enough:
            reader = wanted.malformed or wanted.reader
            raise refuse_file(path, f"{reader}: Malformed line {len(found) + 1}\n", code)
        found.append(fields)
    return found


def _split_lines(text: bytes, wanted: FileKind, arguments: Arguments) -> Iterator[bytes]:
    """The lines that hold data; comments are trec_eval 10's, in qrels and runs alone."""
    has_comments = arguments.newer and wanted in (QRELS, RESULTS)
    after_comment = False
    for line in text.removesuffix(b"\n").split(b"\n"):
        blank = not line.strip()
        comment = line.lstrip() if wanted is RESULTS else line
        # trec_eval 10.0 takes the second of two comments in qrels for data.
        second = after_comment and wanted is QRELS and arguments.compat == 10
        after_comment = has_comments and comment.startswith(b"#") and not second
        if not after_comment and not (blank and wanted is RESULTS):
            yield line


class Tail:
    """The end of a file as bytes; it is read, not mapped, for it may become shorter meanwhile."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = file.seek(0, os.SEEK_END)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, wanted: slice) -> bytes:
        self._file.seek(max(self._size + wanted.start, 0))
        return self._file.read()


def find_run_tag(text: bytes | Tail, arguments: Arguments) -> str:
    """The run's name: the sixth field of its last line."""
    size = _TAIL
    while True:
        tail = text[-size:]
        for line in reversed(tail.split(b"\n")[size < len(text) :]):
            fields = line.split()
            comment = arguments.newer and fields and fields[0].startswith(b"#")
            if len(fields) >= 6 and not comment:
                return fields[5].decode("utf-8", "surrogateescape")
        if size >= len(text):
            return ""
        size *= 8


NOTHING_SHARED = "trec_eval: No queries with both results and relevance info\n"
_BYTE_ORDER_MARK = (
    b"\xef\xbb\xbf"  # the byte order mark, which trec_eval takes for a part of the first id
)


def read_judgments_file(
    path: str, arguments: Arguments
) -> tuple[Judgments, dict[str, str], FloatArray]:
    """The judgments, the first item of each query that is judged twice, and all labels."""
    if _is_plain(path) and not _starts_with_mark(path):
        try:
            judgments = read_qrels(path, format="trec")
            odd = judgments.index.odd
            if not (odd.comments or odd.blanks or odd.unwhole):
                return judgments, {}, judgments.pool_label
        except SourceError:
            pass  # trec_eval takes it otherwise, or says in its own words what is wrong
    fields = split_rows(path, read_content(path, QRELS), QRELS, arguments)
    queries, items, labels = ([row[i] for row in fields] for i in (0, 2, 3))
    twice = find_first_repeats(queries, items)
    levels = [float(atol(text)) for text in labels]
    columns = Columns(query=queries, item=items, label=levels)
    if not queries:
        raise refuse_file(path, f"trec_eval.get_qrels: Cannot read qrels file '{path}'\n")
    return read_qrels(columns, duplicates="first"), twice, np.array(levels)


class JoinedRun(NamedTuple):
    ranked: JudgedRankings
    in_run: BoolArray
    tag: str
    twice: dict[str, str]


def join_run(judgments: Judgments, path: str, arguments: Arguments) -> JoinedRun:
    """The rankings of all judged queries, which of them the run has, and its tag."""
    steady = FileSnapshot([path])
    rules, native = make_rules(arguments), read_native_run(path, arguments)
    if native is not None:
        run, tag = native
        try:
            aligner, aligned, ranked, *_ = join(judgments, run, rules)
            steady.check()  # of the file that the tag is from
            if arguments.newer or not aligner.odd.comments:
                return JoinedRun(ranked, aligned.in_run != 0, tag, {})
        except SourceError:
            pass  # as above
    held = native[0].source if native is not None else None
    columns, tag, twice = read_run_columns(path, held, arguments)
    rules = replace(rules, duplicates="max")
    _, aligned, ranked, *_ = join(judgments, read_run(columns), rules)
    return JoinedRun(ranked, aligned.in_run != 0, tag, twice)


def make_rules(arguments: Arguments) -> Rules:
    """How trec_eval ranks: by score, then by item, both descending."""
    deepest = arguments.deepest
    return Rules(
        precision="float64" if arguments.newer else "float32",
        depth=deepest if deepest is not None and deepest > 0 else None,
    )


def read_native_run(path: str, arguments: Arguments) -> tuple[Run, str] | None:
    """The run for the native core to read, and its tag; None if it would not read it right."""
    if path.startswith("-") and not arguments.newer:
        raise refuse_file(path, f"{RESULTS.reader}: Cannot read results file '{path}'\n")
    if _is_plain(path):
        if _starts_with_mark(path):
            return None
        with open(path, "rb") as file:
            return read_run(path, format="trec"), find_run_tag(Tail(file), arguments)
    text = read_content("-" if path.startswith("-") else path, RESULTS)
    return Run("results", text, _BYTES), find_run_tag(text, arguments)


def read_run_columns(
    path: str, held: object, arguments: Arguments
) -> tuple[Columns, str, dict[str, str]]:
    """The run as columns, its tag, and of every query with an item twice the first such item."""
    text = held if isinstance(held, bytes) else read_content(path, RESULTS)
    fields = split_rows(path, text, RESULTS, arguments)
    if not fields:
        raise Exit(7, NOTHING_SHARED)
    queries, items, scores = ([row[i] for row in fields] for i in (0, 2, 4))
    score = np.array([atof(text) for text in scores])
    undefined = {queries[i] for i in np.flatnonzero(np.isnan(score))}
    kind: Any = np.float64 if arguments.newer else np.float32
    rows_of: dict[str, list[int]] = {query: [] for query in undefined}
    for i, query in enumerate(queries):
        if query in rows_of:
            rows_of[query].append(i)
    for numbers in rows_of.values():
        _sort_undefined(numbers, items, score, kind, _is_ascending(arguments))
    twice = _find_repeats_above(queries, items, score.astype(kind), arguments)
    return Columns(query=queries, item=items, score=score.tolist()), fields[-1][5], twice


def find_first_repeats(queries: list[str], items: list[str]) -> dict[str, str]:
    """Of every query with an item twice, the first such item in byte order."""
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
    """The same for a run; what stands below -M does not matter."""
    repeats = find_first_repeats(queries, items)
    if not repeats or arguments.deepest is None:
        return repeats
    rows_of: dict[str, list[int]] = {query: [] for query in repeats}
    for i, query in enumerate(queries):
        if query in rows_of:
            rows_of[query].append(i)
    above: dict[str, str] = {}
    for query, numbers in rows_of.items():
        falling = not _is_ascending(arguments)
        by_item = sorted(numbers, key=lambda i: encode_text(items[i]), reverse=falling)
        best = sorted(by_item, key=lambda i: -score[i])
        kept = best[: max(arguments.deepest, 0)]
        above |= find_first_repeats([query] * len(kept), [items[i] for i in kept])
    return above


def _is_ascending(arguments: Arguments) -> bool:
    """Whether equal scores are in ascending order of items: for preferences alone."""
    return "prefs" in arguments.judgments


def _sort_undefined(
    numbers: list[int], items: list[str], score: Any, kind: Any, ascending: bool
) -> None:
    """Replace the scores of a query that has NaN among them by what orders them alike.

    trec_eval compares NaN as neither more nor less, so that the order depends on how qsort()
    works: in the C library of GNU it merges, from the order of the items.
    """
    value = dict(zip(numbers, score[numbers].astype(kind).tolist(), strict=True))
    key = {i: encode_text(items[i]) for i in numbers}

    def compare(a: int, b: int) -> int:
        if value[a] > value[b]:
            return -1
        if value[a] < value[b]:
            return 1
        rises = (key[a] > key[b]) - (key[a] < key[b])
        return rises if ascending else -rises

    start = sorted(numbers, key=key.__getitem__)
    merged = merge_sort(start, compare)
    score[merged] = -np.arange(len(merged), dtype=np.float64)


def merge_sort(values: list[int], compare: Callable[[int, int], int]) -> list[int]:
    """Sorted as the C library of GNU does it; the order matters where ``compare`` is no order."""
    if len(values) <= 1:
        return values
    half = len(values) // 2
    left, right = (merge_sort(part, compare) for part in (values[:half], values[half:]))
    merged: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        first = compare(left[i], right[j]) <= 0
        merged.append(left[i] if first else right[j])
        i, j = i + first, j + (not first)
    return merged + left[i:] + right[j:]


def _is_plain(path: str) -> bool:
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


def _feed_bytes(text: Any, aligner: Any, _wanted: ReadSpec, _reading: Reading) -> None:
    try:
        aligner.feed(text)
        aligner.feed(b"")
    except _native.Ungrouped:
        aligner.start_over()
        aligner.feed(text)
        aligner.feed(b"")


_BYTES = Format("bytes", "run", "The text of a run.", push=_feed_bytes)


def encode_text(text: str) -> bytes:
    """What trec_eval orders by."""
    return text.encode("utf-8", "surrogateescape")
