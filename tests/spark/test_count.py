"""strategy=count: the run stays where it is, and the bits are those of one machine."""

import random
import re

import pyarrow as pa
import pytest

import gainful
from gainful import Rules
from gainful.errors import EngineError, UncountableError
from gainful.spark import counting_hits as hits
from gainful.spark import counting_messages as sent
from gainful.spark import counting_worker as adding
from spark.held_passes import counted_apart, told_of

MEASURES = ["nDCG@10", "AP", "RR", "P@5", "nDCG", "Judged@10"]
TIES = ["item-desc", "item-asc", "input", "input-reversed", "rank-column"]
TIES += ["average", "best", "worst", "middle"]
IDS = ["a", "b", "\U0001f600x", "\uffee", "Z", "é", "10", "2", *(f"d{i}" for i in range(30))]
CLOSE = (0.0, -0.0, 1.0, 2.0, 1.0 + 1e-12, -1e-50)


def drawn(seed, *, repeats=False, ranks=True):
    """Qrels in the order of queries, and a run in some order, with ties, strangers and gaps."""
    rng = random.Random(seed)
    queries = [f"q{i}" for i in range(rng.randint(1, 8))]
    judged = [
        (query, item, rng.choice([-1.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.5]))
        for query in ["nowhere", *queries]
        for item in rng.sample(IDS, rng.randint(1, 8))
    ]
    rows = []
    for query in [*queries, "s1", "s2"]:
        if rng.random() < 0.15:
            continue
        items = rng.sample(IDS, rng.randint(1, len(IDS)))
        if repeats:
            items += rng.choices(items, k=3)
        if rng.random() < 0.3:
            items.append(query)
        for place, item in enumerate(items):
            score = rng.choice([*CLOSE, rng.random(), float(rng.randint(0, 4))])
            rank = place + 1 if rng.random() < 0.9 else rng.randint(1, 9)
            rows.append((query, item, score, float(rank)))
    if rng.random() < 0.4:
        rng.shuffle(rows)
    qrels = table(["query", "item", "label"], judged)
    run = table(["query", "item", "score", "rank"], rows)
    return qrels, run if ranks else run.drop_columns(["rank"])


def table(names, rows):
    kinds = [pa.string(), pa.string(), pa.float64(), pa.float64()]
    columns = list(zip(*rows, strict=True)) or [[] for _ in names]
    return pa.table(
        {
            name: pa.array(column, kind)
            for name, column, kind in zip(names, columns, kinds, strict=False)
        }
    )


def cut(run, n_parts, seed):
    rng = random.Random(seed)
    return [0, *sorted(rng.randint(0, run.num_rows) for _ in range(n_parts - 1)), run.num_rows]


def both(qrels, run, n_parts, rules, seed=0):
    ours = told_of(lambda: counted_apart(qrels, run, cut(run, n_parts, seed), MEASURES, rules))
    return ours, told_of(lambda: gainful.evaluate(qrels, run, MEASURES, rules=rules))


def assert_counted(ours, local):
    """They are the same, unless no judged item has a rank, which is left to another strategy."""
    if isinstance(local[1], str):  # an error
        found_none = "share no query" in local[1]
    else:
        found_none = any(notice.code == "no-judged-items" for notice in local[2])
    assert ours == (None if found_none else local)


@pytest.mark.parametrize("seed", range(54))
def test_values_means_and_notices_are_those_of_one_machine(seed):
    rng = random.Random(seed)
    order = rng.choice(["score", "score", "score", "rank", "file"])
    ties = TIES[seed % len(TIES)]
    if order == "file" and ties == "rank-column":
        order = "score"
    more = {
        "depth": rng.choice([None, None, rng.randint(1, 12)]),
        "unjudged": rng.choice(["nonrelevant", "nonrelevant", "condense"]),
        "precision": rng.choice(["float64", "float64", "float32"]),
        "own_items": rng.choice([None, "drop"]),
        "missing": rng.choice(["zero", "skip"]),
        "empty": rng.choice(["zero", "skip", "one", "nan"]),
    }
    rules = Rules(order=order, ties=ties, **more)
    ranks = rng.random() < 0.7 or rules.reading_ranks is not None
    qrels, run = drawn(seed, ranks=ranks)
    assert_counted(*both(qrels, run, rng.choice([1, 2, 3, 7, 16]), rules, seed))


@pytest.mark.parametrize("duplicates", ["error", "once", "count"])
@pytest.mark.parametrize("seed", range(20))
def test_items_that_are_there_twice_are_found_across_partitions(duplicates, seed):
    ties = random.Random(seed).choice([one for one in TIES if one != "average"])
    rules = Rules(duplicates=duplicates, ties=ties)
    qrels, run = drawn(seed, repeats=True)
    assert_counted(*both(qrels, run, 5, rules, seed))


