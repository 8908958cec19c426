"""Files: against other tools, larger, many threads, compressed, with hostile ids, of judgments."""

import shlex
from dataclasses import replace

from bench.contenders import (
    COMMAND,
    Contender,
    make_gainful_eval,
    make_peer,
    make_task,
    make_ten_lines,
    make_wc,
)
from bench.data import TINY, Collection
from bench.figures import Figure, get_added_mb, get_printed_number, get_time_ratio
from bench.groups._group import Group, Size
from bench.limit_tasks import BYTES, KINDS, RATIO, ROUNDS
from bench.peers import PEERS

_CALL = "gainful, without start-up"


def compare_files(size: Size) -> Group:
    """Compare gainful with its peers, and with a process that only reads the file."""
    collection = Collection(size.queries)
    return Group(
        title="From two files to mean nDCG@10",
        text=(
            f"Data: {collection}. `{_CALL}` is `gainful.evaluate` timed inside a process that "
            "has imported gainful. The polars query that sorts all is the plain one: scan, sort, "
            "number, join, group; the others have been made faster by hand. `wc -l` only reads "
            "the run."
        ),
        contenders=[
            make_gainful_eval(collection),
            make_task("gainful.evaluate files", collection=collection).with_name(_CALL),
            *(make_peer(name, collection) for name in PEERS),
            make_wc(collection),
        ],
        base="gainful",
        figures=[
            Figure(
                "nDCG@10, file to answer without start-up and imports, against `wc -l`",
                get_time_ratio(_CALL, "wc -l"),
                at_most=5,
            ),
            *(_make_figure(name, target) for name, target in _TARGETS.items()),
        ],
    )


_TARGETS = {
    "pytrec-eval-terrier": 30,
    "polars, sorting all": 6,
    "DuckDB": 6,
    "polars, top ten only": None,
    "polars, top ten only, ids as numbers": None,
    "ir-measures": None,
}


def _make_figure(name: str, target: float | None) -> Figure:
    title = f"whole process, times as fast as {name}"
    return Figure(title, get_time_ratio(name, "gainful"), at_least=target)


_ONCE, _TEN_TIMES = "1,000 items a query", "10,000 items a query"
_START = make_ten_lines().name


def compare_large(size: Size) -> Group:
    """Compare a run with one ten times as long, for the same queries and judgments."""
    collection, ten_times = Collection(size.queries), Collection(size.queries, items=10_000)
    return Group(
        title="Ten times the lines",
        text=f"Data: {ten_times}. The first 1,000 items of each query are those of the other run.",
        contenders=[
            make_ten_lines(),
            make_gainful_eval(collection).with_name(_ONCE),
            make_gainful_eval(ten_times).with_name(_TEN_TIMES),
        ],
        base=_ONCE,
        figures=[
            Figure("10x the lines", get_time_ratio(_TEN_TIMES, _ONCE), at_most=10.5),
            Figure(
                "peak memory above start-up for 10x the lines, against 1x",
                lambda outcomes: (
                    get_added_mb(_TEN_TIMES, _START)(outcomes)
                    / get_added_mb(_ONCE, _START)(outcomes)
                ),
                at_most=1.3,
            ),
        ],
    )


_PROCESSES = ("whole process, 1 thread", "whole process, 2 threads")
_CALLS = ("without start-up, 1 thread", "without start-up, 2 threads")


def compare_threads(size: Size) -> Group:
    """Compare one thread with two."""
    collection = Collection(size.queries)
    return Group(
        title="Threads",
        text=f"Data: {collection}.",
        contenders=[
            *(_make_process(collection, number) for number in (1, 2)),
            *(_make_call(collection, number) for number in (1, 2)),
        ],
        base=_PROCESSES[0],
        figures=[
            Figure(
                "two threads against one, whole process", get_time_ratio(*_PROCESSES), at_least=1.7
            ),
            Figure(
                "two threads against one, without start-up", get_time_ratio(*_CALLS), at_least=1.7
            ),
        ],
    )


def _make_process(collection: Collection, number: int) -> Contender:
    contender, trial = (
        make_gainful_eval(data, "--threads", str(number)) for data in (collection, TINY)
    )
    return replace(contender, name=_PROCESSES[number - 1], trial=trial)


def _make_call(collection: Collection, number: int) -> Contender:
    task = "gainful.evaluate files"
    contender, trial = (
        make_task(task, str(number), collection=data) for data in (collection, TINY)
    )
    return replace(contender, name=_CALLS[number - 1], trial=trial)


