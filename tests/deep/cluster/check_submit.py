"""spark-submit to workers that lack Gainful, which is shipped: the bits of one machine."""

import shutil
import subprocess
import sys
import tarfile

import pyarrow.parquet as pq
import pytest

import gainful
from cluster.environments import TESTS, build_wheel, install_bare_worker, install_worker
from cluster.rows import MEASURES
from cluster.standalone import make_submit_command

JOB = TESTS / "cluster" / "submitted_job.py"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_a_wheel_is_shipped_as_an_archive(cluster, qrels, run, wheel, tmp_path):
    shutil.copy(wheel, tmp_path / "gainful.zip")  # Spark unpacks it by this name
    conf = {
        "spark.archives": f"{tmp_path}/gainful.zip#shipped",
        "spark.executorEnv.PYTHONPATH": "shipped",
        "spark.pyspark.python": str(install_bare_worker()),
    }
    _check_submitted(cluster, conf, qrels, run, tmp_path)


def test_a_whole_environment_is_shipped_as_an_archive(cluster, qrels, run, wheel, tmp_path):
    environment = install_worker(wheel).parents[1]
    with tarfile.open(tmp_path / "environment.tar.gz", "w:gz", compresslevel=1) as packed:
        packed.add(environment, arcname=".")
    conf = {
        "spark.archives": f"{tmp_path}/environment.tar.gz#environment",
        "spark.executorEnv.PYTHONPATH": "",
        "spark.pyspark.python": "./environment/bin/python",
    }
    _check_submitted(cluster, conf, qrels, run, tmp_path)


def test_workers_without_gainful_are_named_in_one_sentence(cluster, qrels, run, tmp_path):
    conf = {"spark.executorEnv.PYTHONPATH": "", "spark.pyspark.python": str(install_bare_worker())}
    done = _submit(cluster, conf, qrels, run, tmp_path)
    assert done.returncode == 1
    assert (
        "SparkError: spark: gainful is not installed on the workers. Install its wheel there, or "
        "ship an environment that has it with --archives, for --py-files and addArtifacts cannot "
        f"ship its native core; on this machine, set PYSPARK_PYTHON to {sys.executable}.\n"
    ) in done.stdout  # where spark-submit writes all that Python says


def _check_submitted(cluster, conf, qrels, run, folder) -> None:
    done = _submit(cluster, conf, qrels, run, folder)
    assert done.returncode == 0, done.stderr[-5000:]
    local = gainful.evaluate(qrels, run, MEASURES)
    rows = pq.read_table(folder / "scores").sort_by("query").to_pydict()
    assert rows["query"] == list(local.queries)
    for number, measure in enumerate(local.measures):
        assert rows[str(measure)] == local.values[:, number].tolist()


def _submit(cluster, conf, qrels, run, folder) -> "subprocess.CompletedProcess[str]":
    pq.write_table(qrels, folder / "qrels.parquet")
    pq.write_table(run, folder / "run.parquet")
    driver = {"spark.pyspark.driver.python": sys.executable}
    files = [str(folder / name) for name in ("qrels.parquet", "run.parquet", "scores")]
    return subprocess.run(
        [*make_submit_command(cluster.conf | driver | conf), str(JOB), *files, *MEASURES],
        env=cluster.processes.mark_environment(cluster.environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
