"""Fields to numbers: the native parser against Python and the reference."""

import math
from decimal import Decimal, localcontext
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.native.answers import assert_same, feed_pieces, make_native_options, native_answer
from example_counts import max_examples
from gainful.base import _native
from reference.align import Options
from reference.parse import number

LARGEST = 1.7976931348623157e308
SMALLEST = 5e-324
NUMBERS = b"1 +1 -1 1. .5 -.5 +.5e0 1.e1 1E2 1e+2 1e-2 007 1e000000000000000000000000001 9e-0 0e0"
NUMBERS += b" inf INF +Inf -infinity iNFINITY"
NO_NUMBERS = b"+ - . e e5 .e5 1e 1e+ 1e+-5 1e5.0 --1 +-1 -+1 1- 0x1 0x1p3 1_000 1,5 1f 1d 1..2"
NO_NUMBERS += b" 1.2.3 1e5e5 one 1\x00 in infi infinit infinityx na nanx nan(1) snan i\xeef #"
NO_NUMBERS += " \N{FULLWIDTH DIGIT ONE} \N{ARABIC-INDIC DIGIT ONE} \N{MINUS SIGN}1 1\xa0".encode()

digits = st.text("0123456789", min_size=1, max_size=45)
exponents = st.one_of(st.just(""), st.integers(-400, 400).map("e{}".format))
decimals = st.builds("{}.{}{}".format, digits, digits, exponents)
signs = st.sampled_from(["", "-", "+"])
number_like = st.text("+-.eE01259infatyINFATYx_,\x00", min_size=1, max_size=12).map(str.encode)


def score_of(text: bytes) -> float | None:
    """The score that the native parser reads, or None where it reads none."""
    try:
        return scores_of([text])[0]
    except _native.BadInput:
        return None


def scores_of(texts: list[bytes], reading: _native.Reading | None = None) -> list[float]:
    """The scores that the native parser reads."""
    index = feed_pieces(_native.Index(), [b"q 0 d 1"])
    index.finish(_native.Duplicates.error)
    aligner = _native.Aligner(index, make_native_options(Options()), reading, kept=0)
    feed_pieces(aligner, [b"".join(b"q Q0 %d 1 %b t\n" % pair for pair in enumerate(texts))])
    aligner.finish()
    scores = {int(item): score for item, score, *_ in aligner.ranking()}
    return [scores[i] for i in range(len(texts))]


def labels_of(texts: list[bytes], reading: _native.Reading | None = None) -> list[float]:
    """The labels that the native parser reads."""
    lines = (b"q 0 %d %b\n" % pair for pair in enumerate(texts))
    index = feed_pieces(_native.Index(reading), [b"".join(lines)])
    index.finish(_native.Duplicates.error)
    return [label for _, label in index.judgments(0)]


def assert_read_as_python_does(texts: list[str]) -> None:
    scores = scores_of([text.encode() for text in texts])
    both = zip(texts, scores, map(float, texts), strict=True)
    assert [(text, read, value) for text, read, value in both if read != value] == []


def halfway(low: float) -> list[str]:
    """The decimal in the middle between a float and the next, in full, and its two neighbors."""
    high = math.nextafter(low, math.inf)
    with localcontext(prec=1200):
        above = Decimal(high) if high < math.inf else Decimal(2) ** 1024
        middle = (Decimal(low) + above) / 2
        step = Decimal((0, (1,), middle.as_tuple().exponent - 1))
        three = (middle - step, middle, middle + step)
        return [f"{value:{style}}" for value in three for style in "fe"]


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=100))
def test_printed_floats_are_read_back(values):
    assert scores_of([repr(value).encode() for value in values]) == values


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


def test_decimals_of_every_length_with_a_point_at_every_place_are_read():
    random = Random(4)
    texts = []
    for length in range(1, 26):
        for sign in ("", "-", "+"):
            digits = "".join(random.choices("0123456789", k=length))
            zeros = "0" * (length // 2) + digits[length // 2 :]
            nines, ones = "9" * length, "1" + "0" * (length - 1)
            for text in (digits, zeros, nines, ones, "0" * length):
                texts += [sign + text, f"{sign}{text}e3", f"{sign}{text}E-7"]
                texts += [f"{sign}{text[:at]}.{text[at:]}" for at in range(length + 1)]
    assert_read_as_python_does(texts)
    # Each line in a chunk of its own: nothing but padding stands before it.
    reading = _native.Reading(chunk=1)
    values = [float(text) for text in texts]
    finite = [text.encode() for text in texts]
    assert labels_of(finite, reading) == values
    assert labels_of(finite) == values
    assert scores_of(finite, reading) == values


def test_a_label_at_the_very_start_of_a_chunk_is_read_without_what_was_there_before():
    # The second line is read into the memory of the first, which was longer.
    texts = ["1234567890123456", "7", "12345678.5", ".5", "-3", "99999999", "5.", "-.25"]
    for text in texts:
        labels = labels_of([b"9" * 40, text.encode()], _native.Reading(chunk=1))
        assert labels == [float("9" * 40), float(text)]


def test_every_byte_at_every_place_of_a_number_is_a_digit_or_is_not():
    for length in (1, 2, 7, 8, 9, 15, 16, 17, 20):
        for at in range(length):
            for byte in b"./:-+eE09aAxp_,#'\x00\x10\x2e\x3b\x3f\x60\x7f\x80\xae\xb0\xb5\xb9\xff":
                text = bytearray(b"2" * length)
                text[at] = byte
                assert score_of(bytes(text)) == number(bytes(text)), text


@pytest.mark.parametrize("filled", [1, 4, 7, 8, 12, 15, 16, 20])
@pytest.mark.parametrize(
    "text", ["%s.", "-%s.", ".%s", "-.%s", ".", "-", "-.", "%s..2", "%s.2.3", ".%s.", "%s-", "+%s"]
)
def test_points_and_signs_in_odd_places_are_read_as_in_the_reference(text, filled):
    digits = "3" * filled
    whole = (text % digits if "%" in text else text).encode()
    assert score_of(whole) == number(whole)


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


@pytest.mark.parametrize("text", NUMBERS.split())
def test_every_form_of_a_number_is_read(text):
    assert score_of(text) == float(text)


@pytest.mark.parametrize("text", NO_NUMBERS.split(b" "))
def test_what_is_no_number_is_reported_with_its_place(text):
    line = b"q  Q0\td 1 " + text + b" t"
    expected = ("score", 2, line.index(text, 9) + 1, text, b"", b"", 0.0, 0.0)
    assert native_answer([b"q 0 d 1\n"], [b"# run\n" + line + b"\n"], Options()) == expected


@max_examples(500)
@given(number_like)
def test_what_looks_like_a_number_is_read_as_in_the_reference(text):
    expected = number(text)
    is_nan = expected is not None and math.isnan(expected)
    assert score_of(text) == (None if is_nan else expected)


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


def test_numbers_longer_than_a_chunk_are_read():
    text = "0." + "0" * 1_200_000 + "25e1200001"
    assert_read_as_python_does([text, "1" * 1_200_000, "1" * 1_200_000 + "e-1199999"])
