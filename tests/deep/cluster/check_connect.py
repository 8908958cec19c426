"""Spark Connect with its thin client, where no Java is found, gives the bits of one machine."""

import json
import subprocess

import pytest

import gainful
from cluster.environments import TESTS, build_wheel, hide_java, install_client
from cluster.rows import (
    MEASURES,
    describe_scores,
    draw_run,
    list_rows,
    read_written_rows,
    write_inputs,
)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    return install_client(build_wheel(tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="module")
def remote(cluster):
    with cluster.connect() as address:
        yield address


@pytest.fixture(scope="module")
def results(client, remote):
    done = _run_python(client, "-m", "cluster.thin_client", remote, PYTHONPATH=str(TESTS))
    assert done.returncode == 0, done.stderr[-5000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def local(qrels, run):
    return gainful.evaluate(qrels, run, MEASURES)


def test_the_client_has_neither_java_nor_the_rest_of_pyspark(client):
    tried = (
        "import pyspark.util, shutil; print(pyspark.util.is_remote_only(), shutil.which('java'))"
    )
    assert _run_python(client, "-c", tried).stdout == "True None\n"


def test_values_means_and_notices_are_those_of_one_machine(results, local):
    assert results["values"] == describe_scores(local)


def test_gainful_evaluate_takes_its_frames(results, local):
    assert results["dispatched"] == describe_scores(local)


def test_a_table_holds_every_value(results, local):
    assert results["table"] == list_rows(local)


def test_two_runs_are_compared(results, local, qrels):
    other = gainful.evaluate(qrels, draw_run(1), MEASURES)
    assert results["compared"] == str(gainful.compare_scores([local, other]))


def test_a_wrong_column_is_named_in_one_sentence(results):
    assert results["wrong column"] == (
        "SourceError: run 'run': no column is known as the item; there are 'query', 'thing', "
        "'score'. Name it with --columns run.item=NAME, or columns={'item': NAME} in Python."
    )


def test_the_command_uses_the_server_that_spark_remote_names(
    client, remote, local, qrels, run, tmp_path
):
    arguments = write_inputs(tmp_path, qrels, run)
    done = _run_python(client, "-m", "gainful.spark", *arguments, SPARK_REMOTE=remote)
    assert done.returncode == 0, done.stderr[-5000:]
    assert read_written_rows(tmp_path) == list_rows(local)


def _run_python(python, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(python), *arguments],
        env=hide_java() | environment,
        capture_output=True,
        text=True,
        check=False,
    )
