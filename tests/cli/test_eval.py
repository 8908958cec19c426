"""gainful eval: arguments in; exact standard output, standard error and exit code out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import gainful
from terminal import needs_unix, run_in_terminal

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\n"
RULES = str(gainful.Rules(ties="item-desc"))
VALUE = (gainful.ndcg([1, 2]) + 1) / 2


def test_eval_prints_tab_separated_values_in_a_pipe_and_rules_on_standard_error(run_command):
    assert run_command("eval", "qrels.txt", "one.run", "-m", "nDCG@10") == (
        f"nDCG@10\t{VALUE!r}\n",
        f"rules: {RULES} (2 queries)\njudged: Judged@10 1.0000\n",
        0,
    )


def test_eval_without_measures_prints_a_sensible_set(run_command):
    out, _, code = run_command("eval", "qrels.txt", "one.run")
    assert [line.split("\t")[0] for line in out.splitlines()] == [
        "nDCG@5",
        "nDCG@10",
        "nDCG",
        "DCG@10",
    ]
    assert code == 0


def test_eval_aligns_a_table(run_command):
    out, _, _ = run_command(
        "eval", "qrels.txt", "one.run", "two.run", "-m", "nDCG@1,10", "-f", "table"
    )
    assert out == (
        "run  nDCG@1  nDCG@10  Judged@1  Judged@10\n"
        "one  0.7500   0.9299    1.0000     1.0000\n"
        "two  1.0000   1.0000    1.0000     1.0000\n"
    )


def test_eval_prints_every_query_on_request(run_command):
    out, _, _ = run_command(
        "eval", "qrels.txt", "one.run", "two.run", "-m", "CG", "-q", "-f", "tsv"
    )
    assert out == (
        "run\tquery\tCG\none\tq1\t3.0\none\tq2\t1.0\none\tall\t2.0\n"
        "two\tq1\t3.0\ntwo\tq2\t1.0\ntwo\tall\t2.0\n"
    )


def test_eval_writes_csv_markdown_and_json(run_command):
    assert (
        run_command("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "csv")[0]
        == "run,CG\none,2.0\n"
    )
    assert run_command("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "markdown") == (
        "| measure | one |\n|:--|--:|\n| CG | 2.0000 |\n| Judged | 1.0000 |\n\n"
        f"- rules: {RULES} (2 queries)\n",
        "",
        0,
    )
    out, err, _ = run_command("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "json", "-q")
    assert err == ""
    assert json.loads(out)["runs"][0]["per_query"] == {"q1": {"CG": 3.0}, "q2": {"CG": 1.0}}


def test_eval_reads_standard_input(files):
    result = subprocess.run(
        [sys.executable, "-m", "gainful", "eval", "qrels.txt", "-", "-m", "CG"],
        input=RUN,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "CG\t2.0\n"


def test_runs_of_the_same_name_are_called_by_their_path(run_command):
    for folder in ("a", "b"):
        os.mkdir(folder)
        Path(folder, "x.run").write_text(RUN)
    out, _, _ = run_command("eval", "qrels.txt", "a/x.run", "b/x.run", "-m", "CG")
    assert out == "run\tCG\na/x.run\t2.0\nb/x.run\t2.0\n"


def test_runs_that_keep_different_queries_say_so(run_command):
    Path("short.run").write_text("q1 Q0 a 1 1 t\n")
    _, err, _ = run_command(
        "eval", "qrels.txt", "one.run", "short.run", "-m", "CG", "--missing", "skip"
    )
    assert "(queries: one 2, short 1)\n" in err


@needs_unix
def test_a_terminal_gets_an_aligned_table(files):
    screen = run_in_terminal("gainful eval qrels.txt one.run -m nDCG@10 -m CG", Path.cwd())
    assert screen == (
        "nDCG@10    0.9299\nCG         2.0000\nJudged@10  1.0000\nJudged     1.0000\n"
        f"rules: {RULES} (2 queries)\n"
    )


def test_eval_writes_a_tidy_table(run_command):
    out, err, _ = run_command(
        "eval", "qrels.txt", "one.run", "other.run", "-m", "CG@1,10", "-f", "tidy"
    )
    assert out == (
        "system,query,measure,value\none,all,CG@1,1.0\none,all,CG@10,2.0\n"
        "other,all,CG@1,1.5\nother,all,CG@10,2.0\n"
    )
    assert err == (
        f"rules: {RULES} (2 queries)\n"
        "judged: Judged@1 1.0000 (one), 1.0000 (other); "
        "Judged@10 1.0000 (one), 1.0000 (other)\n"
    )
    out, _, _ = run_command("eval", "qrels.txt", "one.run", "-m", "CG", "-q", "-f", "tidy")
    assert out == "system,query,measure,value\none,q1,CG,3.0\none,q2,CG,1.0\none,all,CG,2.0\n"


def test_eval_leaves_a_cell_of_csv_empty_where_there_is_no_value(run_command):
    Path("qrels.txt").write_text(QRELS + "q3 0 a 0\n")
    options = ("-m", "nDCG", "-m", "JudgedShare@1", "-q", "--empty", "nan")
    csv = run_command("eval", "qrels.txt", "two.run", *options, "-f", "csv")[0]
    assert csv == (
        "run,query,nDCG,JudgedShare@1\ntwo,q1,1.0,\ntwo,q2,1.0,\ntwo,q3,,\ntwo,all,1.0,1.0\n"
    )
    tidy = run_command("eval", "qrels.txt", "two.run", *options, "-f", "tidy")[0]
    assert tidy == (
        "system,query,measure,value\ntwo,q1,nDCG,1.0\ntwo,q2,nDCG,1.0\ntwo,q3,nDCG,\n"
        "two,all,nDCG,1.0\ntwo,all,JudgedShare@1,1.0\n"
    )
    tsv = run_command("eval", "qrels.txt", "two.run", *options, "-f", "tsv")[0]
    assert tsv.splitlines()[3] == "q3\tnan\tnan"


def test_eval_writes_latex_with_the_best_run_in_bold(run_command):
    Path("50%_&.run").write_text(RUN)
    measures = ("-m", "CG@1", "-m", "CG", "-m", "NumRet", "-m", "Unjudged@1")
    out, err, _ = run_command(
        "eval", "qrels.txt", "50%_&.run", "other.run", *measures, "-f", "latex"
    )
    assert err == ""
    assert out == (
        "% \\usepackage{booktabs}\n\\begin{tabular}{lrrrr}\n\\toprule\n"
        "run & CG@1 & CG & NumRet & Unjudged@1 \\\\\n\\midrule\n"
        "50\\%\\_\\& & 1.0000 & 2.0000 & 3 & 0.0000 \\\\\n"
        "other & \\textbf{1.5000} & 2.0000 & 3 & 0.0000 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n\n"
        f"% rules: {RULES} (2 queries)\n"
        "% judged: Judged@1 1.0000 (50%_&), 1.0000 (other); "
        "Judged 1.0000 (50%_&), 1.0000 (other)\n"
    )
    out, _, _ = run_command("eval", "qrels.txt", "one.run", "-m", "CG", "-f", "latex")
    assert "measure & one \\\\\n\\midrule\nCG & 2.0000 \\\\\n" in out


def test_eval_bolds_no_count_and_every_run_that_looks_the_best(run_command):
    Path("long.run").write_text(RUN + "q2 Q0 z 2 0 t\n")
    options = ("-m", "CG@1", "-m", "NumRet", "-q", "-f", "latex")
    out, _, _ = run_command("eval", "qrels.txt", "one.run", "two.run", "long.run", *options)
    rows = [line for line in out.splitlines() if " & all & " in line]
    assert rows == [
        "one & all & 1.0000 & 3 \\\\",
        "two & all & \\textbf{1.5000} & 3 \\\\",
        "long & all & 1.0000 & 4 \\\\",
    ]
    options = ("-m", "CG@1", "-f", "latex")
    Path("same.run").write_text(Path("two.run").read_text())
    out, _, _ = run_command("eval", "qrels.txt", "two.run", "one.run", "same.run", *options)
    assert out.count("\\textbf{1.5000}") == 2
