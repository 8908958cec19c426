"""Evaluate everything on random collections and write every value with all its bits.

    python tools/values.py --out before.txt
    python tools/values.py --diff before.txt after.txt
    python tools/values.py --diff before.txt after.txt --within 1e-12 --ignore reconcile

A line is a label, a tab, and the value: a float as ``float.hex()``, or the code of the error where
the library refuses. The collections are seeded, so two trees that compute the same write the same
lines. The values are those of every measure with several cutoffs and settings under different
rules, every dialect, the functions on arrays, and the numbers in the results of other functions.
"""

import argparse
import json
import math
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import gainful
from gainful import Measure, Rules

N_COLLECTIONS = 40
N_ITEMS = 60
N_DIFFERENCES = 20  # values that are listed
Line = tuple[str, str]

RULES: list[dict[str, Any]] = [
    {},
    {"ties": "average"},
    {"ties": "best"},
    {"ties": "worst", "precision": "float32"},
    {"ties": "item-asc", "missing": "skip"},
    {"ties": "middle"},
    {"ties": "input", "empty": "nan"},
    {"ties": "rank-column", "empty": "one"},
    {"order": "file", "unjudged": "condense"},
    {"order": "rank", "depth": 5},
    {"unjudged": "undefined"},
    {"empty": "skip", "depth": 12},
    {"empty": "error"},
    {"missing": "error"},
    {"duplicates": "first"},
    {"duplicates": "max"},
    {"duplicates": "once"},
    {"duplicates": "count", "empty": "one-if-missing"},
    {"collapse": "^(d.)"},
    {"ties": "input-reversed", "unjudged": "condense", "missing": "skip"},
]
LABELS: list[list[float]] = [
    [0, 1],
    [0, 0, 0, 1, 2, 3],
    [-2, -1, 0, 1, 2, 3, 4],
    [0],
    [0.5, 1, 2.5, 0],
    [1, 2, 3],
]
REQUIRED_SETTINGS = {"alpha_uRBP": {"goal": 2, "spread": 1}}
CUTOFF_SETTINGS = {"cutoff": 5, "depth": 40}
ARRAY_OPTIONS: list[dict[str, Any]] = [
    {},
    {"gain": "exp2"},
    {"gain": {0: 0, 1: 1, 2: 5, 3: 9}},
    {"discount": "ln"},
    {"discount": "jk(3)"},
    {"ties": "best"},
    {"ties": "worst"},
    {"negatives": "keep"},
    {"ideal": "list"},
    {"ideal_depth": "all"},
    {"empty": "nan"},
    {"precision": "float32"},
    {"list_size": 4},
    {"k": 1},
    {"k": [1, 3, 10]},
]


