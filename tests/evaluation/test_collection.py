"""A collection: data that are named once, read once, and asked about many times."""

import gc
import os

import pytest

import gainful
from gainful import Collection, ComparisonError, MeasureError, RuleError, Rules, SourceError

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 c 1\n"
RUNS = {
    "old": "q1 Q0 b 1 9 t\nq1 Q0 x 2 8 t\nq1 Q0 a 3 7 t\nq2 Q0 y 1 9 t\n",
    "new": "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\nq2 Q0 c 1 9 t\n",
}


@pytest.fixture
def files(tmp_path):
    """The paths of qrels and runs."""
    for name, text in {"qrels": QRELS, **RUNS}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return str(tmp_path / "qrels.txt"), {name: str(tmp_path / f"{name}.txt") for name in RUNS}


def test_the_answers_are_those_of_qrels_and_runs(files):
    qrels, runs = files
    collection = Collection(qrels, runs)
    for name, run in runs.items():
        alone = gainful.evaluate(qrels, gainful.read_run(run, name=name), "nDCG@2,10")
        assert gainful.evaluate(collection, name, "nDCG@2,10").to_dict() == alone.to_dict()
        assert collection.evaluate("nDCG@2,10")[name].to_dict() == alone.to_dict()
    together = gainful.compare(collection, measures="nDCG@2", bounds=True)
    assert together.to_dict() == gainful.compare(qrels, runs, "nDCG@2", bounds=True).to_dict()
    for ties in ("item-desc", "average"):
        rules = Rules(ties=ties)
        collection = Collection(qrels, runs, rules=rules)
        assert (
            gainful.unjudged(collection).to_dict()
            == gainful.unjudged(qrels, runs, rules=rules).to_dict()
        )


def test_deeper_questions_do_not_change_the_answers_of_others(files):
    qrels, runs = files
    collection = Collection(qrels, runs, items=gainful.ItemData(catalog=["a", "b", "x", "y"]))
    before = gainful.evaluate(collection, "old", "Coverage@1").mean()
    collection.keep_top(3)
    assert gainful.evaluate(collection, "old", "Coverage@1").mean() == before
    assert gainful.unjudged(collection, "old", "nDCG@2").items.rows[0].item == "y"


def test_a_file_that_was_replaced_is_not_read_again(files):
    qrels, runs = files
    collection = Collection(qrels, runs)
    before = collection.evaluate("P@2")["old"].mean()
    os.remove(runs["old"])
    os.remove(qrels)
    assert gainful.evaluate(collection, "old", "P@2").mean() == before
    assert gainful.unjudged(collection, "old", "nDCG@2").bounds.runs == ("old",)


def test_files_are_closed_with_the_collection(files):
    qrels, runs = files
    with Collection(qrels, runs) as collection:
        collection.evaluate("P@1")
    forgotten = Collection(qrels, runs)
    forgotten.evaluate("P@1")
    del forgotten
    gc.collect()  # a file left open would be a warning here, and so an error


def test_runs_are_named_and_options_belong_to_the_collection(files):
    collection = Collection(*files)
    assert [run.name for run in collection.select(["new"]).runs] == ["new"]
    with pytest.raises(ComparisonError, match="must be the name of a run"):
        gainful.evaluate(collection, "bm25")
    with pytest.raises(ComparisonError, match="takes one run, got old, new"):
        gainful.evaluate(collection)
    with pytest.raises(ComparisonError, match="rules: a collection has its own"):
        gainful.compare(collection, rules=Rules(ties="average"))
    with pytest.raises(RuleError, match="brings its own"):
        Collection(*files, rules=Rules(), dialect="lightgbm")


def test_one_file_may_hold_judgments_of_two_kinds(files):
    qrels, runs = files
    scores = gainful.evaluate(Collection(qrels, runs), "new", ["StRecall@1", "nDCG@10"])
    assert scores.mean() == {"StRecall@1": 1.0, "nDCG@10": 1.0}


def test_every_function_takes_a_collection(files, tmp_path):
    qrels, runs = files
    with Collection(qrels, runs) as collection:
        asked = [
            (gainful.explain(collection, "old", "q1"), gainful.explain(qrels, runs["old"], "q1")),
            (gainful.reconcile(collection, "new"), gainful.reconcile(qrels, runs["new"])),
            (gainful.correlate(collection), gainful.correlate(qrels, runs)),
            (gainful.check(collection), gainful.check(qrels, *runs.values())),
            (
                gainful.gate(collection, "new", "old"),
                gainful.gate(qrels, runs["new"], runs["old"]),
            ),
        ]
        for ours, theirs in asked:
            assert ours.to_dict() == theirs.to_dict()
        report = gainful.write_report(collection, None, tmp_path / "ours.html", "nDCG@10")
        gainful.write_report(qrels, runs, tmp_path / "theirs.html", "nDCG@10")
    assert os.path.getsize(report.path) == report.n_bytes
    assert (tmp_path / "ours.html").read_bytes() == (tmp_path / "theirs.html").read_bytes()


DIALECT_QRELS = {
    "q0": {"a": 3, "b": 1, "c": 2},
    "q1": {"d": 2, "e": 0, "f": 1},
}
DIALECT_RUNS = {
    "x": {"q0": ["b", "u", "a"], "q1": ["e", "d", "v"]},
    "y": {"q0": ["a", "w", "b"], "q1": ["f", "d", "e"]},
}


