"""Every command opens each of its files once."""

import subprocess
import sys
from collections import Counter

import polars as pl
import pytest

COUNTING = """
import os, sys
def report(event, arguments):
    if event == "open":
        os.write(2, f"{arguments[0]}\\n".encode())
sys.addaudithook(report)
from gainful.cli.main import main
main()
"""

N_QUERIES = 4
QRELS = [(f"q{i}", f"d{j}", (i + j) % 3) for i in range(N_QUERIES) for j in range(6)]
RUNS = {
    name: [
        (f"q{i}", f"d{(j * step + i) % 9}", float(9 - j))
        for i in range(N_QUERIES)
        for j in range(8)
    ]
    for name, step in (("old", 2), ("new", 5))
}

TABLES = {"items": [("d1", "One")], "queries": [("q1", "first question")]}


def write_trec(path, rows, columns):
    if columns[-1] == "label":
        lines = [f"{query} 0 {item} {label}\n" for query, item, label in rows]
    else:
        lines = [f"{query} Q0 {item} 1 {score} t\n" for query, item, score in rows]
    path.write_text("".join(lines))


WRITERS = {
    "txt": write_trec,
    "csv": lambda path, rows, names: pl.DataFrame(rows, names, orient="row").write_csv(path),
    "parquet": lambda path, rows, names: pl.DataFrame(rows, names, orient="row").write_parquet(
        path
    ),
}
COMMANDS = {
    "eval": "eval {qrels} {old} {new} -m nDCG@10 -m AP",
    "compare": "compare {qrels} {old} {new} --bounds",
    "unjudged": "unjudged {qrels} {old} {new}",
    "unjudged --ties average": "unjudged {qrels} {old} {new} --ties average",
    "explain": "explain {qrels} {old} q1 --against {new} --items {items}",
    "reconcile": "reconcile {qrels} {old}",
    "gate": "gate {qrels} {old} {new} --max-drop 0 --report gate.html --items {items}",
    "correlate": "correlate {qrels} {old} {new} --ties average",
    "report": "report {qrels} {old} {new} --items {items} --queries {queries}",
    "report --reconcile": "report {qrels} {old} {new} --reconcile",
    "check": "check {qrels} {old} {new}",
}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_file_is_opened_once(tmp_path, command, ending):
    files = {"qrels": QRELS, **RUNS}
    paths = {name: tmp_path / f"{name}.{ending}" for name in files}
    for name, rows in files.items():
        columns = ["query", "item", "label" if name == "qrels" else "score"]
        WRITERS[ending](paths[name], rows, columns)
    for name, rows in TABLES.items():
        paths[name] = tmp_path / f"{name}.csv"
        WRITERS["csv"](paths[name], rows, [{"items": "item", "queries": "query"}[name], "title"])
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, *COMMANDS[command].format(**paths).split()],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    opens = Counter(done.stderr.splitlines())
    used = [str(path) for name, path in paths.items() if f"{{{name}}}" in COMMANDS[command]]
    assert {path: opens[path] for path in used} == dict.fromkeys(used, 1), done.stderr[-2000:]
