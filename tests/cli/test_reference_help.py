"""``gainful help``: the page of a code, the help of a command, and the list of codes."""

import subprocess
import sys

import pytest

from gainful.cli import run
from gainful.diagnostics.codes import CODES
from gainful.report.views.reference import list_codes
from terminal import needs_unix, run_in_terminal

PAGE = """\
missing-column: A column or key that is needed is not there, or is not known by
its name.

Kind      error, SourceError in Python
"""


@pytest.fixture
def run_help(capsys, monkeypatch):
    def run_help(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "help", *arguments])
        code = run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    monkeypatch.setenv("COLUMNS", "80")
    return run_help


def test_the_page_of_an_error(run_help):
    out, err, code = run_help("missing-column")
    assert out.startswith(PAGE)
    assert [line[:10].strip() for line in out.splitlines() if line[:1].isupper()] == [
        *("Kind", "Cause", "Remedy", "Example"),
    ]
    assert out.endswith("[missing-column]\n")
    assert max(map(len, out.splitlines())) <= 80
    assert "`" not in out
    assert (err, code) == ("", 0)


def test_the_page_of_a_notice(run_help):
    out, err, code = run_help("[Near_IDs]")
    assert out == (
        "near-ids: Ids of run and qrels hardly match, but would if they were written\n"
        "alike.\n\n"
        "Kind      notice, error: a number is wrong, or cannot be had\n"
        "Cause     A prefix, a suffix, leading zeros or upper and lower case differ\n"
        "          between the two sides: changed as the message says, the share that it\n"
        "          names would match.\n"
        "Remedy    Pass the --collapse that the message has, Rules(collapse=...) in\n"
        "          Python, which is for items; for ids of queries rewrite one of the\n"
        "          files.\n"
        "Example   warning: run 'bm25' has 0.0% of the judged items. Did you mean to\n"
        "          strip 'doc_' from the items of the run? 87.1% of the judged items\n"
        "          would match. Pass --collapse '^doc_(.*)$'. [near-ids]\n"
    )
    assert (err, code) == ("", 0)


def test_an_unknown_name_is_an_error_that_names_the_nearest(run_help):
    assert run_help("missing-colum") == (
        "",
        "error: no code and no command is called 'missing-colum'. Did you mean missing-column? "
        "[unknown-code]\n",
        1,
    )
    assert run_help("xyzzy")[1] == (
        "error: no code and no command is called 'xyzzy'. gainful help lists all codes. "
        "[unknown-code]\n"
    )
    assert str(CODES["unknown-code"].example) in run_help("missing-colum")[1]


def test_the_name_of_a_command_shows_its_help(run_help):
    assert run_help("eval")[0].startswith("Usage: gainful eval [OPTIONS] QRELS RUN...\n")
    assert run_help("trec-eval")[0].startswith("Usage: gainful trec_eval ")


def test_alone_it_lists_every_code_on_a_line_of_its_own(run_help):
    out, err, code = run_help()
    rows = [line.split("\t") for line in out.splitlines() if "\t" in line]
    assert [row[0] for row in rows] == [*CODES]
    assert {row[1] for row in rows} == {
        *("error", "notice (error)", "notice (warning)", "notice (info)"),
    }
    assert "gainful help CODE" in out
    assert (err, code) == ("", 0)


@needs_unix
def test_on_a_terminal_the_list_is_aligned_and_grouped(tmp_path):
    screen = run_in_terminal("gainful help", tmp_path, NO_COLOR="1", COLUMNS="100")
    assert screen.endswith(list_codes(100))
    assert "\nErrors: files\n  cannot-read " in screen
    assert "\t" not in screen


def test_an_evaluation_that_goes_well_loads_no_pages(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "r.txt").write_text("q1 Q0 d1 1 1 a\n")
    code = "import sys; from gainful.cli import run; sys.argv[1:] = ['eval', 'q.txt', 'r.txt']; "
    code += "run(); print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    loaded = result.stdout.splitlines()[-1].split()
    assert "gainful.evaluation.evaluate" in loaded
    assert not [name for name in loaded if name.startswith("gainful.diagnostics.codes")]
