"""The command line: arguments in; exact standard output, standard error and exit code out."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gainful
from gainful import cli
from terminal import needs_unix, seen_on_a_terminal

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\n"
RULES = str(gainful.Rules())


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("one.run").write_text(RUN)
    Path("two.run").write_text(RUN.replace("b 1 2", "b 1 0"))
    Path("other.run").write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 0 t\nq2 Q0 a 1 1 t\n")


@pytest.fixture
def run(files, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run


VALUE = (gainful.ndcg([1, 2]) + 1) / 2


def test_eval_prints_tab_separated_values_in_a_pipe_and_rules_on_standard_error(run):
    assert run("eval", "qrels.txt", "one.run", "-m", "nDCG@10") == (
        f"nDCG@10\t{VALUE!r}\n",
        f"rules: {RULES} (2 queries)\njudged: Judged@10 1.0000\n",
        0,
    )


def test_eval_without_measures_prints_a_sensible_set(run):
    out, _, code = run("eval", "qrels.txt", "one.run")
    assert [line.split("\t")[0] for line in out.splitlines()] == [
        "nDCG@5",
        "nDCG@10",
        "nDCG",
        "DCG@10",
    ]
    assert code == 0


def test_eval_aligns_a_table(run):
    out, _, _ = run("eval", "qrels.txt", "one.run", "two.run", "-m", "nDCG@1,10", "-f", "table")
    assert out == (
        "run  nDCG@1  nDCG@10  Judged@1  Judged@10\n"
        "one  0.7500   0.9299    1.0000     1.0000\n"
        "two  1.0000   1.0000    1.0000     1.0000\n"
    )


def test_eval_prints_every_query_on_request(run):
    out, _, _ = run("eval", "qrels.txt", "one.run", "two.run", "-m", "CG", "-q", "-f", "tsv")
    assert out == (
        "run\tquery\tCG\none\tq1\t3.0\none\tq2\t1.0\none\tall\t2.0\n"
        "two\tq1\t3.0\ntwo\tq2\t1.0\ntwo\tall\t2.0\n"
    )


def test_eval_writes_csv_markdown_and_json(run):
    assert run("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "csv")[0] == "run,CG\none,2.0\n"
    assert run("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "markdown") == (
        "| measure | one |\n|:--|--:|\n| CG | 2.0000 |\n| Judged | 1.0000 |\n\n"
        f"rules: {RULES} (2 queries)\n",
        "",
        0,
    )
    out, err, _ = run("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "json", "-q")
    assert err == ""
    assert json.loads(out)["runs"][0]["per_query"] == {"q1": {"CG": 3.0}, "q2": {"CG": 1.0}}


def test_eval_reads_standard_input(files):
    done = subprocess.run(
        [sys.executable, "-m", "gainful", "eval", "qrels.txt", "-", "-m", "CG"],
        input=RUN,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "CG\t2.0\n"


def test_rules_are_options_of_the_same_name(run):
    out, err, _ = run(
        "eval", "qrels.txt", "two.run", "-m", "CG@1", "--order", "rank", "--depth", "1"
    )
    assert out == "CG@1\t1.0\n"
    assert err == (
        "rules: ties=item-desc order=rank missing=zero duplicates=error unjudged=nonrelevant "
        "empty=zero depth=1 precision=float64 (2 queries)\njudged: Judged@1 1.0000\n"
    )


def test_runs_of_the_same_name_are_called_by_their_path(run):
    for folder in ("a", "b"):
        os.mkdir(folder)
        Path(folder, "x.run").write_text(RUN)
    out, _, _ = run("eval", "qrels.txt", "a/x.run", "b/x.run", "-m", "CG")
    assert out == "run\tCG\na/x.run\t2.0\nb/x.run\t2.0\n"


def test_runs_that_keep_different_queries_say_so(run):
    Path("short.run").write_text("q1 Q0 a 1 1 t\n")
    _, err, _ = run("eval", "qrels.txt", "one.run", "short.run", "-m", "CG", "--missing", "skip")
    assert "(queries: one 2, short 1)\n" in err


def test_a_failure_is_one_sentence_and_exit_1(run):
    assert run("eval", "qrels.txt", "none.run") == (
        "",
        "error: none.run: no such file or directory. [cannot-read]\n",
        1,
    )
    assert run("eval", "qrels.txt", "one.run", "-m", "ndgc") == (
        "",
        "error: unknown measure 'ndgc'. Did you mean nDCG? [unknown-measure]\n",
        1,
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["eval", "qrels.txt"], "Missing argument 'RUN...'."),
        (["evaal"], "No such command 'evaal'."),
        (
            ["eval", "qrels.txt", "one.run", "--ties", "no"],
            "Invalid value for '--ties': 'no' is not one of",
        ),
        (["eval", "qrels.txt", "one.run", "--depth", "x"], "Invalid value for '--depth'"),
    ],
)
def test_wrong_usage_exits_2(run, arguments, problem):
    out, err, code = run(*arguments)
    assert (out, code) == ("", 2)
    assert problem in err


def test_explain_prints_the_table(run):
    out, err, code = run("explain", "qrels.txt", "one.run", "q1", "-f", "table")
    assert out == repr(gainful.explain("qrels.txt", "one.run", "q1")) + "\n"
    assert (err, code) == ("", 0)
    assert (
        json.loads(run("explain", "qrels.txt", "one.run", "q1", "-f", "json")[0])["query"] == "q1"
    )


def test_explain_prints_tab_separated_values_in_a_pipe_and_the_rest_on_standard_error(run):
    out, err, code = run("explain", "qrels.txt", "one.run", "q1", "-m", "CG@1")
    assert out == (
        "rank\titem\tscore\tlabel\tgain\tdiscount\tproduct\trunning\ttied_with\n"
        "1\tb\t2.0\t1.0\t1.0\t1.0\t1.0\t1.0\t0\n"
    )
    assert err.startswith("CG@1 is 1.0000: 1 of 2 relevant items are among the first 1;")
    assert f"rules: {RULES}\n" in err
    assert code == 0


def test_measures_lists_and_explains(run):
    out, _, _ = run("measures")
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    assert listed == list(gainful.measures.REGISTRY)
    out, _, _ = run("measures", "ndcg_cut_10")
    assert out.startswith("nDCG@10\n\nDCG as a share of the DCG of the best possible ranking.\n")
    assert "nDCG@k = DCG@k / IDCG@k" in out
    assert "\\" not in out


def test_own_measures_are_loaded_and_appear_everywhere(run):
    Path("mine.py").write_text(
        "from gainful import measure\n\n"
        "@measure()\ndef Seen(ranked):\n    'How many judged items were found.'\n"
        "    return ranked.total(ranked.hit_rank > 0)\n"
    )
    assert (
        run("eval", "qrels.txt", "one.run", "-m", "seen", "--load", "mine.py")[0] == "Seen\t1.5\n"
    )
    assert "How many judged items were found.\n" in run("measures", "--load", "mine.py")[0]


@pytest.mark.parametrize(
    ("text", "sentence", "named"),
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
def test_a_file_of_measures_that_cannot_be_loaded_is_one_sentence(run, text, sentence, named):
    Path("mine.py").write_text(text)
    printed = f"error: --load mine.py: {sentence} [{named}]\n"
    assert run("measures", "--load", "mine.py") == ("", printed, 1)


def test_postponed_annotations_of_a_measure_are_read(run):
    Path("mine.py").write_text(
        "from __future__ import annotations\nfrom typing import Annotated, Optional\n"
        "from gainful import Setting, measure\n@measure\n"
        "def Seen(ranked, *,\n"
        "         cutoff: Annotated[Optional[int], Setting('ranks', at_least=1)] = None):\n"
        "    'Seen.'\n    return ranked.total(ranked.hit_rank <= (cutoff or 9))\n"
    )
    out, _, _ = run("eval", "qrels.txt", "one.run", "-m", "Seen@1", "--load", "mine.py")
    assert out == "Seen@1\t1.0\n"


def test_a_measure_must_return_one_value_per_query(run):
    Path("mine.py").write_text(
        "import gainful\n@gainful.measure\n"
        "def Seen(ranked):\n    'Ranks.'\n    return ranked.hit_rank"
    )
    _, err, code = run("eval", "qrels.txt", "one.run", "-m", "Seen", "--load", "mine.py")
    assert (err, code) == (
        "error: Seen: must return 2 values, one per query, got 3. [bad-declaration]\n",
        1,
    )


def test_standard_input_is_read_once(run):
    _, err, code = run("eval", "-", "-")
    assert "standard input (-) can be read only once." in err
    assert code == 2


@needs_unix
@pytest.mark.parametrize(
    ("command", "seen"),
    [
        (
            "gainful eval qrels.txt one.run -m CG -f json >/dev/full; echo $?",
            "error: standard output: no space left on device. [cannot-write]\n1\n",
        ),
        ("gainful eval qrels.txt one.run -m CG -f json >&-; echo $?", "0\n"),
        (
            "gainful demo --save one.run; echo $?",
            "error: one.run: cannot be written to (File exists). [cannot-write]\n1\n",
        ),
        ("gainful eval qrels.txt one.run -m CG -f json | true; echo ${PIPESTATUS[0]}", "0\n"),
    ],
)
def test_an_output_that_cannot_be_written_is_said(files, command, seen):
    assert seen_on_a_terminal(f"bash -c '{command}'", Path.cwd()) == seen


def test_demo_shows_a_tour(run):
    out, err, code = run("demo")
    assert code == 0
    assert "hybrid    0.5184   0.6947  0.7022  5.4318    1.0000     0.9833  0.7333\n" in out
    assert "best swap: moving peg-002 from rank 10 to rank 1" in out
    assert "[missing-queries]" in err


def test_demo_saves_the_collection_and_overwrites_nothing(run):
    out, _, code = run("demo", "--save", "shop")
    assert (out, code) == (
        "7 files are in shop: README.txt, hybrid.run, items.tsv, keyword.run, qrels.txt, "
        "queries.tsv, semantic.run\n",
        0,
    )
    assert run("demo", "--save", "shop")[2] == 0  # nothing has changed since
    Path("shop/README.txt").write_text("mine")
    assert run("demo", "--save", "shop") == (
        "",
        "error: shop/README.txt: exists already. Pass another --save, or move it away. "
        "[exists-already]\n",
        1,
    )


def test_every_help_teaches_by_example(run):
    for command in gainful.cli.gainful.commands:
        out, _, code = run(command, "--help")
        assert code == 0
        assert f"Examples:\n    gainful {command}" in out


def test_help_lists_the_rules_after_the_options_and_those_that_few_set_last(run):
    for command in ("eval", "compare", "gate"):
        out, _, _ = run(command, "--help")
        _, options, rules, rare = re.split(
            r"^(?:Options|Rules|Rules that few .*):$", out, flags=re.M
        )
        assert "--help" in options
        assert "--ties" in rules
        assert "--decimals" in rare


@needs_unix
def test_a_terminal_gets_an_aligned_table(files):
    seen = seen_on_a_terminal("gainful eval qrels.txt one.run -m nDCG@10 -m CG", Path.cwd())
    assert seen == (
        "nDCG@10    0.9299\nCG         2.0000\nJudged@10  1.0000\nJudged     1.0000\n"
        f"rules: {RULES} (2 queries)\n"
    )


@needs_unix
def test_a_closed_pipe_is_silent(files):
    seen = seen_on_a_terminal(
        "gainful eval qrels.txt one.run -q -f tsv 2>/dev/null | true", Path.cwd()
    )
    assert seen == ""


def test_version(run):
    assert run("--version")[0] == f"gainful, version {gainful.__version__}\n"


def test_output_is_utf8_whatever_the_locale(files):
    Path("u.txt").write_text("ホタル 0 é 1\n", encoding="utf-8")
    Path("u.run").write_text("ホタル Q0 é 1 1 t\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gainful", "eval", "u.txt", "u.run", "-q", "-m", "CG"],
        capture_output=True,
        check=True,
        env={
            "PATH": os.environ["PATH"],
            "LC_ALL": "C",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONUTF8": "0",
        },
    )
    assert done.stdout.decode("utf-8").splitlines()[1] == "ホタル\t1.0"


def test_eval_writes_a_tidy_table(run):
    out, err, _ = run("eval", "qrels.txt", "one.run", "other.run", "-m", "CG@1,10", "-f", "tidy")
    assert out == (
        "system,query,measure,value\none,all,CG@1,1.0\none,all,CG@10,2.0\n"
        "other,all,CG@1,1.5\nother,all,CG@10,2.0\n"
    )
    assert err == (
        f"rules: {RULES} (2 queries)\n"
        "judged: Judged@1 1.0000 (one), 1.0000 (other); "
        "Judged@10 1.0000 (one), 1.0000 (other)\n"
    )
    out, _, _ = run("eval", "qrels.txt", "one.run", "-m", "CG", "-q", "-f", "tidy")
    assert out == "system,query,measure,value\none,q1,CG,3.0\none,q2,CG,1.0\none,all,CG,2.0\n"


def test_eval_leaves_a_cell_of_csv_empty_where_there_is_no_value(run):
    Path("qrels.txt").write_text(QRELS + "q3 0 a 0\n")
    options = ("-m", "nDCG", "-m", "JudgedShare@1", "-q", "--empty", "nan")
    csv = run("eval", "qrels.txt", "two.run", *options, "-f", "csv")[0]
    assert csv == (
        "run,query,nDCG,JudgedShare@1\ntwo,q1,1.0,\ntwo,q2,1.0,\ntwo,q3,,\ntwo,all,1.0,1.0\n"
    )
    tidy = run("eval", "qrels.txt", "two.run", *options, "-f", "tidy")[0]
    assert tidy == (
        "system,query,measure,value\ntwo,q1,nDCG,1.0\ntwo,q2,nDCG,1.0\ntwo,q3,nDCG,\n"
        "two,all,nDCG,1.0\ntwo,all,JudgedShare@1,1.0\n"
    )
    tsv = run("eval", "qrels.txt", "two.run", *options, "-f", "tsv")[0]
    assert tsv.splitlines()[3] == "q3\tnan\tnan"


def test_eval_writes_latex_with_the_best_run_in_bold(run):
    Path("50%_&.run").write_text(RUN)
    measures = ("-m", "CG@1", "-m", "CG", "-m", "NumRet", "-m", "Unjudged@1")
    out, err, _ = run("eval", "qrels.txt", "50%_&.run", "other.run", *measures, "-f", "latex")
    assert err == ""
    assert out == (
        "% \\usepackage{booktabs}\n\\begin{tabular}{lrrrr}\n\\toprule\n"
        "run & CG@1 & CG & NumRet & Unjudged@1 \\\\\n\\midrule\n"
        "50\\%\\_\\& & 1.0000 & 2.0000 & 3 & 0.0000 \\\\\n"
        "other & \\textbf{1.5000} & 2.0000 & 3 & 0.0000 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\n"
        f"{{\\footnotesize\\raggedright\nrules: {RULES} (2 queries)\\par\n"
        "judged: Judged@1 1.0000 (50\\%\\_\\&), 1.0000 (other); "
        "Judged 1.0000 (50\\%\\_\\&), 1.0000 (other)\\par}\n"
    )
    out, _, _ = run("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "latex")
    assert "measure & one \\\\\n\\midrule\nCG & 2.0000 \\\\\n" in out


def test_eval_bolds_no_count_and_every_run_that_looks_the_best(run):
    Path("long.run").write_text(RUN + "q2 Q0 z 2 0 t\n")
    options = ("-m", "CG@1", "-m", "NumRet", "-q", "-f", "latex")
    out, _, _ = run("eval", "qrels.txt", "one.run", "two.run", "long.run", *options)
    rows = [line for line in out.splitlines() if " & all & " in line]
    assert rows == [
        "one & all & 1.0000 & 3 \\\\",
        "two & all & \\textbf{1.5000} & 3 \\\\",
        "long & all & 1.0000 & 4 \\\\",
    ]
    options = ("-m", "CG@1", "-f", "latex")
    Path("same.run").write_text(Path("two.run").read_text())
    out, _, _ = run("eval", "qrels.txt", "two.run", "one.run", "same.run", *options)
    assert out.count("\\textbf{1.5000}") == 2


@pytest.mark.parametrize(
    ("head", "annotation"),
    [
        ("from __future__ import annotations\n", "gainful.JudgedRankings"),
        ("from typing import Any\n", "Any"),
    ],
)
def test_a_measure_may_name_its_rankings_in_any_way(run, head, annotation):
    text = f"{head}import gainful\n@gainful.measure\ndef Found(ranked: {annotation}):\n"
    Path("mine.py").write_text(
        text + '    """How many."""\n    return ranked.total(ranked.hit_label)\n'
    )
    out, _, code = run(
        "eval", "qrels.txt", "one.run", "-m", "Found", "--load", "mine.py", "-f", "tsv"
    )
    assert out.startswith("Found\t")
    assert code == 0
    gainful.measures.REGISTRY.pop("Found")


def test_a_measure_of_what_is_no_ranking_is_refused(run):
    Path("mine.py").write_text("import gainful\n@gainful.measure\ndef Odd(ranked: int): ...\n")
    sentence = "Odd: must be given rankings, such as JudgedRankings, got <class 'int'>."
    printed = f"error: --load mine.py: {sentence} [bad-declaration]\n"
    assert run("measures", "--load", "mine.py") == ("", printed, 1)
