"""Qrels, and one run in every form that there is, made so that threads have something to do."""

import csv
import gzip
import json
from collections.abc import Callable
from importlib import import_module
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import gainful

Labels = dict[str, dict[str, int]]
Scored = dict[str, dict[str, float]]


def qrels(seed: int = 0, n_queries: int = 60) -> Labels:
    """Graded labels; some queries have nothing relevant."""
    rng = Random(seed)
    return {
        f"q{query}": {
            f"d{item}": rng.choice([-1, 0, 0, 1, 2, 3] if query % 7 else [0])
            for item in rng.sample(range(60), 20)
        }
        for query in range(n_queries)
    }


def run(seed: int, n_queries: int = 60) -> Scored:
    """Scores with ties; some queries are missing, some are not judged."""
    rng = Random(seed)
    return {
        f"q{query}": {
            f"d{item}": rng.randrange(40) / 8 for item in rng.sample(range(80), rng.randint(1, 50))
        }
        for query in range(n_queries + 3)
        if rng.random() > 0.05
    }


def rows(scored: Scored) -> list[tuple[str, str, float]]:
    """Query, item and score of every row."""
    return [(q, item, score) for q, items in scored.items() for item, score in items.items()]


def _trec(scored: Scored) -> bytes:
    return "".join(f"{q} Q0 {item} 1 {score!r} t\n" for q, item, score in rows(scored)).encode()


def _text(scored: Scored, path: Path) -> str:
    path.write_bytes(_trec(scored))
    return str(path)


def _packed(scored: Scored, path: Path) -> str:
    path.write_bytes(gzip.compress(_trec(scored), 1))
    return str(path)


def _delimited(scored: Scored, path: Path) -> str:
    text = StringIO()
    csv.writer(text).writerows([("query", "item", "score"), *rows(scored)])
    path.write_text(text.getvalue())
    return str(path)


def _json(scored: Scored, path: Path) -> str:
    path.write_text(json.dumps(scored))
    return str(path)


def _columns(scored: Scored, _: Path) -> gainful.Columns:
    query, item, score = zip(*rows(scored), strict=True)
    return gainful.Columns(
        query=np.array(query, dtype=object), item=list(item), score=np.array(score)
    )


def _frame(library: str) -> Callable[[Scored, Path], Any]:
    def frame(scored: Scored, _: Path) -> Any:
        query, item, score = zip(*rows(scored), strict=True)
        return import_module(library).DataFrame({"query": query, "item": item, "score": score})

    return frame


def _is_there(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:  # some have no build for every Python
        return False
    return True


# What makes a source of a run, by the package that it needs, if any.
_FORMS: dict[str, tuple[str, Callable[[Scored, Path], Any]]] = {
    "dict": ("", lambda scored, _: scored),
    "rows": ("", lambda scored, _: rows(scored)),
    "columns": ("", _columns),
    "text": ("", _text),
    "gzip": ("", _packed),
    "json": ("", _json),
    "csv": ("polars", _delimited),
    "polars": ("polars", _frame("polars")),
    "pandas": ("pandas", _frame("pandas")),
}
FORMS = {
    name: make for name, (package, make) in _FORMS.items() if not package or _is_there(package)
}
