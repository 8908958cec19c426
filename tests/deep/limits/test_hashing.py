"""Ids cannot be prepared to collide, and nothing that is told depends on what they hash to."""

import json
import os
from itertools import pairwise

import pytest

from gainful.base import _native
from limits.bounded_processes import python
from limits.hostile_ids import hash_by_a_known_secret, made_for_a_known_secret

# Queries and items in no order, repeats, strangers, ties, notices of every side, on three threads.
_EVERYTHING = """
import json, random, sys
import gainful
rng = random.Random(5)
folder = sys.argv[1]
with open(f"{folder}/qrels", "w") as file:
    for q in rng.sample(range(300), 200):
        for d in rng.sample(range(90), 30):
            print(f"q{q} 0 d{d} {rng.randrange(-1, 4)}", file=file)
rows = [
    f"q{q} Q0 d{d} {rank} {rng.randrange(9)} x"
    for q in rng.sample(range(330), 250)
    for rank, d in enumerate(rng.choices(range(120), k=60), 1)
]
rng.shuffle(rows)
with open(f"{folder}/run", "w") as file:
    file.write("\\n".join(rows))
told = []
for ties in ("item-desc", "average"):
    scores = gainful.evaluate(
        f"{folder}/qrels", f"{folder}/run", ["nDCG@10", "AP", "Judged@10", "ERR"],
        rules=gainful.Rules(ties=ties, duplicates="max"), threads=3,
    )
    told += [scores.to_json(), list(scores.queries), [str(one) for one in scores.notices]]
explained = gainful.explain(f"{folder}/qrels", f"{folder}/run", scores.queries[0], "nDCG@10",
                            rules=gainful.Rules(duplicates="first"))
found = gainful.check(f"{folder}/qrels", f"{folder}/run")
told += [str(explained), str(found)]
try:
    gainful.evaluate(f"{folder}/qrels", f"{folder}/run", "nDCG@10")
except gainful.GainfulError as error:
    told.append(str(error))
print(json.dumps(told))
"""


def test_ids_made_for_the_secret_that_was_in_the_source_collided_and_do_no_more():
    ids = made_for_a_known_secret(100_000)
    assert len(set(ids)) == 100_000
    assert {hash_by_a_known_secret(item_id) for item_id in ids} == {0}
    # 100,000 random numbers of 64 bits are distinct, but for one time in a thousand million.
    assert len({_native.hash_of(item_id) for item_id in ids}) == 100_000


def test_ids_of_other_sizes_are_not_made_to_collide_by_bytes_that_make_up_for_the_size():
    # Of 9 to 16 bytes, the first eight and the last eight are read: here the former are the same,
    # and the latter differ in one byte, as the sizes do.
    ids = [b"Ab" + b"a" * n for n in range(6, 15)]
    for last in range(32):
        ids += [b"Abaaaaaa" + bytes([97 ^ last]) * n for n in range(1, 9)]
    distinct = set(ids)
    assert len({_native.hash_of(item_id) for item_id in distinct}) == len(distinct)


@pytest.mark.parametrize("step", [1, 2**8, 2**32, 2**61 - 1])
def test_numbers_in_steps_spread_over_the_slots_and_the_buckets_of_tables(step):
    hashes = [_native.hash_of(b"%d" % (n * step)) for n in range(1 << 14)]
    for bits in ({h & 0x3FFF for h in hashes}, {h >> 50 for h in hashes}):
        # Balls in as many bins fill 1 - 1/e of them, 63%.
        assert len(bits) > 0.55 * (1 << 14)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 200])
def test_ids_that_differ_in_one_bit_hash_apart_at_any_length(size):
    base = bytes(size)
    ids = [base, *(_flipped(base, bit) for bit in range(8 * size))]
    assert len({_native.hash_of(item_id) for item_id in ids}) == len(ids)


def _flipped(text, bit):
    changed = bytearray(text)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_every_process_draws_a_secret_of_its_own():
    code = "from gainful.base import _native; print(_native.hash_of(b'd1'))"
    assert len({python(code) for _ in range(3)}) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_keeps_the_secret_so_that_an_index_made_before_it_is_of_use():
    code = (
        "import os, gainful\n"
        "judged = gainful.read_qrels({'q': {'d1': 1, 'd2': 0}})\n"
        "child = os.fork()\n"
        "value = gainful.evaluate(judged, {'q': {'d1': 2, 'd2': 1}}, 'nDCG@10')['nDCG@10']\n"
        "os.write(1, f'{value}\\n'.encode())\n"
        "if child: os.waitpid(child, 0)\n"
        "else: os._exit(0)\n"
    )
    assert python(code).split() == ["1.0", "1.0"]


def test_nothing_that_is_told_depends_on_the_secret(tmp_path):
    outputs = [python(_EVERYTHING, tmp_path) for _ in range(4)]
    assert len(json.loads(outputs[0])) == 9
    assert all(output == other for output, other in pairwise(outputs))
