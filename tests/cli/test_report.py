"""gainful report: arguments in; a page, exact standard output, standard error, exit code out."""

import os
import sys
import webbrowser
from pathlib import Path

import pytest

import gainful
from gainful import cli

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq2 0 b 0\n"
OLD = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\n"
NEW = "q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq2 Q0 b 2 1 t\n"
RULES = f"rules: {gainful.Rules(ties='item-desc')} (2 queries)\n"


@pytest.fixture
def run_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("old.run").write_text(OLD)
    Path("new.run").write_text(NEW)
    Path("queries.tsv").write_text("query\ttext\tkind\nq1\tred shoes\tshop\nq2\thelp\tother\n")
    Path("items.tsv").write_text("item\ttitle\na\tShoes, red\nb\tShoes, blue\n")

    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_command


def format_report_line(path):
    return f"report: {path} ({os.path.getsize(path) / 1e6:.1f} MB); open it in a browser.\n"


def read_page(path="report.html"):
    return Path(path).read_text(encoding="utf-8")


def test_the_verdict_is_printed_and_where_the_report_is(run_command):
    out, err, code = run_command("report", "qrels.txt", "old.run", "new.run")
    assert out == (
        "new and old cannot be told apart. 1 of 2 queries got better, 0 worse, 1 stayed the same. "
        "On average nDCG@10 rises from 0.82 to 1.00 (+0.18, 95% interval -2.16 to +2.53); chance "
        "alone may explain it (p = 0.50). Differences below about 3.01 do not show reliably on "
        "2 queries.\n"
    )
    assert err == (
        f"{RULES}"
        "note: 2 queries are compared, fewer than 25: only large differences show, and p-values "
        "and intervals are rough. [few-queries]\n"
        "note: nDCG@10: on up to 50% of the queries both runs have the same value ('new - old'); "
        "the difference rests on the others. A deeper or finer measure tells more of them apart. "
        "[many-ties]\n"
        f"{format_report_line('report.html')}"
    )
    assert code == 0
    assert read_page().startswith("<!doctype html>")


def test_one_run_makes_a_report(run_command):
    assert run_command("report", "qrels.txt", "new.run", "-o", "one.html") == (
        "new scores 1.00 by nDCG@10. That is the mean over 2 queries. 0 of 2 queries (0%) score 0, "
        "2 of 2 queries (100%) reach 1, the best there is. The lowest: q1 (1.00) and q2 (1.00).\n",
        RULES + format_report_line("one.html"),
        0,
    )


def test_texts_titles_slices_and_the_command_are_in_the_page(run_command):
    command = "report qrels.txt old.run new.run --queries queries.tsv --items items.tsv --by kind"
    _, _, code = run_command(*command.split())
    assert code == 0
    for text in ("red shoes", "Shoes, red", "kind", "other", f"gainful {command}"):
        assert text in read_page()


def test_standard_output_gets_the_page_and_standard_error_the_rest(tmp_path, run_command):
    import subprocess

    run_command("report", "qrels.txt", "new.run")
    code = "from gainful.cli import main; main()"
    command = [sys.executable, "-c", code, "report", "qrels.txt", "new.run", "-o", "-"]
    result = subprocess.run(command, capture_output=True, check=True)
    expected = read_page().replace("gainful report qrels.txt new.run", "COMMAND")
    actual = result.stdout.decode().replace("gainful report qrels.txt new.run -o -", "COMMAND")
    assert len(actual) > 1000
    assert actual.startswith("<!doctype html>")
    assert abs(len(actual) - len(expected)) < 100
    assert "report: " not in result.stderr.decode()
    assert RULES in result.stderr.decode()


def test_measures_baseline_rules_and_seed_are_passed_on(run_command, monkeypatch):
    from gainful import report

    passed_options = {}
    write = report.write_report

    def spy(*arguments, **options):
        passed_options.update(options, collection=arguments[0])
        return write(*arguments, **options)

    monkeypatch.setattr(report, "write_report", spy)
    _, _, code = run_command(
        *("report", "qrels.txt", "old.run", "new.run", "-m", "nDCG@5", "-m", "AP"),
        *("--baseline", "new.run", "--ties", "average", "--seed", "7", "--threads", "1"),
    )
    assert code == 0
    assert passed_options["measures"] == ("nDCG@5", "AP")
    assert (passed_options["baseline"], passed_options["seed"]) == ("new", 7)
    assert passed_options["collection"].read_options.threads == 1
    assert passed_options["collection"].rules == gainful.Rules(ties="average")


