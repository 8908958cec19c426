"""Bytes to lines, fields and numbers: the native parser against Python and the reference."""

import math
from decimal import Decimal, localcontext
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful import _native
from native.both import assert_same, fed, native_answer, native_options, reference_answer
from native.samples import chunks, collection
from reference.align import Options
from reference.parse import number

LARGEST = 1.7976931348623157e308
SMALLEST = 5e-324

digits = st.text("0123456789", min_size=1, max_size=45)
exponents = st.one_of(st.just(""), st.integers(-400, 400).map("e{}".format))
decimals = st.builds("{}.{}{}".format, digits, digits, exponents)
signs = st.sampled_from(["", "-", "+"])
number_like = st.text("+-.eE01259infatyINFATYx_ ,\x00", max_size=12).map(str.encode)
tokens = st.sampled_from(
    [b"\n", b"\n", b"\n", b" ", b" ", b" ", b"\t", b"\r", b"\v", b"\f", b"\x00", b"\x1c", b"\x85"]
    + [b"q", b"d", b"0", b"1", b"2.5", b"#", b"\xef\xbb\xbf", b"\xff", b"nan", b"-1e999"]
    + [b"q 0 d 1\n", b"q Q0 d 1 1 t\n", b"q Q0 e 2 1 t\n"]
)
soups = st.lists(tokens, max_size=40).map(b"".join)


def score_of(text: bytes) -> float | None:
    """The score that the native parser reads, or None where it reads none."""
    try:
        return scores_of([text])[0]
    except _native.BadInput as error:
        assert error.args[0] in ("score", "nan-score", "fields")
        return None


def scores_of(texts: list[bytes]) -> list[float]:
    index = fed(_native.Index(), [b"q 0 d 1"])
    index.finish(_native.Duplicates.error)
    aligner = _native.Aligner(index, native_options(Options()))
    fed(aligner, [b"".join(b"q Q0 %d 1 %b t\n" % pair for pair in enumerate(texts))])
    aligner.finish()
    found = {int(item): score for item, score, *_ in aligner.ranking(0)}
    return [found[i] for i in range(len(texts))]


def assert_read_as_python_does(texts: list[str]) -> None:
    expected = [float(text) for text in texts]
    wrong = [
        (text, found, right)
        for text, found, right in zip(
            texts, scores_of([*map(str.encode, texts)]), expected, strict=True
        )
        if found != right
    ]
    assert wrong == []


def halfway(low: float) -> list[str]:
    """The decimal in the middle between a float and the next, in full, and its two neighbours."""
    high = math.nextafter(low, math.inf)
    with localcontext(prec=1200):
        above = Decimal(high) if high < math.inf else Decimal(2) ** 1024
        middle = (Decimal(low) + above) / 2
        step = Decimal((0, (1,), middle.as_tuple().exponent - 1))
        return [
            f"{value:{style}}" for value in (middle - step, middle, middle + step) for style in "fe"
        ]


# Numbers


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=100))
def test_printed_floats_are_read_back(values):
    assert scores_of([repr(value).encode() for value in values]) == values


@settings(deadline=None)
@given(st.lists(st.builds("{}{}".format, signs, decimals), min_size=1, max_size=50))
def test_decimals_of_many_digits_round_as_in_python(texts):
    assert_read_as_python_does(texts)


def test_mantissas_and_exponents_of_every_length_round_as_in_python():
    random = Random(1)
    texts = [
        f"{random.randrange(10**length)}e{random.randint(-345 - length, 312 - length)}"
        for length in range(1, 26)
        for _ in range(800)
    ]
    assert_read_as_python_does(texts)


def test_numbers_around_the_exact_fast_path_round_as_in_python():
    mantissas = [2**53 + offset for offset in range(-3, 4)] + [10**18 - 1, 10**18, 10**19 - 1]
    texts = [f"{mantissa}e{power}" for mantissa in mantissas for power in range(-26, 27)]
    texts += [f"{str(m)[:k]}.{str(m)[k:]}" for m in mantissas for k in range(len(str(m)) + 1)]
    texts += [f"{'0' * 30}{m}.{'0' * 30}" for m in mantissas]
    texts += [f"0.{'0' * zeros}{m}e{zeros}" for m in mantissas for zeros in range(30)]
    assert_read_as_python_does(texts)


