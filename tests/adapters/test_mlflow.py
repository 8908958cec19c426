"""Logging to MLflow: names, logged values, and the error if a call fails."""

import json
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.adapters.mlflow import make_metric_names, replace_illegal
from gainful.errors import OutputError, PackageError

QRELS = {"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}, "q3": {"d4": 1}}
RUN = {"q1": ["d2", "d1"], "q2": ["d3"]}
OTHER = {"q1": ["d1", "d2"], "q2": ["d3"], "q3": ["d4"]}


class Client:
    """A client that records its calls, and fails at one of them."""

    def __init__(self, fails_at=None):
        self.calls, self.fails_at = [], fails_at

    def _record_call(self, *call):
        if call[1] == self.fails_at:
            message = "no space left\nsecond line"
            raise OSError(message)
        self.calls.append(call)

    def log_param(self, run_id, key, value):
        self._record_call("param", key, value)

    def log_metric(self, run_id, key, value, step=None):
        self._record_call("metric", key, value, step)

    def log_text(self, run_id, text, artifact_file):
        self._record_call("text", artifact_file, text)

    def log_artifact(self, run_id, local_path, artifact_path=None):
        self._record_call("file", artifact_path, local_path)


def make_pattern(sentence):
    return f"^{re.escape(sentence)}(\n|$)"  # the code may follow


def evaluate_run(run=RUN, measures="nDCG@10", **options):
    return gainful.evaluate(QRELS, gainful.read_run(run, name="bm25"), measures, **options)


def test_means_intervals_definition_and_queries_are_logged():
    client, scores = Client(), evaluate_run()
    logged = gainful.log_to_mlflow(scores, client=client, run_id="7")
    assert logged.run_id == "7"
    assert logged.params == {"rules": str(scores.rules), "dialect": "gainful"}
    assert list(logged.metrics) == ["nDCG_at_10", "nDCG_at_10_low", "nDCG_at_10_high", "n_queries"]
    assert logged.metrics["nDCG_at_10"] == scores["nDCG@10"]
    assert logged.metrics["nDCG_at_10_low"] < scores["nDCG@10"] < logged.metrics["nDCG_at_10_high"]
    texts = {path: text for kind, path, text, *_ in client.calls if kind == "text"}
    assert json.loads(texts["gainful/measures.json"]) == {"nDCG_at_10": "nDCG@10"}
    assert texts["gainful/per_query.csv"] == scores.to_csv()
    assert "missing-queries" in texts["gainful/notices.txt"]
    assert logged.artifacts == tuple(texts)
    assert [kind for kind, *_ in client.calls] == ["param"] * 2 + ["metric"] * 4 + ["text"] * 3


def test_a_dialect_is_named():
    logged = gainful.log_to_mlflow(evaluate_run(dialect="trec_eval@9"), client=Client(), run_id="7")
    assert logged.params["dialect"] == "trec_eval@9"


def test_prefix_and_step_keep_apart_what_is_logged_again_and_again():
    client = Client()
    logged = gainful.log_to_mlflow(
        evaluate_run(), client=client, run_id="7", prefix="valid/", step=3
    )
    assert all(name.startswith("valid/") for name in [*logged.params, *logged.metrics])
    assert all(path.startswith("gainful/valid/step_3/") for path in logged.artifacts)
    assert {call[3] for call in client.calls if call[0] == "metric"} == {3}


def test_queries_may_be_left_out():
    logged = gainful.log_to_mlflow(evaluate_run(), client=Client(), run_id="7", per_query=False)
    assert logged.artifacts == ("gainful/measures.json", "gainful/notices.txt")


def test_no_interval_is_made_up():
    weighted_scores = evaluate_run(weights={"q1": 1, "q2": 2, "q3": 1})
    for scores in (weighted_scores, evaluate_run(measures="NumRel"), evaluate_run(measures="GMAP")):
        logged = gainful.log_to_mlflow(scores, client=Client(), run_id="7")
        assert len(logged.metrics) == 2


def test_several_scores_have_the_names_of_their_runs():
    all_scores = [evaluate_run(), evaluate_run(OTHER)]
    logged = gainful.log_to_mlflow(all_scores, client=Client(), run_id="7")
    assert logged.metrics["bm25-1/nDCG_at_10"] == all_scores[0]["nDCG@10"]
    assert logged.metrics["bm25-2/nDCG_at_10"] == all_scores[1]["nDCG@10"]
    assert "gainful/bm25-2/per_query.csv" in logged.artifacts


def test_a_comparison_adds_differences_and_the_verdict():
    client = Client()
    comparison = gainful.compare(QRELS, {"old": RUN, "new": OTHER}, "nDCG@10")
    logged = gainful.log_to_mlflow(comparison, client=client, run_id="7")
    pair = comparison.pair("new", "old")
    assert logged.metrics["new_minus_old/nDCG_at_10"] == pair.difference
    assert logged.metrics["new_minus_old/nDCG_at_10_p_adjusted"] == pair.p_adjusted
    assert logged.metrics["old/nDCG_at_10"] == pytest.approx(evaluate_run()["nDCG@10"])
    texts = {path: text for kind, path, text, *_ in client.calls if kind == "text"}
    assert texts["gainful/verdict.txt"] == f"{comparison.verdict}\n"
    assert texts["gainful/pairs.csv"] == comparison.to_csv()
    assert texts["gainful/comparison.json"] == comparison.to_json()


def test_a_report_is_kept_as_it_is(tmp_path):
    client, path = Client(), tmp_path / "report.html"
    path.write_text("<html>")
    logged = gainful.log_to_mlflow(evaluate_run(), client=client, run_id="7", report=path)
    assert client.calls[-1] == ("file", "gainful", str(path))
    assert logged.artifacts[-1] == "gainful/report.html"


def test_what_is_no_report_is_refused_before_anything_is_logged():
    client = Client()
    sentence = "report: must be an HTML file, or what write_report() returned, got True."
    with pytest.raises(OutputError, match=make_pattern(sentence)):
        gainful.log_to_mlflow(evaluate_run(), client=client, run_id="7", report=True)
    assert client.calls == []


def test_a_failure_names_what_was_not_logged():
    client = Client(fails_at="gainful/per_query.csv")
    sentence = (
        "log_to_mlflow: artifact gainful/per_query.csv failed: no space left. "
        "Not logged: artifact gainful/per_query.csv, artifact gainful/notices.txt."
    )
    with pytest.raises(OutputError, match=make_pattern(sentence)):
        gainful.log_to_mlflow(evaluate_run(), client=client, run_id="7")
    assert len(client.calls) == 7


@pytest.mark.parametrize(
    ("prefix", "sentence"),
    [
        ("a@b", "prefix: may hold letters, digits, and _ - . / or spaces, got 'a@b'."),
        (
            "/valid/",
            "prefix: must make a path in plain form, such as valid/nDCG, got '/valid/n_queries'.",
        ),
        (
            "../",
            "prefix: must make a path in plain form, such as valid/nDCG, got '../n_queries'.",
        ),
    ],
)
def test_names_that_mlflow_would_refuse_are_refused_first(prefix, sentence):
    client = Client()
    with pytest.raises(OutputError, match=make_pattern(sentence)):
        gainful.log_to_mlflow(evaluate_run(), client=client, run_id="7", prefix=prefix)
    assert client.calls == []


def test_a_name_that_is_too_long_is_refused_first():
    client = Client()
    with pytest.raises(OutputError, match=r"^MLflow: a name must have at most 250 letters, got "):
        gainful.log_to_mlflow(evaluate_run(), client=client, run_id="7", prefix="a" * 240)
    assert client.calls == []


@pytest.mark.parametrize("value", [3, [], [3], "bm25"])
def test_only_scores_and_comparisons_are_logged(value):
    sentence = f"log_to_mlflow: must be given Scores or a Comparison, got {value!r}."
    with pytest.raises(OutputError, match=make_pattern(sentence)):
        gainful.log_to_mlflow(value, client=Client(), run_id="7")


def test_without_mlflow_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    sentence = "log_to_mlflow: mlflow is not installed. Install it with: pip install mlflow-skinny"
    with pytest.raises(PackageError, match=make_pattern(sentence)):
        gainful.log_to_mlflow(evaluate_run(), run_id="7")


def test_measures_that_would_share_a_name_are_numbered():
    names = make_metric_names(["P(rel=1)@5", "P_rel_1@5", "P"])
    assert list(names.values()) == ["P_rel_1_at_5", "P_rel_1_at_5__2", "P"]


@given(st.text())
def test_any_text_becomes_legal(text):
    assert re.fullmatch(r"[\w.\- ]+", replace_illegal(text))
