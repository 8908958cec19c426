"""Seeded TREC files in the shape of MS MARCO's: ``python -m bench.synthetic --help``."""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.lines import (
    Bytes,
    Integers,
    format_digits,
    format_seven_digits,
    format_text,
    format_unpadded,
    format_urls,
    format_uuids,
    join_fields,
)

_FIRST_ID, _LAST_ID = 1_000_000, 8_841_823  # seven digits, about as many as MS MARCO has passages
_BLOCK = 500  # number of queries drawn and written at a time
_TOP = 1000  # ranks that a longer run shares with a run of this length; judgments are shared too
_RETRIEVED = 2 / 3  # share of the judged items that the run contains
_TIED = 0.01  # share of items with the score of the item before them
_LABELS = (0.5, 0.25, 0.15, 0.1)
_STEP = 20_000  # between heavily tied scores: about ten distinct scores per query

_ITEM_IDS = {"uuids": format_uuids, "urls": format_urls}
SHAPES = ("sorted", "unsorted", "interleaved", "ties", *_ITEM_IDS)


@dataclass(frozen=True)
class Block:
    """Queries, one per row.

    Attributes:
        query: Ids of the queries.
        item: Ids of the retrieved items, best first, then of items that are only judged.
        score: Scores of the retrieved items, in units of 0.0001.
        judged: Ids of the judged items.
        label: Labels of the judged items.
    """

    query: Integers
    item: Integers
    score: Integers
    judged: Integers
    label: Integers


def write_files(
    folder: Path, *, queries: int, items: int, judgments: int, runs: int, shape: str, seed: int
) -> None:
    """Write qrels.txt, run-1.txt and so on; equal arguments give equal bytes."""
    blocks = list(draw_blocks(np.random.default_rng(seed), queries, min(items, _TOP), judgments))
    with open(folder / "qrels.txt", "wb") as qrels:
        qrels.writelines(format_text(_format_qrels(block, shape)) for block in blocks)
    rng = np.random.default_rng([seed, 1])
    for number in range(1, runs + 1):
        rankings = blocks if number == 1 else (_rerank_block(rng, block) for block in blocks)
        lines: Iterable[Bytes] = (
            _format_run(rng, _extend_block(rng, block, items), shape) for block in rankings
        )
        if shape == "interleaved":
            lines = [rng.permutation(np.concatenate(list(lines)))]
        with open(folder / f"run-{number}.txt", "wb") as run:
            run.writelines(map(format_text, lines))


def draw_blocks(
    rng: np.random.Generator,
    queries: int,
    items: int,
    judgments: int,
    *,
    retrieved: float = _RETRIEVED,
) -> Iterator[Block]:
    """Yield all queries, retrieved items best first; a share of the judged items is retrieved."""
    ids = _draw_ids(rng, 1, queries)[0]
    n_hits = min(items, round(judgments * retrieved))
    for start in range(0, queries, _BLOCK):
        query = ids[start : start + _BLOCK]
        item = _draw_ids(rng, len(query), items + judgments - n_hits)
        judged = np.hstack([_draw_hits(rng, len(query), items, n_hits), _list_missing(item, items)])
        label = rng.choice(len(_LABELS), size=judged.shape, p=_LABELS)
        score = _draw_scores(rng, len(query), items)
        yield Block(query, item, score, np.take_along_axis(item, judged, axis=1), label)


def _draw_ids(rng: np.random.Generator, rows: int, columns: int) -> Integers:
    """Return random ids, distinct within each row."""
    ids = rng.integers(_FIRST_ID, _LAST_ID, size=(rows, columns))
    while (repeats := _find_repeats(ids)).any():
        ids[repeats] = rng.integers(_FIRST_ID, _LAST_ID, size=int(repeats.sum()))
    return ids


def _find_repeats(ids: Integers) -> "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]":
    """Return a mask of the ids that repeat an earlier id of their row."""
    order = np.argsort(ids, axis=1, kind="stable")
    in_order = np.take_along_axis(ids, order, axis=1)
    repeats = np.zeros(ids.shape, dtype=np.bool_)
    np.put_along_axis(repeats, order[:, 1:], in_order[:, 1:] == in_order[:, :-1], axis=1)
    return repeats


