"""Scores of several runs are released when there is an error."""

from contextlib import nullcontext
from importlib import import_module

import pytest

from gainful.errors import SparkError
from gainful.spark.evaluate import evaluate_runs, release_on_error
from gainful.spark.gather import WorkerResults

evaluating = import_module("gainful.spark.evaluate")


class CachedRows:
    """Rows that are kept, as a DataFrame and as Scores."""

    def __init__(self):
        self.is_kept = True

    def unpersist(self):
        self.is_kept = False

    release = unpersist


def test_scores_are_kept_until_there_is_an_error():
    first, second = CachedRows(), CachedRows()
    with release_on_error() as all_scores:
        all_scores.append(first)
    assert first.is_kept
    with pytest.raises(KeyboardInterrupt):
        interrupt(first, second)
    assert not first.is_kept
    assert not second.is_kept


def interrupt(*scores):
    with release_on_error() as all_scores:
        all_scores += scores
        raise KeyboardInterrupt


class LoadedQrels:
    skipped_on_driver = None


@pytest.mark.parametrize("fails", ["gathered", "attach_query_data"])
def test_the_runs_before_one_that_fails_are_let_go_of(monkeypatch, fails):
    rows = [CachedRows(), CachedRows()]
    left = iter(rows)

    def gathered(results, name, *_, **__):
        if fails == "gathered" and name == "second":
            raise SparkError("second: no", code="spark-failed")
        return results.rows

    def attach_query_data(scores, *_):
        if fails == "attach_query_data" and scores is rows[1]:
            raise SparkError("second: no", code="spark-failed")
        return scores

    monkeypatch.setattr(evaluating, "get_session", lambda *_: None)
    monkeypatch.setattr(evaluating, "override_settings", lambda _: nullcontext())
    monkeypatch.setattr(evaluating, "load_qrels", lambda *_: LoadedQrels())
    monkeypatch.setattr(evaluating, "load_run", lambda _, run, *__: (run, None))
    monkeypatch.setattr(evaluating, "evaluate_partitions", lambda *_: WorkerResults(next(left), []))
    monkeypatch.setattr(evaluating, "gather_scores", gathered)
    monkeypatch.setattr(evaluating, "attach_query_data", attach_query_data)
    with pytest.raises(SparkError, match=r"^second: no"):
        evaluate_runs({}, ["first", "second"], weights={"q1": 2})
    assert [run_rows.is_kept for run_rows in rows] == [False, False]


def test_names_are_as_many_as_runs():
    with pytest.raises(SparkError) as error:
        evaluate_runs({}, ["first", "second"], names=["a"])
    assert str(error.value) == "names: must be as many as there are runs (2), got 1."
