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
RunScores = dict[str, dict[str, float]]


def make_qrels(seed: int = 0, n_queries: int = 60) -> Labels:
    """Graded labels; some queries have nothing relevant."""
    rng = Random(seed)
    return {
        f"q{query}": {
            f"d{item}": rng.choice([-1, 0, 0, 1, 2, 3] if query % 7 else [0])
            for item in rng.sample(range(60), 20)
        }
        for query in range(n_queries)
    }


def make_run(seed: int, n_queries: int = 60) -> RunScores:
    """Scores with ties; some queries are missing, some are not judged."""
    rng = Random(seed)
    return {
        f"q{query}": {
            f"d{item}": rng.randrange(40) / 8 for item in rng.sample(range(80), rng.randint(1, 50))
        }
        for query in range(n_queries + 3)
        if rng.random() > 0.05
    }


def list_rows(scores: RunScores) -> list[tuple[str, str, float]]:
    """Query, item and score of every row."""
    return [(q, item, score) for q, items in scores.items() for item, score in items.items()]


def _format_trec(scores: RunScores) -> bytes:
    return "".join(
        f"{q} Q0 {item} 1 {score!r} t\n" for q, item, score in list_rows(scores)
    ).encode()


def _write_text(scores: RunScores, path: Path) -> str:
    path.write_bytes(_format_trec(scores))
    return str(path)


def _write_gzip(scores: RunScores, path: Path) -> str:
    path.write_bytes(gzip.compress(_format_trec(scores), 1))
    return str(path)


def _write_csv(scores: RunScores, path: Path) -> str:
    text = StringIO()
    csv.writer(text).writerows([("query", "item", "score"), *list_rows(scores)])
    path.write_text(text.getvalue())
    return str(path)


def _write_json(scores: RunScores, path: Path) -> str:
    path.write_text(json.dumps(scores))
    return str(path)


def _make_columns(scores: RunScores, _: Path) -> gainful.Columns:
    query, item, score = zip(*list_rows(scores), strict=True)
    return gainful.Columns(
        query=np.array(query, dtype=object), item=list(item), score=np.array(score)
    )


def _find_frame_maker(library: str) -> Callable[[RunScores, Path], Any]:
    def make_frame(scores: RunScores, _: Path) -> Any:
        query, item, score = zip(*list_rows(scores), strict=True)
        return import_module(library).DataFrame({"query": query, "item": item, "score": score})

    return make_frame


def _is_installed(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:  # some have no build for every Python
        return False
    return True


# What makes a source of a run, by the package that it needs, if any.
_FORMS: dict[str, tuple[str, Callable[[RunScores, Path], Any]]] = {
    "dict": ("", lambda scores, _: scores),
    "rows": ("", lambda scores, _: list_rows(scores)),
    "columns": ("", _make_columns),
    "text": ("", _write_text),
    "gzip": ("", _write_gzip),
    "json": ("", _write_json),
    "csv": ("polars", _write_csv),
    "polars": ("polars", _find_frame_maker("polars")),
    "pandas": ("pandas", _find_frame_maker("pandas")),
}
FORMS = {
    name: make for name, (package, make) in _FORMS.items() if not package or _is_installed(package)
}