@pytest.mark.parametrize("dialect", ["burges", "recommenders", "gainful"])
def test_every_function_obeys_the_dialect(dialect):
    collection = Collection(DIALECT_QRELS, DIALECT_RUNS, dialect=dialect)
    scores = {name: of_run["nDCG@3"] for name, of_run in collection.evaluate("nDCG@3").items()}
    found = gainful.unjudged(collection, None, "nDCG@3").bounds
    assert {name: found.value(name) for name in scores} == pytest.approx(scores)
    explained = [gainful.explain(collection, "x", query, "nDCG@3") for query in DIALECT_QRELS]
    values = gainful.evaluate(collection, "x", "nDCG@3").column("nDCG@3")
    assert [why.value for why in explained] == pytest.approx(values.tolist())
    assert str(explained[0].measure) == str(found.measure) == "nDCG@3"
    pair = gainful.compare(collection, measures="nDCG@3", bounds=True).pairs[0]
    assert pair.possible == found.difference(pair.system, pair.baseline)
    decided = gainful.gate(collection, "y", "x", "nDCG@3", max_drop=0)
    assert decided.evidence[0].possible == found.difference("x", "y")
    assert set(gainful.correlate(collection, None, "nDCG@3").means["x"].values()) == {scores["x"]}


def test_a_dialect_without_bounds_is_refused():
    collection = Collection(DIALECT_QRELS, DIALECT_RUNS, dialect="elasticsearch")
    with pytest.raises(MeasureError, match=r"dialect elasticsearch: .* is not known"):
        gainful.unjudged(collection, "x", "nDCG@3")
    with pytest.raises(MeasureError, match="is not known"):
        gainful.compare(collection, measures="nDCG@3", bounds=True)
    value = gainful.evaluate(collection, "x", "nDCG@3").column("nDCG@3")[0]
    assert gainful.explain(collection, "x", "q0", "nDCG@3").value == pytest.approx(value)


def test_reports_refuse_a_dialect(tmp_path):
    collection = Collection(DIALECT_QRELS, DIALECT_RUNS, dialect="elasticsearch")
    with pytest.raises(RuleError, match="report: takes no dialect, got a collection of"):
        gainful.write_report(collection, None, tmp_path / "report.html")


def test_qrels_that_are_read_once_serve_all_measures_of_items():
    qrels = ((query, item, label) for query, item, label in [("q1", "a", 1), ("q1", "b", 0)])
    items = gainful.ItemData(catalog=["a", "b", "c", "d"])
    scores = gainful.evaluate(qrels, {"q1": ["a", "b"]}, "nDCG@2,Coverage@2", items=items)
    assert scores.mean() == {"nDCG@2": 1.0, "Coverage@2": 0.5}


def test_hundreds_of_runs_need_few_open_files(tmp_path):
    resource = pytest.importorskip("resource")
    qrels, runs = tmp_path / "qrels.txt", [tmp_path / f"{number}.txt" for number in range(150)]
    qrels.write_text(QRELS)
    for path in runs:
        path.write_text(RUNS["old"])
    gainful.correlate(qrels, runs[:2], "P@1")  # what is imported is open no more
    n_open, limits = len(os.listdir("/proc/self/fd")), resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (n_open + 80, limits[1]))
    try:
        assert len(gainful.correlate(qrels, runs, "P@1").means) == len(runs)
        with Collection(qrels, runs) as collection:
            assert len(collection.evaluate("P@1")) == len(runs)
            assert gainful.unjudged(collection).bounds.runs == tuple(collection.evaluate("P@1"))
            gainful.check(collection)
            runs[0].write_text(RUNS["new"])
            with pytest.raises(SourceError, match="changed after it was read"):
                collection.open_file(runs[0])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_check_obeys_the_names_of_runs_and_refuses_options(files):
    collection = Collection(*files)
    assert [*gainful.check(collection, "new").rows] == ["new"]
    with pytest.raises(ComparisonError, match="must be the name of a run"):
        gainful.check(collection, "nonexistent")
    with pytest.raises(ComparisonError, match="rules: a collection has its own"):
        gainful.check(collection, rules=Rules())


def test_reconcile_holds_the_rules_of_the_collection(files):
    qrels, runs = files
    rules = Rules(depth=1)
    found = gainful.reconcile(Collection(qrels, runs, rules=rules), "old")
    alone = gainful.reconcile(qrels, gainful.read_run(runs["old"], name="old"), rules={"depth": 1})
    assert found.to_dict() == alone.to_dict()
    assert found.value == gainful.evaluate(qrels, runs["old"], "nDCG@10", rules=rules)["nDCG@10"]
    assert gainful.reconcile(Collection(qrels, runs), "old").rules == {}
    with pytest.raises(RuleError, match="reconcile: takes no dialect"):
        gainful.reconcile(Collection(qrels, runs, dialect="burges"), "old")


def test_an_error_is_not_kept(files):
    qrels, runs = files
    collection = Collection(qrels, runs)
    with open(qrels, "w") as file:
        file.write("q1 0 a high\n")
    for _ in range(2):
        with pytest.raises(SourceError, match="high"):
            collection.evaluate("P@1")
    collection.close()
    with open(qrels, "w") as file:
        file.write(QRELS)
    assert collection.evaluate("P@1")["new"]["P@1"] == 1
    collection.close()
