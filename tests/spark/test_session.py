"""What a session needs: a server that answers, PySpark, and Java."""

import socket
import sys

import pytest

from gainful.errors import PackageError, SparkError
from gainful.spark import session


def test_a_server_that_does_not_answer_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"sc://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(SparkError) as error:
        session._check_server(f"{address}/;use_ssl=true;token=secret")
    assert str(error.value) == (
        f"spark: nothing answers at {address} (connection refused). SPARK_REMOTE names the server."
    )


def test_a_port_that_is_no_number_is_named():
    with pytest.raises(SparkError, match=r"^spark: nothing answers at sc://127\.0\.0\.1:abc \("):
        session._check_server("sc://127.0.0.1:abc")


def test_a_server_that_answers_is_accepted():
    with socket.create_server(("127.0.0.1", 0)) as server:
        session._check_server(f"sc://127.0.0.1:{server.getsockname()[1]}/;use_ssl=true")


def test_the_error_without_pyspark_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(PackageError) as error:
        session.check_pyspark()
    assert str(error.value) == (
        "spark: pyspark is not installed. Install it with: pip install 'gainful[spark]'"
    )


def test_an_old_pyspark_is_refused(monkeypatch):
    pyspark = pytest.importorskip("pyspark")
    monkeypatch.setattr(pyspark, "__version__", "3.5.1")
    with pytest.raises(SparkError) as error:
        session.check_pyspark()
    assert str(error.value) == (
        "spark: PySpark must be 4.0 or newer, got 3.5.1. "
        "Install it with: pip install 'gainful[spark]'"
    )


def test_the_error_without_java_says_how_to_go_on(monkeypatch, tmp_path):
    pytest.importorskip("pyspark")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(SparkError) as error:
        session._check_java()
    assert str(error.value) == (
        "spark: there is no Java to run Spark on this machine. Install Java 17 or newer, or use a "
        "Spark server: pip install 'gainful[spark-connect]', then SPARK_REMOTE=sc://HOST:15002, or "
        "spark=SparkSession.builder.remote('sc://HOST:15002').getOrCreate()"
    )


def test_an_object_that_is_no_session_is_refused():
    pytest.importorskip("pyspark")
    with pytest.raises(SparkError) as error:
        session.get_session("local", [])
    assert str(error.value) == "spark: must be a SparkSession, got 'local'."
