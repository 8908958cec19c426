"""What workers are sent and return: measures of users, versions, and outcomes in pieces."""

import pickle

import numpy as np
import pyarrow as pa

from gainful import Rules, nDCG
from gainful._version import __version__
from gainful.errors import SourceError
from gainful.sources import ItemData
from gainful.spark import task as tasks
from gainful.spark.task import Outcome, Task, find_version_error, pack_outcome, unpack_outcomes


def test_workers_of_another_version_are_refused():
    assert find_version_error(__version__) is None
    assert str(find_version_error("0.0.1")) == (
        f"spark: the workers have gainful {__version__}, and the driver 0.0.1. "
        "Install the same version on both."
    )


def test_a_task_is_the_same_on_a_worker():
    task = Task({nDCG @ 10: nDCG(gain="exp2") @ 10}, Rules(depth=5), ItemData(), run_place="bm25")
    received = pickle.loads(pickle.dumps(task))
    assert vars(received) | {"data": None} == vars(task) | {"data": None}


def test_outcomes_come_in_pieces(monkeypatch):
    monkeypatch.setattr(tasks, "_PIECE_BYTES", 100)
    error = SourceError("run: broken", code="bad-score")
    rows = list(pack_outcome(Outcome(values=[np.arange(30.0)], error=error, stage=1)))
    assert len(rows) > 3
    (outcome,) = unpack_outcomes(pa.Table.from_batches(rows[::-1]))
    assert outcome.values[0].tolist() == list(range(30))
    assert (str(outcome.error), outcome.error.code, outcome.stage) == (
        "run: broken",
        "bad-score",
        1,
    )
