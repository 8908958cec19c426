"""run_trec_eval() where it differs from trec_eval, which it does without --compat."""

from pathlib import Path

import pytest

from gainful import SourceError
from gainful.adapters.trec_eval import run_trec_eval

QRELS = "1 0 a 1\n1 0 b 2\n2 0 a 1\n3 0 c 1\n"
RUN = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n1 Q0 x 3 0 t\n2 Q0 a 1 1 t\n"


@pytest.fixture(autouse=True)
def write_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)


def format_line(name, query, value):
    return f"{name:<22}\t{query}\t{value}\n"


def test_a_query_that_the_run_lacks_is_left_out_and_said():
    assert run_trec_eval(["-m", "num_q", "qrels", "run"]) == (
        format_line("num_q", "all", "2"),
        "trec_eval: 1 judged query is not in the results ('3'); -c counts 0 for each\n",
        0,
    )
    assert run_trec_eval(["-c", "-m", "num_q", "qrels", "run"]) == (
        format_line("num_q", "all", "3"),
        "",
        0,
    )


def test_without_measures_those_of_official_are_printed():
    assert run_trec_eval(["-c", "qrels", "run"]) == run_trec_eval(
        ["-c", "-m", "official", "qrels", "run"]
    )


@pytest.mark.parametrize(
    ("measure", "right", "compatible"),
    [
        ("set_F.2", "0.6364", "0.6190"),
        ("ndcg.1=0.4,2=0.9", "0.6133", "0.0000"),
        ("utility.2,-1,0,0", "1.6667", "1.3333"),
    ],
)
def test_what_is_wrong_in_trec_eval_is_right_unless_it_is_asked_for(measure, right, compatible):
    name = measure.replace(".", "_", 1)
    arguments = ["-c", "-m", measure, "qrels", "run"]
    assert run_trec_eval(arguments).stdout == format_line(name, "all", right)
    assert run_trec_eval(["--compat", "10", *arguments]).stdout == format_line(
        name, "all", compatible
    )


def test_num_rel_heeds_the_level_under_c():
    arguments = ["-c", "-l2", "-m", "num_rel", "qrels", "run"]
    assert run_trec_eval(arguments).stdout == format_line("num_rel", "all", "1")
    assert run_trec_eval(["--compat=9", *arguments]).stdout == format_line("num_rel", "all", "4")


def test_comments_are_skipped_and_the_last_line_may_be_one():
    Path("qrels").write_text(f"# one\n# two\n{QRELS}# three\n")
    assert run_trec_eval(["-c", "-m", "num_rel", "qrels", "run"]).stdout == format_line(
        "num_rel", "all", "4"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--compat", "8", "qrels", "run"], "trec_eval: --compat must be 9 or 10, got '8'\n"),
        (["--compat"], "trec_eval: --compat must be 9 or 10, got ''\n"),
        (["-l", "-1", "qrels", "run"], "trec_eval: relevance level -1 is not supported\n"),
    ],
)
def test_what_is_ours_alone_is_refused_in_one_sentence(arguments, message):
    assert run_trec_eval(arguments) == ("", message, 1)


def test_measures_of_a_later_version_do_not_exist_in_an_earlier_one():
    outcome = run_trec_eval(["--compat", "9", "-m", "rbp", "qrels", "run"])
    assert outcome == ("", "trec_eval: illegal measure 'rbp'\n", 1)


def test_scores_that_are_no_numbers_count_as_c_reads_them():
    Path("run").write_text("1 Q0 a 1 nonsense t\n1 Q0 b 2 0x1p-1 t\n1 Q0 x 3 1e t\n")
    output = run_trec_eval(["-q", "-n", "-c", "-m", "relstring", "qrels", "run"]).stdout
    assert output.splitlines()[0] == format_line("relstring", "1", "'-21'").rstrip("\n")


def test_a_score_that_cannot_be_ordered_is_refused():
    Path("run").write_text("1 Q0 a 1 2 t\n1 Q0 b 2 nan t\n")
    with pytest.raises(SourceError) as error:
        run_trec_eval(["qrels", "run"])
    assert str(error.value) == (
        "run: query '1', item 'b': score must be a number that can be ordered, got 'nan'."
    )


def test_lines_of_queries_may_be_mixed():
    lines = "".join(sorted(RUN.splitlines(keepends=True), key=lambda text: text.split()[2]))
    Path("mixed").write_text(lines)
    arguments = ["-c", "-q", "-m", "all_trec", "qrels"]
    assert run_trec_eval([*arguments, "mixed"]) == run_trec_eval([*arguments, "run"])


def test_ids_may_be_any_bytes():
    for name in ("qrels", "run"):
        Path(name).write_bytes(Path(name).read_bytes().replace(b"1 ", b"\xff\xe9 ", 1))
    outcome = run_trec_eval(["-q", "-n", "-m", "num_ret", "qrels", "run"])
    assert format_line("num_ret", "\udcff\udce9", "1") in outcome.stdout
