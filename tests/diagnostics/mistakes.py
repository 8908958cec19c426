"""A mistake for each error about input, and the call that the remedy on its page leads to.

Both are functions, called in a folder with the files of ``FILES``. The first raises the error whose
message is the example on the page, and the second raises nothing.
"""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import polars as pl

import gainful
from gainful import Grouped, ItemData, Rules, Setting
from gainful.dialects import DialectRules

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d3": 2}}
RUN = {"q1": {"d1": 0.9, "d2": 0.5}, "q2": {"d3": 0.7, "d1": 0.1}}
OTHER = {"q1": {"d2": 0.9, "d1": 0.5}, "q2": {"d1": 0.7, "d3": 0.1}}
FILES = {
    "qrels.txt": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 0\nq2 0 d3 2\n",
    "a.run": "q1 Q0 d1 1 0.9 a\nq1 Q0 d2 2 0.5 a\nq2 Q0 d3 1 0.7 a\nq2 Q0 d1 2 0.1 a\n",
}


class Mistake(NamedTuple):
    """A wrong call, and the corrected one."""

    wrong: Callable[[], Any]
    right: Callable[[], Any]


def save_file(name: str, text: str | bytes) -> str:
    """Write a file, and return its name."""
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def score_run(run: Any = RUN, measure: Any = "nDCG@10", qrels: Any = QRELS, **options: Any) -> Any:
    """Return the scores of the small collection, or of another one."""
    return gainful.evaluate(qrels, run, measure, **options)


def save_truncated(name: str) -> str:
    """Write a compressed file that ends too early, and return its name."""
    return save_file(name, gzip.compress(FILES["a.run"].encode())[:-12])


def score_declared(compute: Callable[[Any], Any]) -> None:
    """Declare a measure, score a run by it, and remove it."""
    from gainful.measures import REGISTRY

    @gainful.measure
    def Top(ranked: Any, *, cutoff: Annotated[int, Setting("depth", at_least=1)] = 1) -> Any:
        """Return the values to be tested."""
        return compute(ranked)

    try:
        score_run(measure=Top)
    finally:
        del REGISTRY["Top"]


def score_by_rules(**rules: Any) -> Callable[[], Any]:
    """Return a function that scores a run under these rules."""
    return lambda: score_run(rules=DialectRules(**rules))


TABLE = "search,item,score\nq1,d1,0.9\n"
DOUBLE = "query,item,score,score\nq1,d1,0.9,0.1\n"
SHORT = "query,docno,label\nq1,d1,1\n"
TWICE = "query,category\nq1,shoes\nq1,hats\n"
FILE_MISTAKES = {
    "cannot-read": Mistake(
        lambda: gainful.read_qrels("no.txt"), lambda: gainful.read_qrels("qrels.txt")
    ),
    "broken-file": Mistake(
        lambda: score_run(save_truncated("a.run.gz")),
        lambda: score_run(save_file("b.run.gz", gzip.compress(FILES["a.run"].encode()))),
    ),
    "foreign-file": Mistake(
        lambda: gainful.read_qrels(save_file("qrels.xlsx", b"PK\x03\x04more")),
        lambda: gainful.read_qrels(save_file("qrels.csv", "query,item,label\nq1,d1,1\n")),
    ),
    "not-text": Mistake(
        lambda: gainful.read_qrels(save_file("utf16.txt", FILES["qrels.txt"].encode("utf-16"))),
        lambda: gainful.read_qrels("qrels.txt"),
    ),
    "malformed-line": Mistake(
        lambda: gainful.read_qrels(save_file("short.txt", "q1 0 d1 1\nq1 0 d2 0\nq2 0 d7\n")),
        lambda: gainful.read_qrels(save_file("short.txt", "q1 0 d1 1\nq1 0 d2 0\nq2 0 d7 1\n")),
    ),
    "looks-swapped": Mistake(
        lambda: gainful.evaluate("a.run", "qrels.txt", "nDCG@10"),
        lambda: gainful.evaluate("qrels.txt", "a.run", "nDCG@10"),
    ),
    "not-json": Mistake(
        lambda: score_run(
            save_file("run.jsonl", '{"query": "q1", "item": "d1", "score": 1}\noops\n')
        ),
        lambda: score_run(save_file("run.jsonl", '{"query": "q1", "item": "d1", "score": 1}\n')),
    ),
    "nothing-in-it": Mistake(
        lambda: gainful.read_qrels(save_file("none.txt", "# nothing\n")),
        lambda: gainful.read_qrels("qrels.txt"),
    ),
    "unclear-format": Mistake(
        lambda: score_run(save_file("three.run", "q1 d1 2\nq1 d2 1\n")),
        lambda: score_run(
            gainful.read_run(save_file("three.run", "q1 d1 2\nq1 d2 1\n"), format="triples")
        ),
    ),
    "unknown-format": Mistake(
        lambda: score_run(gainful.read_run("a.run", format="excel")),
        lambda: score_run(gainful.read_run("a.run", format="trec")),
    ),
}