def test_halfway_decimals_round_to_even():
    random = Random(2)
    lows = [math.ldexp(random.getrandbits(53), random.randint(-1074, 950)) for _ in range(100)]
    lows += [0.0, SMALLEST, 2.2250738585072009e-308, 1.0, 9007199254740992.0, LARGEST]
    assert_read_as_python_does([text for low in lows for text in halfway(low)])


def test_subnormals_and_numbers_at_both_ends_are_read():
    random = Random(3)
    texts = [repr(random.getrandbits(random.randint(1, 52)) * SMALLEST) for _ in range(1000)]
    texts += ["5e-324", "4.9406564584124654e-324", "2.4703282292062328e-324", "3e-324", "2e-324"]
    texts += ["2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623158e308"]
    texts += [
        "179769313486231570000" + "0" * 288,
        "0." + "0" * 323 + "5",
        "0." + "0" * 400 + "1e400",
    ]
    assert_read_as_python_does(texts)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"1e309", math.inf),
        (b"-1e309", -math.inf),
        (b"1.7976931348623159e308", math.inf),
        (b"1" + b"0" * 400, math.inf),
        (b"1e99999999999999999999", math.inf),
        (b"0.1e400", math.inf),
        (b"1e-400", 0.0),
        (b"1e-99999999999999999999", 0.0),
        (b"0." + b"0" * 400 + b"1", 0.0),
        (b"0e99999999999999999999", 0.0),
        (b"0e-99999999999999999999", 0.0),
        (b"0.000e400", 0.0),
    ],
)
def test_numbers_out_of_range_become_infinite_or_zero(text, value):
    assert score_of(text) == value


@pytest.mark.parametrize("text", [b"-0", b"-0.0", b"-0e5", b"-1e-400", b"-.0"])
def test_negative_zero_is_read_as_zero(text):
    assert math.copysign(1.0, score_of(text)) == 1.0


@pytest.mark.parametrize(
    "text",
    [b"1", b"+1", b"-1", b"1.", b".5", b"-.5", b"+.5e0", b"1.e1", b"1E2", b"1e+2", b"1e-2", b"007"]
    + [b"1e0000000000000000000001", b"inf", b"INF", b"+Inf", b"-infinity", b"iNFINITY"],
)
def test_every_form_of_a_number_is_read(text):
    assert score_of(text) == float(text)


@pytest.mark.parametrize(
    "text",
    [
        b"+",
        b"-",
        b".",
        b"e",
        b"e5",
        b".e5",
        b"1e",
        b"1e+",
        b"1e+-5",
        b"1e5.0",
        b"--1",
        b"+-1",
        b"1-",
    ]
    + [
        b"0x1",
        b"0x1p3",
        b"1_000",
        b"1,5",
        b"1f",
        b"1d",
        b"1..2",
        b"1.2.3",
        b"1e5e5",
        b"one",
        b"1\x00",
    ]
    + [
        b"in",
        b"infi",
        b"infinit",
        b"infinityx",
        b"na",
        b"nanx",
        b"nan(1)",
        b"snan",
        b"i\xeef",
        b"#",
    ]
    + ["１".encode(), "٣".encode(), "1\xa0".encode(), "−1".encode(), "½".encode()],
)
def test_what_is_no_number_is_reported_with_its_place(text):
    line = b"q  Q0\td 1 " + text + b" t"
    expected = ("score", 2, line.index(text, 9) + 1, text, b"", b"", 0.0, 0.0)
    assert native_answer([b"q 0 d 1\n"], [b"# run\n" + line + b"\n"], Options()) == expected


@settings(deadline=None, max_examples=500)
@given(number_like)
def test_what_looks_like_a_number_is_read_as_in_the_reference(text):
    expected = number(text)
    if b" " in text or not text or expected is None or math.isnan(expected):
        expected = None
    assert score_of(text) == expected or b" " in text


@pytest.mark.parametrize("text", [b"nan", b"NaN", b"-nan", b"+NAN"])
def test_nan_is_no_score_and_no_label(text):
    run = b"q Q0 d 1 " + text + b" t"
    score = ("nan-score", 1, 10, text, b"", b"", 0.0, 0.0)
    assert native_answer([b"q 0 d 1"], [run], Options()) == score
    label = ("label", 1, 7, text, b"", b"", 0.0, 0.0)
    assert native_answer([b"q 0 d " + text], [b""], Options()) == label


