"""Mean nDCG@10 computed by other packages: ``python -m bench.peers NAME QRELS RUN``."""

import statistics
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Answer = Callable[..., float]
PEERS: dict[str, "Peer"] = {}


@dataclass(frozen=True)
class Peer:
    """A computation of mean nDCG@10 by another package.

    Attributes:
        package: Package that must be installed, and whose version is printed.
        answer: Function from the paths of qrels and run to mean nDCG@10.
    """

    package: str
    answer: Answer


def peer(name: str, *, package: str) -> Callable[[Answer], Answer]:
    """Register the decorated function as a peer; the function itself imports the package."""

    def declare(answer: Answer) -> Answer:
        PEERS[name] = Peer(package, answer)
        return answer

    return declare


@peer("pytrec-eval-terrier", package="pytrec-eval-terrier")
def evaluate_pytrec_eval(qrels: str, *runs: str) -> float:
    """Return the mean over the queries in both files and over the runs; qrels are indexed once."""
    import pytrec_eval

    def compute_mean(path: str) -> float:
        with open(path) as file:
            values = evaluator.evaluate(pytrec_eval.parse_run(file)).values()
        return float(sum(value["ndcg_cut_10"] for value in values) / len(values))

    with open(qrels) as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"ndcg_cut_10"})
    return statistics.mean(map(compute_mean, runs))


@peer("ir-measures", package="ir-measures")
def evaluate_ir_measures(qrels: str, run: str) -> float:
    """Return the mean over the judged queries."""
    import ir_measures

    measure = ir_measures.nDCG @ 10
    judged, ranked = ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
    return float(ir_measures.calc_aggregate([measure], judged, ranked)[measure])


@peer("DuckDB", package="duckdb")
def evaluate_duckdb(qrels: str, run: str) -> float:
    """Return the mean over the judged queries; ties rank the higher id first, as in trec_eval."""
    import duckdb

    def scan_table(path: str, *columns: str) -> str:
        kinds = {name: "DOUBLE" if name in ("label", "score") else "VARCHAR" for name in columns}
        dialect = "delim=' ', header=false, quote='', escape='', auto_detect=false"
        return f"read_csv('{path}', {dialect}, columns={kinds})"

    def sum_gains(ranked: str) -> str:
        gain = "label / log2(rank + 1)"
        return f"select query, sum({gain}) as dcg from {ranked} where rank <= 10 group by query"

    relation = duckdb.sql(f"""
        with judged as materialized (
            from {scan_table(qrels, "query", "iteration", "item", "label")}
        ), retrieved as (
            select query, item, row_number() over (
                partition by query order by score desc, item desc
            ) as rank
            from {scan_table(run, "query", "q0", "item", "place", "score", "tag")}
        ), ideal as (
            select query, label, row_number() over (
                partition by query order by label desc
            ) as rank
            from judged
        ), found as ({sum_gains("retrieved join judged using (query, item)")}),
        best as ({sum_gains("ideal")})
        select avg(if(best.dcg > 0, coalesce(found.dcg, 0) / best.dcg, 0))
        from best left join found using (query)
    """)
    return float(relation.fetchall()[0][0])


@peer("polars, sorting all", package="polars")
def evaluate_polars_sorted(qrels: str, run: str) -> float:
    """Return the mean over the judged queries: sort the run and number its lines."""
    return compute_polars_mean(*scan_polars_tables(qrels, run), sort_all)


@peer("polars, top ten only", package="polars")
def evaluate_polars_top(qrels: str, run: str) -> float:
    """Return the mean over the judged queries: keep the top ten items of each query."""
    return compute_polars_mean(*scan_polars_tables(qrels, run), select_top_ten)


@peer("polars, top ten only, ids as numbers", package="polars")
def evaluate_polars_numbers(qrels: str, run: str) -> float:
    """Return the mean over the judged queries for ids that are numbers of equal length."""
    import polars

    return compute_polars_mean(*scan_polars_tables(qrels, run, polars.Int64), select_top_ten)


def scan_polars_tables(qrels: str, run: str, ids: Any = None) -> tuple[Any, Any]:
    """Return lazy frames of judgments and run; ids are text unless a type is passed."""
    import polars as pl

    def scan_table(path: str, **columns: Any) -> pl.LazyFrame:
        return pl.scan_csv(path, separator=" ", has_header=False, quote_char=None, schema=columns)

    text, number = pl.String, pl.Float64
    ids = ids or text
    judged = scan_table(qrels, query=ids, iteration=text, item=ids, label=number)
    return judged, scan_table(run, query=ids, q0=text, item=ids, place=text, score=number, tag=text)


def compute_polars_mean(judged: Any, ranked: Any, select_items: Callable[[Any], Any]) -> float:
    """Return mean nDCG@10 of lazy frames; ``select_items`` keeps the top ten items of each query.

    Ties rank the higher id first, as in trec_eval; a query without relevant items scores 0.
    """
    import polars as pl

    def sum_gains(items: pl.LazyFrame) -> pl.LazyFrame:
        gain = pl.col("label") / (pl.col("rank") + 1).log(2)
        return items.group_by("query").agg(gain.sum().alias("dcg"))

    best = pl.col("label").sort(descending=True).head(10)
    ideal = judged.group_by("query").agg(best).explode("label").with_columns(_number_rows())
    hits = sum_gains(select_items(ranked).join(judged, on=["query", "item"]))
    joined = sum_gains(ideal).join(hits, on="query", how="left", suffix="_found")
    value = pl.when(pl.col("dcg") > 0).then(pl.col("dcg_found") / pl.col("dcg"))
    return float(joined.select(value.fill_null(0.0).mean()).collect().item())


def sort_all(ranked: Any) -> Any:
    """Return the top ten items of every query: sort all rows and number them."""
    import polars as pl

    order = {"query": False, "score": True, "item": True}
    ranked = ranked.sort(list(order), descending=list(order.values()))
    return ranked.with_columns(_number_rows()).filter(pl.col("rank") <= 10)


def select_top_ten(ranked: Any) -> Any:
    """Return the top ten items of every query: sort within each query and keep ten items."""
    import polars as pl

    top = pl.col("item").sort_by("score", "item", descending=True).head(10)
    return ranked.group_by("query").agg(top).explode("item").with_columns(_number_rows())


def _number_rows() -> Any:
    import polars as pl

    return pl.int_range(1, pl.len() + 1).over("query").alias("rank")


def main(arguments: Iterable[str]) -> None:
    """Print the mean nDCG@10 with all digits."""
    name, *paths = arguments
    print(repr(PEERS[name].answer(*paths)))


if __name__ == "__main__":
    main(sys.argv[1:])