_PEER = "pytrec-eval-terrier"


def compare_track(size: Size) -> Group:
    """Compare all runs of a TREC track in one process, which indexes the judgments once."""
    collection = Collection(queries=50, runs=size.runs)
    return Group(
        title="A track",
        text=f"Data: {collection}. Each contender reads the qrels once, and prints all means.",
        contenders=[make_gainful_eval(collection), make_peer(_PEER, collection)],
        base="gainful",
        figures=[
            Figure(
                f"{size.runs} runs against one qrels, times as fast as {_PEER}",
                get_time_ratio(_PEER, "gainful"),
                at_least=30,
            )
        ],
    )


_PIPE = "gainful, through a pipe"
# What writes the file, if it is not in the standard library.
_SUFFIXES = {".gz": "gainful", ".bz2": "gainful", ".xz": "gainful", ".zst": "zstandard"}


def compare_compressed(size: Size) -> Group:
    """Compare compressed files, a plain file and a pipe, all with the same run."""
    collection = Collection(size.queries)
    return Group(
        title="Compressed, and through a pipe",
        text=f"Data: {collection}. The pipe is `cat run | gainful eval qrels -`.",
        contenders=[
            make_ten_lines(),
            make_gainful_eval(collection),
            _make_piped(collection),
            *(_make_compressed(collection, suffix) for suffix in _SUFFIXES),
        ],
        base="gainful",
        figures=[Figure("through a pipe, against the file", get_time_ratio(_PIPE, "gainful"))],
    )


def _make_compressed(collection: Collection, suffix: str) -> Contender:
    contender, trial = (
        make_gainful_eval(replace(data, suffix=suffix)) for data in (collection, TINY)
    )
    return replace(contender, name=f"gainful, {suffix}", package=_SUFFIXES[suffix], trial=trial)


def _make_piped(collection: Collection) -> Contender:
    command = (COMMAND, "eval", collection.qrels, "-", "-m", "nDCG@10")
    pipe = f"cat {shlex.join(collection.run_paths)} | {shlex.join(command)}"
    return replace(make_gainful_eval(collection), name=_PIPE, command=("sh", "-c", pipe))


def compare_hostile_ids(size: Size) -> Group:
    """Compare ids that would collide under a known hash with ordinary ids of the same length."""
    n = 15 * size.queries
    return Group(
        title="Hostile ids",
        text=(
            f"Data: one query of {n:,} items, all judged, from two files. Each kind is timed "
            f"beside ids of the same lengths that are drawn at random, {ROUNDS} times in turn."
        ),
        contenders=[
            make_task("gainful.evaluate hostile ids", kind, str(n))
            .with_name(kind)
            .with_extra_numbers(RATIO)
            for kind in KINDS
        ],
        base=next(iter(KINDS)),
        figures=[
            Figure(f"ids {kind}, against ordinary ones", get_printed_number(kind, RATIO), at_most=3)
            for kind in KINDS
        ],
    )


# Judgments of a query and bytes of an item's id: what the index may take for each judgment.
_SHAPES = {(100, 8): 80, (100, 16): 90, (100, 36): 115, (10, 8): 115}


def measure_judgments(size: Size) -> Group:
    """Measure the memory of an index of judgments, by length of ids and size of queries."""
    n = 300 * size.queries
    return Group(
        title="Memory of judgments",
        text=(
            f"Data: qrels of {n:,} judgments, read from a file. What is resident above what was "
            "before is divided by the judgments."
        ),
        contenders=[_make_contender(n, *shape) for shape in _SHAPES],
        base=_format_name(100, 8),
        figures=[
            Figure(
                _format_name(*shape),
                get_printed_number(_format_name(*shape), BYTES),
                at_most=target,
                unit=f" {BYTES}",
            )
            for shape, target in _SHAPES.items()
        ],
    )


def _make_contender(n: int, judgments_per_query: int, length: int) -> Contender:
    arguments = (str(n), str(judgments_per_query), str(length))
    contender = make_task("gainful.read_qrels many", *arguments).with_name(
        _format_name(judgments_per_query, length)
    )
    return contender.with_answer("judgments").with_extra_numbers(BYTES)


def _format_name(judgments_per_query: int, length: int) -> str:
    return f"{judgments_per_query} judgments a query, ids of {length} bytes"