@pytest.mark.parametrize("text", [b"inf", b"-Infinity", b"1e309", b"x", b"1e"])
def test_label_must_be_a_finite_number(text):
    expected = ("label", 1, 7, text, b"", b"", 0.0, 0.0)
    assert native_answer([b"q 0 d " + text], [b""], Options()) == expected


@pytest.mark.parametrize("text", [b"1.0", b"1e3", b"x", b"+-1", b"-+1", b"--1", b"+", b"-", b"0x1"])
@pytest.mark.parametrize("options", [Options(order="rank"), Options(ties="rank_column")])
def test_rank_must_be_an_integer(text, options):
    expected = ("rank", 1, 8, text, b"", b"", 0.0, 0.0)
    assert native_answer([b"q 0 d 1"], [b"q Q0 d " + text + b" 1 t"], options) == expected


@pytest.mark.parametrize("text", [b"9223372036854775808", b"-9223372036854775809", b"9" * 5000])
def test_rank_beyond_64_bits_is_reported(text):
    answer = assert_same(b"q 0 d 1", b"q Q0 d " + text + b" 1 t", Options(order="rank"))
    assert answer[:2] == ("rank", 1)


def test_ranks_of_64_bits_are_ordered():
    texts = [
        b"9223372036854775807",
        b"-9223372036854775808",
        b"0",
        b"-0",
        b"+1",
        b"0" * 5000 + b"1",
    ]
    run = b"".join(b"q Q0 d%d %b x t\n" % pair for pair in enumerate(texts))
    answer = assert_same(b"q 0 d1 1", run, Options(order="rank", ties="input"))
    items = [item for item, *_ in answer["rankings"][b"q"]["places"]]
    assert items == [b"d1", b"d2", b"d3", b"d4", b"d5", b"d0"]


def test_columns_that_no_rule_asks_for_are_not_read():
    run = b"q Q0 d first best t"
    assert assert_same(b"q 0 d 1", run, Options(order="file"))["n_rows"] == 1
    assert assert_same(b"q 0 d 1", b"q Q0 d 1 best t", Options(order="rank"))["n_rows"] == 1
    assert assert_same(b"q 0 d 1", b"q Q0 d first 1 t", Options(order="score"))["n_rows"] == 1


def test_score_is_looked_at_before_the_rank():
    answer = assert_same(b"q 0 d 1", b"q Q0 d x y t", Options(ties="rank_column"))
    assert answer[0] == "score"


# Lines and fields


@pytest.mark.parametrize("found", [1, 2, 3, 5, 6])
def test_qrels_line_without_four_fields_is_reported_with_its_number(found):
    line = b" ".join([b"x"] * found)
    expected = ("fields", 3, 1, line, b"", b"", 4.0, float(found))
    assert native_answer([b"q 0 d 1\n\n" + line + b"\nq 0 d x\n"], [b""], Options()) == expected


@pytest.mark.parametrize("found", [1, 2, 3, 4, 5])
def test_short_run_line_is_reported_with_its_number(found):
    line = b" ".join([b"x"] * found)
    expected = ("fields", 2, 1, line, b"", b"", 6.0, float(found))
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


def test_numbers_longer_than_a_chunk_are_read():
    text = "0." + "0" * 1_200_000 + "25e1200001"
    assert_read_as_python_does([text, "1" * 1_200_000, "1" * 1_200_000 + "e-1199999"])


@settings(deadline=None, max_examples=300)
@given(soups, soups, st.sampled_from(["score", "rank", "file"]))
def test_any_bytes_give_what_the_reference_gives(qrels, run, order):
    assert_same(qrels, b"", Options(order=order))
    assert_same(b"q 0 d 1", run, Options(order=order))


# Chunks


@pytest.mark.parametrize("seed", range(40))
def test_chunks_of_any_size_give_what_one_chunk_gives(seed):
    random = Random(seed)
    sample = collection(random, random.choice((1, 5, 60)), repeats=False)
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
    with pytest.raises(TypeError, match="bytes-like"):
        _native.Index().feed(chunk)


def test_chunk_may_be_changed_once_it_is_fed():
    index, chunk = _native.Index(), bytearray(b"q 0 d 1\nq 0 e")
    index.feed(chunk)
    chunk[:] = b"x" * len(chunk)
    fed(index, [b" 2\n"]).finish(_native.Duplicates.error)
    assert index.judgments(0) == [("d", 1.0), ("e", 2.0)]
