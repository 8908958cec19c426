"""Threads that read one text or share one index; run under the thread sanitizer, too."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest

from base.native.answers import (
    Answer,
    aligner,
    assert_same_in_every_reading,
    describe_answer,
    feed_pieces,
    from_file,
    reference_answer,
)
from base.native.samples import chunks, collection
from base.native.test_reader import LINES, OPTIONS, QRELS, READABLE, number_lines, run_of
from gainful.base import _native
from reference.align import Options

READINGS = [_native.Reading(threads=n, chunk=size) for n, size in ((2, 1), (3, 100), (8, 300))]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "name", ["grouped", "comments", "rounds", "a query again at the end", "strangers"]
)
def test_threads_share_the_work_and_give_one_answer(name, options):
    assert_same_in_every_reading(QRELS, READABLE[name], options, READINGS)


@pytest.mark.parametrize("seed", range(5))
def test_threads_find_the_first_of_many_errors(seed):
    lines = number_lines(LINES)
    for number in Random(seed).sample(range(48), 9):
        lines[number] = b"q%d Q0 bad\n" % number
    answer = assert_same_in_every_reading(QRELS, b"".join(lines), Options(), READINGS)
    assert answer[0] == "fields"
    twice = collection(Random(seed), 100, judged_twice=True, retrieved_twice=True)
    assert_same_in_every_reading(twice.qrels, twice.run, Options(), READINGS)


def test_many_threads_read_a_file_that_is_larger_than_their_chunks():
    n_queries, n_items = 300, 40
    rows = [
        (b"q%d" % q, b"d%d" % (n * 7 % 41), 99 - n)
        for q in range(n_queries)
        for n in range(n_items)
    ]
    qrels = b"".join(b"q%d 0 d%d 1\n" % (q, q % 41) for q in range(n_queries))
    mixed = Random(1).sample(rows, len(rows))
    answers = []
    for run in (run_of(rows), run_of(mixed)):
        for threads, chunk in ((1, 1 << 19), (2, 4096), (3, 100), (64, 1000)):
            reading = _native.Reading(threads=threads, chunk=chunk)
            for answer in (file_answers, piece_answers):
                answers.append(answer(qrels, run, reading))
    assert all(answer == answers[0] for answer in answers[:8])
    assert all(answer == answers[8] for answer in answers[8:])
    assert answers[0] == answers[8]
    assert sum(answers[0]["n_retrieved"]) == n_queries * n_items


def file_answers(qrels: bytes, run: bytes, reading: _native.Reading) -> dict:
    with tempfile.TemporaryFile() as qrels_file, tempfile.TemporaryFile() as run_file:
        index = from_file(_native.Index(reading), qrels_file, qrels)
        index.finish(_native.Duplicates.error)
        return arrays_of(from_file(aligner(index, Options(), reading, None), run_file, run))


def piece_answers(qrels: bytes, run: bytes, reading: _native.Reading) -> dict:
    index = feed_pieces(_native.Index(reading), chunks(Random(1), qrels, 5000))
    index.finish(_native.Duplicates.error)
    return arrays_of(
        feed_pieces(aligner(index, Options(), reading, None), chunks(Random(2), run, 9000))
    )


def arrays_of(full: _native.Aligner) -> dict:
    aligned = full.finish()
    names = ("in_run", "n_retrieved", "hit_offsets", "hit_rank", "hit_label", "hit_tie_size")
    return {name: getattr(aligned, name).tolist() for name in names} | {"n_rows": full.n_rows}


def test_one_index_serves_runs_on_several_threads_at_once():
    reading = _native.Reading(threads=2, chunk=500)
    index = feed_pieces(_native.Index(reading), [QRELS])
    index.finish(_native.Duplicates.error)
    begin = Barrier(4)

    def answer(run: bytes) -> Answer:
        begin.wait()
        return describe_answer(
            index,
            lambda query_number: feed_pieces(
                aligner(index, OPTIONS[1], reading, query_number), [run]
            ),
        )

    runs = [READABLE[name] for name in ("grouped", "rounds", "strangers", "one giant group")]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(answer, runs))
    assert answers == [reference_answer(QRELS, run, OPTIONS[1]) for run in runs]


@pytest.mark.parametrize("pieces", [1, 3, 50])
def test_a_reader_that_is_dropped_half_way_ends_its_threads(pieces):
    index = feed_pieces(_native.Index(), [QRELS])
    index.finish(_native.Duplicates.error)
    for _ in range(20):
        dropped = aligner(index, Options(), _native.Reading(threads=3, chunk=50), None)
        half = _native.Index(_native.Reading(threads=3, chunk=50))
        for piece in number_lines(LINES)[:pieces]:
            dropped.feed(piece)
        for piece in number_lines(QRELS)[:pieces]:
            half.feed(piece)
        del dropped, half


def test_what_a_tick_raises_ends_the_reading(tmp_path):
    index = feed_pieces(_native.Index(), [b"q0 0 d 1"])
    index.finish(_native.Duplicates.error)
    path = tmp_path / "run"
    # A chunk for every line: slow enough for a tick.
    path.write_bytes(b"".join(b"q%d Q0 d 1 1 t\n" % n for n in range(500_000)))
    positions = []

    def tick(position: int) -> None:
        positions.append(position)
        raise LookupError

    reading = _native.Reading(threads=2, chunk=1)
    size = path.stat().st_size
    with path.open("rb") as file, pytest.raises(LookupError):
        aligner(index, Options(), reading, None).read(file.fileno(), 0, size, tick)
    assert len(positions) == 1
    assert 0 <= positions[0] <= size
