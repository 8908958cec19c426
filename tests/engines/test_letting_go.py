"""What Spark keeps is let go of when there is an error."""

from contextlib import nullcontext

import pytest

from gainful.engines.spark import evaluating
from gainful.engines.spark.evaluating import evaluate_each, released_on_error
from gainful.engines.spark.gathering import Outcome, unpersisted_on_error
from gainful.errors import EngineError


class Rows:
    """Rows that are kept, as a DataFrame and as Scores."""

    def __init__(self):
        self.kept = True

    def unpersist(self):
        self.kept = False

    release = unpersist


def test_rows_are_kept_until_there_is_an_error():
    rows = Rows()
    with unpersisted_on_error(rows):
        pass
    assert rows.kept
    with pytest.raises(KeyboardInterrupt), unpersisted_on_error(rows):
        raise KeyboardInterrupt
    assert not rows.kept


def test_scores_are_kept_until_there_is_an_error():
    first, second = Rows(), Rows()
    with released_on_error() as found:
        found.append(first)
    assert first.kept
    with pytest.raises(KeyboardInterrupt):
        _interrupted(first, second)
    assert not first.kept
    assert not second.kept


def _interrupted(*scores):
    with released_on_error() as found:
        found += scores
        raise KeyboardInterrupt


class Judged:
    known = None


@pytest.mark.parametrize("fails", ["gathered", "told"])
def test_the_runs_before_one_that_fails_are_let_go_of(monkeypatch, fails):
    rows = [Rows(), Rows()]
    left = iter(rows)

    def gathered(outcome, name, *_, **__):
        if fails == "gathered" and name == "second":
            raise EngineError("second: no", code="spark-failed")
        return outcome.rows

    def told(scores):
        if fails == "told" and scores is rows[1]:
            raise EngineError("second: no", code="spark-failed")
        return scores

    monkeypatch.setattr(evaluating, "session_for", lambda *_: None)
    monkeypatch.setattr(evaluating, "settings", lambda _: nullcontext())
    monkeypatch.setattr(evaluating, "qrels_on", lambda *_: Judged())
    monkeypatch.setattr(evaluating, "run_on", lambda _, run, *__: (run, None))
    monkeypatch.setattr(evaluating, "chosen", lambda *_: Outcome(next(left), []))
    monkeypatch.setattr(evaluating, "gathered", gathered)
    monkeypatch.setattr(evaluating, "_told", lambda *_: told)
    with pytest.raises(EngineError, match=r"^second: no"):
        evaluate_each({}, ["first", "second"])
    assert [one.kept for one in rows] == [False, False]


def test_names_are_as_many_as_runs():
    with pytest.raises(EngineError) as error:
        evaluate_each({}, ["first", "second"], names=["a"])
    assert str(error.value) == "names: must be as many as there are runs (2), got 1."