def _draw_hits(rng: np.random.Generator, rows: int, items: int, n_hits: int) -> Integers:
    """Return distinct positions in the run, most of them near the top."""
    return _draw_positions(rng, rows, items)[:, :n_hits]


def _draw_positions(rng: np.random.Generator, rows: int, items: int) -> Integers:
    """Return all positions in random order; positions near the top tend to come first."""
    weight = -np.log(np.arange(items) + 10.0)
    return np.argsort(-(weight + rng.gumbel(size=(rows, items))), axis=1)


def _list_missing(item: Integers, items: int) -> Integers:
    """Return the positions of the judged items that are not retrieved."""
    columns = np.arange(items, item.shape[1])
    return np.broadcast_to(columns, (len(item), len(columns)))


def _draw_scores(rng: np.random.Generator, rows: int, items: int) -> Integers:
    """Return descending scores in units of 0.0001, from below 100 to above 10, some tied.

    With six digits, two scores differ in single precision, which trec_eval uses to compare them,
    exactly if they differ in double precision.
    """
    best = rng.integers(500_000, 1_000_000, size=(rows, 1))
    steps = rng.integers(1, max(2, 400_000 // items), size=(rows, items))
    steps[rng.random((rows, items)) < _TIED] = 0
    return best - np.cumsum(steps, axis=1)


def _rerank_block(rng: np.random.Generator, block: Block) -> Block:
    """Return the ranking of another system for the same queries and items."""
    order = _draw_positions(rng, *block.item.shape)
    item = np.take_along_axis(block.item, order, axis=1)
    return replace(block, item=item, score=_draw_scores(rng, *block.score.shape))


def _extend_block(rng: np.random.Generator, block: Block, items: int) -> Block:
    """Return the block with more items below its items; the new ids are unique."""
    depth = block.score.shape[1]
    if items == depth:
        return replace(block, item=block.item[:, :items])
    size = (len(block.query), items - depth)
    width = (10_000_000 - _LAST_ID) // size[1]
    # One id from each of as many ranges: they are distinct by construction.
    new_ids = _LAST_ID + np.arange(size[1]) * width + rng.integers(width, size=size)
    item = np.hstack([block.item[:, :depth], rng.permuted(new_ids, axis=1)])
    drops = np.cumsum(rng.integers(1, 180_000 // size[1] + 1, size=size), axis=1)
    score = np.hstack([block.score, block.score[:, -1:] - drops])
    assert score.min() >= 100_000
    return replace(block, item=item, score=score)


def _format_run(rng: np.random.Generator, block: Block, shape: str) -> Bytes:
    """Return the lines of these queries, in order of rank unless the shape is unsorted."""
    items = block.score.shape[1]
    rank = np.broadcast_to(np.arange(1, items + 1), block.score.shape)
    item, score = block.item, block.score
    if shape == "ties":
        score = score // _STEP * _STEP
    if shape == "unsorted":
        order = rng.permuted(rank - 1, axis=1)
        item, rank, score = (
            np.take_along_axis(column, order, axis=1) for column in (item, rank, score)
        )
    return join_fields(
        *(format_seven_digits(block.query.repeat(items)), b" Q0 "),
        *(_ITEM_IDS.get(shape, format_seven_digits)(item.ravel()), b" "),
        *(format_unpadded(rank.ravel(), len(str(items))), b" "),
        *(
            format_digits(score.ravel() // 10_000, 2),
            b".",
            format_digits(score.ravel() % 10_000, 4),
            b" bench\n",
        ),
    )


def _format_qrels(block: Block, shape: str) -> Bytes:
    """Return the lines of judgments of these queries."""
    return join_fields(
        *(format_seven_digits(block.query.repeat(block.judged.shape[1])), b" 0 "),
        *(_ITEM_IDS.get(shape, format_seven_digits)(block.judged.ravel()), b" "),
        *(format_digits(block.label.ravel(), 1), b"\n"),
    )


def main() -> None:
    """Write the files that the command line describes."""
    parser = argparse.ArgumentParser(prog="python -m bench.synthetic", description=__doc__)
    parser.add_argument("folder", type=Path)
    for name in ("queries", "items", "judgments", "runs", "seed"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--shape", choices=SHAPES, required=True)
    write_files(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
