"""Files that commands on pages name, made from the demo so that the commands can be run."""

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
    """Create a folder with all of these files."""
    for name in ("runs", "beir", "bin"):
        (folder / name).mkdir(parents=True)
    _write_trec_files(folder)
    _write_tables(folder)
    _write_attributes(folder)
    (folder / "my_measures.py").write_text(MEASURE)
    (folder / "gainful.toml").write_text(GATE)
    (folder / "pinned.txt").write_text("q07\n")


def _write_trec_files(folder: Path) -> None:
    for name in ("qrels.txt", "likes.txt"):
        (folder / name).write_text("".join(f"{line}\n" for line in _read_lines("qrels.txt")))
    copies_by_name = {
        "keyword.run": ("bm25.run", "production.run", "runs/bm25.run"),
        "semantic.run": ("dense.run", "runs/dense.run"),
        "hybrid.run": ("hybrid.run", "candidate.run", "mine.run", "runs/hybrid.run"),
    }
    for name, copies in copies_by_name.items():
        for copy in copies:
            (folder / copy).write_bytes((DEMO / name).read_bytes())
    (folder / "bm25.run.gz").write_bytes(gzip.compress((DEMO / "keyword.run").read_bytes()))


def _write_tables(folder: Path) -> None:
    judged = pl.DataFrame(
        [_select_fields(line, 0, 2, 3) for line in _read_lines("qrels.txt")], orient="row"
    )
    ranked = pl.DataFrame(
        [_select_fields(line, 0, 2, 4, 3) for line in _read_lines("hybrid.run")], orient="row"
    )
    judged.columns, ranked.columns = ["qid", "docno", "grade"], ["qid", "docno", "sim", "rank"]
    scored = ranked.select("qid", "docno", pl.col("sim").cast(pl.Float64))
    judged.write_csv(folder / "qrels.tsv", separator="\t")
    scored.write_parquet(folder / "bm25.parquet")
    (folder / "dense.csv.gz").write_bytes(gzip.compress(scored.write_csv().encode()))
    beir = judged.rename({"qid": "query-id", "docno": "corpus-id", "grade": "score"})
    beir.write_csv(folder / "beir" / "test.tsv", separator="\t")

    columns = {"qid": "search_id", "docno": "sku", "grade": "verdict"}
    judged.rename(columns).write_csv(folder / "judgments.csv")
    judged.write_csv(folder / "judgments.txt", include_header=False)
    words = pl.col("grade").cast(pl.Int64).replace_strict(WORDS, return_dtype=pl.String)
    judged.with_columns(words).write_csv(folder / "grades.csv")
    columns = {"qid": "search_id", "docno": "sku", "sim": "cosine"}
    scored.rename(columns).write_parquet(folder / "results.parquet")
    scored.write_csv(folder / "results.tsv", separator="\t")
    ranks = ranked.select("qid", "docno", "rank")
    ranks.write_csv(folder / "results.txt", separator="\t", include_header=False)


def _write_attributes(folder: Path) -> None:
    """Write query and item attributes."""
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


def _read_lines(name: str) -> list[str]:
    # Some dialects refuse labels below 0.
    return (DEMO / name).read_text(encoding="utf-8").replace(" -1\n", " 0\n").splitlines()


def _select_fields(line: str, *numbers: int) -> list[str]:
    fields = line.split()
    return [fields[number] for number in numbers]
