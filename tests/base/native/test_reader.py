"""The answer is the same for any pieces, chunks, threads and scanner."""

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest

from base.native.answers import (
    READINGS,
    Answer,
    aligner,
    feed_pieces,
    file_answer,
    native_answer,
    reference_answer,
)
from base.native.samples import chunks, collection, corrupted, every_option
from gainful.base import _native
from reference.align import Options

WAYS = [*product((1, 2, 3), _native.scanners()), (64, None)]  # threads, scanner
EVERY_OPTIONS = every_option()
OPTIONS = (
    Options(),
    Options(ties="rank_column", duplicates="max", float32=True),
    Options(order="file", duplicates="last", condense=True, depth=7),
    Options(order="rank", ties="average", duplicates="first", depth=2),
)

Row = tuple[bytes, bytes, int]  # query, item, score


def assert_same_however_it_is_read(
    qrels: bytes, run: bytes, random: Random, options: Iterable[Options] = OPTIONS
) -> Answer:
    """The answer under the first options, once every number of threads and scanner gave it."""
    expected = {chosen: reference_answer(qrels, run, chosen) for chosen in options}
    for number, (threads, scanner) in enumerate(WAYS):
        chosen = list(expected)[number % len(expected)]
        size = random.choice((1, random.randint(1, 100), random.randint(1, 1000)))
        reading = _native.Reading(threads=threads, chunk=size, scanner=scanner)
        longest = random.choice((1, 7, 64, 1000))
        pieces = [chunks(random, data, longest) for data in (qrels, run)]
        message = f"threads={threads} chunk={size} scanner={scanner} pieces={longest} {chosen}"
        assert native_answer(*pieces, chosen, reading) == expected[chosen], message
        assert file_answer(qrels, run, chosen, reading) == expected[chosen], message
    return next(iter(expected.values()))


def run_of(rows: Iterable[Row]) -> bytes:
    return b"".join(b"%b Q0 %b 7 %d tag\n" % row for row in rows)


def group_rows(queries: Iterable[int], n_items: int = 12) -> list[Row]:
    return [(b"q%d" % q, b"d%d" % (n * 7 % 31), 40 - n) for q in queries for n in range(n_items)]


def number_lines(lines: bytes) -> list[bytes]:
    return lines.splitlines(keepends=True)


QRELS = b"".join(b"q%d 0 d%d %d\n" % (q, d, d % 4 - 1) for q in range(4) for d in range(0, 31, 3))
LINES = run_of(group_rows(range(4)))
LONG_TAGS = b"".join(
    line.replace(b"tag", b"t" * n) for n, line in enumerate(number_lines(LINES), start=20)
)
LONG_IDS = [b"%d-" % n + b"i" * n for n in range(200)]
ROUNDS = [row for rows in zip(*(group_rows([q]) for q in range(4)), strict=True) for row in rows]
LATE = [*group_rows(range(4), 30), (b"q0", b"late", 1), (b"q0", b"later", 0)]
STRANGERS = [
    *group_rows([9, 1, 8]),
    *group_rows([9, 2], 3),
    *group_rows([7, 0, 6, 3]),
    *group_rows([7, 8], 2),
]

READABLE = {
    "grouped": LINES,
    "carriage returns": LINES.replace(b"\n", b"\r\n"),
    "some carriage returns": LINES.replace(b"1 tag\n", b"1 tag\r\n"),
    "no final newline": LINES[:-1],
    "no final newline after a return": LINES[:-1] + b"\r",
    "tabs": LINES.replace(b" ", b"\t"),
    "runs of spaces": LINES.replace(b" Q0 ", b"  Q0 \t \v"),
    "space around": b"".join(b" " + line[:-1] + b" \n" for line in number_lines(LINES)),
    "comments": b"# first\n" + LINES.replace(b"\n", b"\n#" + b"c" * 70 + b"\n") + b"#last",
    "comments between groups": LINES.replace(b"\nq2 Q0 d0 ", b"\n# q1\n#\nq2 Q0 d0 "),
    "blank lines": b"\n\n" + LINES.replace(b"\n", b"\n \n\n") + b"\n\t",
    "empty": b"",
    "blank": b"\n \n\r\n\n",
    "a single newline": b"\n",
    "byte order mark": b"\xef\xbb\xbf" + LINES,
    "byte order mark and comment": b"\xef\xbb\xbf#\n" + LINES,
    "byte order mark alone": b"\xef\xbb\xbf",
    "byte order mark on two lines": b"\xef\xbb\xbf" + LINES + b"\xef\xbb\xbfq0 Q0 d 1 1 t\n",
    "zero bytes": LINES.replace(b"d", b"\x00d\x00").replace(b"tag", b"\x00"),
    "no text": LINES.replace(b"d", b"\xff\xfe").replace(b"tag", b"\x80"),
    "lines of 30 to 80 bytes": LONG_TAGS,
    "more fields": LINES.replace(b"9 tag\n", b"9 tag and more\n"),
    "ids of 1 to 200 bytes": run_of((b"q0", item, -n) for n, item in enumerate(LONG_IDS)),
    "queries of 1 to 200 bytes": run_of((query, b"d3", 1) for query in LONG_IDS[::8]),
    "rounds": run_of(ROUNDS),
    "a query again at the end": run_of(LATE),
    "one giant group": run_of((b"q1", b"d%d" % n, n % 50) for n in range(700)),
    "a giant group between others": run_of(
        [*group_rows([0]), *((b"q1", b"d%d" % n, -n) for n in range(400)), *group_rows([2, 3])]
    ),
    "strangers": run_of(STRANGERS),
    "strangers alone": run_of(group_rows([9, 8, 9, 7], 5)),
    "a line of 3000 bytes": run_of(
        [*group_rows([0, 1]), (b"q2", b"x" * 3000, 1), *group_rows([3])]
    ),
}


