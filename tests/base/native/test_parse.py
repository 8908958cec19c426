"""Bytes to lines and fields, in chunks of any size: the native parser against the reference."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.native.answers import assert_same, feed_pieces, native_answer, reference_answer
from base.native.samples import chunks, collection
from example_counts import max_examples
from gainful.base import _native
from reference.align import Options

SPACES = [b"\n", b"\n", b"\n", b" ", b" ", b" ", b"\t", b"\r", b"\v", b"\f"]
WORDS = [b"q", b"d", b"0", b"1", b"2.5", b"#", b"nan", b"-1e999"]
WORDS += [b"\xef\xbb\xbf", b"\xff", b"\x00", b"\x1c", b"\x85"]
LINES = [b"q 0 d 1\n", b"q Q0 d 1 1 t\n", b"q Q0 e 2 1 t\n"]

soups = st.lists(st.sampled_from([*SPACES, *WORDS, *LINES]), max_size=40).map(b"".join)


@pytest.mark.parametrize("n_fields", [1, 2, 3, 5, 6])
def test_qrels_line_without_four_fields_is_reported_with_its_number(n_fields):
    line = b" ".join([b"x"] * n_fields)
    expected = ("fields", 3, 1, line, b"", b"", 4.0, float(n_fields))
    assert native_answer([b"q 0 d 1\n\n" + line + b"\nq 0 d x\n"], [b""], Options()) == expected


@pytest.mark.parametrize("n_fields", [1, 2, 3, 4, 5])
def test_short_run_line_is_reported_with_its_number(n_fields):
    line = b" ".join([b"x"] * n_fields)
    expected = ("fields", 2, 1, line, b"", b"", 6.0, float(n_fields))
    assert native_answer([b"q 0 d 1"], [b"q Q0 d 1 1 t\n" + line], Options()) == expected


def test_run_line_may_go_on_after_the_tag():
    assert assert_same(b"q 0 d 1", b"q Q0 d 1 1 t of several words", Options())["n_rows"] == 1


@pytest.mark.parametrize("space", [b" ", b"\t", b"\r", b"\v", b"\f", b" \t\r\v\f "])
def test_every_ascii_space_separates_fields(space):
    qrels, run = (
        space + space.join(line.split()) + space for line in (b"q 0 d 1", b"q Q0 d 1 2 t")
    )
    answer = assert_same(qrels, run, Options())
    assert answer["rankings"][b"q"]["places"] == [(b"d", 2.0, 1.0, 1, 1)]


@pytest.mark.parametrize("byte", [b"\x00", b"\x1c", b"\x1f", b"\x85", b"\xa0", "\u2003".encode()])
def test_other_bytes_belong_to_an_id(byte):
    item = b"d" + byte + b"d"
    answer = assert_same(b"q 0 " + item + b" 1", b"q Q0 " + item + b" 1 2 t", Options())
    assert answer["rankings"][b"q"]["hits"] == [(1, 1.0, 1, 1)]


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"\r\n", b" \t\v\f\r\n\n", b"#", b"# 1 2\n", b"\xef\xbb\xbf"]
)
def test_input_without_rows_is_empty(text):
    answer = assert_same(text, text, Options())
    assert answer["judgments"] == {}
    assert answer["n_rows"] == 0


def test_comment_begins_at_the_start_of_a_line_only():
    answer = assert_same(b"#q 0 d 1\n #q 0 #d 1\nq 0 d #1x\n", b"", Options())
    assert answer == ("label", 3, 7, b"#1x", b"", b"", 0.0, 0.0)
    answer = assert_same(b"#q 0 d 1\n #q 0 #d 1\n", b"#\n##\n #q Q0 #d 1 2 t\n", Options())
    assert answer["rankings"][b"#q"]["hits"] == [(1, 1.0, 1, 1)]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b" \r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_lines_end_alike_with_and_without_carriage_return_and_final_newline(end, last):
    qrels, run = [b"q 0 d 1", b"q 0 e 2"], [b"q Q0 e 1 2 t", b"q Q0 d 2 1 t"]
    plain = reference_answer(b"\n".join(qrels), b"\n".join(run), Options())
    ended = (end.join(lines) + end * last for lines in (qrels, run))
    assert assert_same(*ended, Options()) == plain


def test_carriage_return_alone_ends_no_line():
    answer = assert_same(b"q 0 d 1\rq 0 e 1\r", b"", Options())
    assert answer == ("fields", 1, 1, b"q 0 d 1\rq 0 e 1\r", b"", b"", 4.0, 8.0)


def test_byte_order_mark_is_dropped_once_at_the_very_start():
    mark = b"\xef\xbb\xbf"
    qrels = mark + b"q 0 d 1\n" + mark + b"q 0 d 1\n"
    answer = assert_same(qrels, mark + mark + b"q Q0 d 1 1 t\n" + mark + b"# Q0 d 1 1 t", Options())
    assert list(answer["judgments"]) == [b"q", mark + b"q"]
    assert answer["strangers"] == [mark + b"#"]


def test_byte_order_mark_before_a_comment_is_dropped():
    assert assert_same(b"\xef\xbb\xbf# q 0\n", b"\xef\xbb\xbf#\n", Options())["n_rows"] == 0


def test_columns_are_counted_behind_the_byte_order_mark():
    answer = assert_same(b"\xef\xbb\xbfq 0 d x", b"", Options())
    assert answer == ("label", 1, 7, b"x", b"", b"", 0.0, 0.0)


@pytest.mark.parametrize("length", [199, 200, 201, 5000])
def test_error_shows_two_hundred_bytes_of_a_line_or_field(length):
    text = b"\xc3\xa9" * length
    assert assert_same(text, b"", Options())[3] == text[:200]
    assert assert_same(b"q 0 d " + text, b"", Options())[3] == text[:200]
    assert assert_same(b"q 0 d 1", b"q Q0 d 1 " + text + b" t", Options())[3] == text[:200]


def test_lines_longer_than_a_chunk_are_read():
    item, tag = b"i" * 1_500_000, b"t" * 2_000_000
    qrels, run = b"q 0 " + item + b" 1\n", b"q Q0 " + item + b" 1 2 " + tag + b"\nq Q0 d 2 1 t"
    expected = reference_answer(qrels, run, Options())
    pieces = [[data[i : i + 65_536] for i in range(0, len(data), 65_536)] for data in (qrels, run)]
    assert native_answer(*pieces, Options()) == expected
    assert expected["rankings"][b"q"]["hits"] == [(1, 1.0, 1, 1)]


@max_examples(300)
@given(soups, soups, st.sampled_from(["score", "rank", "file"]))
def test_any_bytes_give_what_the_reference_gives(qrels, run, order):
    assert_same(qrels, b"", Options(order=order))
    assert_same(b"q 0 d 1", run, Options(order=order))


# Chunks


@pytest.mark.parametrize("seed", range(40))
def test_chunks_of_any_size_give_what_one_chunk_gives(seed):
    random = Random(seed)
    sample = collection(random, random.choice((1, 5, 60)))
    qrels, run = (b"\xef\xbb\xbf" * (seed % 2) + data for data in (sample.qrels, sample.run))
    if seed % 5 == 0:
        run += b"too short"
    whole = native_answer([qrels], [run], Options())
    for longest in (1, 2, 3, 10, 100):
        cut = chunks(random, qrels, longest), chunks(random, run, longest)
        assert native_answer(*cut, Options()) == whole


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_chunks_are_anything_that_holds_bytes(kind):
    answer = native_answer([kind(b"q 0 d 1\n")], [kind(b"q Q0 d 1 1 t\n")], Options())
    assert answer["rankings"][b"q"]["n_retrieved"] == 1


@pytest.mark.parametrize("chunk", ["q 0 d 1", 7, None, ["q 0 d 1"]])
def test_chunks_without_bytes_are_a_type_error(chunk):
    with pytest.raises(TypeError, match=r"bytes-like|incompatible function arguments"):
        _native.Index().feed(chunk)


def test_chunk_may_be_changed_once_it_is_fed():
    index, chunk = _native.Index(), bytearray(b"q 0 d 1\nq 0 e")
    index.feed(chunk)
    chunk[:] = b"x" * len(chunk)
    feed_pieces(index, [b" 2\n"]).finish(_native.Duplicates.error)
    assert index.judgments(0) == [("d", 1.0), ("e", 2.0)]
