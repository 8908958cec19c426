"""Readers that leave early and closed streams: the right exit code and no traceback."""

from pathlib import Path

import pytest

from faults.command import needs_linux, read_folder, run_shell
from terminal import needs_unix

pytestmark = needs_unix


@pytest.mark.parametrize(
    "arguments",
    [
        "eval qrels.txt one.run -q",
        "compare qrels.txt one.run two.run -f table",
        "convert one.run - --to jsonl",
        "report qrels.txt one.run -o - 2>/dev/null",
        "measures",
        "trec_eval -q qrels.txt one.run",
        "demo 2>/dev/null",
        "--help",
    ],
)
def test_a_reader_that_leaves_is_no_failure(folder, arguments):
    _, err, code = run_shell(f"gainful {arguments} | true; exit ${{PIPESTATUS[0]}}")
    assert "Traceback" not in err
    assert "error: " not in err
    assert code == 0


def test_the_first_line_is_what_it_is_without_head(folder):
    complete = run_shell("gainful eval qrels.txt one.run -q -f tsv").out
    first_line, err, code = run_shell(
        "gainful eval qrels.txt one.run -q -f tsv 2>/dev/null | head -1"
    )
    assert (first_line, err, code) == (complete.splitlines(keepends=True)[0], "", 0)


def test_a_gate_says_its_verdict_by_its_exit_code_whoever_reads(folder):
    gate = "gainful gate qrels.txt one.run --no-config"
    for arguments, code in ((" --min 0", 0), (" --min 0.99", 1)):
        assert run_shell(f"{gate}{arguments} 2>&1 | true; exit ${{PIPESTATUS[0]}}").code == code


@pytest.mark.parametrize(
    ("closed", "code"),
    [(">&-", 0), ("2>&-", 0), ("<&-", 0), (">&- 2>&-", 0), ("<&- >&- 2>&-", 0)],
)
def test_streams_may_be_closed_from_the_start(folder, closed, code):
    result = run_shell(f"gainful eval qrels.txt one.run -m CG {closed}")
    assert result.code == code
    assert result.out == ("" if ">&- " in f"{closed} ".replace("2>&- ", "") else "CG\t2.0\n")
    assert "Traceback" not in result.err


def test_standard_input_that_is_closed_is_said(folder):
    result = run_shell("gainful eval qrels.txt - <&-")
    assert (result.out, result.err, result.code) == (
        "",
        "error: standard input (-) is closed. [cannot-read]\n",
        1,
    )


@needs_linux
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_no_file_takes_the_number_of_a_stream_that_is_closed(folder, closed):
    run_shell("gainful convert one.run right.parquet")
    assert run_shell(f"gainful convert one.run out.parquet {closed}").code == 0
    assert read_folder(folder)["out.parquet"] == read_folder(folder)["right.parquet"]


def test_a_failure_keeps_its_exit_code_where_nobody_hears_of_it(folder):
    assert run_shell("gainful eval none one.run 2>&-").code == 1
    assert run_shell("gainful eval --none 2>&-").code == 2
    assert run_shell("gainful eval none one.run 2>&1 | true; exit ${PIPESTATUS[0]}").code == 1


def test_a_pipe_to_write_to_whose_reader_leaves_is_said(folder):
    Path("rows.jsonl").write_text(
        "".join(f'{{"query": "q{n}", "item": "a", "label": 1}}\n' for n in range(20_000))
    )
    result = run_shell(
        "mkfifo pipe; (exec 3<pipe; sleep 0.2) & gainful convert rows.jsonl pipe --to csv"
    )
    assert result.code == 1
    assert result.err == "error: pipe: cannot be written to (Broken pipe). [cannot-write]\n"
