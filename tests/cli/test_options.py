"""Options that commands share: rules, threads, and measures loaded from a file."""

import sys
from pathlib import Path

import pytest

import gainful
from gainful import cli


def test_rules_are_options_of_the_same_name(run_command):
    out, err, _ = run_command(
        "eval", "qrels.txt", "two.run", "-m", "CG@1", "--order", "rank", "--depth", "1"
    )
    assert out == "CG@1\t1.0\n"
    assert err == (
        "rules: ties=item-desc order=rank missing=zero duplicates=error unjudged=nonrelevant "
        "empty=zero depth=1 precision=float64 (2 queries)\njudged: Judged@1 1.0000\n"
    )


def test_own_measures_are_loaded_and_appear_everywhere(run_command):
    Path("mine.py").write_text(
        "from gainful import measure\n\n"
        "@measure()\ndef Seen(ranked):\n    'How many judged items were found.'\n"
        "    return ranked.total(ranked.hit_rank > 0)\n"
    )
    assert (
        run_command("eval", "qrels.txt", "one.run", "-m", "seen", "--load", "mine.py")[0]
        == "Seen\t1.5\n"
    )
    assert "How many judged items were found.\n" in run_command("measures", "--load", "mine.py")[0]


@pytest.mark.parametrize(
    ("text", "sentence", "error_code"),
    [
        (
            "def",
            "cannot be imported (SyntaxError: invalid syntax (mine.py, line 1)).",
            "cannot-load",
        ),
        (
            "import no_such",
            "cannot be imported (ModuleNotFoundError: No module named 'no_such').",
            "cannot-load",
        ),
        (
            "import gainful\n@gainful.measure\ndef P(): ...",
            "P: must take the rankings first, got no argument. Write def P(ranked).",
            "bad-declaration",
        ),
        (
            "from typing import Annotated\nimport gainful\n@gainful.measure\n"
            "def P(ranked, *, k: Annotated[bool, gainful.Setting('x')] = True): ...",
            "P: k must be an int, a float or one of its choices, got <class 'bool'>.",
            "bad-declaration",
        ),
        (
            "import gainful\n@gainful.measure\ndef P(ranked, k): ...",
            "P: each setting must be keyword-only and annotated, got k. Write "
            'def P(ranked, *, k: Annotated[int, Setting("what it is")]).',
            "bad-declaration",
        ),
    ],
)
def test_a_file_of_measures_that_cannot_be_loaded_is_one_sentence(
    run_command, text, sentence, error_code
):
    Path("mine.py").write_text(text)
    printed = f"error: --load mine.py: {sentence} [{error_code}]\n"
    assert run_command("measures", "--load", "mine.py") == ("", printed, 1)


def test_postponed_annotations_of_a_measure_are_read(run_command):
    Path("mine.py").write_text(
        "from __future__ import annotations\nfrom typing import Annotated, Optional\n"
        "from gainful import Setting, measure\n@measure\n"
        "def Seen(ranked, *,\n"
        "         cutoff: Annotated[Optional[int], Setting('ranks', at_least=1)] = None):\n"
        "    'Seen.'\n    return ranked.total(ranked.hit_rank <= (cutoff or 9))\n"
    )
    out, _, _ = run_command("eval", "qrels.txt", "one.run", "-m", "Seen@1", "--load", "mine.py")
    assert out == "Seen@1\t1.0\n"


def test_a_measure_must_return_one_value_per_query(run_command):
    Path("mine.py").write_text(
        "import gainful\n@gainful.measure\n"
        "def Seen(ranked):\n    'Ranks.'\n    return ranked.hit_rank"
    )
    _, err, code = run_command("eval", "qrels.txt", "one.run", "-m", "Seen", "--load", "mine.py")
    assert (err, code) == (
        "error: Seen: must return 2 values, one per query, got 3. [bad-declaration]\n",
        1,
    )


@pytest.mark.parametrize(
    ("head", "annotation"),
    [
        ("from __future__ import annotations\n", "gainful.JudgedRankings"),
        ("from typing import Any\n", "Any"),
    ],
)
def test_a_measure_may_name_its_rankings_in_any_way(run_command, head, annotation):
    text = f"{head}import gainful\n@gainful.measure\ndef Found(ranked: {annotation}):\n"
    Path("mine.py").write_text(
        text + '    """How many."""\n    return ranked.total(ranked.hit_label)\n'
    )
    out, _, code = run_command(
        "eval", "qrels.txt", "one.run", "-m", "Found", "--load", "mine.py", "-f", "tsv"
    )
    assert out.startswith("Found\t")
    assert code == 0
    gainful.measures.REGISTRY.pop("Found")


def test_a_measure_of_what_is_no_ranking_is_refused(run_command):
    Path("mine.py").write_text("import gainful\n@gainful.measure\ndef Odd(ranked: int): ...\n")
    sentence = "Odd: must be given rankings, such as JudgedRankings, got <class 'int'>."
    printed = f"error: --load mine.py: {sentence} [bad-declaration]\n"
    assert run_command("measures", "--load", "mine.py") == ("", printed, 1)


QRELS = "q1 0 a 2\nq1 0 b 1\n"


@pytest.fixture(autouse=True)
def _write_input_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text("q1 Q0 a 1 1 t\n")


def test_threads_are_an_option_of_the_command(monkeypatch, capsys):
    for threads, code, err in [
        ("2", 0, "rules: "),
        ("0", 2, "Usage: "),
    ]:
        monkeypatch.setattr(sys, "argv", ["gainful", "eval", "qrels", "run", "--threads", threads])
        assert cli.run() == code
        assert capsys.readouterr().err.startswith(err)
