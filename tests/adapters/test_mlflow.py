"""Logging to MLflow: names, what is kept, what is said when a call fails."""

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
    """Writes down what it is told, and fails at one call."""

    def __init__(self, failing=None):
        self.calls, self.failing = [], failing

    def _told(self, *call):
        if call[1] == self.failing:
            message = "no space left\nsecond line"
            raise OSError(message)
        self.calls.append(call)

    def log_param(self, run_id, key, value):
        self._told("param", key, value)

    def log_metric(self, run_id, key, value, step=None):
        self._told("metric", key, value, step)

    def log_text(self, run_id, text, artifact_file):
        self._told("text", artifact_file, text)

    def log_artifact(self, run_id, local_path, artifact_path=None):
        self._told("file", artifact_path, local_path)


def whole(sentence):
    return f"^{re.escape(sentence)}(\n|$)"  # the code may follow


def scores(run=RUN, measures="nDCG@10", **how):
    return gainful.evaluate(QRELS, gainful.read_run(run, name="bm25"), measures, **how)


def test_means_intervals_definition_and_queries_are_logged():
    client, found = Client(), scores()
    logged = gainful.log_to_mlflow(found, client=client, run_id="7")
    assert logged.run_id == "7"
    assert logged.params == {"rules": str(found.rules), "dialect": "gainful"}
    assert list(logged.metrics) == ["nDCG_at_10", "nDCG_at_10_low", "nDCG_at_10_high", "n_queries"]
    assert logged.metrics["nDCG_at_10"] == found["nDCG@10"]
    assert logged.metrics["nDCG_at_10_low"] < found["nDCG@10"] < logged.metrics["nDCG_at_10_high"]
    texts = {path: text for kind, path, text, *_ in client.calls if kind == "text"}
    assert json.loads(texts["gainful/measures.json"]) == {"nDCG_at_10": "nDCG@10"}
    assert texts["gainful/per_query.csv"] == found.to_csv()
    assert "missing-queries" in texts["gainful/notices.txt"]
    assert logged.artifacts == tuple(texts)
    assert [kind for kind, *_ in client.calls] == ["param"] * 2 + ["metric"] * 4 + ["text"] * 3


def test_a_dialect_is_named():
    logged = gainful.log_to_mlflow(scores(dialect="trec_eval@9"), client=Client(), run_id="7")
    assert logged.params["dialect"] == "trec_eval@9"


def test_prefix_and_step_keep_apart_what_is_logged_again_and_again():
    client = Client()
    logged = gainful.log_to_mlflow(scores(), client=client, run_id="7", prefix="valid/", step=3)
    assert all(name.startswith("valid/") for name in [*logged.params, *logged.metrics])
    assert all(path.startswith("gainful/valid/step_3/") for path in logged.artifacts)
    assert {call[3] for call in client.calls if call[0] == "metric"} == {3}


def test_queries_may_be_left_out():
    logged = gainful.log_to_mlflow(scores(), client=Client(), run_id="7", per_query=False)
    assert logged.artifacts == ("gainful/measures.json", "gainful/notices.txt")


def test_no_interval_is_made_up():
    weighted = scores(weights={"q1": 1, "q2": 2, "q3": 1})
    for found in (weighted, scores(measures="NumRel"), scores(measures="GMAP")):
        logged = gainful.log_to_mlflow(found, client=Client(), run_id="7")
        assert len(logged.metrics) == 2


def test_several_scores_have_the_names_of_their_runs():
    both = [scores(), scores(OTHER)]
    logged = gainful.log_to_mlflow(both, client=Client(), run_id="7")
    assert logged.metrics["bm25-1/nDCG_at_10"] == both[0]["nDCG@10"]
    assert logged.metrics["bm25-2/nDCG_at_10"] == both[1]["nDCG@10"]
    assert "gainful/bm25-2/per_query.csv" in logged.artifacts


def test_a_comparison_adds_differences_and_the_verdict():
    client = Client()
    found = gainful.compare(QRELS, {"old": RUN, "new": OTHER}, "nDCG@10")
    logged = gainful.log_to_mlflow(found, client=client, run_id="7")
    pair = found.pair("new", "old")
    assert logged.metrics["new_minus_old/nDCG_at_10"] == pair.difference
    assert logged.metrics["new_minus_old/nDCG_at_10_p_adjusted"] == pair.p_adjusted
    assert logged.metrics["old/nDCG_at_10"] == pytest.approx(scores()["nDCG@10"])
    texts = {path: text for kind, path, text, *_ in client.calls if kind == "text"}
    assert texts["gainful/verdict.txt"] == f"{found.verdict}\n"
    assert texts["gainful/pairs.csv"] == found.to_csv()
    assert texts["gainful/comparison.json"] == found.to_json()


def test_a_report_is_kept_as_it_is(tmp_path):
    client, path = Client(), tmp_path / "report.html"
    path.write_text("<html>")
    logged = gainful.log_to_mlflow(scores(), client=client, run_id="7", report=path)
    assert client.calls[-1] == ("file", "gainful", str(path))
    assert logged.artifacts[-1] == "gainful/report.html"


def test_what_is_no_report_is_refused_before_anything_is_logged():
    client = Client()
    sentence = "report: must be an HTML file, or what write_report() returned, got True."
    with pytest.raises(OutputError, match=whole(sentence)):
        gainful.log_to_mlflow(scores(), client=client, run_id="7", report=True)
    assert client.calls == []


def test_a_failure_names_what_was_not_logged():
    client = Client(failing="gainful/per_query.csv")
    sentence = (
        "log_to_mlflow: artifact gainful/per_query.csv failed: no space left. "
        "Not logged: artifact gainful/per_query.csv, artifact gainful/notices.txt."
    )
    with pytest.raises(OutputError, match=whole(sentence)):
        gainful.log_to_mlflow(scores(), client=client, run_id="7")
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
    with pytest.raises(OutputError, match=whole(sentence)):
        gainful.log_to_mlflow(scores(), client=client, run_id="7", prefix=prefix)
    assert client.calls == []


def test_a_name_that_is_too_long_is_refused_first():
    client = Client()
    with pytest.raises(OutputError, match=r"^MLflow: a name must have at most 250 letters, got "):
        gainful.log_to_mlflow(scores(), client=client, run_id="7", prefix="a" * 240)
    assert client.calls == []


@pytest.mark.parametrize("given", [3, [], [3], "bm25"])
def test_only_scores_and_comparisons_are_logged(given):
    sentence = f"log_to_mlflow: must be given Scores or a Comparison, got {given!r}."
    with pytest.raises(OutputError, match=whole(sentence)):
        gainful.log_to_mlflow(given, client=Client(), run_id="7")


def test_without_mlflow_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    sentence = "log_to_mlflow: mlflow is not installed. Install it with: pip install mlflow-skinny"
    with pytest.raises(PackageError, match=whole(sentence)):
        gainful.log_to_mlflow(scores(), run_id="7")


def test_measures_that_would_share_a_name_are_numbered():
    names = make_metric_names(["P(rel=1)@5", "P_rel_1@5", "P"])
    assert list(names.values()) == ["P_rel_1_at_5", "P_rel_1_at_5__2", "P"]


@given(st.text())
def test_any_text_becomes_legal(text):
    assert re.fullmatch(r"[\w.\- ]+", replace_illegal(text))
