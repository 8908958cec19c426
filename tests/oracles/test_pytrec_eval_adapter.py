"""Comparison of the adapter with pytrec_eval: results with their order, bit for bit."""

import random
import struct

import pytest
import pytrec_eval

from example_counts import sample_cases, sampled
from gainful.adapters import pytrec_eval as adapter
from oracles.random_sets import KINDS, Qrels, Run, draw_set
from oracles.tally import count_compared

MEASURES = sorted(pytrec_eval.supported_measures)
# Parameters other than the defaults, in all spellings.
PARAMETERS = {
    "P.1,2,3",
    "P_7",
    "recall_2,1",
    "ndcg_cut.4",
    "ndcg_cut_1,10",
    "map_cut.3",
    "relative_P_3,9",
    "success.2",
    "iprec_at_recall.0,0.05,0.25,1.5",
    "Rprec_mult_0,0.05,2.5,100",
    "set_F_2",
    "utility_0.5,1,2,3",
    "11pt_avg.0.1,0.5,2",
    "relstring_3",
    "map_5",
    "Rprec.2",
}
# pytrec_eval reads the value of a text from foreign memory, unless there are other measures.
TEXTS = {"runid", "relstring"}


def encode_values(
    results: dict[str, dict[str, float]],
) -> list[tuple[str, list[tuple[str, bytes]]]]:
    """Return the results with their order and all bits, NaN included."""
    return [
        (query, [(name, struct.pack("<d", value)) for name, value in values.items()])
        for query, values in results.items()
    ]


def compare_values(qrels: Qrels, runs: list[Run], measures: set[str], **flags: int) -> int:
    """Check that all values are equal, and return how many there are."""
    evaluator = adapter.RelevanceEvaluator(qrels, measures, **flags)
    reference = pytrec_eval.RelevanceEvaluator(qrels, measures, **flags)
    n = 0
    for run in runs:
        expected = reference.evaluate(run)
        assert encode_values(evaluator.evaluate(run)) == encode_values(expected)
        n += sum(map(len, expected.values()))
    count_compared("pytrec_eval", n)
    return n


def shuffle_run(run: Run, seed: int) -> Run:
    """Return the run in another order, with an additional query that is not judged."""
    rng = random.Random(seed)
    queries = {query: rng.sample(list(run[query].items()), len(run[query])) for query in run}
    queries["stranger"] = [("d1", 1.0)]
    return {query: dict(queries[query]) for query in rng.sample(list(queries), len(queries))}


@sampled
@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_all_measures_at_once_equal_pytrec_eval(kind, level, judged_only):
    n, seeds = 0, sample_cases(range(25))
    for seed in seeds:
        qrels, run = draw_set(kind, seed)
        flags = {"relevance_level": level, "judged_docs_only_flag": judged_only}
        runs = [run, shuffle_run(run, seed)]
        n += compare_values(qrels, runs, pytrec_eval.supported_measures, **flags)
        n += compare_values(qrels, runs, PARAMETERS, **flags)
    assert n > 1_000 * len(seeds)


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("measure", [m for m in MEASURES if m not in TEXTS])
def test_a_measure_alone_equals_pytrec_eval(measure, judged_only):
    for kind in KINDS:
        for seed in range(100, 104):
            qrels, run = draw_set(kind, seed)
            flags = {"relevance_level": 1 + seed % 3, "judged_docs_only_flag": judged_only}
            assert compare_values(qrels, [run], {measure}, **flags) > 0


@pytest.mark.parametrize("measure", sorted(PARAMETERS - {"relstring_3"}))
def test_a_measure_with_numbers_alone_equals_pytrec_eval(measure):
    for kind in KINDS:
        assert compare_values(*_draw_set_and_runs(kind), {measure}) > 0


def _draw_set_and_runs(kind):
    qrels, run = draw_set(kind, 77)
    return qrels, [run]


