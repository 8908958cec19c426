"""A program that works out everything once and prints the bits of it; run by a test.

Its argument names the scanner that text is read by.
"""

import json
import sys
from importlib.resources import as_file, files
from random import Random
from typing import Any

import numpy as np

import gainful
from gainful.base import _native
from gainful.base.limits import ReadOptions
from gainful.dialects import DIALECTS
from gainful.errors import GainfulError
from gainful.measures import REGISTRY

# How far rules may change what is computed.
RULES = [
    gainful.Rules(),
    gainful.Rules(ties="average"),
    gainful.Rules(ties="worst", precision="float32", depth=30),
    gainful.Rules(order="file", unjudged="condense", empty="nan", missing="skip"),
]


def format_scores(scores: gainful.Scores) -> dict[str, Any]:
    """The values of every query and the means, each with all its bits."""
    values = {
        str(measure): [value.hex() for value in scores.column(measure).tolist()]
        for measure in scores.measures
    }
    means = {name: mean.hex() for name, mean in scores.mean().items()}
    return {"each": values, "means": means, "notices": [str(measure) for measure in scores.notices]}


def make_texts(seed: int) -> tuple[str, str, str]:
    """Qrels with and without subtopics, and a run, as text, of long lists and many labels."""
    rng, qrels, subtopics, run = Random(seed), [], [], []
    for query in range(12):
        items = rng.sample(range(400), 300)
        for item in items[:200]:
            label = rng.choice([-1, 0, 0, 0, 1, 2, 3, 4])
            qrels.append(f"q{query} 0 d{item} {label}\n")
            subtopics.append(f"q{query} {rng.randint(1, 3)} d{item} {max(label, 0)}\n")
        for rank, item in enumerate(rng.sample(items, 250), start=1):
            run.append(f"q{query} Q0 d{item} {rank} {rng.choice([rng.random(), 0.5])!r} t\n")
    return "".join(qrels), "".join(subtopics), "".join(run)


def call_or_explain(call: Any, *arguments: Any, **options: Any) -> Any:
    """What a call gives, or what it says is wrong."""
    try:
        return call(*arguments, **options)
    except GainfulError as error:
        return str(error)


def evaluate(*arguments: Any, **options: Any) -> Any:
    """The text of scores, or what is wrong."""
    result = call_or_explain(gainful.evaluate, *arguments, **options)
    return result if isinstance(result, str) else format_scores(result)


def compute_all(folder: str, measures: dict[str, str]) -> dict[str, Any]:
    """All measures under all rules, all dialects, arrays, and statistics."""
    kinds = {"JudgedRankings": "qrels", "GroupedRankings": "subtopics"}
    out: dict[str, Any] = {}
    judgments: dict[str, Any] = {
        "qrels": gainful.read_qrels(f"{folder}/qrels"),
        "subtopics": gainful.read_subtopics(f"{folder}/subtopics"),
    }
    items = gainful.ItemData(
        catalog=[f"d{n}" for n in range(400)],
        popularity={f"d{n}": n for n in range(400)},
        n_users=500,
        features={f"d{n}": [np.sin(n).item(), (n % 7) / 7, n % 5 - 2] for n in range(400)},
    )
    for name, measure in measures.items():
        qrels = judgments[kinds.get(REGISTRY[name].reads.__name__, "qrels")]
        for rules in RULES:
            options = {"rules": rules, "items": items}
            out[f"{measure} {rules}"] = evaluate(qrels, f"{folder}/run", measure, **options)
    for dialect in DIALECTS:
        run = f"{folder}/run"
        out[f"dialect {dialect}"] = evaluate(judgments["qrels"], run, "nDCG@10", dialect=dialect)
    out["arrays"] = compute_arrays()
    out["statistics"] = compute_statistics()
    return out


def compute_arrays() -> list[str]:
    """Values of arrays, long ones and fractions of labels."""
    rng = np.random.default_rng(3)
    labels, scores = rng.random((20, 3000)) * 4, rng.random((20, 3000)).round(3)
    options = [{}, {"gain": "exp2"}, {"discount": "ln"}, {"discount": "jk(3)"}, {"k": 1000}]
    results = [
        function(labels, scores, **option)
        for function in (gainful.ndcg, gainful.dcg)
        for option in options
    ]
    return [np.asarray(option).tobytes().hex() for option in results]


def compute_statistics() -> Any:
    """A comparison of the runs of the demo."""
    with as_file(files("gainful") / "demo") as demo:
        runs = [str(demo / f"{name}.run") for name in ("keyword", "semantic", "hybrid")]
        comparison = gainful.compare(
            str(demo / "qrels.txt"), runs, ["nDCG@10", "AP"], resamples=2000
        )
        return json.loads(comparison.to_json())


if __name__ == "__main__":
    scanner = sys.argv[1]
    assert scanner in _native.scanners()
    ReadOptions.native = property(lambda self: _native.Reading(threads=2, scanner=scanner))  # type: ignore[misc, assignment]
    arguments = json.load(sys.stdin)
    json.dump(compute_all(arguments["folder"], arguments["asked"]), sys.stdout, sort_keys=True)
