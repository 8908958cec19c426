"""Experiments on small, random and hostile data, and the parser of their pages."""

import random

import html5lib

import gainful
from gainful.report.html.page_data import gather_experiment

SMALL_QRELS = {f"q{i}": {"a": 3, "b": 1, "c": 0} for i in range(4)}
SMALL_RUNS = {
    "old": {"q0": ["a"], "q1": ["c", "a"], "q2": ["b", "x"], "q3": ["c"]},
    "new": {"q0": ["b"], "q1": ["a"], "q2": ["b", "x"], "q3": ["a", "b"]},
}


def random_experiment(labels, measure, *, n_queries=8, n_runs=2, seed=0, **options):
    """An experiment of drawn rankings whose judged items have these labels."""
    draw = random.Random(seed)
    items = [f"d{i}" for i in range(12)]
    qrels = {f"q{i}": {d: draw.choice(labels) for d in items[:9]} for i in range(n_queries)}
    runs = {f"run{r}": {q: draw.sample(items, 12) for q in qrels} for r in range(n_runs)}
    return gather_experiment(qrels, runs, measure, **options)


HOSTILE = [
    "<script>alert(1)</script>",
    "</script><b>",
    "\"' onload=x",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eevil",
    "tab\tand\x01control\x7f\x85",
    "lone\udcff",
    "\ufdd0\ufffe",
    "a" * 300,
]


def parse_page(text):
    """The page, read as browsers read it; what is not HTML is an error."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def small_experiment(n_runs, **options):
    """An experiment on six queries."""
    qrels = {f"q{i}": {"a": 2, "b": 1, "c": 0} for i in range(6)}
    names = "abcx"
    runs = {
        f"run {r}": {f"q{i}": [names[(i * (r + 1) + j) % 4] for j in range(4)] for i in range(6)}
        for r in range(n_runs)
    }
    return gather_experiment(qrels, runs, options.pop("measures", "nDCG@3,AP"), **options)


def hostile_experiment():
    """An experiment whose every name means harm."""
    qrels = {q: {i: n % 3 for n, i in enumerate(HOSTILE)} for q in HOSTILE}
    runs = {
        HOSTILE[0]: dict.fromkeys(HOSTILE, HOSTILE[::-1]),
        HOSTILE[5]: dict.fromkeys(HOSTILE, HOSTILE),
    }
    query_rows = [
        {"query": q, "text": t, "kind": t} for q, t in zip(HOSTILE, HOSTILE[::-1], strict=True)
    ]
    items = gainful.ItemData(titles=dict(zip(HOSTILE, HOSTILE[::-1], strict=True)))
    return gather_experiment(
        qrels, runs, "nDCG@10", queries=query_rows, by=["kind"], items=items, command=HOSTILE[1]
    )


def compute_value(terms, total, best, otherwise):
    """Compute the value of a sum as the page does: ``otherwise`` if the ideal gains nothing."""
    if not terms.normalized:
        return total
    if not best:
        return otherwise
    return min(total / best, 1.0) if terms.capped else total / best
