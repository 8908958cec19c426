"""Sample reports: of the bundled collection, of random runs, and of hostile names."""

import random
from pathlib import Path

import gainful
from gainful.cli.demo import COLLECTION, RUNS
from gainful.report.html.write import write_report

EVIL = (
    "<script>window.pwned=1;alert(1)</script>",
    "<img src=x onerror=\"window.pwned=1;alert('img')\">",
    "'\"><svg onload=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    "javascript:window.pwned=1",
    "{{constructor.constructor('window.pwned=1')()}}",
    "]]><!--",
    "\u202eright to left\u202c",
    "\u05e9\u05dc\u05d5\u05dd \u2067\u05e2\u05d5\u05dc\u05dd\u2069",
    "line\u2028separator\u2029and\x7fdelete",
    "bytes \udcff\udcfe that are no text",
    "&lt;b&gt;&amp;amp;",
    "__proto__",
    "constructor",
    "a" * 400,
    "#q=%3Cb%3E&x=1?%",
    " spaced\tout ",
)


def write_demo_report(path: Path, *runs: str) -> Path:
    """The report of these runs of the bundled collection, the first being the baseline."""
    chosen = [COLLECTION / run for run in runs or RUNS]
    options = {"queries": COLLECTION / "queries.tsv", "items": COLLECTION / "items.tsv"}
    options["reconcile"] = True
    baseline = "keyword" if len(chosen) > 1 else None
    measures = ["nDCG@10", "AP", "P@5"]
    write_report(COLLECTION / "qrels.txt", chosen, path, measures, baseline=baseline, **options)
    return path


def write_random_report(path: Path, n_queries: int, n_runs: int) -> Path:
    """The report of runs that were drawn, with texts and titles of common length."""
    qrels, runs = random_runs(n_queries, n_runs)
    texts = {query: f"what people typed when they looked for {query}" for query in qrels}
    queries = [{"query": query, "text": text} for query, text in texts.items()]
    write_report(qrels, runs, path, queries=queries)
    return path


def random_runs(n_queries: int, n_runs: int):
    """Judgments of 30 items a query, and runs of 50 of 60 items, each better than the last."""
    draw = random.Random(20240229)
    qrels, runs = {}, {f"system-{number:02d}": {} for number in range(1, n_runs + 1)}
    for number in range(n_queries):
        query, items = f"q{number:04d}", [f"item-{draw.randrange(10**6):06d}" for _ in range(60)]
        labels = {item: draw.choice((0, 0, 0, 1, 1, 2, 3)) for item in items[:30]}
        qrels[query] = labels
        for skill, run in enumerate(runs.values(), start=1):
            scores = {i: draw.gauss(labels.get(i, 0) * skill / n_runs, 2) for i in items}
            ranked = sorted(scores, key=scores.__getitem__, reverse=True)[:50]
            run[query] = {item: scores[item] for item in ranked}
    return qrels, runs


def write_hostile_report(path: Path) -> Path:
    """The report of queries, items, runs, texts, titles, urls and columns that mean harm."""
    queries, items = [f"{evil}{n}" for n, evil in enumerate(EVIL)], list(EVIL)
    qrels = {query: {item: n % 3 for n, item in enumerate(items)} for query in queries}
    runs = {
        EVIL[0]: {q: list(reversed(items)) for q in queries},
        EVIL[1]: {q: items[n:] + items[:n] for n, q in enumerate(queries)},
        EVIL[4]: {q: items[::2] for q in queries},
    }
    query_rows = [
        {"query": query, "text": evil, EVIL[2]: EVIL[n % 3]}
        for n, (query, evil) in enumerate(zip(queries, EVIL, strict=True))
    ]
    data = gainful.ItemData(
        titles=dict(zip(items, reversed(items), strict=True)),
        urls=dict.fromkeys(items, "javascript:window.pwned=1"),
    )
    write_report(
        qrels, runs, path, ["nDCG@10", "AP"], baseline=EVIL[0], queries=query_rows, items=data,
        by=[EVIL[2]], command=f"gainful report {EVIL[0]}",
    )  # fmt: skip
    return path
