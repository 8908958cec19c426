"""One cluster for all tests, and one session of this process."""

import os
import shutil

import pytest

from cluster.driver_session import Jobs, session
from cluster.rows import draw_qrels, draw_run
from cluster.standalone import standalone

# Warnings are errors; of those that PySpark gives, these say nothing about us.
_OF_PYSPARK = (
    "ignore:PySpark does not yet fully support pandas >= 3:FutureWarning",
    "ignore:unclosed:ResourceWarning",
)


def pytest_collection_modifyitems(items):
    for item in items:
        for warning_filter in _OF_PYSPARK:
            item.add_marker(pytest.mark.filterwarnings(warning_filter))


@pytest.fixture(scope="session")
def cluster():
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        pytest.fail("there is no Java to run a cluster; sh tools/java.sh says how to get it")
    with standalone() as standalone_cluster:
        yield standalone_cluster
    assert standalone_cluster.processes.alive() == []
    assert not standalone_cluster.processes.folder.exists()


@pytest.fixture(scope="session")
def spark(cluster):
    with session(cluster) as spark_session:
        Jobs(spark_session).wait_for_executors(2)
        yield spark_session


@pytest.fixture(scope="session")
def qrels():
    return draw_qrels()


@pytest.fixture(scope="session")
def run():
    return draw_run()
