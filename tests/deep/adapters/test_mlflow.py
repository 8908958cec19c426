"""Scores that log_to_mlflow logs, as MLflow itself keeps them."""

import math
import warnings

import pytest

import gainful
from adapters.test_mlflow import evaluate_run, make_pattern
from gainful.errors import OutputError


@pytest.fixture
def mlflow(tmp_path, monkeypatch):
    """Yield MLflow itself, set to keep everything in files of a temporary folder."""
    monkeypatch.setenv("MLFLOW_TRACKING_URI", tmp_path.joinpath("runs").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import mlflow

        mlflow.set_tracking_uri(tmp_path.joinpath("runs").as_uri())
        yield mlflow


def test_mlflow_itself_takes_all_of_it(mlflow, tmp_path):
    results = evaluate_run(
        measures=["nDCG@10", "nDCG(gain=exp2)@5", "nDCG(gain={1: 3, 2: 5})", "P(rel=2)@5"]
    )
    page = tmp_path / "report.html"
    page.write_text("<html>")
    with mlflow.start_run() as run:
        log = gainful.log_to_mlflow(results, prefix="valid/", step=1, report=page)
        gainful.log_to_mlflow(results, prefix="valid/", step=2)
    data = mlflow.MlflowClient().get_run(run.info.run_id).data
    assert data.metrics == log.metrics
    assert data.params == log.params
    client = mlflow.MlflowClient()
    paths = [entry.path for entry in client.list_artifacts(run.info.run_id, "gainful/valid/step_1")]
    assert sorted(paths) == sorted(path for path in log.artifacts if "step_1" in path)
    history = client.get_metric_history(run.info.run_id, "valid/nDCG_at_10")
    value = results["nDCG@10"]
    assert [(entry.step, entry.value) for entry in history] == [(1, value), (2, value)]


def test_mlflow_refuses_one_name_for_two_definitions_and_no_metric_is_logged(mlflow):
    with mlflow.start_run() as run:
        gainful.log_to_mlflow(evaluate_run(), prefix="a/")
        with pytest.raises(OutputError, match=r"^log_to_mlflow: param a/rules failed: "):
            gainful.log_to_mlflow(evaluate_run(rules=gainful.Rules(missing="skip")), prefix="a/")
    data = mlflow.MlflowClient().get_run(run.info.run_id).data
    assert data.metrics["a/n_queries"] == 3
    assert not any(math.isnan(value) for value in data.metrics.values())


def test_outside_of_a_run_it_says_so(mlflow):
    sentence = (
        "log_to_mlflow: no run of MLflow is active. "
        "Call it within mlflow.start_run(), or pass run_id=..."
    )
    with pytest.raises(OutputError, match=make_pattern(sentence)):
        gainful.log_to_mlflow(evaluate_run())
