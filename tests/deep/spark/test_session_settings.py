"""What users have set in their session changes no bit, and stays as it is."""

import threading

import pytest

from gainful import Rules
from gainful import evaluate as evaluate_here
from gainful.spark import evaluate
from gainful.spark.session import override_settings as changed
from spark.evaluation_in_parts import AT_ONCE, JOINING, FakeSession
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

FOLDING = "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"
OTHERS = {
    "spark.sql.sources.bucketing.enabled": "false",
    "spark.sql.optimizer.excludedRules": FOLDING,
    "spark.sql.adaptive.optimizer.excludedRules": FOLDING,
}


def test_settings_are_as_they_were_whatever_threads_do():
    session, meet = FakeSession(), threading.Barrier(3)

    def work():
        with changed(session):
            meet.wait()
            assert dict(session.conf) == {AT_ONCE: "100000", JOINING: "true"} | OTHERS
            meet.wait()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dict(session.conf) == {}


def test_settings_that_a_user_has_made_stay():
    made = {AT_ONCE: "5000", JOINING: "false", "spark.sql.optimizer.excludedRules": "A,B"}
    session = FakeSession(**made)
    with changed(session):
        others = OTHERS | {"spark.sql.optimizer.excludedRules": f"A,B,{FOLDING}"}
        assert dict(session.conf) == {AT_ONCE: "5000", JOINING: "true"} | others
    assert dict(session.conf) == made


@pytest.mark.spark
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_setting_of_the_session_changes_no_bit(spark, settings):
    qrels, run = random_qrels(5), random_run(5)
    frames = spread_rows(spark, qrels, 2), spread_rows(spark, run, 3)
    options = {"rules": Rules(ties="input")}
    with override_conf(spark, **settings):
        result = run_evaluation(evaluate, *frames, ["nDCG@5", "AP"], **options)
    assert_equal(result, run_evaluation(evaluate_here, qrels, run, ["nDCG@5", "AP"], **options))