VALUE_MISTAKES = {
    "missing-column": Mistake(
        lambda: score_run(save_file("run.csv", TABLE)),
        lambda: score_run(
            gainful.read_run(save_file("run.csv", TABLE), columns={"query": "search"})
        ),
    ),
    "repeated-column": Mistake(
        lambda: score_run(save_file("double.csv", DOUBLE)),
        lambda: score_run(
            gainful.read_run(save_file("double.csv", DOUBLE), columns={"score": "3"})
        ),
    ),
    "bad-columns": Mistake(
        lambda: gainful.read_qrels(save_file("q.csv", SHORT), columns={"doc": "docno"}),
        lambda: gainful.read_qrels(save_file("q.csv", SHORT), columns={"item": "docno"}),
    ),
    "column-type": Mistake(
        lambda: score_run(pl.DataFrame({"query": ["q1"], "item": [1.5], "score": [1.0]})),
        lambda: score_run(pl.DataFrame({"query": ["q1"], "item": ["1"], "score": [1.0]})),
    ),
    "bad-id": Mistake(
        lambda: gainful.read_qrels({"q1": {1.5: 1}}), lambda: gainful.read_qrels({"q1": {1: 1}})
    ),
    "bad-label": Mistake(
        lambda: gainful.read_qrels(save_file("words.txt", "q1 0 d1 1\nq1 0 d2 good\n")),
        lambda: gainful.read_qrels(save_file("words.txt", "q1 0 d2 good\n"), labels={"good": 2}),
    ),
    "bad-score": Mistake(
        lambda: score_run(save_file("b.run", "q1 Q0 d1 1 0.9 a\nq1 Q0 d2 2 x8 a\n")),
        lambda: score_run(save_file("b.run", "q1 Q0 d1 1 0.9 a\nq1 Q0 d2 2 0.8 a\n")),
    ),
    "nan-score": Mistake(
        lambda: score_run(save_file("b.run", "q1 Q0 d1 1 0.9 a\nq1 Q0 d2 2 nan a\n")),
        lambda: score_run(save_file("b.run", "q1 Q0 d1 1 0.9 a\nq1 Q0 d2 2 -inf a\n")),
    ),
    "bad-rank": Mistake(
        lambda: score_run(
            save_file("b.run", "q1 Q0 d1 1 2 a\nq1 Q0 d2 x 1 a\n"), rules=Rules(order="rank")
        ),
        lambda: score_run(save_file("b.run", "q1 Q0 d1 1 2 a\nq1 Q0 d2 x 1 a\n")),
    ),
    "missing-ranks": Mistake(score_by_rules(order="rank"), score_by_rules(order="file")),
    "judged-twice": Mistake(
        lambda: gainful.read_qrels(save_file("twice.txt", "q1 0 d1 1\nq1 0 d1 0\n")),
        lambda: score_run(
            qrels=save_file("twice.txt", "q1 0 d1 1\nq1 0 d1 0\n"), rules=Rules(duplicates="max")
        ),
    ),
    "retrieved-twice": Mistake(
        lambda: score_run(save_file("b.run", "q1 Q0 d1 1 2 a\nq1 Q0 d1 2 1 a\n")),
        lambda: score_run(
            save_file("b.run", "q1 Q0 d1 1 2 a\nq1 Q0 d1 2 1 a\n"), rules=Rules(duplicates="max")
        ),
    ),
    "listed-twice": Mistake(
        lambda: gainful.read_queries(save_file("queries.csv", TWICE)),
        lambda: gainful.read_queries(save_file("queries.csv", "query,category\nq1,shoes\n")),
    ),
    "bad-labels": Mistake(
        lambda: gainful.ndcg(["good", "fair"], labels={"good": 2}),
        lambda: gainful.ndcg(["good", "fair"], labels={"good": 2, "fair": 1}),
    ),
    "scores-alone": Mistake(
        lambda: score_run(np.array([0.5, 0.1])),
        lambda: score_run(np.array([0.5, 0.1]), qrels=Grouped([1, 0], group_sizes=[2])),
    ),
}

OBJECT_MISTAKES = {
    "wrong-type": Mistake(
        lambda: gainful.compare(QRELS, 3), lambda: gainful.compare(QRELS, [RUN, OTHER])
    ),
    "wrong-structure": Mistake(
        lambda: gainful.read_qrels({"q1": {"d1": 1}, "q2": 3}), lambda: gainful.read_qrels(QRELS)
    ),
    "wrong-shape": Mistake(
        lambda: gainful.ndcg(np.zeros((2, 2, 2))), lambda: gainful.ndcg([[1, 0], [0, 1, 0]])
    ),
    "unequal-lengths": Mistake(
        lambda: gainful.ndcg([1, 0, 2], [0.1, 0.2]), lambda: gainful.ndcg([1, 0], [0.1, 0.2])
    ),
    "not-numbers": Mistake(
        lambda: gainful.ndcg([1.0, float("nan")]), lambda: gainful.ndcg(np.nan_to_num([1, np.nan]))
    ),
    "bad-groups": Mistake(
        lambda: gainful.ndcg([1, 0, 2], group_sizes=[-1, 4]),
        lambda: gainful.ndcg([1, 0, 2], group_sizes=[1, 2]),
    ),
    "bad-weights": Mistake(
        lambda: score_run(weights={"q1": 2}), lambda: score_run(weights={"q1": 2, "q2": 1})
    ),
    "missing-query-data": Mistake(
        lambda: score_run().by("category"),
        lambda: score_run().by(
            "category", queries={"q1": {"category": "a"}, "q2": {"category": "b"}}
        ),
    ),
    "missing-item-data": Mistake(
        lambda: score_run(measure="Coverage@10"),
        lambda: score_run(measure="Coverage@10", items=ItemData(catalog=["d1", "d2", "d3"])),
    ),
    "bad-item-data": Mistake(
        lambda: ItemData(popularity={"i1": 80}, n_users=10),
        lambda: ItemData(popularity={"i1": 80}, n_users=100),
    ),
    "unknown-argument": Mistake(
        lambda: gainful.ndcg([1, 0], cutoff=1), lambda: gainful.ndcg([1, 0], k=1)
    ),
    "bad-argument": Mistake(
        lambda: gainful.compare(QRELS, [RUN, OTHER], alpha=2),
        lambda: gainful.compare(QRELS, [RUN, OTHER], alpha=0.01),
    ),
}