def test_the_error_names_the_rows_of_an_unjudged_item_in_two_partitions():
    qrels = table(["query", "item", "label"], [("q1", "a", 1.0)])
    rows = [("q1", "a", 3.0), ("q1", "b", 2.0), ("q1", "c", 1.5), ("q1", "b", 1.0)]
    run = table(["query", "item", "score"], rows)
    with pytest.raises(gainful.SourceError) as error:
        counted_apart(qrels, run, [0, 1, 3, 4], MEASURES, Rules())
    with pytest.raises(gainful.SourceError) as local:
        gainful.evaluate(qrels, run, MEASURES)
    assert str(error.value) == str(local.value)


MOVED = (
    "strategy=count reads the run several times, and its rows were not the same, or not in the "
    "same order, each time. Call run.persist() before, or pass strategy='partition'."
)
TOO_MANY = (
    "strategy=count cannot say how many items the run has twice: there are too many. "
    "Pass strategy='partition'."
)
TWO_QUERIES = [("q1", "a", 3.0), ("q1", "b", 2.0), ("q1", "b", 1.0), ("q2", "c", 1.0)]


@pytest.mark.parametrize("duplicates", ["error", "once", "count"])
def test_a_query_that_was_in_one_partition_and_is_in_two_is_refused(duplicates):
    qrels = table(["query", "item", "label"], [("q1", "a", 1.0), ("q2", "c", 1.0)])
    run = table(["query", "item", "score"], TWO_QUERIES)
    rules = Rules(duplicates=duplicates)
    with pytest.raises(EngineError) as error:
        counted_apart(qrels, run, [0, 2, 4], MEASURES, rules, stand=[0, 3, 4])
    assert str(error.value) == MOVED