class Collection:
    """Judgments of all kinds and three runs, of a shape that depends on the seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.name = f"c{seed:02}"
        self.rng = Random(seed)
        self.rules = RULES[seed % len(RULES)]
        self.n_items = self.rng.choice([6, 15, N_ITEMS])
        self.queries = [f"q{n}" for n in range(self.rng.choice([1, 3, 6, 8]))]
        labels = LABELS[seed % len(LABELS)]
        self.labels = {query: self._judge(labels) for query in self.queries}
        repeats = "duplicates" in self.rules or seed == 0
        self.qrels = folder / f"{self.name}.qrels"
        lines = [f"{q} 0 {i} {x}\n" for q, judged in self.labels.items() for i, x in judged.items()]
        self.qrels.write_text("".join([*lines, *(lines[:2] if "duplicates" in self.rules else [])]))
        self.runs = {name: folder / f"{self.name}-{name}.run" for name in "abc"}
        for name, path in self.runs.items():
            path.write_text("".join(self._rank(repeats=repeats and name == "a")))

    def _judge(self, labels: list[float]) -> dict[str, float]:
        """Return labels of some items; of every fifth query, or so, only zeros."""
        n_judged = self.rng.randint(1, self.n_items)
        items = self.rng.sample(range(self.n_items), n_judged)
        is_empty = self.rng.random() < 0.2
        return {f"d{item}": 0 if is_empty else self.rng.choice(labels) for item in items}

    def _rank(self, *, repeats: bool) -> Iterator[str]:
        """Yield lines of a run with ties; a query may be missing, unknown, short or repeated."""
        n_missing = int(len(self.queries) > 1 and self.rng.random() < 0.3)
        for query in [*self.queries[n_missing:], "unjudged"]:
            n_ranked = self.rng.choice([1, 3, self.n_items, self.n_items])
            items = self.rng.sample(range(self.n_items), min(n_ranked, self.n_items))
            if repeats:
                items += items[:2]
            n_scores = self.rng.choice([2, 5, 1000])
            for rank, item in enumerate(items, start=1):
                score = self.rng.randrange(n_scores) / 7 + self.rng.choice([0, 0, 1e-9])
                yield f"{query} Q0 d{item} {rank} {score!r} run\n"

    def read_judgments(self, rankings_type: type) -> Any:
        """Return the judgments that measures of these rankings read."""
        duplicates = self.rules.get("duplicates", "error")
        if rankings_type is gainful.GroupedRankings:
            # Three subtopics that share items, the last of which nothing answers.
            return gainful.read_subtopics(
                {
                    query: {
                        "relevance": labels,
                        "understandability": {i: 3 - labels[i] for i in [*labels][::2]},
                        "third": {i: 0 for i in [*labels][1:]},
                    }
                    for query, labels in self.labels.items()
                }
            )
        if rankings_type is gainful.PreferenceRankings:
            # Two judges, one of whom sees every other item, the other way round.
            return gainful.read_preferences(
                {
                    query: {"x": labels, "y": {i: -labels[i] for i in [*labels][::2]}}
                    for query, labels in self.labels.items()
                }
            )
        return gainful.read_qrels(self.qrels, duplicates=duplicates)


def describe_items() -> gainful.ItemData:
    """Return data about most items, for the measures that need item data."""
    items = [f"d{n}" for n in range(N_ITEMS - 3)]
    return gainful.ItemData(
        catalog=items,
        popularity={item: n for n, item in enumerate(items)},
        n_users=2 * N_ITEMS,
        features={item: [n % 7 / 7, n % 5 - 2, n % 3] for n, item in enumerate(items)},
    )


def vary_measures() -> tuple[list[Measure], list[Line]]:
    """Return every measure with several cutoffs and settings, and the settings that are refused."""
    measures: dict[Measure, None] = {}
    refusals = []
    for name in gainful.__all__:
        measure = getattr(gainful, name)
        if not isinstance(measure, Measure):
            continue
        measure = measure(**REQUIRED_SETTINGS.get(name, {}))
        measures[measure] = None
        base = measure(**{n: v for n, v in CUTOFF_SETTINGS.items() if n in measure.arguments})
        trials: list[tuple[Measure, str, Any]] = [(base, "rel", 2)]
        trials += [(measure, measure.at, value) for value in (None, 1, 3, 10, 0.5)]
        for argument in measure.arguments.values():
            choices: list[Any] = [m.replace("(b)", "(3)") for m in argument.meanings]
            choices = choices or [0.3, 2]
            trials += [(base, argument.name, choice) for choice in choices]
        for variant, setting, value in trials:
            try:
                measures[variant(**{setting: value})] = None
            except gainful.GainfulError as error:
                refusals.append((f"setting {variant} {setting}={value}", error.code))
    return list(measures), refusals


def evaluate_measures(
    label: str, judgments: Any, run: Any, measures: list[Measure], **options: Any
) -> Iterator[Line]:
    """Yield mean and values of measures; if one of several is refused, evaluate each alone."""
    try:
        scores = gainful.evaluate(judgments, run, measures, **options)
        means = scores.mean()
    except Exception as error:
        if len(measures) == 1:
            yield f"{label} {measures[0]}", get_code(error)
        else:
            for measure in measures:
                yield from evaluate_measures(label, judgments, run, [measure], **options)
        return
    for measure in scores.measures:
        yield f"{label} {measure} mean", means[str(measure)].hex()
        for query, value in zip(scores.queries, scores.column(measure).tolist(), strict=True):
            yield f"{label} {measure} {query}", value.hex()


def evaluate_collection(
    collection: Collection, measures: list[Measure], items: gainful.ItemData
) -> Iterator[Line]:
    """Yield the values of every measure under the collection's rules, and of every dialect."""
    name, run = collection.name, collection.runs["a"]
    judgments = {reads: collection.read_judgments(reads) for reads in {m.reads for m in measures}}
    options = {"rules": Rules(**collection.rules), "items": items}
    for _, group in groupby(measures, key=lambda measure: measure.name):
        variants = list(group)
        yield from evaluate_measures(name, judgments[variants[0].reads], run, variants, **options)
    for dialect in gainful.DIALECTS.values():
        base_measures = [getattr(gainful, measure) for measure in dialect.measures]
        variants = [*base_measures, *(measure @ k for measure in base_measures for k in (1, 5, 10))]
        # The second run repeats no item, which most dialects refuse.
        inputs = judgments[base_measures[0].reads], collection.runs["b"], variants
        yield from evaluate_measures(f"{name} {dialect.name}", *inputs, dialect=dialect)


