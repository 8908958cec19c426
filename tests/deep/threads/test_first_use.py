"""What is imported, declared or worked out when it is first asked for, by many threads at once."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

import gainful
from gainful.alignment.rankings import JudgedRankings
from gainful.measures import REGISTRY
from measures.every_measure import complete_measure
from threads.simultaneous_calls import call_at_once

MEASURES = sorted(
    str(complete_measure(name)) for name in REGISTRY if REGISTRY[name].reads is JudgedRankings
)
QRELS = {"q1": {"d1": 3, "d2": 0, "d3": 1}, "q2": {"d4": 1, "d5": 2, "d6": 0}}
RUN = {"q1": {"d2": 0.9, "d1": 0.8, "d7": 0.5}, "q2": {"d5": 0.3, "d4": 0.3, "d6": 0.1}}


def compute_hexes(measures):
    """The values of measures one by one, as text that keeps every bit."""
    values = {}
    for name in measures:
        scores = gainful.evaluate(QRELS, RUN, name)
        values[name] = [value.hex() for value in [*scores.values[:, 0].tolist(), scores[name]]]
    return values


@pytest.mark.parametrize("attempt", range(3))
def test_threads_that_use_gainful_first_find_all_measures_whole(attempt):
    code = Path(__file__).with_name("first_use.py")
    request = json.dumps({"asked": MEASURES, "qrels": QRELS, "run": RUN, "threads": 6})
    result = subprocess.run(
        [sys.executable, "-X", "utf8", code], input=request, capture_output=True, text=True
    )
    assert result.stderr == ""
    values = json.loads(result.stdout)
    assert values == [compute_hexes(MEASURES)] * 6


FAMILY = """
from threads_gate import declared, go_on
from gainful.measures import measure

@measure
def Slow(ranked):
    '''A measure whose module takes its time.'''
    return _count_items(ranked)

declared.set()
assert go_on.wait(60)

def _count_items(ranked):
    return ranked.n_retrieved * 1.0
"""
FORMAT = """
from threads_gate import declared, go_on
from gainful.sources.formats import declare_format

_SUMMARY = "A format whose module takes its time."
declare_format("slow", "run", _SUMMARY, read_names=lambda _: _list_names())
declared.set()
assert go_on.wait(60)

def _list_names():
    return ["query"]
"""


@pytest.fixture
def gate(monkeypatch):
    """Events that a module of a test sets and waits for."""
    module = type(sys)("threads_gate")
    module.declared, module.go_on = Event(), Event()
    monkeypatch.setitem(sys.modules, "threads_gate", module)
    yield module
    module.go_on.set()


def call_during_import(gate, call):
    """What two threads find, the second of which comes while a module is half imported."""
    results = {}

    def store_result(number):
        try:
            results[number] = call()
        except Exception as error:  # compared below
            results[number] = repr(error)

    first, second = (Thread(target=store_result, args=(number,), daemon=True) for number in (1, 2))
    first.start()
    assert gate.declared.wait(60)
    second.start()
    second.join(0.2)  # it waits for the module; one that does not has failed by now
    gate.go_on.set()
    first.join(60)
    second.join(60)
    return results


def test_a_measure_is_not_used_before_the_rest_of_its_family_is_there(gate, tmp_path, monkeypatch):
    (tmp_path / "slow_family.py").write_text(FAMILY)
    monkeypatch.setattr("gainful.measures.__path__", [*gainful.measures.__path__, str(tmp_path)])
    monkeypatch.setitem(REGISTRY.expected, "Slow", "gainful.measures.slow_family")
    results = call_during_import(
        gate, lambda: gainful.evaluate(QRELS, RUN, "Slow").values[:, 0].tolist()
    )
    assert results == {1: [3.0, 3.0], 2: [3.0, 3.0]}
    del sys.modules["gainful.measures.slow_family"], REGISTRY["Slow"]


def test_a_format_is_not_used_before_the_rest_of_its_module_is_there(gate, tmp_path, monkeypatch):
    from gainful.sources import formats

    (tmp_path / "slow_format.py").write_text(FORMAT)
    monkeypatch.setattr("gainful.sources.__path__", [*gainful.sources.__path__, str(tmp_path)])
    monkeypatch.setitem(formats.MODULES["run"], "slow", "slow_format")
    results = call_during_import(gate, lambda: formats.FORMATS["run", "slow"].read_names(None))
    assert results == {1: ["query"], 2: ["query"]}
    del sys.modules["gainful.sources.slow_format"], formats.FORMATS._declared["run", "slow"]


def test_measures_are_listed_while_others_are_declared():
    def declare(first):
        for number in range(first, first + 300):
            REGISTRY[f"Measure{number}"] = REGISTRY["P"]
        return True

    def list_measures():
        return all(len([*REGISTRY]) >= len(REGISTRY.expected) for _ in range(300))

    calls = [partial(declare, 1000 * n) for n in range(3)] + [list_measures] * 3
    assert call_at_once(calls) == [True] * 6
    for name in [name for name in REGISTRY if name.startswith("Measure")]:
        del REGISTRY[name]


def test_discounts_deeper_than_before_are_the_same_to_all_threads():
    from gainful.measures import _discounts

    labels = np.zeros(5000)
    labels[[0, 17, 300, 4999]] = 1, 2, 3, 1
    expected = gainful.dcg(labels)
    for _ in range(10):
        _discounts.make_divisor_table.cache_clear()
        assert call_at_once([partial(gainful.dcg, labels)] * 6) == [expected] * 6