@pytest.mark.parametrize("name", READABLE)
def test_every_way_of_reading_gives_the_answer_of_the_reference(name):
    answer = assert_same_however_it_is_read(QRELS, READABLE[name], Random(name))
    assert isinstance(answer, dict)


@pytest.mark.parametrize("name", READABLE)
def test_every_way_of_reading_qrels_gives_the_answer_of_the_reference(name):
    rows = READABLE[name].replace(b" 7 ", b" ").replace(b"\t7\t", b"\t")
    qrels = rows.replace(b" tag", b"").replace(b"\ttag", b"")
    options = Options(), Options(duplicates="max")
    assert_same_however_it_is_read(qrels, LINES, Random(name), options)


# The number of the line that is to be reported, from 1, and lines in the place of others.
UNREADABLE = {
    "one short line": (30, {30: b"q2 Q0 d1 1\n"}),
    "the last line": (48, {48: b"q3"}),
    "the first line": (1, {1: b"x\n"}),
    "several": (11, {n: b"q9 short%d\n" % n for n in (11, 12, 25, 47)}),
    "several kinds": (9, {9: b"q Q0 d 1 nan t\n", 20: b"q Q0 d 1 x t\n", 40: b"q\n"}),
    "after comments and blank lines": (
        33,
        {5: b"#\n", 6: b"\n", 7: b"#\r\n", 33: b"q Q0 d 1 1e t\n"},
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_the_first_bad_line_is_reported_however_it_is_read(name):
    first, others = UNREADABLE[name]
    lines = number_lines(LINES)
    for number, line in others.items():
        lines[number - 1] = line
    answer = assert_same_however_it_is_read(QRELS, b"".join(lines), Random(name), [Options()])
    assert answer[1] == first


def test_the_first_bad_line_is_reported_where_every_line_is_bad():
    qrels = b"".join(b"q 0 d%d %s\n" % (n, b"x" * n) for n in range(1, 40))
    answer = assert_same_however_it_is_read(qrels, b"", Random(1), [Options()])
    assert answer[:2] == ("label", 1)
    run = b"".join(b"q%d Q0 d 1 %s t\n" % (n, b"x" * n) for n in range(1, 40))
    assert assert_same_however_it_is_read(QRELS, run, Random(2), [Options()])[:2] == ("score", 1)


@pytest.mark.parametrize("first", ["duplicate", "malformed"])
@pytest.mark.parametrize("arrange", [list, sorted])
def test_a_malformed_line_is_reported_before_a_duplicate(first, arrange):
    lines = arrange(number_lines(run_of(ROUNDS)))
    bad, twice = (40, 5) if first == "duplicate" else (5, 40)
    lines[bad] = b"q1 Q0 d1 1 x tag\n"
    lines[twice] = lines[twice - 1]
    answer = assert_same_however_it_is_read(QRELS, b"".join(lines), Random(first), [Options()])
    assert answer[:2] == ("score", bad + 1)


@pytest.mark.parametrize("item", [b"d3", b"u" * 100])
@pytest.mark.parametrize("distance", [1, 30, 150])
@pytest.mark.parametrize("kind", ["grouped", "rounds"])
def test_duplicates_near_and_far_are_reported_with_both_lines(item, distance, kind):
    others = [(b"q1", b"n%d" % n, 1000 - n) for n in range(200)]
    if kind == "rounds":
        others = [(b"q%d" % (n % 3 + 1), *rest) for n, (_, *rest) in enumerate(others)]
    others[20] = others[20 + distance] = (b"q1", item, 5)
    rows = [*group_rows([0]), *others]
    answer = assert_same_however_it_is_read(
        QRELS, run_of(rows), Random(distance), [Options(), Options(duplicates="last")]
    )
    first, second = 12 + 21, 12 + 21 + distance
    assert answer == ("retrieved-twice", second, 0, b"", b"q1", item, first, second)


def test_of_several_duplicates_the_one_whose_second_line_comes_first_is_reported():
    rows = group_rows(range(4))
    rows[30], rows[3], rows[20] = rows[25], rows[2], rows[12]
    answer = assert_same_however_it_is_read(QRELS, run_of(rows), Random(1), [Options()])
    assert answer[:2] == ("retrieved-twice", 4)
    twice = number_lines(QRELS)
    twice[40], twice[5] = twice[33], twice[4]
    answer = assert_same_however_it_is_read(b"".join(twice), b"", Random(2), [Options()])
    assert answer[:2] == ("judged-twice", 6)


@pytest.mark.parametrize("seed", range(40))
def test_random_collections_give_the_answer_of_the_reference(seed):
    random = Random(seed)
    sample = collection(random, random.choice((1, 10, 64, 120)), retrieved_twice=seed % 4 == 0)
    qrels, run = sample.qrels, sample.run
    if seed % 3 == 0:
        qrels = corrupted(random, qrels)
    if seed % 3 == 1:
        run = corrupted(random, run)
    assert_same_however_it_is_read(qrels, run, random, random.sample(EVERY_OPTIONS, 2))


def test_a_line_of_ten_megabytes_is_read():
    item, tag = b"i" * 5_000_000, b"t" * 5_000_000
    qrels = b"q 0 " + item + b" 1\nq 0 d 2\n"
    run = b"q Q0 d 1 3 t\nq Q0 " + item + b" 1 2 " + tag + b"\nq Q0 e 2 1 t\nr Q0 e 1 1 t"
    expected = reference_answer(qrels, run, Options())
    for reading in (READINGS[0], _native.Reading(threads=3, chunk=1000)):
        assert file_answer(qrels, run, Options(), reading) == expected
        pieces = [
            [data[i : i + 99_999] for i in range(0, len(data), 99_999)] for data in (qrels, run)
        ]
        assert native_answer(*pieces, Options(), reading) == expected
    assert expected["rankings"][b"q"]["hits"] == [(1, 2.0, 1, 1), (2, 1.0, 2, 1)]


def test_a_malformed_line_of_ten_megabytes_is_shown_in_part():
    run = LINES + b"x" * 10_000_000 + b"\n" + LINES
    expected = ("fields", 49, 1, b"x" * 200, b"", b"", 6.0, 1.0)
    for reading in (READINGS[0], _native.Reading(threads=3, chunk=100)):
        assert file_answer(QRELS, run, Options(), reading) == expected
        assert native_answer([QRELS], [run], Options(), reading) == expected


# Scanners. A line is found from the marks alone if it is no longer than 64 bytes: these are.


def at_every_offset(line: bytes) -> list[bytes]:
    return [b"\n" * offset + line for offset in range(64)]


@pytest.mark.parametrize("scanner", _native.scanners())
def test_every_byte_at_every_offset_is_space_or_part_of_an_id(scanner):
    reading = _native.Reading(scanner=scanner)
    for byte in map(bytes, ([value] for value in range(256))):
        # Lines of 63 bytes: the byte stands one place earlier in each block of 64.
        rows = [b"q Q0 %03d%b%03d 1 1 " % (n, byte, n) for n in range(64)]
        run = b"".join(row + b"t" * (62 - len(row)) + b"\n" for row in rows)
        qrels = b"q 0 000%b000 1\n" % byte if not byte.isspace() else b"q 0 000 1\n"
        expected = reference_answer(qrels, run, Options())
        assert native_answer([qrels], [run], Options(), reading) == expected, byte


@pytest.mark.parametrize("scanner", _native.scanners())
def test_a_newline_at_every_offset_ends_a_line(scanner):
    reading = _native.Reading(scanner=scanner)
    for run in at_every_offset(b"q Q0 a 1 2 t\nq Q0 b 1 1 t\n"):
        expected = reference_answer(b"q 0 b 1", run, Options())
        assert native_answer([b"q 0 b 1"], [run], Options(), reading) == expected


@pytest.mark.parametrize("scanner", _native.scanners())
def test_no_other_byte_at_any_offset_separates_fields(scanner):
    reading = _native.Reading(scanner=scanner)
    index = feed_pieces(_native.Index(), [b"q 0 a 1"])
    index.finish(_native.Duplicates.error)
    for value in set(range(256)) - set(b" \t\n\v\f\r"):
        line = b"q Q0 a%cb 1 1" % value  # a field short, if that byte is none
        for offset, run in enumerate(at_every_offset(line + b"\n")):
            with pytest.raises(_native.BadInput) as error:
                feed_pieces(aligner(index, Options(), reading, None), [run])
            assert error.value.args == ("fields", offset + 1, 1, line, b"", b"", 6.0, 5.0)


def test_a_file_that_is_shorter_than_was_said_is_an_error(tmp_path):
    (tmp_path / "qrels").write_bytes(QRELS)
    for reading in READINGS:
        with (tmp_path / "qrels").open("rb") as file, pytest.raises(OSError, match="error"):
            _native.Index(reading).read(file.fileno(), 0, 5 * len(QRELS), None)


@pytest.mark.parametrize("wrong", [{"threads": 0}, {"chunk": 0}, {"scanner": "abacus"}])
def test_a_reading_that_cannot_be_is_refused(wrong):
    with pytest.raises(RuntimeError, match=r"thread|scanner"):
        _native.Reading(**wrong)
