"""Seeded TREC files in the shape of MS MARCO's: ``python -m bench.synthetic --help``."""

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]

_FIRST_ID, _LAST_ID = 1_000_000, 8_841_823  # seven digits, about as many as MS MARCO has passages
_BLOCK = 500  # queries held in memory at a time
_RETRIEVED = 2 / 3  # share of the judged items that the run has
_TIED = 0.01  # share of items that score what the item before them scores
_LABELS = (0.5, 0.25, 0.15, 0.1)


def write(folder: Path, *, queries: int, items: int, judgments: int, seed: int) -> None:
    """Write qrels.txt and run.txt; the same arguments give the same bytes."""
    rng = np.random.default_rng(seed)
    ids = _distinct(rng, 1, queries)[0]
    with open(folder / "qrels.txt", "wb") as qrels, open(folder / "run.txt", "wb") as run:
        for start in range(0, queries, _BLOCK):
            query = ids[start : start + _BLOCK]
            retrieved = min(items, round(judgments * _RETRIEVED))
            item = _distinct(rng, len(query), items + judgments - retrieved)
            # The columns beyond the run's are the judged items that it did not retrieve.
            judged = np.hstack([_hits(rng, len(query), items, retrieved), _missed(item, items)])
            label = rng.choice(len(_LABELS), size=judged.shape, p=_LABELS)
            run.write(_run_text(query, item[:, :items], _scores(rng, len(query), items)))
            qrels.write(_qrels_text(query, np.take_along_axis(item, judged, axis=1), label))


def _distinct(rng: np.random.Generator, rows: int, columns: int) -> Integers:
    """Random ids, none twice in a row."""
    ids = rng.integers(_FIRST_ID, _LAST_ID, size=(rows, columns))
    while (again := (np.diff(np.sort(ids, axis=1), axis=1) == 0).any(axis=1)).any():
        ids[again] = rng.integers(_FIRST_ID, _LAST_ID, size=(int(again.sum()), columns))
    return ids


def _hits(rng: np.random.Generator, rows: int, items: int, wanted: int) -> Integers:
    """Distinct positions in the run, most of them near its top."""
    weight = -np.log(np.arange(items) + 10.0)
    keys = weight + rng.gumbel(size=(rows, items))
    return np.argsort(-keys, axis=1)[:, :wanted]


def _missed(item: Integers, items: int) -> Integers:
    """Positions of the items that are judged and not retrieved."""
    columns = np.arange(items, item.shape[1])
    return np.broadcast_to(columns, (len(item), len(columns)))


def _scores(rng: np.random.Generator, rows: int, items: int) -> Integers:
    """Descending scores in units of 0.0001, from below 100 to above 10, some tied.

    Six digits: two such scores differ in single precision, which trec_eval compares in, exactly
    when they differ in double precision.
    """
    best = rng.integers(500_000, 1_000_000, size=(rows, 1))
    steps = rng.integers(1, max(2, 400_000 // items), size=(rows, items))
    steps[rng.random((rows, items)) < _TIED] = 0
    return best - np.cumsum(steps, axis=1)


def _run_text(query: Integers, item: Integers, score: Integers) -> bytes:
    """The lines of these queries: a row a query, in which every line has a fixed place."""
    ranks = range(1, item.shape[1] + 1)
    lines = [f"0000000 Q0 0000000 {rank} 00.0000 bench\n" for rank in ranks]
    text = _copies("".join(lines), len(query))
    starts = np.cumsum([0, *map(len, lines[:-1])])
    score_at = starts + [line.index("00.0000") for line in lines]
    _put(text, starts, query[:, None], 7)
    _put(text, starts + 11, item, 7)
    _put(text, score_at, score // 10_000, 2)
    _put(text, score_at + 3, score % 10_000, 4)
    return text.tobytes()


def _qrels_text(query: Integers, item: Integers, label: Integers) -> bytes:
    """The judgments of these queries, laid out in the same way."""
    line = "0000000 0 0000000 0\n"
    text = _copies(line * item.shape[1], len(query))
    starts = np.arange(item.shape[1]) * len(line)
    _put(text, starts, query[:, None], 7)
    _put(text, starts + 10, item, 7)
    _put(text, starts + 18, label, 1)
    return text.tobytes()


def _copies(text: str, rows: int) -> Bytes:
    return np.tile(np.frombuffer(text.encode(), np.uint8), (rows, 1))


def _put(text: Bytes, starts: Integers, number: Integers, digits: int) -> None:
    """Write every number's digits where its field starts."""
    for place in range(digits):
        digit = number // 10 ** (digits - 1 - place) % 10
        text[:, starts + place] = digit + ord("0")


def main() -> None:
    """Write the files that the command line describes."""
    parser = argparse.ArgumentParser(prog="python -m bench.synthetic", description=__doc__)
    parser.add_argument("folder", type=Path)
    for name in ("queries", "items", "judgments", "seed"):
        parser.add_argument(f"--{name}", type=int, required=True)
    write(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