def test_queries_can_be_weighed(run_command):
    Path("traffic.csv").write_text("query,traffic\nq1,3\nq2,1\n")
    options = ("--queries", "traffic.csv", "--weights", "traffic")
    _, err, code = run_command("report", "qrels.txt", "old.run", *options)
    assert "[unweighted-report]" in err
    assert code == 0


def test_the_report_is_opened_in_the_browser_if_asked(run_command, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: not opened.append(address))
    assert run_command("report", "qrels.txt", "new.run", "--open")[2] == 0
    assert opened == [(tmp_path / "report.html").as_uri()]


def test_it_is_said_if_there_is_no_browser(run_command, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    _, err, code = run_command("report", "qrels.txt", "new.run", "--open")
    assert err.endswith("warning: there is no browser to open the report in.\n")
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "problem", "exits"),
    [
        ((), "Error: Missing argument 'QRELS'.\n", 2),
        (("qrels.txt",), "Error: Missing argument 'RUN...'.\n", 2),
        (
            ("qrels.txt", "new.run", "-o", "new.run"),
            "Error: -o new.run: is read by the same command. Name another file.\n",
            2,
        ),
        (
            ("qrels.txt", "new.run", "-o", "-", "--open"),
            "Error: --open takes a file, got standard output (-).\n",
            2,
        ),
        (
            ("qrels.txt", "new.run", "new.run"),
            "Error: run 'new.run' is given twice. Name every run once.\n",
            2,
        ),
        (
            ("qrels.txt", "new.run", "--by", "kind"),
            "Error: --by names a column of --queries, got no --queries.\n",
            2,
        ),
        (
            ("qrels.txt", "new.run", "--weights", "traffic"),
            "Error: --weights names a column of --queries, got no --queries.\n",
            2,
        ),
        (
            ("qrels.txt", "new.run", "--users", "3"),
            "Error: --users says how many --items counts, got no --items.\n",
            2,
        ),
        (
            ("qrels.txt", "old.run", "new.run", "--baseline", "older"),
            "Error: --baseline: must be one of old, new, got 'older'. Did you mean old?\n",
            2,
        ),
        (
            ("qrels.txt", "none.run"),
            "error: none.run: no such file or directory. [cannot-read]\n",
            1,
        ),
        (
            ("qrels.txt", "new.run", "-m", "ndgc@10"),
            "error: unknown measure 'ndgc'. Did you mean nDCG? [unknown-measure]\n",
            1,
        ),
        (
            ("qrels.txt", "new.run", "-o", "none/report.html"),
            "error: none/report.html: cannot be written to (No such file or directory). "
            "[cannot-write]\n",
            1,
        ),
        (
            ("qrels.txt", "new.run", "--queries", "queries.tsv", "--by", "color"),
            "error: queries.tsv: has no column 'color'; there are 'text', 'kind'. "
            "[missing-column]\n",
            1,
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(run_command, arguments, problem, exits):
    out, err, code = run_command("report", *arguments)
    assert (out, code) == ("", exits)
    assert err.endswith(problem)
    assert "Traceback" not in err
    assert not Path("report.html").exists()


@pytest.mark.parametrize("name", ["jinja2", "vl_convert", "latex2mathml"])
def test_without_the_extra_the_error_names_it(run_command, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    assert run_command("report", "qrels.txt", "new.run") == (
        "",
        f"error: report: {name} is not installed. Install it with: pip install 'gainful[report]' "
        "[missing-package]\n",
        1,
    )


def test_the_tour_ends_with_a_report(run_command, tmp_path):
    out, _, code = run_command("demo")
    assert out.endswith(
        "\n\nNow look at all of it, query by query.\n\n"
        "$ gainful report qrels.txt keyword.run semantic.run hybrid.run --baseline keyword "
        "--queries queries.tsv --items items.tsv -o demo-report.html\n"
        + format_report_line(tmp_path / "demo-report.html")
    )
    assert code == 0
    assert "waterproof hiking boots women" in read_page("demo-report.html")


def test_the_tour_is_shown_without_the_extra_which_is_named(run_command, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    out, _, code = run_command("demo")
    assert out.endswith(
        "-o demo-report.html\n"
        "report: jinja2 is not installed. Install it with: pip install 'gainful[report]'\n"
    )
    assert code == 0
    assert not Path("demo-report.html").exists()
