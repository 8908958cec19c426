"""What users have set in their session changes no bit."""

import pytest

from engines.drawn import drawn_qrels, drawn_run
from engines.sameness import assert_equal, configured, laid_out, outcome
from gainful import Rules
from gainful import evaluate as evaluate_here
from gainful.engines.spark import STRATEGIES, evaluate

pytestmark = pytest.mark.spark

SETTINGS = [
    {"spark__sql__adaptive__enabled": "false"},
    {"spark__sql__execution__arrow__maxRecordsPerBatch": 1},
    {"spark__sql__execution__arrow__maxRecordsPerBatch": 7},
    {"spark__sql__execution__arrow__useLargeVarTypes": "true"},
    {"spark__sql__ansi__enabled": "false"},
    {"spark__sql__shuffle__partitions": 9},
    {"spark__sql__autoBroadcastJoinThreshold": -1},
    {"spark__sql__caseSensitive": "true"},
]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_setting(spark, settings, strategy):
    qrels, run = drawn_qrels(5), drawn_run(5)
    frames = laid_out(spark, qrels, 2), laid_out(spark, run, 3)
    how = {"rules": Rules(ties="input")}
    with configured(spark, **settings):
        found = outcome(evaluate, *frames, ["nDCG@5", "AP"], strategy=strategy, **how)
    assert_equal(found, outcome(evaluate_here, qrels, run, ["nDCG@5", "AP"], **how))