@pytest.mark.parametrize("nickname", ["official", "set", "all_trec"])
def test_nicknames_equal_those_of_pytrec_eval(nickname):
    for kind in KINDS:
        assert compare_values(*_draw_set_and_runs(kind), {nickname, "P_3", "ndcg_cut_2"}) > 0


@pytest.mark.parametrize("kind", ["no ties", "many ties", "negative labels"])
def test_lists_of_hundreds_equal_pytrec_eval(kind):
    for seed in range(3):
        qrels, run = draw_set(kind, seed, n_queries=20, longest=2000)
        assert compare_values(qrels, [run], pytrec_eval.supported_measures) > 1000


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({}, {"q": {"d": 1.0}}),
        ({"q": {"d": 1}}, {}),
        ({}, {}),
        ({"q": {"d": 1}}, {"q": {}}),
        ({"q": {}}, {"q": {"d": 1.0}}),
        ({"q": {}, "r": {"d": 1}}, {"q": {"d": 1.0}, "r": {"d": 1.0}}),
        ({"q": {"d": 1}}, {"r": {"d": 1.0}}),
        ({"q": {"d": 1}, "r": {"d": 1}}, {"r": {"d": 1.0}, "s": {}, "q": {"e": 1.0}}),
        ({"q": {"d": 1}}, {"q": {"e": 1.0}}),
        ({"q": {"d": 0}}, {"q": {"d": 1.0}}),
        ({"q": {"d": True, "e": False}}, {"q": {"d": 1, "e": 2}}),
        ({"q": {"d": 1, "e": 2}}, {"q": {"d": 2**24, "e": 2**24 + 1, "f": 10**30}}),
        ({"q": {"d": 1, "e": 2}}, {"q": {"d": float("inf"), "e": 1e39, "f": -float("inf")}}),
    ],
    ids=[
        "no qrels",
        "no run",
        "nothing",
        "no results",
        "no judgments",
        "no judgments for one",
        "nothing shared",
        "missing and extra queries",
        "unjudged",
        "not relevant",
        "truth values",
        "whole scores",
        "infinite scores",
    ],
)
@pytest.mark.parametrize("judged_only", [False, True])
def test_edges_equal_pytrec_eval(qrels, run, judged_only):
    flags = {"judged_docs_only_flag": judged_only}
    for measures in (pytrec_eval.supported_measures, PARAMETERS, {"map"}, set()):
        compare_values(qrels, [run, run], measures, **flags)


@pytest.mark.parametrize("collection", [set, list, tuple, dict.fromkeys, frozenset])
def test_measures_in_any_collection_equal_pytrec_eval(collection):
    measures = collection(["map", "P.5", "P_10", "P", "map"])
    assert compare_values(*_draw_set_and_runs("no ties"), measures) > 0


def test_the_supported_names_are_those_of_pytrec_eval():
    assert adapter.supported_measures == pytrec_eval.supported_measures
    assert adapter.supported_nicknames == pytrec_eval.supported_nicknames
    assert list(adapter.supported_nicknames) == list(pytrec_eval.supported_nicknames)
    assert type(adapter.supported_measures) is type(pytrec_eval.supported_measures)
    assert set(pytrec_eval.__all__) <= set(adapter.__all__)


def test_aggregates_of_every_name_equal_pytrec_eval():
    qrels, run = draw_set("no ties", 5, n_queries=40)
    measures = pytrec_eval.supported_measures
    results = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    for name in results["q0"]:
        values = [query_values[name] for query_values in results.values()]
        expected = pytrec_eval.compute_aggregated_measure(name, values)
        actual = adapter.compute_aggregated_measure(name, values)
        assert encode_values({"all": {name: actual}}) == encode_values({"all": {name: expected}})
        count_compared("pytrec_eval", 1)


