"""Every failure of Spark that a newcomer meets, in a sentence with a way out."""

import sys

import pytest

from gainful.errors import SparkError
from gainful.spark import failures

WHERE = f"on this machine, set PYSPARK_PYTHON to {sys.executable}."


class PySparkError(Exception):
    pass


PySparkError.__module__ = "pyspark.errors"


def describe_failure(text, place=None, kind=PySparkError):
    with pytest.raises(SparkError) as error, failures.translate_errors(place):
        raise kind(text)
    assert isinstance(error.value.__cause__, kind)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.12 than that in "
            "driver: 3.11, PySpark cannot run with different minor versions.",
            "spark: the workers run Python 3.12, and the driver 3.11. Set PYSPARK_PYTHON to the "
            "same Python on both.",
        ),
        (
            "Traceback (most recent call last):\nModuleNotFoundError: No module named 'gainful'",
            "spark: gainful is not installed on the workers. Install its wheel there, or ship an "
            "environment that has it with --archives, for --py-files and addArtifacts cannot ship "
            f"its native core; {WHERE}",
        ),
        (
            "Traceback (most recent call last):\nModuleNotFoundError: No module named 'pyarrow'",
            "spark: pyarrow is not installed on the workers. Install it with gainful there, or "
            f"ship an environment that has both with --archives; {WHERE}",
        ),
        (
            "[JAVA_GATEWAY_EXITED] Java gateway process exited before sending its port number.",
            "spark: Java could not start a session; what it printed says why. Spark 4 needs Java "
            "17 or newer, or a Spark server: pip install 'gainful[spark-connect]'.",
        ),
        (
            "java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.",
            "spark: the session was stopped. Make another, and the DataFrames again.",
        ),
        (
            'java.io.IOException: Cannot run program "/nowhere/python": error=2, No such file',
            "spark: the workers cannot start Python as '/nowhere/python'. Set PYSPARK_PYTHON to "
            f"one that has gainful; on this machine, to {sys.executable}.",
        ),
        (
            "Both Datasets must belong to the same SparkSession.",
            "spark: the qrels and the run are of two sessions. Make both with the same.",
        ),
        (
            "An error occurred while calling o9.count.\n: org.apache.spark.SparkException: "
            "Exception thrown in awaitResult: \n\tat a.B\nCaused by: org.apache.spark.XException: "
            "[MALFORMED_CSV_RECORD] Malformed CSV record: q2,d SQLSTATE: KD000",
            "spark: Malformed CSV record: q2,d.",
        ),
        (
            "An error occurred while calling o1.text.\n: org.apache.hadoop.fs.X: No FileSystem for "
            'scheme "s3"\n\tat org.apache.A',
            'spark: org.apache.hadoop.fs.X: No FileSystem for scheme "s3".',
        ),
        (
            "An exception was thrown from the Python worker:\nTraceback (most recent call last):\n"
            '  File "a.py", line 1\nValueError: too wide\n',
            "spark: ValueError: too wide.",
        ),
    ],
)
def test_failures_are_sentences_with_a_way_out(text, sentence):
    assert describe_failure(text) == sentence


def test_what_is_not_there_or_there_already_is_named():
    assert describe_failure("[PATH_NOT_FOUND] Path does not exist", "runs/bm25") == (
        "runs/bm25: there is no table and no path of that name that Spark can read."
    )
    assert describe_failure("[PATH_ALREADY_EXISTS] Path x already exists", "scores") == (
        "scores: is there already. Pass --mode overwrite or append, or another name."
    )


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
def test_what_is_no_failure_of_spark_is_left_alone(kind):
    with pytest.raises(kind), failures.translate_errors():
        raise kind


def test_a_session_that_was_stopped_is_known_by_how_pyspark_stumbles():
    text = "'NoneType' object has no attribute 'setCallSite'"
    assert describe_failure(text, kind=AttributeError) == (
        "spark: the session was stopped. Make another, and the DataFrames again."
    )


def test_pyspark_stumbles_over_what_it_believes_to_be_there():
    inside = {"__name__": "pyspark.core"}
    exec("def stumble():\n    assert None is not None", inside)
    with (
        pytest.raises(SparkError, match=r"^spark: the session was stopped\."),
        failures.translate_errors(),
    ):
        inside["stumble"]()
    with pytest.raises(AssertionError), failures.translate_errors():
        assert None is not None
