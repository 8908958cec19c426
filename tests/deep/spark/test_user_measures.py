"""Measures of users on workers, from a script too."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys
import warnings
from typing import Annotated

warnings.simplefilter("ignore")
import pyspark
from pyspark.sql import SparkSession

import gainful
from gainful import Setting
from gainful.spark import evaluate

FACTOR = 3


def times(value):
    return FACTOR * value


@gainful.measure
def Thrice(ranked, *, plus: Annotated[int, Setting("what is added")] = 0):
    return times(ranked.n_retrieved) + plus


builder = SparkSession.builder.master("local[1]")
for one in sys.argv[1:]:
    builder = builder.config(*one.split("=", 1))
spark = builder.getOrCreate()
qrels = spark.createDataFrame([("q1", "a", 1)], "query string, item string, label int")
rows = [("q1", "a", 1.0), ("q1", "b", 0.5)]
run = spark.createDataFrame(rows, "query string, item string, score double")
scores = evaluate(qrels, run, [Thrice(plus=1), "nDCG"], partitions=1)
print(scores[Thrice(plus=1)], scores["Thrice(plus=1)"], scores.per_query())
spark.stop()
"""


@pytest.mark.spark
def test_a_measure_of_a_script_works_on_workers(spark, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={tmp_path} -XX:-UsePerfData",
        "spark.local.dir": tmp_path,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    process = subprocess.run(
        [sys.executable, script, *(f"{name}={value}" for name, value in settings.items())],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert process.stdout == "7.0 7.0 {'q1': {'Thrice(plus=1)': 7.0, 'nDCG': 1.0}}\n", (
        process.stderr
    )
