"""Processes that are started by fork, forkserver and spawn, whatever ran before them."""

import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

import gainful
from faults.command import is_one_sentence, python

METHODS = multiprocessing.get_all_start_methods()
FORK = pytest.mark.skipif("fork" not in METHODS, reason="Windows does not fork")
# A program of its own: a fork of pytest, whose libraries have threads, would prove less.
PROGRAM = """
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
import gainful

RUNS = ["large.run", "large.run"]
held = []

def read():
    held.append(gainful.read_qrels("large.txt"))

def score(run):
    return gainful.evaluate(held[0], run, "nDCG@10", threads=2).mean()

if __name__ == "__main__":
    method = sys.argv[1]
    read()
    here = [score(run) for run in RUNS]  # the native core has run threads
    context = multiprocessing.get_context(method)
    how = {} if method == "fork" else {"initializer": read}
    with ProcessPoolExecutor(2, context, **how) as pool:
        there = list(pool.map(score, RUNS))
    assert there == here, (there, here)
    print("the same")
"""


@pytest.mark.parametrize("method", METHODS)
def test_processes_of_a_pool_score_what_one_process_scores(large, method):
    (large / "program.py").write_text(PROGRAM)
    call = f"subprocess.call([sys.executable, 'program.py', {method!r}])"
    done = python(f"import subprocess, sys; sys.exit({call})")
    assert (done.out, done.code) == ("the same\n", 0), done.err


@FORK
def test_a_child_reads_and_evaluates_after_threads_of_its_parent_have_run(large):
    done = python("""
import os, gainful
judgments = gainful.read_qrels("large.txt", threads=4)
here = gainful.evaluate(judgments, "large.run", "nDCG@10", threads=4).mean()
child = os.fork()
if child == 0:
    same = gainful.evaluate(judgments, "large.run", "nDCG@10", threads=4).mean() == here
    anew = gainful.evaluate(gainful.read_qrels("large.txt"), "large.run", "nDCG@10").mean() == here
    os._exit(0 if same and anew else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("the same")
""")
    assert (done.out, done.code) == ("the same\n", 0), done.err


@FORK
def test_children_evaluate_that_are_forked_while_another_thread_does(large):
    done = python("""
import os, random, signal, threading, time, gainful
judgments = gainful.read_qrels("large.txt", threads=4)
score = lambda: gainful.evaluate(judgments, "large.run", "nDCG@10", threads=4).mean()
here = score()
ended = threading.Event()
def work():
    while not ended.is_set():
        score()
thread = threading.Thread(target=work)
thread.start()
codes, end = set(), time.monotonic() + 20
while time.monotonic() < end:
    time.sleep(random.random() / 20)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if score() == here else 1)
    codes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    if codes != {0}:
        break
ended.set()
thread.join()
print(codes)
""")
    assert (done.out, done.code) == ("{0}\n", 0), done.err


def test_what_is_chosen_and_what_is_found_can_be_sent():
    qrels, runs = {"q1": {"a": 2, "b": 1}}, {"x": {"q1": ["b", "a"]}, "y": {"q1": ["a"]}}
    scores = gainful.evaluate(qrels, runs["x"], ["nDCG@10", "AP"])
    comparison = gainful.compare(qrels, runs)
    for given in (gainful.Rules(ties="average"), gainful.nDCG @ 10, gainful.P(rel=2) @ 5):
        assert pickle.loads(pickle.dumps(given)) == given
    sent = pickle.loads(pickle.dumps(scores))
    assert (sent.mean(), sent.rules, sent.queries) == (scores.mean(), scores.rules, scores.queries)
    assert pickle.loads(pickle.dumps(comparison)).to_json() == comparison.to_json()


@pytest.mark.parametrize("source", [{"q1": ["a"]}, {"q1": {"a": 1.0}}, "one.run", [("q1", "a", 1)]])
def test_a_run_can_be_sent(folder, source):
    run = pickle.loads(pickle.dumps(gainful.read_run(source)))
    qrels = {"q1": {"a": 2, "b": 1}}
    assert gainful.evaluate(qrels, run, "CG").mean() == gainful.evaluate(qrels, source, "CG").mean()


def test_subtopics_and_preferences_can_be_sent():
    subtopics = gainful.read_subtopics({"q1": {"s": {"a": 1}}})
    sent = pickle.loads(pickle.dumps(subtopics))
    assert (sent.query, sent.item) == (subtopics.query, subtopics.item)
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
    with pytest.raises(gainful.SourceError) as caught:
        gainful.evaluate("none.txt", {"q1": ["a"]}, "AP")
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (type(sent), str(sent)) == (gainful.SourceError, str(caught.value))


def test_an_error_of_a_process_reaches_whoever_waits_for_it(folder):
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        waited = pool.submit(gainful.read_qrels, os.fspath(folder / "none.txt"))
        with pytest.raises(gainful.SourceError, match=r"none\.txt: no such file or directory\."):
            waited.result()
