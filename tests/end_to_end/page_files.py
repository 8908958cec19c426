"""The files that commands on pages name, made of the demo's, so that the commands can be run."""

import gzip
import json
from pathlib import Path

import polars as pl

import gainful

DEMO = Path(gainful.__file__).parent / "demo"
MEASURE = '''
import gainful

@gainful.measure(bounds=(0, 1))
def Found(ranked):
    """Whether anything that was judged was returned."""
    return ranked.total(ranked.hit_rank == ranked.hit_rank) > 0
'''
GATE = '[gate]\nqrels = "qrels.txt"\nbaseline = "production.run"\nmax-drop = 0.01\n'
WORDS = {3: "perfect", 2: "good", 1: "fair", 0: "bad"}


def make_files(folder: Path) -> None:
    """Write all of them to a folder, which is made."""
    for name in ("runs", "beir", "bin"):
        (folder / name).mkdir(parents=True)
    _trec(folder)
    _tables(folder)
    _about(folder)
    (folder / "my_measures.py").write_text(MEASURE)
    (folder / "gainful.toml").write_text(GATE)
    (folder / "pinned.txt").write_text("q07\n")


def _trec(folder: Path) -> None:
    for name in ("qrels.txt", "likes.txt"):
        (folder / name).write_text("".join(f"{line}\n" for line in _lines("qrels.txt")))
    named = {
        "keyword.run": ("bm25.run", "production.run", "runs/bm25.run"),
        "semantic.run": ("dense.run", "runs/dense.run"),
        "hybrid.run": ("hybrid.run", "candidate.run", "mine.run", "runs/hybrid.run"),
    }
    for name, others in named.items():
        for other in others:
            (folder / other).write_bytes((DEMO / name).read_bytes())
    (folder / "bm25.run.gz").write_bytes(gzip.compress((DEMO / "keyword.run").read_bytes()))


def _tables(folder: Path) -> None:
    judged = pl.DataFrame([_fields(line, 0, 2, 3) for line in _lines("qrels.txt")], orient="row")
    found = pl.DataFrame([_fields(line, 0, 2, 4, 3) for line in _lines("hybrid.run")], orient="row")
    judged.columns, found.columns = ["qid", "docno", "grade"], ["qid", "docno", "sim", "rank"]
    scored = found.select("qid", "docno", pl.col("sim").cast(pl.Float64))
    judged.write_csv(folder / "qrels.tsv", separator="\t")
    scored.write_parquet(folder / "bm25.parquet")
    (folder / "dense.csv.gz").write_bytes(gzip.compress(scored.write_csv().encode()))
    beir = judged.rename({"qid": "query-id", "docno": "corpus-id", "grade": "score"})
    beir.write_csv(folder / "beir" / "test.tsv", separator="\t")

    own = {"qid": "search_id", "docno": "sku", "grade": "verdict"}
    judged.rename(own).write_csv(folder / "judgments.csv")
    judged.write_csv(folder / "judgments.txt", include_header=False)
    words = pl.col("grade").cast(pl.Int64).replace_strict(WORDS, return_dtype=pl.String)
    judged.with_columns(words).write_csv(folder / "grades.csv")
    own = {"qid": "search_id", "docno": "sku", "sim": "cosine"}
    scored.rename(own).write_parquet(folder / "results.parquet")
    scored.write_csv(folder / "results.tsv", separator="\t")
    ranks = found.select("qid", "docno", "rank")
    ranks.write_csv(folder / "results.txt", separator="\t", include_header=False)


def _about(folder: Path) -> None:
    """Query and item attributes."""
    queries = pl.read_csv(DEMO / "queries.tsv", separator="\t")
    queries.write_csv(folder / "queries.tsv", separator="\t")
    queries.write_csv(folder / "q.csv")
    traffic = pl.int_range(1, pl.len() + 1).alias("traffic")
    queries.with_columns(traffic).write_csv(folder / "queries.csv")
    items = pl.read_csv(DEMO / "items.tsv", separator="\t")
    items.write_csv(folder / "titles.tsv", separator="\t")
    with open(folder / "corpus.jsonl", "w", encoding="utf-8") as file:
        for item, title in items.iter_rows():
            file.write(json.dumps({"_id": item, "title": title}) + "\n")
    (folder / "items.txt").write_text("".join(f"{item} 3\n" for item in items["item"]))


def _lines(name: str) -> list[str]:
    # Some dialects refuse labels below 0.
    return (DEMO / name).read_text(encoding="utf-8").replace(" -1\n", " 0\n").splitlines()


def _fields(line: str, *numbers: int) -> list[str]:
    fields = line.split()
    return [fields[number] for number in numbers]