def test_a_query_that_was_in_two_partitions_and_is_in_one_is_counted():
    qrels, run = drawn(7)
    ends = [0, run.num_rows]
    middle = [0, run.num_rows // 3, run.num_rows // 2, run.num_rows]
    ours = told_of(lambda: counted_apart(qrels, run, ends, MEASURES, Rules(), stand=middle))
    assert ours == told_of(lambda: gainful.evaluate(qrels, run, MEASURES))


def test_judged_items_that_moved_are_refused():
    qrels = table(["query", "item", "label"], [("q1", "a", 1.0), ("q1", "c", 1.0)])
    rows = [("q1", "x", 4.0), ("q1", "a", 3.0), ("q1", "b", 2.0), ("q1", "c", 1.0)]
    run = table(["query", "item", "score"], rows)
    rules = Rules(duplicates="count")
    with pytest.raises(EngineError) as error:
        counted_apart(qrels, run, [0, 3, 4], MEASURES, rules, hits=[0, 1, 4])
    assert str(error.value) == MOVED


@pytest.mark.parametrize("duplicates", ["error", "once", "count"])
def test_judged_items_that_are_in_another_partition_than_before_are_refused(duplicates):
    qrels = table(["query", "item", "label"], [("q", "a", 1.0), ("q", "b", 2.0)])
    run = table(["query", "item", "score"], [("q", "b", 2.0), ("q", "a", 1.0), ("q", "c", 0.5)])
    before = {"stand": [0, 1, 3], "hits": [0, 1, 3]}
    with pytest.raises(EngineError) as error:
        counted_apart(qrels, run, [0, 2, 3], MEASURES, Rules(duplicates=duplicates), **before)
    assert str(error.value) == MOVED


@pytest.mark.parametrize(
    ("scores", "refused"), [([2.0, 1.0, 9.0], False), ([2.0, -1.0, 0.5], True)]
)
def test_judged_items_that_had_other_scores_are_refused(scores, refused):
    qrels = table(["query", "item", "label"], [("q", "a", 1.0), ("q", "b", 2.0)])
    run = table(["query", "item", "score"], [("q", "b", 2.0), ("q", "a", 1.0), ("q", "c", 0.5)])
    before = run.set_column(2, "score", pa.array(scores))
    ours = told_of(lambda: counted_apart(qrels, run, [0, 2, 3], MEASURES, Rules(), hits=before))
    local = told_of(lambda: gainful.evaluate(qrels, run, MEASURES))
    assert ours == ((UncountableError, MOVED) if refused else local)


def test_judged_items_of_a_partition_that_is_no_more_are_refused():
    qrels = table(["query", "item", "label"], [("q", "j", 1.0), ("q", "k", 1.0)])
    run = table(["query", "item", "score"], [("q", "k", 2.0), ("q", "j", 1.0)])
    with pytest.raises(EngineError) as error:
        counted_apart(qrels, run, [0, 1, 2], ["AP"], Rules(duplicates="once"), hits=[0, 0, 0, 2])
    assert str(error.value) == MOVED


def test_what_a_measure_refuses_is_left_to_another_strategy_where_nothing_is_found():
    qrels = table(["query", "item", "label"], [("q1", "d1", 2.0), ("q1", "d2", 1.0)])
    run = table(["query", "item", "score"], [("q1", "x", 1.0), ("q1", "y", 1.0), ("s", "y", 1.0)])
    assert counted_apart(qrels, run, [0, 1, 2, 3], ["NCUrbP"], Rules(ties="average")) is None


def test_rows_may_stand_in_another_order_of_their_partition_than_before():
    qrels = table(["query", "item", "label"], [("q", "a", 1.0), ("q", "b", 2.0)])
    rows = [("q", "b", 2.0), ("r", "x", 1.0), ("q", "a", 1.0), ("q", "c", 0.5)]
    names = ["query", "item", "score"]
    run, other = table(names, rows), table(names, [rows[at] for at in (1, 2, 0, 3)])
    before = {"hits": other, "stand": other}
    ours = told_of(lambda: counted_apart(qrels, run, [0, 3, 4], MEASURES, Rules(), **before))
    assert ours == told_of(lambda: gainful.evaluate(qrels, run, MEASURES))


@pytest.mark.parametrize("duplicates", ["error", "count"])
def test_suspects_that_are_too_many_are_said_to_be(duplicates, monkeypatch):
    monkeypatch.setattr(adding, "_FEW", 0)
    monkeypatch.setattr(hits, "_width", lambda _: 1)
    qrels = table(["query", "item", "label"], [("q1", "a", 1.0)])
    rows = [("q1", "a", 30.0), *(("q1", f"d{i}", float(i)) for i in range(20))]
    run = table(["query", "item", "score"], rows)
    rules = Rules(duplicates=duplicates)
    with pytest.raises(EngineError) as error:
        counted_apart(qrels, run, [0, 5, 10, 15, 21], MEASURES, rules)
    assert str(error.value) == TOO_MANY


@pytest.mark.parametrize("seed", range(20))
def test_counts_in_many_buckets_are_the_same(seed, monkeypatch):
    monkeypatch.setattr(hits, "_HITS_OF_BUCKET", 1)
    monkeypatch.setattr(hits, "_MARKS_OF_BUCKET", 2)
    qrels, run = drawn(seed)
    rules = Rules(precision="float32") if seed % 2 else Rules()
    assert_counted(*both(qrels, run, 7, rules, seed))


@pytest.mark.parametrize("n_parts", [1, 9])
def test_queries_that_are_too_much_to_send_are_refused(n_parts, monkeypatch):
    monkeypatch.setattr(sent, "MOST_SENT", 1000)
    qrels, run = drawn(7)
    with pytest.raises(EngineError) as error:
        counted_apart(qrels, run, cut(run, n_parts, 7), MEASURES, Rules())
    said = r"[\d,]+ judged queries and [\d,]+ judged items to every worker, [\d,]+ bytes"
    rest = r", more than 1,000\. Pass strategy='partition'\."
    assert re.fullmatch(rf"strategy=count sends {said}{rest}", str(error.value))


def test_queries_without_judgments_are_named_once_however_many_partitions_they_are_in():
    qrels = table(["query", "item", "label"], [("q1", "a", 1.0)])
    rows = [("s", f"d{i}", 1.0) for i in range(4)] + [("q1", "a", 1.0), ("r", "d", 1.0)]
    run = table(["query", "item", "score"], rows)
    scores = counted_apart(qrels, run, [0, 1, 3, 6], MEASURES, Rules())
    (named,) = [one for one in scores.notices if one.code == "unjudged-queries"]
    assert named.queries == ("s", "r")


@pytest.mark.parametrize("wrong", [None, float("nan")])
def test_a_score_that_is_missing_is_refused_as_on_one_machine(wrong):
    qrels = table(["query", "item", "label"], [("q1", "a", 1.0), ("q1", "c", 1.0)])
    run = table(
        ["query", "item", "score"], [("q1", "b", 2.0), ("q1", "a", wrong), ("q1", "c", 1.0)]
    )
    ours, local = both(qrels, run, 3, Rules())
    assert ours == local
    assert local[0] is gainful.SourceError


def test_runs_without_scores_are_ordered_by_their_ranks():
    qrels, run = drawn(4)
    ours, local = both(qrels, run.drop_columns(["score"]), 4, Rules())
    assert ours == local


def test_infinite_scores_are_counted_where_they_stand():
    qrels, run = drawn(8)
    scores = [
        float("inf") if row in (3, 9) else one for row, one in enumerate(run["score"].to_pylist())
    ]
    run = run.set_column(2, "score", pa.array(scores))
    ours, local = both(qrels, run, 4, Rules())
    assert ours == local
