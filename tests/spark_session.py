"""A Spark session for each process of tests, with two cores and retries on."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Warnings are errors; of those that PySpark gives, this one says nothing about us.
OF_PYSPARK = "ignore:PySpark does not yet fully support pandas >= 3:FutureWarning"


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """One session for all tests of a process; what it writes is in a folder of its own."""
    if not _java_is_there():
        pytest.skip("there is no Java 17 or newer; make test says how to install it")
    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        session = _session(folder)
        yield session
        session.stop()


def _java_is_there():
    java = Path(os.environ.get("JAVA_HOME", ""), "bin", "java")
    path = shutil.which(java if os.environ.get("JAVA_HOME") else "java")
    if path is None:
        return False
    output = subprocess.run([path, "-version"], capture_output=True, text=True, check=False).stderr
    match = re.search(r' version "(\d+)', output)
    return match is not None and int(match[1]) >= 17


def _session(folder):
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        # Temporary files of Java stay in the folder as well.
        "spark.driver.extraJavaOptions": f"-Djava.io.tmpdir={folder} -XX:-UsePerfData",
        "spark.local.dir": str(folder / "scratch"),
        # Frames of a few rows are spread as large ones are: one Arrow batch is one partition.
        "spark.sql.execution.arrow.localRelationThreshold": "0",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": "4",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[2,4]").appName("gainful")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
