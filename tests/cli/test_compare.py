"""gainful compare: the options that reach the library, and the output."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import gainful
from gainful import Rules, cli
from gainful.cli.demo import COLLECTION, RUNS
from gainful.report import FORMATS, render, view_comparison
from report.comparisons import make_many_run_comparison, make_two_run_comparison
from terminal import needs_unix, run_in_terminal

QRELS = "q1 0 a 2\nq1 0 b 1\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\n"


@pytest.fixture
def call(monkeypatch):
    """Return the last call of the library, which gets a comparison made by hand."""
    call = SimpleNamespace(answer=make_two_run_comparison())

    def compare(qrels, runs, **options):
        call.qrels, call.runs, call.options = qrels, runs, options
        return call.answer

    monkeypatch.setattr("gainful.cli.compare.compare", compare)
    return call


@pytest.fixture
def run_compare(call, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("other").mkdir()
    for name in ("bm25.run", "dense.run", "other/bm25.run"):
        Path(name).write_text(RUN)
    Path("qrels.txt").write_text(QRELS)

    def run_compare(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "compare", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_compare


def test_in_a_pipe_it_prints_pairs_and_says_on_standard_error_how_they_were_had(run_compare, call):
    out, err, code = run_compare("qrels.txt", "bm25.run", "dense.run")
    assert out == call.answer.to_tsv()
    lines = view_comparison(call.answer).list_notes("tsv")
    assert lines[0] == call.answer.verdict
    assert err == "".join(f"{line}\n" for line in lines)
    assert code == 0


@pytest.mark.parametrize("name", [*FORMATS, "systems"])
def test_every_output_can_be_had_and_says_everything(run_compare, call, name):
    out, err, code = run_compare("qrels.txt", "bm25.run", "dense.run", "-f", name)
    assert out == render(view_comparison(call.answer), name)
    assert (err == "") == (name in FORMATS and FORMATS[name].is_complete)
    assert code == 0


def test_options_reach_the_library_under_their_names(run_compare, call):
    _, _, code = run_compare(
        *("qrels.txt", "bm25.run", "dense.run", "-m", "nDCG@10", "-m", "AP", "--seed", "7"),
        *("--baseline", "bm25", "--correction", "bh", "--test", "sign", "--test", "wilcoxon"),
        *("--alpha", "0.01", "--margin", "0.02", "--tie", "0.001", "--resamples", "500"),
        *("--threads", "1", "--ties", "average", "--bounds"),
    )
    assert code == 0
    assert [run.name for run in call.runs] == ["bm25", "dense"]
    assert call.options == {
        "measures": ("nDCG@10", "AP"),
        "baseline": "bm25",
        "correction": "bh",
        "tests": ("sign", "wilcoxon"),
        "bounds": True,
        "alpha": 0.01,
        "margin": 0.02,
        "tie": 0.001,
        "seed": 7,
        "resamples": 500,
        "items": None,
        "rules": Rules(ties="average"),
        "threads": 1,
        "progress": None,
    }


def test_without_options_the_library_decides(run_compare, call):
    run_compare("qrels.txt", "bm25.run", "dense.run")
    options = {
        name: call.options[name] for name in ("baseline", "correction", "tests", "resamples")
    }
    assert options == {"baseline": None, "correction": None, "tests": (), "resamples": None}
    assert [call.options[name] for name in ("alpha", "margin", "tie", "seed")] == [
        *(0.05, None, 1e-9, 0)
    ]
    assert call.options["measures"] == "nDCG@10"


def test_all_pairs_are_printed_on_request(run_compare, call):
    call.answer = make_many_run_comparison(14)
    default, _, _ = run_compare("qrels.txt", "bm25.run", "dense.run", "-f", "table")
    all_pairs, _, _ = run_compare(
        "qrels.txt", "bm25.run", "dense.run", "-f", "table", "--all-pairs"
    )
    assert default == render(view_comparison(call.answer), "table")
    assert all_pairs == render(view_comparison(call.answer, all_pairs=True), "table")


@pytest.mark.parametrize("output", [(), ("-f", "table")])
def test_a_plot_is_drawn_below_the_table_and_in_a_pipe_without_colors(run_compare, call, output):
    out, err, code = run_compare("qrels.txt", "bm25.run", "dense.run", "--plot", *output)
    view = view_comparison(call.answer, plot=True)
    assert out == render(view, "table")
    assert "query by query: 12 worse, 9 the same, 29 better\n" in out
    assert err == "".join(f"{line}\n" for line in view.list_notes("table"))
    assert code == 0


def test_all_pairs_are_plotted_on_request(run_compare, call):
    call.answer = make_many_run_comparison(4)
    default, _, _ = run_compare("qrels.txt", "bm25.run", "dense.run", "--plot")
    all_pairs, _, _ = run_compare("qrels.txt", "bm25.run", "dense.run", "--plot", "--all-pairs")
    assert "3 of 6 pairs are plotted." in default
    assert (default.count("query by query"), all_pairs.count("query by query")) == (3, 6)


@needs_unix
def test_a_plot_has_colors_on_a_terminal():
    command = f"gainful compare qrels.txt {RUNS[0]} {RUNS[2]} --plot --resamples 100"
    environment = {"TERM": "xterm-256color", "COLUMNS": "70", "LC_ALL": "C.UTF-8"}
    screen = run_in_terminal(command, COLLECTION, **environment)
    title = "How hybrid differs from keyword by nDCG@10, query by query: 3 worse, 1 the same, 8"
    lines = screen[screen.index("\x1b[1mHow hybrid") :].splitlines()
    assert any("\x1b[33m▒▒▒" in line for line in lines)
    assert any("\x1b[36m███" in line for line in lines)
    screen = run_in_terminal(command, COLLECTION, **environment, NO_COLOR="1")
    assert "\x1b" not in screen
    assert title in " ".join(screen.split())


def test_the_values_of_queries_are_printed_on_request(run_compare, call):
    out, _, _ = run_compare("qrels.txt", "bm25.run", "dense.run", "-f", "json", "-q")
    assert out == call.answer.to_json() + "\n"


def test_the_baseline_may_be_given_by_its_path(run_compare, call):
    run_compare("qrels.txt", "dense.run", "bm25.run", "--baseline", "bm25.run")
    assert call.options["baseline"] == "bm25"


def test_the_baseline_may_be_given_by_the_name_of_its_file(run_compare, call):
    run_compare("qrels.txt", "dense.run", "other/bm25.run", "--baseline", "bm25.run")
    assert call.options["baseline"] == "bm25"


def test_runs_of_the_same_name_are_called_by_their_paths(run_compare, call):
    run_compare("qrels.txt", "bm25.run", "other/bm25.run", "--baseline", "other/bm25.run")
    assert [run.name for run in call.runs] == ["bm25.run", "other/bm25.run"]
    assert call.options["baseline"] == "other/bm25.run"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["bm25.run"],
            "two runs or more are compared, got 'bm25.run' only. Use gainful eval for one.",
        ),
        (
            ["bm25.run", "dense.run", "bm25.run"],
            "run 'bm25.run' is given twice. Name every run once.",
        ),
        (["-", "-"], "standard input (-) can be read only once."),
        (
            ["bm25.run", "dense.run", "--baseline", "bm52"],
            "--baseline: must be one of bm25, dense, got 'bm52'. Did you mean bm25?",
        ),
        (
            ["bm25.run", "dense.run", "--plot", "-f", "tsv"],
            "--plot is drawn below a table, got -f tsv. Use -f table.",
        ),
        (
            ["bm25.run", "dense.run", "-q", "-f", "csv"],
            "--per-query is for -f json, got -f csv. Use gainful eval -q.",
        ),
    ],
)
def test_what_cannot_be_compared_is_said_with_a_way_out(run_compare, arguments, sentence):
    out, err, code = run_compare("qrels.txt", *arguments)
    assert (out, code) == ("", 2)
    assert err.splitlines()[-1] == f"Error: {sentence}"


def test_the_help_of_the_group_names_the_command(run_compare, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gainful", "-h"])
    cli.run()
    assert "  compare " in capsys.readouterr().out


def test_what_is_printed_is_what_the_library_answers(monkeypatch, capsys):
    paths = [str(COLLECTION / name) for name in ("qrels.txt", *RUNS)]
    flags = ["-m", "nDCG@10,5", "--baseline", "keyword", "--margin", "0.01", "-f", "json", "-q"]
    monkeypatch.setattr(sys, "argv", ["gainful", "compare", *paths, *flags, "--test", "sign"])
    assert cli.run() == 0
    options = {"baseline": "keyword", "margin": 0.01, "tests": ["sign"]}
    comparison = gainful.compare(paths[0], paths[1:], ["nDCG@10,5"], **options)
    assert capsys.readouterr().out == comparison.to_json() + "\n"


def test_help_loads_no_library_that_only_comparing_or_writing_needs():
    code = "import sys; from gainful.cli import run; sys.argv[1:] = ['compare', '-h']; run(); "
    code += "print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    heavy = {"scipy", "csv", "html", "json", "polars", "pandas", "pyarrow"}
    assert not heavy & set(printed.splitlines()[-1].split())
