"""Readers that have seen enough, and streams that are closed: no traceback, and the exit code."""

from pathlib import Path

import pytest

from faults.command import content, needs_linux, shell
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
    _, err, code = shell(f"gainful {arguments} | true; exit ${{PIPESTATUS[0]}}")
    assert "Traceback" not in err
    assert "error: " not in err
    assert code == 0


def test_the_first_line_is_what_it_is_without_head(folder):
    whole = shell("gainful eval qrels.txt one.run -q -f tsv").out
    seen, err, code = shell("gainful eval qrels.txt one.run -q -f tsv 2>/dev/null | head -1")
    assert (seen, err, code) == (whole.splitlines(keepends=True)[0], "", 0)


def test_a_gate_says_its_verdict_by_its_exit_code_whoever_reads(folder):
    gate = "gainful gate qrels.txt one.run --no-config"
    for arguments, code in ((" --min 0", 0), (" --min 0.99", 1)):
        assert shell(f"{gate}{arguments} 2>&1 | true; exit ${{PIPESTATUS[0]}}").code == code


@pytest.mark.parametrize(
    ("closed", "code"),
    [(">&-", 0), ("2>&-", 0), ("<&-", 0), (">&- 2>&-", 0), ("<&- >&- 2>&-", 0)],
)
def test_streams_may_be_closed_from_the_start(folder, closed, code):
    done = shell(f"gainful eval qrels.txt one.run -m CG {closed}")
    assert done.code == code
    assert done.out == ("" if ">&- " in f"{closed} ".replace("2>&- ", "") else "CG\t2.0\n")
    assert "Traceback" not in done.err


def test_standard_input_that_is_closed_is_said(folder):
    done = shell("gainful eval qrels.txt - <&-")
    assert (done.out, done.err, done.code) == (
        "",
        "error: standard input (-) is closed. [cannot-read]\n",
        1,
    )


@needs_linux
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_no_file_takes_the_number_of_a_stream_that_is_closed(folder, closed):
    shell("gainful convert one.run right.parquet")
    assert shell(f"gainful convert one.run out.parquet {closed}").code == 0
    assert content(folder)["out.parquet"] == content(folder)["right.parquet"]


def test_a_failure_keeps_its_exit_code_where_nobody_hears_of_it(folder):
    assert shell("gainful eval none one.run 2>&-").code == 1
    assert shell("gainful eval --none 2>&-").code == 2
    assert shell("gainful eval none one.run 2>&1 | true; exit ${PIPESTATUS[0]}").code == 1


def test_a_pipe_to_write_to_whose_reader_leaves_is_said(folder):
    Path("rows.jsonl").write_text(
        "".join(f'{{"query": "q{n}", "item": "a", "label": 1}}\n' for n in range(20_000))
    )
    done = shell("mkfifo pipe; (exec 3<pipe; sleep 0.2) & gainful convert rows.jsonl pipe --to csv")
    assert done.code == 1
    assert done.err == "error: pipe: cannot be written to (Broken pipe). [cannot-write]\n"
