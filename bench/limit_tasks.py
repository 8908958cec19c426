"""Tasks on hostile ids, which collide under a known hash, and on millions of judgments."""

import random
import statistics
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.tasks import Timing, measure_time, task

ROUNDS = 5
RATIO = "times as long as ordinary ids"
BYTES = "bytes a judgment"
_SECRET = (0x8BB84B93962EACC9).to_bytes(8, "little")  # of the hash, when the source code had it

# Ids of one query by kind. Each kind is timed beside ordinary ids of the same lengths.
KINDS: dict[str, Callable[[int], list[bytes]]] = {
    "made for the secret that was in the source": lambda n: [
        _SECRET + b"%08d" % i for i in range(n)
    ],
    "alike but for the last bytes": lambda n: [b"d" * 200 + b"%08d" % i for i in range(n)],
    "alike but for the first bytes": lambda n: [b"%08d" % i + b"d" * 200 for i in range(n)],
    "numbers in steps of 2 to the power of 32": lambda n: [b"%d" % (i << 32) for i in range(n)],
    "numbers in steps of 2 to the power of 61, less 1": lambda n: [
        b"%d" % (i * (2**61 - 1)) for i in range(n)
    ],
}


@task("gainful.evaluate hostile ids", package="gainful")
def evaluate_hostile_ids(kind: str, n: str) -> Timing:
    """Time a query of ``n`` judged items, and return its ratio to a query with ordinary ids."""
    rng = random.Random(7)
    hostile = KINDS[kind](int(n))
    ordinary = [bytes(rng.choices(b"abcdefghijklmnop", k=len(item))) for item in hostile]
    with TemporaryDirectory() as folder:
        seconds = [
            (_time_evaluation(hostile, folder), _time_evaluation(ordinary, folder))
            for _ in range(ROUNDS)
        ]
    hostile_median, ordinary_median = map(statistics.median, zip(*seconds, strict=True))
    return hostile_median, 1.0, hostile_median / ordinary_median


def _time_evaluation(ids: list[bytes], folder: str) -> float:
    import gainful

    qrels, run = Path(folder, "qrels"), Path(folder, "run")
    qrels.write_bytes(b"".join(b"q 0 %s 1\n" % item for item in ids))
    lines = (b"q Q0 %s %d %d x\n" % (item, i, -i) for i, item in enumerate(ids, 1))
    run.write_bytes(b"".join(lines))
    seconds, scores = measure_time(lambda: gainful.evaluate(str(qrels), str(run), "nDCG@10"))
    assert scores["nDCG@10"] == 1.0
    return seconds


@task("gainful.read_qrels many", package="gainful")
def read_many_judgments(n: str, judgments_per_query: str, length: str) -> Timing:
    """Time reading ``n`` judgments, and return the bytes of the index per judgment."""
    import gainful

    gainful.read_qrels({"q": {"d": 1}})  # imports do not count
    with TemporaryDirectory() as folder:
        path = Path(folder, "qrels")
        with path.open("w") as file:
            for number in range(int(n)):
                item = f"{number:0{length}d}"
                file.write(f"q{number // int(judgments_per_query)} 0 {item} {number % 3}\n")
        start = _read_memory()
        seconds, judgments = measure_time(lambda: gainful.read_qrels(str(path)))
    added = _read_memory() - start
    del judgments
    return seconds, float(n), added / int(n)


def _read_memory() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024
