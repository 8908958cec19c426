"""gainful power: arguments in; exact standard output, standard error and exit code out."""

import json
import sys
from pathlib import Path

import pytest

import gainful
from gainful import cli

QRELS = "".join(f"q{i} 0 d 1\n" for i in range(8))
RULES = gainful.Rules(ties="item-desc")
HITS = {"bm25": "00110110", "dense": "11111110"}


@pytest.fixture
def run_power(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    for name, hits in HITS.items():
        lines = (f"q{i} Q0 {'d' if hit == '1' else 'x'} 1 1 t\n" for i, hit in enumerate(hits))
        Path(f"{name}.run").write_text("".join(lines))

    def run_power(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", "power", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run_power


def test_a_table_and_a_curve(run_power):
    assert run_power("--difference", "0.05", "--variance", "0.0251", "-f", "table") == (
        """\
81 queries show a difference of 0.0500 in 80% of experiments.
paired t-test, two-sided, alpha 0.05, deviation 0.1584

queries needed, by power
difference     d_z  50%    80%    90%
    0.0100  0.0631  967  1,972  2,640
    0.0200  0.1262  243    495    662
    0.0500  0.3156   41     81    108
    0.1000  0.6312   12     22     29

power to show a difference of 0.0500, by queries
queries  power
     20  26.8%  ████▎
     40  49.5%  ███████▉
     60  67.2%  ██████████▊
     80  79.6%  ████████████▊
    100  87.8%  ██████████████
    120  92.9%  ██████████████▉
    140  96.0%  ███████████████▍
    160  97.8%  ███████████████▋
    180  98.8%  ███████████████▊
""",
        "",
        0,
    )


def test_a_pilot(run_power):
    assert run_power("qrels.txt", "bm25.run", "dense.run", "-m", "P@1", "-f", "table") == (
        """\
dense differs from bm25 by +0.3750 on P@1: 8 queries, deviation 0.5175, d_z 0.7246.
8 queries show a difference of 0.5983 or more in 80% of experiments.
8 queries show a difference of 0.3750 in 42.4% of experiments.
17 queries show a difference of 0.3750 in 80% of experiments.
paired t-test, two-sided, alpha 0.05, deviation 0.5175

queries needed, by power
difference     d_z  50%  80%  90%
    0.1000  0.1932  105  213  284
    0.2000  0.3864   28   55   73
    0.3750  0.7246   10   17   23
    0.5000  0.9661    7   11   14

differences shown, by power
queries     50%     80%     90%
      5  0.5968  0.8705  1.0174
      8  0.4160  0.5983  0.6944
     10  0.3593  0.5155  0.5975
     20  0.2389  0.3418  0.3956

power to show a difference of 0.3750, by queries
queries  power
      5  24.0%  ███▉
     10  53.4%  ████████▌
     15  74.2%  ███████████▉
     20  86.7%  █████████████▉
     25  93.5%  ███████████████
     30  97.0%  ███████████████▌
     35  98.6%  ███████████████▊
""",
        f"""\
rules: {RULES} (8 queries)
note: run 'bm25': 50.0% of the items in the first 10 ranks have no judgment; they count as not \
relevant. [unjudged-items]
note: run 'dense': 12.5% of the items in the first 10 ranks have no judgment; they count as not \
relevant. [unjudged-items]
note: the deviation, 0.5175, comes from 8 queries and may lie anywhere from 0.3422 to 1.0534; at \
the upper end it takes 4.1 times as many queries. [uncertain-deviation]
note: the plan is for the difference that the pilot showed, 0.3750; such plans are optimistic, \
since a difference that caught the eye is often smaller in truth. Pass --difference with the \
smallest one that matters. [observed-difference]
""",
        0,
    )


def test_a_pipe_gets_every_point_at_full_precision(run_power):
    out, err, _ = run_power("--queries", "50", "--deviation", "0.2", "--difference", "0.05")
    plan = gainful.power(queries=50, deviation=0.2, difference=0.05)
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[0] == ["part", "difference", "effect", "queries", "power"]
    parts = {"needed": plan.table(), "detectable": plan.detectable_table(), "curve": plan.curve()}
    expected = [[part, *map(repr, p)] for part, points in parts.items() for p in points]
    assert lines[1:] == expected
    assert err.endswith(f"{plan.basis}\n")
    out, _, _ = run_power(
        "--queries", "50", "--deviation", "0.2", "--difference", "0.05", "-f", "csv"
    )
    assert [line.split(",") for line in out.splitlines()] == lines


def test_json_and_markdown_hold_rules_and_notices(run_power):
    pilot = ("qrels.txt", "bm25.run", "dense.run", "-m", "P@1")
    out, err, _ = run_power(*pilot, "-f", "json")
    result = json.loads(out)
    assert err == ""
    assert result["pilot"]["baseline"] == "bm25"
    assert result["rules"] == gainful.Rules(ties="item-desc").to_dict()
    assert "observed-difference" in [notice["code"] for notice in result["notices"]]
    out, err, _ = run_power(*pilot, "-f", "markdown")
    assert err == ""
    assert "| difference | d_z | 50% | 80% | 90% |\n|--:|--:|--:|--:|--:|\n" in out
    assert f"\n- rules: {RULES} (8 queries)\n" in out


@pytest.mark.parametrize(
    ("arguments", "sentence", "error_code"),
    [
        (
            ["qrels.txt", "bm25.run"],
            "power: a pilot is the qrels and two runs, got 1 run. Name the baseline, then the "
            "system.",
            "incomplete-plan",
        ),
        (
            ["qrels.txt", "bm25.run", "bm25.run"],
            "power: runs 'bm25-1' and 'bm25-2' differ by 0 on every query, so that there is no "
            "deviation to plan with. Pass deviation, or compare other runs.",
            "incomplete-plan",
        ),
        (
            ["--difference", "0", "--deviation", "0.2"],
            "power: difference must not be 0, which no number of queries can show.",
            "bad-argument",
        ),
        (
            ["--difference", "0.1", "--deviation", "0.2", "--power", "1.5"],
            "power: power must be a number > 0 and < 1, got 1.5.",
            "bad-argument",
        ),
        (
            ["--difference", "0.1", "--variance", "-0.2"],
            "power: variance must be a number > 0, got -0.2.",
            "bad-argument",
        ),
        (
            [],
            "power: must know by how much queries differ, got no pilot, no deviation and no "
            "variance. Pass qrels and two runs, or deviation, or variance.",
            "incomplete-plan",
        ),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_1(run_power, arguments, sentence, error_code):
    assert run_power(*arguments) == ("", f"error: {sentence} [{error_code}]\n", 1)


def test_wrong_usage_exits_2(run_power):
    _, err, code = run_power("--difference", "much", "--deviation", "0.2")
    assert "'much' is not a valid float." in err
    assert code == 2
    _, err, code = run_power("-", "-", "dense.run")
    assert "standard input (-) can be read only once." in err
    assert code == 2


def test_help_says_what_can_be_asked(run_power):
    out, _, code = run_power("-h")
    assert code == 0
    for option in ("--difference", "--deviation", "--variance", "--queries", "--power", "--alpha"):
        assert option in out
