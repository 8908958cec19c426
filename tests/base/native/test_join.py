"""Repeated items of a query are found, and no others."""

from random import Random

import pytest

from base.native.answers import aligner, feed_pieces, make_native_options
from gainful.base import _native
from reference.align import Options

SIZE = 20_000

# Ids that differ in their first bytes, their last bytes, or only in length.
SHAPES = {
    "numbers": b"%d",
    "prefix": b"msmarco-passage-v2-%08d",
    "suffix": b"%08d-of-a-collection-with-long-ids",
    "short": b"%x",
}


def index_of(judged: list[bytes]) -> _native.Index:
    index = feed_pieces(_native.Index(), [b"".join(b"q 0 %b 1\n" % item for item in judged)])
    index.finish(_native.Duplicates.error)
    return index


def read(index: _native.Index, items: list[bytes], duplicates: str) -> _native.Aligned:
    run = b"".join(b"q Q0 %b 1 %d t\n" % (item, -n) for n, item in enumerate(items))
    reading = _native.Reading(threads=2)
    options = Options(duplicates=duplicates)
    return feed_pieces(aligner(index, options, reading, None), [run]).finish()


def places(random: Random) -> list[tuple[int, int]]:
    """Pairs of lines: neighbors, the ends, any."""
    pairs = [(0, 1), (SIZE - 2, SIZE - 1), (0, SIZE - 1), (63, 64), (100, 200)]
    return pairs + [tuple(sorted(random.sample(range(SIZE), 2))) for _ in range(10)]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_repeat_is_found_where_there_is_none(shape):
    items = [SHAPES[shape] % n for n in range(SIZE)]
    Random(shape).shuffle(items)
    index = index_of([*items[:500], b"missing"])
    aligned = read(index, items, "error")
    assert aligned.n_retrieved.tolist() == [SIZE]
    assert aligned.hit_rank.tolist() == list(range(1, 501))
    assert read(index, items, "max").n_duplicates == 0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("judged", [True, False])
def test_one_repeat_is_found_wherever_it_stands(shape, judged):
    random = Random(f"{shape} {judged}")
    items = [SHAPES[shape] % n for n in range(SIZE)]
    random.shuffle(items)
    for first, second in places(random):
        twice = items.copy()
        twice[second] = twice[first]
        index = index_of([twice[first]] if judged else [b"missing"])
        with pytest.raises(_native.BadInput) as error:
            read(index, twice, "error")
        lines = (first + 1.0, second + 1.0)
        expected = ("retrieved-twice", second + 1, 0, b"", b"q", twice[first], *lines)
        assert error.value.args == expected
        aligned = read(index, twice, "first")
        assert (aligned.n_duplicates, aligned.n_retrieved.tolist()) == (1, [SIZE - 1])
        assert aligned.hit_rank.tolist() == ([first + 1] if judged else [])


def test_every_item_twice_is_found():
    items = [b"d%d" % (n % (SIZE // 2)) for n in range(SIZE)]
    aligned = read(index_of(items[: SIZE // 4]), items, "last")
    assert aligned.n_duplicates == SIZE // 2
    assert aligned.n_retrieved.tolist() == [SIZE // 2]
    assert len(aligned.hit_rank) == SIZE // 4


def test_a_repeat_is_known_where_it_is_allowed():
    qrels = b"q 0 a 1\nq 0 a 2\np 0 a 0\n"
    index = feed_pieces(_native.Index(), [qrels])
    index.finish(_native.Duplicates.max)
    assert index.repeat == ("judged-twice", 2, 0, b"", b"q", b"a", 1.0, 2.0)
    options = make_native_options(Options(duplicates="max"))
    run = b"p Q0 a 1 1 t\nq Q0 a 1 2 t\nq Q0 b 2 1 t\nq Q0 a 3 0 t\n"
    for text in (run, run + b"p Q0 b 1 0 t\n"):
        aligner = feed_pieces(_native.Aligner(index, options), [text])
        aligner.finish()
        assert aligner.repeat == ("retrieved-twice", 4, 0, b"", b"q", b"a", 2.0, 4.0)
    aligner = feed_pieces(_native.Aligner(index, options), [b"q Q0 a 1 1 t\n"])
    aligner.finish()
    assert aligner.repeat is None
