"""Mean nDCG@10 as users of other packages compute it: ``python -m bench.peers NAME QRELS RUN``."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Answer = Callable[[str, str], float]
PEERS: dict[str, "Peer"] = {}


@dataclass(frozen=True)
class Peer:
    """A way to the same number.

    Attributes:
        package: What it needs installed, and whose version is printed.
        answer: From the paths of qrels and run to mean nDCG@10.
    """

    package: str
    answer: Answer


def peer(name: str, *, package: str) -> Callable[[Answer], Answer]:
    """Declare the decorated function as a peer; it imports the package itself."""

    def declare(answer: Answer) -> Answer:
        PEERS[name] = Peer(package, answer)
        return answer

    return declare


@peer("pytrec-eval-terrier", package="pytrec-eval-terrier")
def pytrec_eval(qrels: str, run: str) -> float:
    """Mean over the queries that are in both files."""
    import pytrec_eval

    with open(qrels) as qrels_file, open(run) as run_file:
        judged, ranked = pytrec_eval.parse_qrel(qrels_file), pytrec_eval.parse_run(run_file)
    values = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_10"}).evaluate(ranked).values()
    return float(sum(value["ndcg_cut_10"] for value in values) / len(values))


@peer("ir-measures", package="ir-measures")
def ir_measures(qrels: str, run: str) -> float:
    """Mean over the judged queries."""
    import ir_measures

    measure = ir_measures.nDCG @ 10
    judged, ranked = ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
    return float(ir_measures.calc_aggregate([measure], judged, ranked)[measure])


@peer("polars, ids as text", package="polars")
def polars_text(qrels: str, run: str) -> float:
    """Mean over the judged queries, for any ids."""
    import polars

    return _polars(qrels, run, polars.String)


@peer("polars, ids as numbers", package="polars")
def polars_numbers(qrels: str, run: str) -> float:
    """Mean over the judged queries, for ids that are numbers of one length."""
    import polars

    return _polars(qrels, run, polars.Int64)


def _polars(qrels: str, run: str, ids: Any) -> float:
    """Ties fall to the higher id, as in trec_eval; a query with nothing relevant scores 0."""
    import polars as pl

    def table(path: str, **columns: Any) -> pl.LazyFrame:
        return pl.scan_csv(path, separator=" ", has_header=False, quote_char=None, schema=columns)

    def dcg(ranked: pl.LazyFrame) -> pl.LazyFrame:
        gain = pl.col("label") / (pl.col("rank") + 1).log(2)
        return ranked.group_by("query").agg(gain.sum().alias("dcg"))

    text, number = pl.String, pl.Float64
    judged = table(qrels, query=ids, iteration=text, item=ids, label=number)
    ranked = table(run, query=ids, q0=text, item=ids, place=text, score=number, tag=text)
    rank = pl.int_range(1, pl.len() + 1).over("query").alias("rank")
    top = pl.col("item").sort_by("score", "item", descending=True).head(10)
    found = ranked.group_by("query").agg(top).explode("item").with_columns(rank)
    best = pl.col("label").sort(descending=True).head(10)
    ideal = judged.group_by("query").agg(best).explode("label").with_columns(rank)
    found = dcg(found.join(judged, on=["query", "item"]))
    both = dcg(ideal).join(found, on="query", how="left", suffix="_found")
    value = pl.when(pl.col("dcg") > 0).then(pl.col("dcg_found") / pl.col("dcg"))
    return float(both.select(value.fill_null(0.0).mean()).collect().item())


if __name__ == "__main__":
    print(repr(PEERS[sys.argv[1]].answer(*sys.argv[2:])))
