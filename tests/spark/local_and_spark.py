"""Evaluate the same rows on Spark and on this machine, and compare to the last bit."""

import math
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pyarrow as pa

import gainful
from gainful.spark import evaluate
from spark.score_equality import select_common

PARTITIONS = (1, 3, 7, 16)


def table(rows, number, *more):
    """Rows as a table: query, item, and numbers by their names."""
    names = ("query", "item", number, *more)
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def spread_rows(spark, rows, n_partitions):
    """A table as a DataFrame with as many partitions, in the same order."""
    ends = np.linspace(0, len(rows), n_partitions + 1).astype(int)
    parts = [rows.slice(a, b - a) for a, b in pairwise(ends)]
    return spark.createDataFrame(pa.concat_tables(parts))


def assert_same(spark, qrels, run, measures, *, partitions=3, **options):
    """Compare all that both tell of tables; what they tell is returned.

    The qrels have to be in the order of their queries, for that is the order of Spark's results.
    """
    local = run_evaluation(gainful.evaluate, qrels, run, measures, **options)
    frames = [spread_rows(spark, rows, partitions) for rows in (qrels, run)]
    options["partitions"] = partitions
    assert_equal(run_evaluation(evaluate, *frames, measures, **options), local)
    return local


def assert_equal(result, expected):
    """Compare what comes of two evaluations, one thing after another."""
    assert type(result) is type(expected), (result, expected)
    if isinstance(result, dict):
        for name in expected:
            assert {name: result[name]} == {name: expected[name]}
    assert result == expected


@contextmanager
def override_conf(spark, **settings):
    """The session with other settings, their dots being written as two underscores."""
    values = {name.replace("__", "."): str(value) for name, value in settings.items()}
    before = {name: spark.conf.get(name) for name in values}
    try:
        for name, value in values.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def run_evaluation(evaluated, *arguments, **options):
    """What comes of an evaluation: all that scores tell, or what kind of error it is."""
    try:
        return describe_scores(evaluated(*arguments, **options))
    except gainful.GainfulError as error:
        return type(error).__name__, error.code


def describe_scores(scores):
    """All that scores tell, numbers being written so that every bit counts."""
    return {
        "queries": scores.queries,
        "values": {str(m): _bits(scores.values[:, i]) for i, m in enumerate(scores.measures)},
        "means": {name: float(mean).hex() for name, mean in scores.mean().items()},
        "overall": {str(m): float(number).hex() for m, number in scores.overall.items()},
        "judged": {str(m): _bits(share) for m, share in scores.judged.items()},
        "empty": {str(m): list(which) for m, which in scores.empty.items()},
        "notices": select_common(scores.notices),
    }


def _bits(values):
    return ["" if math.isnan(value) else float(value).hex() for value in values]
