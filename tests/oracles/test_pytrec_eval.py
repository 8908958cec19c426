"""Comparison of nDCG with trec_eval 9.0.8 through pytrec-eval-terrier, bit for bit."""

import random
from pathlib import Path

import pytest
import pytrec_eval

import gainful
from oracles.random_sets import KINDS, Qrels, Run, draw_set

CUTOFFS = (1, 3, 5, 10, 100, 1000)
NAMES = {"ndcg": "nDCG"} | {f"ndcg_cut_{k}": f"nDCG@{k}" for k in CUTOFFS}
# trec_eval 9 keeps scores as float and leaves out queries that are missing from the run.
TREC_EVAL = gainful.Rules(precision="float32", missing="skip")
# trec_eval -J removes unjudged items, and those with a negative label, which condense keeps.
JUDGED_ONLY = gainful.Rules(precision="float32", missing="skip", unjudged="condense")


def compute_trec_eval_values(qrels: Qrels, run: Run, **flags: bool) -> dict[str, dict[str, float]]:
    """Return the values of trec_eval by query, under the names of Gainful's measures."""
    measures = {"ndcg", "ndcg_cut." + ",".join(map(str, CUTOFFS))}
    by_query = pytrec_eval.RelevanceEvaluator(qrels, measures, **flags).evaluate(run)
    return {q: {NAMES[name]: v for name, v in values.items()} for q, values in by_query.items()}


def compare_values(expected: dict[str, dict[str, float]], scores: gainful.Scores) -> int:
    """Check that all values are equal, and return how many there are."""
    assert scores.per_query() == expected
    return sum(map(len, expected.values()))


@pytest.mark.parametrize("kind", KINDS)
def test_equals_trec_eval_to_the_last_bit(kind, record_testsuite_property):
    n_compared = 0
    for seed in range(200):
        qrels, run = draw_set(kind, seed)
        scores = gainful.evaluate(qrels, run, NAMES.values(), rules=TREC_EVAL)
        n_compared += compare_values(compute_trec_eval_values(qrels, run), scores)
    record_testsuite_property(f"values compared with trec_eval, {kind}", n_compared)
    assert n_compared > 7000


@pytest.mark.parametrize("kind", ["no ties", "many ties", "awkward ids, no ties"])
def test_equals_trec_eval_to_the_last_bit_on_lists_of_hundreds(kind, record_testsuite_property):
    n_compared = 0
    for seed in range(12):
        qrels, run = draw_set(kind, seed, n_queries=20, longest=300)
        scores = gainful.evaluate(qrels, run, NAMES.values(), rules=TREC_EVAL)
        n_compared += compare_values(compute_trec_eval_values(qrels, run), scores)
    record_testsuite_property(f"values compared with trec_eval, {kind}", n_compared)
    assert n_compared > 1000


def test_equals_trec_eval_on_a_list_of_every_length_from_1_to_300(record_testsuite_property):
    rng = random.Random(300)
    sizes = range(1, 301)
    qrels = {f"q{n}": {f"d{i}": rng.choice([0, 1, 2, 3]) for i in range(n)} for n in sizes}
    run = {f"q{n}": {f"d{i}": rng.choice([rng.random(), 0.5]) for i in range(n)} for n in sizes}
    scores = gainful.evaluate(qrels, run, NAMES.values(), rules=TREC_EVAL)
    n_compared = compare_values(compute_trec_eval_values(qrels, run), scores)
    record_testsuite_property("values compared with trec_eval", n_compared)
    assert n_compared == 300 * len(NAMES)


@pytest.mark.parametrize("kind", KINDS)
def test_equals_trec_eval_to_the_last_bit_from_files(kind, tmp_path, record_testsuite_property):
    n_compared = 0
    for seed in range(15):
        qrels_file, run_file = write_files(*draw_set(kind, seed), tmp_path, random.Random(seed))
        with qrels_file.open(encoding="utf-8") as lines:
            qrels = pytrec_eval.parse_qrel(lines)
        with run_file.open(encoding="utf-8") as lines:
            run = pytrec_eval.parse_run(lines)
        scores = gainful.evaluate(qrels_file, run_file, NAMES.values(), rules=TREC_EVAL)
        n_compared += compare_values(compute_trec_eval_values(qrels, run), scores)
    record_testsuite_property(f"values compared with trec_eval, {kind}", n_compared)
    assert n_compared > 500


def write_files(qrels: Qrels, run: Run, folder: Path, rng: random.Random) -> tuple[Path, Path]:
    """Write TREC files with lines in random order and meaningless ranks."""
    judgments = [
        f"{q} 0 {item} {label}" for q, items in qrels.items() for item, label in items.items()
    ]
    results = [
        f"{q} Q0 {item} {rng.randint(0, 9)} {score!r} tag"
        for q, items in run.items()
        for item, score in items.items()
    ]
    files = folder / "qrels.txt", folder / "run.txt"
    for file, lines in zip(files, (judgments, results), strict=True):
        rng.shuffle(lines)
        separator = rng.choice([" ", "\t", "  "])
        text = "\n".join(line.replace(" ", separator) for line in lines)
        file.write_text(text + "\n", encoding="utf-8")
    return files


def test_condensed_rankings_equal_trec_eval_of_judged_items_only(record_testsuite_property):
    n_compared = 0
    for seed in range(60):
        qrels, run = draw_set("many ties", seed)
        scores = gainful.evaluate(qrels, run, NAMES.values(), rules=JUDGED_ONLY)
        expected = compute_trec_eval_values(qrels, run, judged_docs_only_flag=True)
        n_compared += compare_values(expected, scores)
    record_testsuite_property("values compared with trec_eval", n_compared)
    assert n_compared > 2000


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q": {"d": 1}}, {"q": {"d": 1.0}}),
        ({"q": {"d": 0}}, {"q": {"d": 1.0}}),
        ({"q": {"d": -1}}, {"q": {"d": 1.0}}),
        ({"q": {"d": 1}}, {"q": {"e": 1.0}}),
        ({"q": {"d": 1}}, {"q": {}}),
    ],
    ids=["relevant", "not relevant", "negative", "unjudged", "nothing returned"],
)
def test_single_items_equal_trec_eval(qrels, run):
    scores = gainful.evaluate(qrels, run, NAMES.values(), rules=TREC_EVAL)
    assert compare_values(compute_trec_eval_values(qrels, run), scores) == len(NAMES)


def test_a_query_with_negative_labels_alone_scores_zero():
    # Without an oracle: trec_eval 9 crashes on this input.
    qrels, run = {"p": {"a": 2}, "q": {"a": -2}}, {"p": {"b": 1.0}, "q": {"b": 1.0}}
    scores = gainful.evaluate(qrels, run, NAMES.values(), rules=TREC_EVAL)
    assert not scores.values.any()


def test_without_float32_scores_closer_than_its_precision_are_not_tied():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0 + 1e-9, "b": 1.0}}
    # Tied for trec_eval 9, where the higher id comes first.
    assert compute_trec_eval_values(qrels, run)["q"]["nDCG@1"] == 0.0
    assert gainful.evaluate(qrels, run, "nDCG@1", rules=TREC_EVAL)["nDCG@1"] == 0.0
    assert gainful.evaluate(qrels, run, "nDCG@1")["nDCG@1"] == 1.0
