"""Random qrels and runs, full of edge cases, from a seeded generator."""

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from reference.align import Options

RULES: dict[str, tuple[Any, ...]] = {
    "order": ("score", "rank", "file"),
    "ties": (
        "item_desc",
        "item_asc",
        "input",
        "input_reversed",
        "rank_column",
        "average",
        "best",
        "worst",
        "middle",
    ),
    "duplicates": ("error", "first", "last", "max", "once", "count"),
    "condense": (False, True),
    "float32": (False, True),
    "depth": (0, 1, 3, 64),
}
SIZES = (0, 1, 63, 64, 65, 300)

LABELS = (b"-2", b"-1", b"-0.0", b"0", b"0", b"1", b"1", b"2", b"3", b"+4", b"0.5", b"1e-3")
# Some are equal, some in single precision only, some only as infinities.
SCORES = (b"-inf", b"-1e39", b"-1", b"-0.0", b"0", b"0.1", b"0.10000000149", b"1", b"1.0", b"1e0")
SCORES += (b"1.00000001", b".5", b"5e-1", b"16777216", b"16777217", b"1e39", b"2e39", b"Infinity")
RANKS = (b"0", b"1", b"1", b"2", b"+2", b"3", b"003", b"10", b"-5", b"9223372036854775807")
SPACES = (b" ", b" ", b" ", b"\t", b"  ", b"\v", b" \f\t")
ENDS = (b"\n", b"\n", b"\n", b"\r\n", b" \n", b"\n\n", b"\n# a comment\n", b"\n \t\n")
UNUSUAL = (
    b"\xff",
    b"\xfe\x80",
    b"\x00",
    b"a\x00",
    b"a\x00b",
    b"\xed\xa0\x80",
    b"-",
    b"\x1c",
    b"\xa0",
)
UNUSUAL += ("é".encode(), "日本".encode(), "\N{GRINNING FACE}".encode(), b"d#", b"\xef\xbb\xbf")


@dataclass(frozen=True)
class Collection:
    """Qrels and a run in TREC format."""

    qrels: bytes
    run: bytes


def every_option(**fixed: Any) -> list[Options]:
    """All combinations of the rules that are not fixed."""
    free = {name: values for name, values in RULES.items() if name not in fixed}
    return [
        Options(**fixed, **dict(zip(free, values, strict=True)))
        for values in product(*free.values())
    ]


def collection(
    random: Random, size: int, *, judged_twice: bool = False, retrieved_twice: bool = False
) -> Collection:
    """Qrels and a run of about as many lines."""
    n_queries = max(1, random.choice((1, 2, size // 20)))
    queries = ids(random, n_queries)
    items = ids(random, max(3, 2 * size // n_queries))
    judged = pairs(random, queries, items, size, twice=judged_twice)
    in_run = [*queries[n_queries // 3 :], b"stranger"]
    retrieved = pairs(random, in_run, items, size, twice=retrieved_twice)
    return Collection(
        b"".join(line(random, query, b"0", item, random.choice(LABELS)) for query, item in judged),
        b"".join(
            line(random, query, b"Q0", item, random.choice(RANKS), random.choice(SCORES), b"tag")
            for query, item in retrieved
        ),
    )


def pairs(
    random: Random, queries: list[bytes], items: list[bytes], size: int, *, twice: bool
) -> list[tuple[bytes, bytes]]:
    """Queries with items, some of them twice; the lines of a query mostly stand together."""
    if twice:
        query_items = [(random.choice(queries), random.choice(items)) for _ in range(size)]
    else:
        all_pairs = list(product(queries, items))
        query_items = random.sample(all_pairs, min(size, len(all_pairs)))
    if random.random() < 0.7:
        query_items.sort(key=lambda pair: pair[0])
    return query_items


def ids(random: Random, count: int) -> list[bytes]:
    """Different ids of 1 to 40 bytes, short, long, alike, and no UTF-8."""
    unique_ids: set[bytes] = set()
    while len(unique_ids) < count:
        kind = random.random()
        if kind < 0.2:
            unique_ids.add(random.choice(UNUSUAL) + random.choice((b"", b"%d" % len(unique_ids))))
        elif kind < 0.3:
            unique_ids.add(
                b"a-long-prefix-that-all-of-them-share-" + b"%d" % random.randrange(count)
            )
        elif kind < 0.4:
            unique_ids.add(
                bytes(random.choice(b"ab\xe4\xf6") for _ in range(random.randint(1, 40)))
            )
        else:
            unique_ids.add(b"d%d" % random.randrange(10 * count))
    return random.sample(sorted(unique_ids), count)


def line(random: Random, *fields: bytes) -> bytes:
    """The fields on one line, whatever separates them."""
    # Not at the very front of a file, where an id that is a byte order mark would be dropped.
    separated = [b" "]
    for field in fields:
        separated += [field, random.choice(SPACES)]
    return b"".join(separated[:-1]) + random.choice(ENDS)


def chunks(random: Random, data: bytes, longest: int) -> list[bytes]:
    """The data, cut at random."""
    pieces = []
    while data:
        size = random.randint(1, longest)
        pieces.append(data[:size])
        data = data[size:]
    return pieces


def corrupted(random: Random, data: bytes) -> bytes:
    """The data with one or two things wrong, perhaps: bytes lost or added, or a line repeated."""
    for _ in range(random.choice((1, 1, 2))):
        if random.random() < 0.2:
            lines = data.split(b"\n")
            lines.insert(random.randrange(len(lines)), random.choice(lines))
            data = b"\n".join(lines)
        else:
            place = random.randint(0, len(data))
            rest = data[place + random.choice((0, 0, 0, 1, 1, 10)) :]
            data = data[:place] + random.choice(CORRUPTION) + rest
    return data


CORRUPTION = (b"", b" ", b"\n", b"\r", b"\t", b"x", b"nan", b" nan ", b"e", b".", b"-", b"_", b"0x")
CORRUPTION += (
    b"#",
    b"\n#",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b" 1",
    b"inf",
    b" 1e999 ",
    b"\n1 2\n",
)
CORRUPTION += (
    b"99999999999999999999",
    b"y" * 250,
    b"\n" + b"z" * 250 + b"\n",
    b"\xc2\xa0",
    b"\x85",
)