@pytest.mark.parametrize("name", ["map", "num_q", "gm_map"])
@pytest.mark.parametrize("values", [[1, 2, 4], [0.1] * 10, [0.1, float("nan")], [3]])
def test_aggregates_of_awkward_values_equal_pytrec_eval(name, values):
    actual = adapter.compute_aggregated_measure(name, values)
    expected = pytrec_eval.compute_aggregated_measure(name, values)
    assert struct.pack("<d", actual) == struct.pack("<d", expected)
    assert type(actual) is float


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_parsed_as_pytrec_eval_parses_them(kind, tmp_path):
    qrels, run = draw_set(kind, 3)
    qrels_path, run_path = tmp_path / "qrels.txt", tmp_path / "run.txt"
    with qrels_path.open("w", encoding="utf-8") as file:
        file.writelines(f"{q} 0\t{d} {v}\n" for q in qrels for d, v in qrels[q].items())
    with run_path.open("w", encoding="utf-8") as file:
        file.writelines(f" {q} Q0 {d} 1 {v!r} tag \n" for q in run for d, v in run[q].items())
    for parse, path in (("parse_qrel", qrels_path), ("parse_run", run_path)):
        with path.open(encoding="utf-8") as lines:
            actual = getattr(adapter, parse)(lines)
        with path.open(encoding="utf-8") as lines:
            expected = getattr(pytrec_eval, parse)(lines)
        assert actual == expected
        assert type(actual) is type(expected)
        assert [list(entries) for entries in actual.values()] == list(map(list, expected.values()))
        assert {type(v) for e in actual.values() for v in e.values()} == {
            type(v) for e in expected.values() for v in e.values()
        }


@pytest.mark.parametrize(
    ("parse", "lines"),
    [
        ("parse_run", ["q1 Q0 d1 1"]),
        ("parse_run", [""]),
        ("parse_run", ["q1 Q0 d1 1 high tag"]),
        ("parse_qrel", ["q1 0 d1"]),
        ("parse_qrel", ["q1 0 d1 1.0"]),
    ],
)
def test_what_pytrec_eval_refuses_to_parse_is_refused(parse, lines):
    with pytest.raises(ValueError):  # noqa: PT011
        getattr(pytrec_eval, parse)(lines)
    with pytest.raises(ValueError):  # noqa: PT011
        getattr(adapter, parse)(lines)


@pytest.mark.parametrize(
    "name", ["foo", "map_x", "P.", "official.5", "prefs_simp", "prefs", " map"]
)
def test_measures_that_pytrec_eval_does_not_have_are_refused_alike(name):
    with pytest.raises(ValueError, match=r"^unsupported measure "):
        pytrec_eval.RelevanceEvaluator({}, {name})
    with pytest.raises(ValueError, match=r"^unsupported measure "):
        adapter.RelevanceEvaluator({}, {name})


@pytest.mark.parametrize("name", ["P_5x", "P_5 ", "P_5,", "P_5_7", "P.5.7.9", "P_5.9", "P_05"])
def test_numbers_are_read_as_far_as_pytrec_eval_reads_them(name):
    assert compare_values(*_draw_set_and_runs("no ties"), {name}) > 0


@pytest.mark.parametrize(
    ("qrels", "run", "flags"),
    [
        ({"q": ["d"]}, {}, {}),
        ({1: {"d": 1}}, {}, {}),
        ({"q": {"d": "1"}}, {}, {}),
        ({"q": {"d": None}}, {}, {}),
        ({"q": {"d": 1}}, ["q"], {}),
        ({"q": {"d": 1}}, {"q": ["d"]}, {}),
        ({"q": {"d": 1}}, {"r": ["d"]}, {}),
        ({"q": {"d": 1}}, {1: {"d": 1.0}}, {}),
        ({"q": {"d": 1}}, {"q": {"d": "1"}}, {}),
        ({"q": {"d": 1}}, {"q": {"d": 1.0}}, {"relevance_level": 0}),
        ({"q": {"d": 1}}, {"q": {"d": 1.0}}, {"relevance_level": 1.5}),
    ],
)
def test_what_pytrec_eval_has_a_type_error_for_is_one(qrels, run, flags):
    for module in (pytrec_eval, adapter):
        with pytest.raises(TypeError):
            module.RelevanceEvaluator(qrels, {"map"}, **flags).evaluate(run)
