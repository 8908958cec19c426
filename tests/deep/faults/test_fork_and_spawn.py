"""Processes started by fork, forkserver and spawn, after various work in the parent."""

import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

import gainful
from faults.command import is_one_sentence, run_python

METHODS = multiprocessing.get_all_start_methods()
needs_fork = pytest.mark.skipif("fork" not in METHODS, reason="Windows does not fork")
# A separate program, because a fork of pytest, whose libraries have threads, would prove less.
PROGRAM = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
import gainful

RUNS = ["large.run", "large.run"]
judgments = []

def read():
    judgments.append(gainful.read_qrels("large.txt"))

def score(run):
    return gainful.evaluate(judgments[0], run, "nDCG@10", threads=2).mean()

if __name__ == "__main__":
    method = sys.argv[1]
    read()
    expected = [score(run) for run in RUNS]  # the native core has run threads
    context = multiprocessing.get_context(method)
    options = {} if method == "fork" else {"initializer": read}
    with ProcessPoolExecutor(2, context, **options) as pool:
        means = list(pool.map(score, RUNS))
    assert means == expected, (means, expected)
    print("the same")
"""


@pytest.mark.parametrize("method", METHODS)
def test_processes_of_a_pool_score_what_one_process_scores(large, method):
    (large / "program.py").write_text(PROGRAM)
    call = f"subprocess.call([sys.executable, 'program.py', {method!r}])"
    result = run_python(f"import subprocess, sys; sys.exit({call})")
    assert (result.out, result.code) == ("the same\n", 0), result.err


@needs_fork
def test_a_child_reads_and_evaluates_after_threads_of_its_parent_have_run(large):
    result = run_python("""
import os, gainful
judgments = gainful.read_qrels("large.txt", threads=4)
expected = gainful.evaluate(judgments, "large.run", "nDCG@10", threads=4).mean()
child = os.fork()
if child == 0:
    same = gainful.evaluate(judgments, "large.run", "nDCG@10", threads=4).mean() == expected
    qrels = gainful.read_qrels("large.txt")
    fresh = gainful.evaluate(qrels, "large.run", "nDCG@10").mean() == expected
    os._exit(0 if same and fresh else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("the same")
""")
    assert (result.out, result.code) == ("the same\n", 0), result.err


@needs_fork
def test_children_evaluate_that_are_forked_while_another_thread_does(large):
    result = run_python("""
import os, random, signal, threading, time, gainful
judgments = gainful.read_qrels("large.txt", threads=4)
score = lambda: gainful.evaluate(judgments, "large.run", "nDCG@10", threads=4).mean()
expected = score()
stop = threading.Event()
def work():
    while not stop.is_set():
        score()
thread = threading.Thread(target=work)
thread.start()
codes, end = set(), time.monotonic() + 20
while time.monotonic() < end:
    time.sleep(random.random() / 20)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if score() == expected else 1)
    codes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    if codes != {0}:
        break
stop.set()
thread.join()
print(codes)
""")
    assert (result.out, result.code) == ("{0}\n", 0), result.err


def test_what_is_chosen_and_what_is_found_can_be_sent():
    qrels, runs = {"q1": {"a": 2, "b": 1}}, {"x": {"q1": ["b", "a"]}, "y": {"q1": ["a"]}}
    scores = gainful.evaluate(qrels, runs["x"], ["nDCG@10", "AP"])
    comparison = gainful.compare(qrels, runs)
    for value in (gainful.Rules(ties="average"), gainful.nDCG @ 10, gainful.P(rel=2) @ 5):
        assert pickle.loads(pickle.dumps(value)) == value
    copy = pickle.loads(pickle.dumps(scores))
    assert (copy.mean(), copy.rules, copy.queries) == (scores.mean(), scores.rules, scores.queries)
    assert pickle.loads(pickle.dumps(comparison)).to_json() == comparison.to_json()


@pytest.mark.parametrize("source", [{"q1": ["a"]}, {"q1": {"a": 1.0}}, "one.run", [("q1", "a", 1)]])
def test_a_run_can_be_sent(folder, source):
    run = pickle.loads(pickle.dumps(gainful.read_run(source)))
    qrels = {"q1": {"a": 2, "b": 1}}
    assert gainful.evaluate(qrels, run, "CG").mean() == gainful.evaluate(qrels, source, "CG").mean()


def test_subtopics_and_preferences_can_be_sent():
    subtopics = gainful.read_subtopics({"q1": {"s": {"a": 1}}})
    copy = pickle.loads(pickle.dumps(subtopics))
    assert (copy.query, copy.item) == (subtopics.query, subtopics.item)
    preferences = gainful.read_preferences({"q1": {"anna": {"a": 2, "b": 1}}})
    assert pickle.loads(pickle.dumps(preferences)).item == preferences.item


def test_judgments_that_were_read_say_how_another_process_gets_them(folder):
    judgments = gainful.read_qrels("qrels.txt")
    with pytest.raises(gainful.SourceError) as error:
        pickle.dumps(judgments)
    assert str(error.value) == (
        "judgments that were read cannot be sent to another process. Send the path, and call "
        "read_qrels there, once in each process: as the initializer of a pool, for example."
    )
    assert is_one_sentence(f"error: {error.value}\n")


def test_errors_can_be_sent():
    with pytest.raises(gainful.SourceError) as error:
        gainful.evaluate("none.txt", {"q1": ["a"]}, "AP")
    copy = pickle.loads(pickle.dumps(error.value))
    assert (type(copy), str(copy)) == (gainful.SourceError, str(error.value))


def test_an_error_of_a_process_reaches_whoever_waits_for_it(folder):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        future = pool.submit(gainful.read_qrels, os.fspath(folder / "none.txt"))
        with pytest.raises(gainful.SourceError, match=r"none\.txt: no such file or directory\."):
            future.result()
