"""The measures of understandability against trectools, query by query."""

import random
import warnings

import pytest

import gainful
from oracles.tally import count_compared

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its source: \s in strings
    from trectools import TrecEval, TrecQrel, TrecRun

pytestmark = pytest.mark.filterwarnings("ignore")  # it writes to slices of frames

TOP = 4  # the highest label of understandability


def draw_judgments(seed, *, tied, negative=False, same_items=False):
    """Labels of relevance and understandability, and a run; no two queries share a score."""
    rng = random.Random(f"understandability {seed} {tied} {negative} {same_items}")
    qrels, run = {}, {}
    labels = [-1, 0, 1, 2] if negative else [0, 0, 1, 2]
    for query in range(1, 7):
        ids = [f"d{number}" for number in range(rng.choice([2, 5, 12, 40]))]
        judged_items = rng.sample(ids, rng.randint(1, len(ids)))
        rated_items = judged_items if same_items else rng.sample(ids, rng.randint(1, len(ids)))
        qrels[str(query)] = {
            "relevance": {item: rng.choice(labels) for item in judged_items},
            "understandability": {item: rng.randint(0, TOP) for item in rated_items},
        }
        scores = [0, 1, 2] if tied else range(1000)
        items = rng.sample(ids, rng.randint(1, len(ids)))
        item_scores = rng.choices(scores, k=len(items)) if tied else rng.sample(scores, len(items))
        run[str(query)] = {
            item: query * 1000.0 + s for item, s in zip(items, item_scores, strict=True)
        }
    return qrels, run