def describe_collection(collection: Collection) -> Iterator[Line]:
    """Yield the numbers in the results of the other functions."""
    qrels, runs = collection.qrels, collection.runs
    rules = Rules(**collection.rules)
    first, second, _ = runs.values()
    label = collection.name

    def collect(name: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> list[Line]:
        return list_numbers(f"{label} {name}", call, *arguments, **options)

    for measure in ("nDCG@5", "DCG", "nDCG(gain=exp2)", "ERR@10", "AP"):
        for query in ("q0", "q1"):
            name = f"explain {measure} {query}"
            yield from collect(name, gainful.explain, qrels, first, query, measure, rules=rules)
        yield from collect(f"bounds {measure}", list_bounds, qrels, runs, measure, rules=rules)
        name = f"unjudged {measure}"
        yield from collect(name, list_unjudged, qrels, runs, measure, rules=rules)
    measures = ["nDCG@5", "AP"]
    settings: list[dict[str, Any]] = [
        {},
        {"baseline": "a", "correction": "max-t", "margin": 0.05},
        {"correction": "holm", "tests": ["wilcoxon", "sign", "bootstrap-shift"]},
        {"correction": "bh", "bounds": True},
    ]
    for setting in settings:
        options = {**setting, "rules": rules, "seed": 7, "resamples": 200}
        yield from collect(f"compare {setting}", gainful.compare, qrels, runs, measures, **options)
    options = {"resamples": 50, "seed": 7, "rules": rules}
    yield from collect("correlate", gainful.correlate, qrels, runs, **options)
    yield from collect("power", gainful.power, qrels, [first, second], rules=rules)


def list_bounds(*arguments: Any, **options: Any) -> Any:
    """Return the bounds that unjudged items leave."""
    return gainful.unjudged(*arguments, **options).bounds


def list_unjudged(*arguments: Any, **options: Any) -> list[Any]:
    """Return the items to judge next, as plain values."""
    items = gainful.unjudged(*arguments, **options).items
    return [json.loads(line) for line in items.to_jsonl().splitlines()]


def reconcile_dialects(collection: Collection) -> Iterator[Line]:
    """Yield the numbers of the reconciliation of dialects."""
    for k in (3, None):
        label = f"{collection.name} reconcile @{k}"
        inputs = collection.qrels, collection.runs["a"], k
        yield from list_numbers(label, gainful.reconcile, *inputs)


def measure_risk(collection: Collection) -> Iterator[Line]:
    """Yield the risk of runs."""
    label = f"{collection.name} risk"
    try:
        runs = collection.runs.values()
        scores = [gainful.evaluate(collection.qrels, run, "nDCG@10") for run in runs]
    except gainful.GainfulError as error:
        yield label, get_code(error)
        return
    yield from list_numbers(f"{label} urisk", gainful.urisk, *scores[:2], alpha=2)
    yield from list_numbers(f"{label} trisk", gainful.trisk, *scores[:2], alpha=2)
    yield from list_numbers(f"{label} georisk", gainful.georisk, scores)


def evaluate_arrays() -> Iterator[Line]:
    """Yield values of the functions on arrays: lists of any length, labels below 0, ties."""
    names = ("ndcg", "dcg", "idcg", "cg", "mean_ndcg", "mean_dcg", "mean_idcg", "mean_cg")
    for seed in range(8):
        rng = Random(seed)
        lengths = [rng.choice([1, 2, 5, 40]) for _ in range(5)] if seed % 2 else [12] * 4
        labels = [[rng.choice(LABELS[1 + seed % 2]) for _ in range(n)] for n in lengths]
        labels[0] = [0] * lengths[0]
        scores = [[rng.randrange(6) / 7 for _ in range(n)] for n in lengths]
        for name in names:
            function = getattr(gainful, name)
            for options in ARRAY_OPTIONS:
                label = f"arrays {seed} {name} {options}"
                yield from list_numbers(label, function, labels, scores, **options)
                yield from list_numbers(f"{label} ordered", function, labels, **options)
        for dialect in gainful.DIALECTS:
            for k in (None, 5):
                label = f"arrays {seed} ndcg {dialect} {k}"
                options = {"k": k, "dialect": dialect}
                yield from list_numbers(label, gainful.ndcg, labels, scores, **options)


def list_numbers(
    label: str, call: Callable[..., Any], *arguments: Any, **options: Any
) -> list[Line]:
    """Return a line for each number in the result of a call, or one for its error."""
    try:
        result = call(*arguments, **options)
        return list(_list_leaves(label, result.to_dict() if hasattr(result, "to_dict") else result))
    except Exception as error:
        return [(label, get_code(error))]


def _list_leaves(label: str, value: Any) -> Iterator[Line]:
    """Yield the numbers in nested values; texts may be reworded and are left out."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _list_leaves(f"{label} {key}", item)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _list_leaves(f"{label} {index}", item)
    elif isinstance(value, float):
        yield label, value.hex()
    elif not isinstance(value, str):
        yield label, repr(value)


def get_code(error: Exception) -> str:
    """Return the code of an error, or its type if it has none."""
    return getattr(error, "code", "") or type(error).__name__


def list_values() -> Iterator[Line]:
    """Yield all values of all collections."""
    measures, refusals = vary_measures()
    items = describe_items()
    yield from refusals
    yield from evaluate_arrays()
    with tempfile.TemporaryDirectory() as folder:
        collections = [Collection(seed, Path(folder)) for seed in range(N_COLLECTIONS)]
        for seed, collection in enumerate(collections):
            # The first collection under each set of rules has all measures, the second a third.
            if seed >= len(RULES):
                subset = [m for m in measures if crc32(m.name.encode()) % 3 == seed % 3]
            else:
                subset = measures
            yield from evaluate_collection(collection, subset, items)
            yield from measure_risk(collection)
        for collection in collections[::3]:
            yield from describe_collection(collection)
        for collection in collections[::8]:
            yield from reconcile_dialects(collection)


def write_values(lines: Iterable[Line], path: Path) -> None:
    """Write the values, and print how many there are."""
    start = time.perf_counter()
    n_values = 0
    with path.open("w", encoding="utf-8") as file:
        for label, value in lines:
            file.write(f"{label}\t{value}\n")
            n_values += 1
    print(f"{n_values:,} values in {time.perf_counter() - start:.0f} s: {path}")


def print_differences(
    old_path: Path, new_path: Path, *, tolerance: float = 0.0, ignored: str = ""
) -> bool:
    """Print how many values are the same and the first that are not; return whether all are.

    Args:
        old_path: The values of one tree.
        new_path: The values of the other.
        tolerance: The relative difference, or the difference of values below 1, up to which
            values are close.
        ignored: A pattern of labels that are left out.
    """
    old, new = (dict(_read_lines(path)) for path in (old_path, new_path))
    labels = [
        label
        for label in dict.fromkeys(chain(old, new))
        if not (ignored and re.search(ignored, label))
    ]
    changes = [
        (label, old.get(label, "(absent)"), new.get(label, "(absent)"))
        for label in labels
        if old.get(label) != new.get(label)
    ]
    differences = [change for change in changes if not _is_close(*change[1:], tolerance)]
    n_absent = sum("(absent)" in values for _, *values in differences)
    print(f"{len(labels) - len(changes):,} values are equal to the bit,")
    print(f"{len(changes) - len(differences):,} more are within {tolerance:g},")
    print(f"{len(differences) - n_absent:,} differ by more, {n_absent:,} are in one file alone.")
    for label, value, new_value in differences[:N_DIFFERENCES]:
        print(f"  {label}: {value} -> {new_value}")
    return not differences


def _is_close(value: str, other: str, tolerance: float) -> bool:
    if "0x" not in value or "0x" not in other:
        return False
    numbers = float.fromhex(value), float.fromhex(other)
    return math.isclose(*numbers, rel_tol=tolerance, abs_tol=tolerance)


def _read_lines(path: Path) -> Iterator[Line]:
    for row in path.read_text(encoding="utf-8").splitlines():
        label, _, value = row.partition("\t")
        yield label, value


def main() -> None:
    """Write the values of this tree, or compare two files of values."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--out", type=Path, metavar="FILE", help="write the values")
    choice.add_argument("--diff", type=Path, nargs=2, metavar=("A", "B"), help="compare two files")
    parser.add_argument("--within", type=float, metavar="X", default=0.0, help="count as close")
    parser.add_argument("--ignore", metavar="PATTERN", default="", help="leave out these labels")
    options = parser.parse_args()
    if options.out:
        write_values(list_values(), options.out)
    else:
        close = {"tolerance": options.within, "ignored": options.ignore}
        sys.exit(0 if print_differences(*options.diff, **close) else 1)


if __name__ == "__main__":
    main()
