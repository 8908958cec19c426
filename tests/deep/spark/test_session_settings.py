"""What users have set in their session changes no bit."""

import pytest

from gainful import Rules
from gainful import evaluate as evaluate_here
from gainful.spark import evaluate
from spark.local_and_spark import assert_equal, override_conf, run_evaluation, spread_rows
from spark.random_tables import random_qrels, random_run

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


@pytest.mark.spark
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_setting_of_the_session_changes_no_bit(spark, settings):
    qrels, run = random_qrels(5), random_run(5)
    frames = spread_rows(spark, qrels, 2), spread_rows(spark, run, 3)
    options = {"rules": Rules(ties="input")}
    with override_conf(spark, **settings):
        result = run_evaluation(evaluate, *frames, ["nDCG@5", "AP"], **options)
    assert_equal(result, run_evaluation(evaluate_here, qrels, run, ["nDCG@5", "AP"], **options))