def write_files(folder, qrels, run):
    """The evaluation that trectools makes of files, and its judgments of understandability."""
    for dimension in ("relevance", "understandability"):
        lines = [
            f"{query} 0 {item} {label}"
            for query, groups in qrels.items()
            for item, label in groups[dimension].items()
        ]
        (folder / dimension).write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = [
        f"{query} Q0 {item} 0 {score} run"
        for query, items in run.items()
        for item, score in items.items()
    ]
    (folder / "run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    relevance = TrecQrel(str(folder / "relevance"))
    evaluation = TrecEval(TrecRun(str(folder / "run")), relevance)
    return evaluation, TrecQrel(str(folder / "understandability"))


def read_values(frame):
    """One number per query; trectools leaves out those that score 0."""
    return {str(query): float(number) for query, number in frame.iloc[:, 0].items()}


def assert_agreement(expected, qrels, run, measure, *, scale=1.0, **rules):
    values = gainful.evaluate(qrels, run, measure, rules=gainful.Rules(**rules)).per_query()
    for query in qrels:
        value = values[query][str(measure)] * scale
        assert value == pytest.approx(expected.get(query, 0.0), rel=1e-12, abs=1e-13), query
    count_compared("trectools", len(qrels))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("tied", [False, True])
def test_urbp_equals_trectools(tmp_path, seed, tied):
    qrels, run = draw_judgments(seed, tied=tied, negative=seed % 3 == 0)
    evaluation, understandability = write_files(tmp_path, qrels, run)
    # It ranks ties by id and averages over them if asked to.
    for average, ties in ((True, "average"), (False, "item-asc")):
        options = {"per_query": True, "average_ties": average}
        theirs = read_values(
            evaluation.get_urbp(understandability, normalization_factor=1 / TOP, **options)
        )
        assert_agreement(theirs, qrels, run, gainful.uRBP(max_understandable=TOP), ties=ties)
        theirs = read_values(
            evaluation.get_urbp(understandability, p=0.5, binary_topical_relevance=False, **options)
        )
        measure = gainful.uRBP(p=0.5, max_rel=2, max_understandable=TOP)
        assert_agreement(theirs, qrels, run, measure, scale=2 * TOP, ties=ties)


@pytest.mark.parametrize("seed", range(15))
def test_urbp_at_a_cutoff_equals_trectools(tmp_path, seed):
    qrels, run = draw_judgments(seed, tied=False)
    evaluation, understandability = write_files(tmp_path, qrels, run)
    theirs = read_values(evaluation.get_urbp(understandability, depth=3, per_query=True))
    assert_agreement(theirs, qrels, run, gainful.uRBP(max_understandable=TOP) @ 3, scale=TOP)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("tied", [False, True])
def test_alpha_urbp_is_a_hundredth_of_trectools(tmp_path, seed, tied):
    qrels, run = draw_judgments(seed, tied=tied, negative=seed % 3 == 0)
    evaluation, understandability = write_files(tmp_path, qrels, run)
    for goal, spread in ((0, 1), (2.5, 0.5), (4, 3)):
        goals = {query: [goal, spread] for query in qrels}
        theirs = read_values(evaluation.get_alpha_urbp(understandability, goals, per_query=True))
        measure = gainful.alpha_uRBP(goal=goal, spread=spread)
        assert_agreement(theirs, qrels, run, measure, scale=100, ties="average")


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("tied", [False, True])
def test_ubpref_equals_trectools_where_all_are_judged_for_both(tmp_path, seed, tied):
    qrels, run = draw_judgments(seed, tied=tied, negative=seed % 3 == 0, same_items=True)
    evaluation, understandability = write_files(tmp_path, qrels, run)
    theirs = read_values(
        evaluation.get_ubpref(understandability, per_query=True, normalization_factor=1 / TOP)
    )
    # Without items that are not relevant it divides zero by zero.
    subset = {q: groups for q, groups in qrels.items() if 0 in groups["relevance"].values()}
    if subset:
        assert_agreement(
            theirs, subset, run, gainful.uBpref(max_understandable=TOP), ties="item-desc"
        )


def compute_ubprefs(folder, qrels, run):
    """What trectools says of query 1, and what this does."""
    evaluation, understandability = write_files(folder, {"1": qrels}, {"1": run})
    theirs = read_values(evaluation.get_ubpref(understandability, per_query=True)).get("1", 0.0)
    return theirs, gainful.evaluate({"1": qrels}, {"1": run}, "uBpref")["uBpref"]


def compute_bprefs(folder, qrels, run):
    """The same of bpref by relevance alone."""
    evaluation, _ = write_files(folder, {"1": qrels}, {"1": run})
    theirs = read_values(evaluation.get_bpref(per_query=True)).get("1", 0.0)
    return theirs, gainful.evaluate({"1": qrels["relevance"]}, {"1": run}, "Bpref")["Bpref"]


def test_trectools_overlooks_items_not_relevant_that_nobody_tried_to_understand(tmp_path):
    qrels = {"relevance": {"a": 1, "n": 0, "m": 0}, "understandability": {"a": 1}}
    run = {"n": 2.0, "a": 1.0}
    # n stands above a, so that a loses all; its own bpref says so.
    assert compute_ubprefs(tmp_path, qrels, run) == (1, 0)
    assert compute_bprefs(tmp_path, qrels, run) == (0, 0)


def test_trectools_divides_by_zero_where_nothing_is_judged_not_relevant(tmp_path):
    qrels = {"relevance": {"a": 1}, "understandability": {"a": 1}}
    assert compute_ubprefs(tmp_path, qrels, {"a": 1.0}) == (0, 1)
    assert compute_bprefs(tmp_path, qrels, {"a": 1.0}) == (0, 1)


def test_trectools_ties_items_of_two_queries_that_have_the_same_score(tmp_path):
    groups = {"relevance": {"a": 1}, "understandability": {"a": 1}}
    qrels, run = {"1": groups, "2": groups}, {"1": {"x": 2.0, "a": 1.0}, "2": {"a": 1.0}}
    evaluation, understandability = write_files(tmp_path, qrels, run)
    theirs = read_values(evaluation.get_urbp(understandability, per_query=True))
    assert theirs == pytest.approx({"1": (0.16 + 0.2) / 2, "2": (0.16 + 0.2) / 2})
    values = gainful.evaluate(qrels, run, "uRBP", rules=gainful.Rules(ties="average")).per_query()
    assert [values[query]["uRBP"] for query in "12"] == pytest.approx([0.16, 0.2])
