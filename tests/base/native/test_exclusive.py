"""Threads that share one index or one aligner: all may read it, one at a time may fill it.

The thread sanitizer looks at these too.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from threading import Barrier

import pytest

from base.native.answers import aligner, describe_answer, feed_pieces
from base.native.samples import collection
from base.native.test_reader import OPTIONS, QRELS, READABLE
from gainful.base import _native
from reference.align import Options

IN_USE = "another thread is using it, or code that it calls"
REFUSED = (IN_USE, "finished", "it was given rows", "it has read t", "it is still being read")
READING = _native.Reading(threads=2, chunk=300)


def finish_index(qrels=QRELS):
    index = feed_pieces(_native.Index(READING), [qrels])
    index.finish(_native.Duplicates.max)
    return index


def call_at_once(calls):
    """What each call returns or raises, all of them begun at the same moment."""
    begin = Barrier(len(calls))

    def answer(call):
        begin.wait()
        try:
            return call()
        except RuntimeError as error:
            return error

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(answer, calls))
    finally:
        sys.setswitchinterval(before)


def read_index(index):
    """All that an index tells."""
    return (
        index.n_queries,
        index.queries,
        index.n_duplicates,
        [index.judgments(number) for number in range(index.n_queries)],
        index.pool_offsets.tolist(),
        index.pool_labels.tolist(),
        index.given_labels().tolist(),
        index.odd.comments,
        index.repeat,
    )


def test_many_threads_read_all_that_one_index_holds():
    index = finish_index(collection(Random(3), 100, judged_twice=True).qrels)
    expected = read_index(index)
    for _ in range(10):
        assert call_at_once([lambda: read_index(index)] * 6) == [expected] * 6


@pytest.mark.parametrize("options", OPTIONS)
def test_many_threads_join_their_own_runs_with_one_index(options):
    index = finish_index()
    runs = [READABLE[name] for name in ("grouped", "rounds", "strangers", "comments")]

    def joined(run):
        return describe_answer(
            index,
            lambda query_number: feed_pieces(aligner(index, options, READING, query_number), [run]),
        )

    expected = [joined(run) for run in runs]
    for _ in range(3):
        assert call_at_once([lambda run=run: joined(run) for run in runs]) == expected


FILLING = {
    "text": lambda filled: filled.feed(QRELS),
    "the end of text": lambda filled: filled.feed(b""),
    "columns": lambda filled: filled.push_columns(
        ["q1"] * 500, [*map(str, range(500))], [1.0] * 500
    ),
    "a dict": lambda filled: filled.add({f"q{n}": {"d": 1} for n in range(50)}),
    "a list": lambda filled: filled.add_list("q", ["d1", "d2"]),
    "names": lambda filled: filled.name_queries(["q1", "q2"]),
    "the end of tables": lambda filled: filled.end_tables(),
    "another start": lambda filled: filled.start_over(),
    "an early end": lambda filled: filled.abandon(settled=False),
}


def finish(filled):
    return filled.finish(*([_native.Duplicates.max] if isinstance(filled, _native.Index) else []))


@pytest.mark.parametrize("name", FILLING)
@pytest.mark.parametrize("other", FILLING)
def test_threads_that_fill_one_object_take_turns_or_are_refused(name, other):
    index = finish_index()
    for make in (lambda: _native.Index(READING), lambda: aligner(index, Options(), READING, None)):
        for _ in range(3):
            filled = make()
            calls = [FILLING[name], FILLING[other], FILLING[name], lambda it: it.odd, finish]
            for result in call_at_once([partial(try_call, call, filled) for call in calls]):
                if isinstance(result, RuntimeError):
                    assert any(reason in str(result) for reason in REFUSED)


def try_call(call, filled):
    try:
        call(filled)
    except (_native.BadInput, _native.Ungrouped):
        return None  # what one thread began, another went on with: odd text, and no harm
    return None


class Meddling:
    """A number, or an id, that does something else when it is asked for."""

    def __init__(self, deed):
        self.deed = deed

    def __float__(self):
        self.deed()
        return 1.0

    def __index__(self):
        self.deed()
        return 7


def test_code_that_filling_calls_cannot_fill_the_same_object():
    added, pushed = _native.Index(), _native.Index()
    refused = []

    def meddle():
        for call in (lambda: added.add({"q": {"e": 1}}), lambda: pushed.n_queries):
            with pytest.raises(RuntimeError, match=IN_USE) as error:
                call()
            refused.append(error)

    pushed.push_columns(["q"], ["d"], [Meddling(lambda: added.add({"q": {"d": Meddling(meddle)}}))])
    assert len(refused) == 2
    for index in (added, pushed):
        index.finish(_native.Duplicates.error)
        assert index.judgments(0) == [("d", 1.0)]


def test_what_a_tick_asks_while_a_file_is_read_is_refused(tmp_path):
    path = tmp_path / "qrels"
    path.write_bytes(b"".join(b"q%d 0 d 1\n" % n for n in range(500_000)))
    index = _native.Index(_native.Reading(threads=2, chunk=1))  # slow enough for a tick
    with path.open("rb") as file, pytest.raises(RuntimeError, match=IN_USE):
        index.read(file.fileno(), 0, path.stat().st_size, lambda _: index.queries)


def test_what_will_still_move_is_not_shown():
    index = _native.Index()
    index.add({"q": {"d": 1}})
    for name in ("pool_offsets", "pool_labels"):
        with pytest.raises(RuntimeError, match="it is not finished"):
            getattr(index, name)


def test_what_a_key_drops_is_read_to_its_end():
    entries = {}
    entries[Meddling(entries.clear)] = {f"d{n}": n for n in range(100)}
    index = _native.Index()
    index.add(entries)
    index.finish(_native.Duplicates.error)
    assert index.queries == ["7"]
    assert len(index.judgments(0)) == 100


def test_a_key_that_drops_itself_and_is_no_id_is_shown():
    def refuse():
        entries.clear()
        raise TypeError

    entries = {}
    entries[Meddling(refuse)] = 1
    with pytest.raises(_native.BadInput) as refused:
        _native.Index().add({"q": entries})
    assert refused.value.args[0] == "id"
    assert b"Meddling" in refused.value.args[3]


def test_what_its_own_threads_still_read_is_not_told():
    index = _native.Index(_native.Reading(threads=2, chunk=1))
    index.feed(b"q 0 d 1\n" * 3)
    for refused in (
        lambda: index.odd,
        lambda: index.queries,
        lambda: finish(index),
        index.end_tables,
    ):
        with pytest.raises(RuntimeError, match=r"still being read|at the end|it has read text"):
            refused()
    index.feed(b"")
    finish(index)  # one that came too early does not count
    assert index.n_queries == 1


def test_a_finish_that_fails_is_the_last():
    index = feed_pieces(_native.Index(READING), [b"q 0 d 1\nq 0 d 2\n"])
    with pytest.raises(_native.BadInput):
        index.finish(_native.Duplicates.error)
    with pytest.raises(RuntimeError, match="it is finished"):
        index.feed(b"q 0 e 1\n")
    assert index.repeat[0] == "judged-twice"
