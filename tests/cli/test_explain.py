"""gainful explain: arguments in; exact standard output, standard error and exit code out."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gainful
from gainful import explain
from gainful.report import render, view_explanation, view_moves
from terminal import needs_unix, run_in_terminal

RULES = str(gainful.Rules(ties="item-desc"))


def test_explain_prints_the_table(run_command):
    out, err, code = run_command("explain", "qrels.txt", "one.run", "q1", "-f", "table")
    view = view_explanation(gainful.explain("qrels.txt", "one.run", "q1"))
    assert out == render(view, "table")
    assert (err, code) == ("".join(f"{line}\n" for line in view.notes), 0)
    assert (
        json.loads(run_command("explain", "qrels.txt", "one.run", "q1", "-f", "json")[0])["query"]
        == "q1"
    )


def test_explain_prints_tab_separated_values_in_a_pipe_and_the_rest_on_standard_error(run_command):
    out, err, code = run_command("explain", "qrels.txt", "one.run", "q1", "-m", "CG@1")
    assert out == (
        "rank\titem\tscore\tlabel\tgain\tdiscount\tproduct\trunning\ttied_with\n"
        "1\tb\t2.0\t1.0\t1.0\t1.0\t1.0\t1.0\t0\n"
    )
    assert err.startswith(
        "one, query q1: CG@1 is 1.0000: 1 of 2 relevant items are among the first 1;"
    )
    assert f"rules: {RULES}\n" in err
    assert code == 0


@pytest.fixture
def write_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write_file(name, content):
        Path(name).write_text(content)
        return name

    return write_file


def test_the_command_line_shows_titles(run_command, write_file):
    write_file("qrels.txt", "q 0 a 1\n")
    write_file("one.run", "q Q0 x 1 2 t\nq Q0 a 2 1 t\n")
    write_file("items.csv", "item,title\na,Shoes\nx,Hats\n")

    out, _, code = run_command("explain", "qrels.txt", "one.run", "q", "--items", "items.csv")
    assert [line.split("\t")[-2:] for line in out.splitlines()] == [
        ["title", "url"],
        ["Hats", "-"],
        ["Shoes", "-"],
    ]
    assert code == 0
    out, err, code = run_command("explain", "-", "one.run", "q", "--items", "-")
    assert (out, code) == ("", 2)
    assert "standard input (-) can be read only once." in err
    assert run_command("explain", "qrels.txt", "one.run", "q", "--items", "none.csv") == (
        "",
        "error: none.csv: no such file or directory. [cannot-read]\n",
        1,
    )


def strip_colors(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.fixture
def query_folder(tmp_path):
    (tmp_path / "qrels.txt").write_text("q 0 a 2\nq 0 b 1\n")
    (tmp_path / "one.run").write_text("q Q0 b 1 2 t\nq Q0 x\x1b[2J 2 1 t\n")
    return tmp_path


COMMAND = "gainful explain qrels.txt one.run q -m nDCG@2"
TABLE = [
    r"rank  item      label  gain  discount  gain x discount  █ run ░ ideal     running",
    r"   1  b             1     1    1.0000           1.0000  ████████░░░░░░░░   1.0000",
    r"   2  x\x1b[2J      -     0    0.6309           0.0000  ░░░░░              1.0000",
]


@needs_unix
def test_a_terminal_gets_bars_in_color(query_folder):
    environment = {"TERM": "xterm-256color", "COLUMNS": "90", "LC_ALL": "C.UTF-8"}
    screen = run_in_terminal(COMMAND, query_folder, **environment)
    assert "\x1b[1mrank\x1b[0m" in screen
    assert "\x1b[33m    -\x1b[0m" in screen
    assert "\x1b[2J" not in screen
    assert strip_colors(screen).splitlines()[3:6] == TABLE


@needs_unix
@pytest.mark.parametrize("settings", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colors_gets_bars_alone(query_folder, settings):
    environment = {"TERM": "xterm", "COLUMNS": "90", "LC_ALL": "C.UTF-8", **settings}
    screen = run_in_terminal(COMMAND, query_folder, **environment)
    assert "\x1b" not in screen
    assert screen.splitlines()[3:6] == TABLE


def test_a_file_gets_the_table_with_nothing_left_out(query_folder):
    command = [sys.executable, "-m", "gainful", *COMMAND.split()[1:], "-f", "table"]
    printed = subprocess.run(
        command, cwd=query_folder, capture_output=True, check=True
    ).stdout.decode()
    assert "ideal running" in printed
    assert "\x1b" not in printed


@needs_unix
@pytest.mark.parametrize("output", ["tsv", "markdown"])
def test_what_is_meant_for_programs_is_harmless_on_a_terminal_too(query_folder, output):
    screen = run_in_terminal(f"{COMMAND} -f {output}", query_folder)
    assert "\x1b" not in screen
    assert r"\x1b[2J" in screen


@needs_unix
def test_an_error_that_names_an_id_is_harmless_on_a_terminal(query_folder):
    command = "gainful explain qrels.txt one.run $(printf 'q\\033[2J')"
    assert "\x1b" not in run_in_terminal(command, query_folder)


@pytest.fixture
def pair_folder(tmp_path):
    (tmp_path / "qrels.txt").write_text("q 0 a 2\nq 0 b 1\n")
    (tmp_path / "new.run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    (tmp_path / "old.run").write_text("q Q0 b 1 2 t\nq Q0 x\x1b[2J 2 1 t\n")
    return tmp_path


PAIR_ARGUMENTS = ["explain", "qrels.txt", "new.run", "q", "--against", "old.run"]


def run_explain(folder, *options, stdin=None):
    command = [sys.executable, "-m", "gainful", *PAIR_ARGUMENTS, *options]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=stdin)
    return result.stdout, result.stderr, result.returncode


def explain_both(folder):
    qrels = str(folder / "qrels.txt")
    return [explain(qrels, str(folder / name), "q") for name in ("new.run", "old.run")]


@pytest.mark.parametrize("output", ["tsv", "json", "markdown"])
def test_the_command_prints_what_the_library_writes(pair_folder, output):
    out, _, code = run_explain(pair_folder, "-f", output)
    assert (out, code) == (render(view_moves(*explain_both(pair_folder)), output), 0)


def test_in_a_pipe_the_rest_goes_to_standard_error(pair_folder):
    out, err, _ = run_explain(pair_folder)
    assert out == render(view_moves(*explain_both(pair_folder)), "tsv")
    assert err.startswith("query q: nDCG@10 is 1.0000 by new, 0.3801 by old; the difference is")


def test_a_file_gets_a_table_as_wide_as_it_takes(pair_folder):
    out, err, code = run_explain(pair_folder, "-f", "table")
    assert "item      label  old  new  move    added before    adds" in out
    assert "\x1b" not in out
    assert (err.startswith("rules: "), code) == (True, 0)


def test_qrels_may_come_from_standard_input_and_are_read_once(pair_folder):
    qrels = (pair_folder / "qrels.txt").read_text()
    command = [sys.executable, "-m", "gainful", "explain", "-", *PAIR_ARGUMENTS[2:]]
    result = subprocess.run(command, cwd=pair_folder, capture_output=True, text=True, input=qrels)
    assert (result.stdout, result.returncode) == (
        render(view_moves(*explain_both(pair_folder)), "tsv"),
        0,
    )
    command = [sys.executable, "-m", "gainful", *PAIR_ARGUMENTS[:-1], "-"]
    command[command.index("qrels.txt")] = "-"
    result = subprocess.run(command, cwd=pair_folder, capture_output=True, text=True, input=qrels)
    assert result.stderr.splitlines()[-1] == "Error: standard input (-) can be read only once."


@needs_unix
def test_a_terminal_gets_both_in_color_and_no_orders(pair_folder):
    environment = {"TERM": "xterm-256color", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    screen = run_in_terminal(f"gainful {' '.join(PAIR_ARGUMENTS)}", pair_folder, **environment)
    assert "\x1b[36mnew" in screen
    assert "\x1b[33mdown 1" in screen
    assert "\x1b[2J" not in screen
