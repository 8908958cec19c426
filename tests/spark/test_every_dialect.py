"""Every dialect gives in parts, without Spark, what it gives for the whole run."""

import random

import pyarrow as pa
import pytest

import gainful
from gainful.dialects import DIALECTS
from gainful.errors import GainfulError
from gainful.sources import Columns
from spark.evaluation_in_parts import evaluate_in_parts
from spark.score_equality import assert_alike

IN_GROUPS = [name for name, dialect in DIALECTS.items() if "alpha_nDCG" in dialect.measures]


def random_tables(seed, *, odd=True):
    """Qrels and a run, rows of both in the order of queries."""
    rng = random.Random(seed)
    items = [f"d{i}" for i in range(12)]
    labels = [-1.0, 0.0, 0.0, 1.0, 2.0, 3.0] if odd else [0.0, 1.0, 2.0]
    qrels, run = [], []
    for number in range(9):
        query = f"q{number}"
        qrels += [
            (query, item, rng.choice(labels) if number or not odd else 0.0)
            for item in rng.sample(items, 5)
        ]
        qrels.append((query, "best", 1.0 if number or not odd else 0.0))
        if number != 4 or not odd:
            run += [
                (query, item, rng.choice([0.5, 1.0, 1.0 + 1e-9, 2.0]))
                for item in rng.sample([*items, "best"], 9)
            ]
    return _table(qrels, "label"), _table(run, "score")


def _table(rows, number):
    query, item, value = zip(*rows, strict=True)
    return pa.table({"query": query, "item": item, number: value})


def evaluate_or_catch(work):
    try:
        return work()
    except GainfulError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("odd", [True, False])
@pytest.mark.parametrize("name", [name for name in DIALECTS if name not in IN_GROUPS])
def test_parts_give_the_bits_of_the_whole_in_every_dialect(name, odd):
    qrels, run = random_tables(7, odd=odd)
    measures = ["nDCG@5", "nDCG", "DCG@5", "num_ret", "AP", "GMAP"]
    if DIALECTS[name].rules.ties == "average":
        measures = measures[:-2]
    ours = evaluate_or_catch(lambda: evaluate_in_parts(qrels, run, measures, dialect=name))
    local = evaluate_or_catch(lambda: gainful.evaluate(qrels, run, measures, dialect=name))
    if isinstance(local, str):
        assert ours == local
    else:
        assert_alike(ours, local)


@pytest.mark.parametrize("name", IN_GROUPS)
def test_parts_give_the_bits_of_the_whole_for_subtopics(name):
    qrels, run = random_tables(3)
    query, item, label = (qrels.column(i).to_pylist() for i in range(3))
    group = [f"g{number % 3}" for number in range(len(query))]
    rows = {"query": query, "item": item, "label": label, "group": group}
    ours = evaluate_in_parts(rows, run, ["alpha_nDCG@5", "alpha_nDCG"], dialect=name)
    whole = Columns(query=query, subtopic=group, item=item, label=label)
    assert_alike(ours, gainful.evaluate(whole, run, ["alpha_nDCG@5", "alpha_nDCG"], dialect=name))
