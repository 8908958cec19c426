"""Comparisons as tables, Markdown, LaTeX, CSV and JSON."""

import csv
import io
import json
import math
import re

import pytest

from gainful import Rules
from gainful.base.numbers import Interval
from gainful.diagnostics.notices import MissingQueries
from gainful.report import FORMATS, render, view_comparison
from report.comparisons import (
    comparison,
    make_many_run_comparison,
    make_two_measure_comparison,
    make_two_run_comparison,
    pair,
    system,
)

NAN = math.nan
NOTICE = MissingQueries("bm25", ("q2",), 2, False)
HOSTILE = [
    "a|b",
    "x & y_1",
    "50%",
    "two\nlines",
    "tab\there",
    "🙂",
    "<b>$1$</b>",
    "",
    "a  b",
    "a b",
]
RULES = str(Rules())


def write_output(output, of, *, all_pairs=False, per_query=False):
    return render(view_comparison(of, all_pairs=all_pairs, per_query=per_query), output)


def hostile_comparison():
    systems = [system(name, mean=0.1 * i) for i, name in enumerate(HOSTILE)]
    return comparison(systems, [pair(HOSTILE[0], other) for other in HOSTILE[1:]])


def test_the_table_says_the_verdict_first_then_the_scores_then_the_differences():
    assert write_output("table", make_two_run_comparison()) == (
        """\
'dense' is better than 'bm25' by nDCG@10.

What the runs score by nDCG@10, on average over 2 queries
run      mean      95% interval  judged
dense  0.5123  [0.4823, 0.5423]   92.1%
bm25   0.4911  [0.4611, 0.5211]   92.1%

How they differ by nDCG@10
run    compared with  difference      95% interval  relative    d_z  won/tied/lost
dense  bm25              +0.0212  [0.0039, 0.0385]     +4.3%  +0.35        29/9/12

How sure that is
run    compared with  p (t-test)  p (randomized)  p adjusted  P(better)  detectable
dense  bm25               0.0170          0.0168      0.0168      99.2%      0.0245

95% interval    a range that holds the number for all such queries, 95% of the time
judged          how much of what is ranked, down to the cutoff, has a judgment
difference      the mean of the run less the mean of the run it is compared with
relative        the difference as a share of the mean of the run it is compared with
d_z             effect size: the difference in standard deviations of the queries' differences
won/tied/lost   on how many queries the run does better, the same, worse
p (t-test)      how often chance alone makes a difference at least as large
p (randomized)  the same, by a test that assumes less
p adjusted      p for all pairs together (all else is for one); the verdict asks for less than 0.05
P(better)       how probable it is that the run is better in the long run
detectable      the smallest difference that so many queries show 4 times out of 5
"""
    )


def test_measures_after_the_first_are_marked_as_exploratory_and_the_baseline_is_named_once():
    text = write_output("table", make_two_measure_comparison())
    assert text.splitlines()[:18] == [
        "'dense' is better than 'bm25' by nDCG@10.",
        "'hybrid' is better than 'bm25' by nDCG@10.",
        "",
        "What the runs score, on average over 2 queries",
        "measure  run                mean      95% interval  judged",
        "nDCG@10  dense            0.5123  [0.4823, 0.5423]   92.1%",
        "nDCG@10  hybrid           0.5100  [0.4800, 0.5400]   92.1%",
        "nDCG@10  bm25 (baseline)  0.4911  [0.4611, 0.5211]   92.1%",
        "P@5 *    dense            0.5123  [0.4823, 0.5423]   92.1%",
        "P@5 *    hybrid           0.5100  [0.4800, 0.5400]   92.1%",
        "P@5 *    bm25 (baseline)  0.4911  [0.4611, 0.5211]   92.1%",
        "",
        "How they differ from bm25",
        "measure  run     difference      95% interval  relative    d_z  won/tied/lost",
        "nDCG@10  dense      +0.0212  [0.0039, 0.0385]     +4.3%  +0.35        29/9/12",
        "nDCG@10  hybrid     +0.0212  [0.0039, 0.0385]     +4.3%  +0.35        29/9/12",
        "P@5 *    dense      +0.0212  [0.0039, 0.0385]     +4.3%  +0.35        29/9/12",
        "P@5 *    hybrid     +0.0212  [0.0039, 0.0385]     +4.3%  +0.35        29/9/12",
    ]
    assert "*               exploratory: the verdict is on nDCG@10 alone" in text.splitlines()


def test_without_a_correction_the_verdict_is_on_the_p_value_of_the_t_test():
    text = write_output("table", make_two_run_comparison(correction="none"))
    assert "compared with  p (t-test)  p (randomized)  P(better)  detectable\n" in text
    assert "at least as large; the verdict asks for less than 0.05\n" in text
    assert "p adjusted" not in text


def test_where_measures_have_values_for_some_queries_only_it_is_said_for_how_many():
    systems = [system(n_queries=12), system("dense", n_queries=12)]
    systems += [system(measure="AP", n_queries=11), system("dense", "AP", n_queries=11)]
    lines = write_output("table", comparison(systems, [])).splitlines()
    assert lines[:4] == [
        "What the runs score, on average over the queries that have a value",
        "measure  run      mean      95% interval  judged  queries",
        "nDCG@10  bm25   0.4911  [0.4611, 0.5211]   92.1%       12",
        "nDCG@10  dense  0.4911  [0.4611, 0.5211]   92.1%       12",
    ]


def test_what_was_asked_for_has_tables_of_its_own():
    more = {"wilcoxon": 1e-9, "sign": 0.3, "bootstrap-shift": 0.04999999}
    options = {"more": more, "p_equal": 0.3, "p_equivalent": 0.31, "possible": Interval(-0.1, 0.2)}
    systems = [system(), system("dense", mean=0.5123)]
    text = write_output("table", comparison(systems, [pair(**options)], margin=0.01))
    assert (
        """
What other tests say
run    compared with  p (wilcoxon)  p (sign)  p (bootstrap-shift)
dense  bm25                <0.0001    0.3000           0.04999999

How close they are
run    compared with  P(within margin)  p (within margin)         any labels
dense  bm25                      30.0%             0.3100  [-0.1000, 0.2000]
"""
        in text
    )
    assert "P(within margin)   how probable it is that they differ by less than 0.01" in text


@pytest.mark.parametrize("n_runs", [2, 3, 5, 6, 50])
def test_a_table_is_no_wider_than_a_terminal_and_no_longer_than_people_read(n_runs):
    lines = write_output("table", make_many_run_comparison(n_runs, ("nDCG@10", "P@5"))).splitlines()
    assert len(lines) <= 90
    assert max(map(len, lines)) <= 100


def test_of_many_pairs_only_those_with_the_highest_mean_are_shown():
    text = write_output("table", make_many_run_comparison(14, ("nDCG@10", "P@5")))
    assert text.splitlines()[:10] == [
        "By nDCG@10, 'run14' has the highest mean: it is better than 4 runs ('run01', 'run02', "
        "'run03',",
        "  'run04'); it cannot be told apart from 9 runs ('run05', 'run06', 'run07', 'run08', "
        "'run09', ...).",
        "Shown are the pairs with 'run14'. All 182 pairs, by 2 measures: --all-pairs or -f csv, in "
        "Python",
        "  to_markdown(all_pairs=True) or to_csv().",
        "",
        "What the runs score by nDCG@10, on average over 2 queries, and how they differ from run14",
        "run      mean      95% interval  judged  difference  p adjusted  verdict",
        "run14  0.3300  [0.3000, 0.3600]   92.1%           -           -  -",
        "run13  0.3200  [0.2900, 0.3500]   92.1%     -0.0100      0.3000  cannot tell",
        "run12  0.3100  [0.2800, 0.3400]   92.1%     -0.0200      0.3000  cannot tell",
    ]
    assert text.splitlines()[20].split() == [
        *("run01", "0.2000", "[0.1700,", "0.2300]", "92.1%", "-0.1300", "0.0010", "worse"),
    ]


def test_of_many_runs_with_a_baseline_all_are_shown_beside_it():
    text = write_output("table", make_many_run_comparison(14, baseline="run01"))
    assert text.startswith(
        "By nDCG@10, 'run01' is the baseline: it is worse than 4 runs ('run11', 'run12', 'run13', "
        "'run14');\n  it cannot be told apart from 9 runs ("
    )
    assert "\nrun14             0.3300  [0.3000, 0.3600]   92.1%     +0.1300      0.0010" in text
    assert "\nrun01 (baseline)  0.2000  [0.1700, 0.2300]   92.1%           -           -" in text


def test_of_a_measure_that_is_not_better_for_being_higher_it_is_only_said_that_it_is_higher():
    text = write_output("table", make_many_run_comparison(14, ("NumRet",)))
    assert text.startswith("By NumRet, 'run14' has the highest mean: it scores higher than 4 runs")


def test_intervals_are_called_by_how_often_they_are_right():
    text = write_output("table", make_two_run_comparison(alpha=0.01))
    assert text.count("99% interval") == 3
    assert (
        "p for all pairs together (all else is for one); the verdict asks for less than 0.01"
        in text
    )


def test_all_pairs_are_shown_on_request():
    text = write_output("table", make_many_run_comparison(14), all_pairs=True)
    assert text.count("is better than") == 91
    assert len(re.findall(r"^run\d\d  run\d\d ", text, re.MULTILINE)) == 2 * 91


@pytest.mark.parametrize("output", ["table", "markdown", "latex"])
def test_no_p_value_looks_like_zero(output):
    p = {"p_t": 0.0, "p_randomized": 1e-5, "p_adjusted": 4e-300, "p_better": 1 - 1e-12}
    of = comparison([system(), system("dense", mean=0.5)], [pair(**p)])
    text = write_output(output, of)
    assert "0.0000" not in text
    assert text.count("<0.0001") == (0 if output == "latex" else 3)
    assert "100.0%" not in text


@pytest.mark.parametrize("output", [*FORMATS, "systems"])
def test_what_has_no_value_is_said_as_such(output):
    none = Interval(NAN, NAN)
    numbers = dict.fromkeys(("difference", "relative", "p_t", "p_adjusted", "t", "detectable"), NAN)
    intervals = dict.fromkeys(("interval", "t_interval", "relative_interval"), none)
    odd_pair = pair(
        **numbers, **intervals, effect=math.inf, effect_interval=Interval(0.1, math.inf)
    )
    systems = [system(judged=NAN, interval=none), system("dense", mean=NAN, interval=none)]
    text = write_output(output, comparison(systems, [odd_pair]), per_query=True)
    expected = {
        "table": "-",
        "markdown": "| - |",
        "latex": "& - ",
        "json": "null",
        "tsv": "\tnan\t",
        "jsonl": "null",
        "html": ">-</td>",
    }
    assert expected.get(output, ",,") in text or output == "systems"
    assert ("nan" in text) == (output == "tsv")


def test_markdown_can_be_pasted_verdict_first_notices_last():
    assert write_output("markdown", make_two_run_comparison(notices=(NOTICE,))) == (
        f"""\
'dense' is better than 'bm25' by nDCG@10.

**What the runs score by nDCG@10, on average over 2 queries**

| run | mean | 95% interval | judged |
|:--|--:|--:|--:|
| dense | **0.5123** | [0.4823, 0.5423] | 92.1% |
| bm25 | 0.4911 | [0.4611, 0.5211] | 92.1% |

**How they differ by nDCG@10**

| run | compared with | difference | 95% interval | relative | d_z | won/tied/lost |
|:--|:--|--:|--:|--:|--:|--:|
| dense | bm25 | +0.0212 | [0.0039, 0.0385] | +4.3% | +0.35 | 29/9/12 |

**How sure that is**

| run | compared with | p (t-test) | p (randomized) | p adjusted | P(better) | detectable |
|:--|:--|--:|--:|--:|--:|--:|
| dense | bm25 | 0.0170 | 0.0168 | 0.0168 | 99.2% | 0.0245 |

<details><summary>What the titles mean</summary>

- 95% interval: a range that holds the number for all such queries, 95% of the time
- judged: how much of what is ranked, down to the cutoff, has a judgment
- difference: the mean of the run less the mean of the run it is compared with
- relative: the difference as a share of the mean of the run it is compared with
- d_z: effect size: the difference in standard deviations of the queries' differences
- won/tied/lost: on how many queries the run does better, the same, worse
- p (t-test): how often chance alone makes a difference at least as large
- p (randomized): the same, by a test that assumes less
- p adjusted: p for all pairs together (all else is for one); the verdict asks for less than 0.05
- P(better): how probable it is that the run is better in the long run
- detectable: the smallest difference that so many queries show 4 times out of 5

</details>

- how: 2 queries, correction tukey, alpha 0.05, seed 0, resamples 9,999 (intervals), 10,000 (tukey)
- rules: {RULES}
- note: run 'bm25' has no items for 1 of 2 judged queries ('q2'); they score 0. [missing-queries]
"""
    )


def test_latex_has_runs_by_measures_with_the_best_in_bold_and_letters_of_those_it_is_above():
    assert write_output("latex", make_two_measure_comparison(notices=(NOTICE,))) == (
        r"""% \usepackage{booktabs}
\begin{tabular}{llrr}
\toprule
 & run & nDCG@10 & P@5 \\
\midrule
a & bm25 & 0.4911 & 0.4911 \\
b & dense & \textbf{0.5123}\rlap{\textsuperscript{a}} & \textbf{0.5123}\rlap{\textsuperscript{a}} \\
c & hybrid & 0.5100 & 0.5100 \\
\bottomrule
\end{tabular}

% A superscript names the runs that a mean is significantly above (adjusted p < 0.05). """
        """All measures but nDCG@10 are exploratory.
% 'dense' is better than 'bm25' by nDCG@10.
% 'hybrid' is better than 'bm25' by nDCG@10.
% how: 2 queries, baseline 'bm25', correction holm, alpha 0.05, seed 0, resamples 9,999 """
        f"""(intervals), 10,000 (tukey)
% rules: {RULES}
% note: run 'bm25' has no items for 1 of 2 judged queries ('q2'); they score 0. [missing-queries]
"""
    )


def test_from_the_27th_run_on_letters_are_two_and_commas_keep_them_apart():
    lines = write_output("latex", make_many_run_comparison(30, told_apart=0.27)).splitlines()
    rows = {line.split(" & ")[0]: line for line in lines if " & run" in line}
    assert list(rows)[1:] == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab", "ac", "ad"]
    assert rows["aa"] == r"aa & run27 & 0.4600 \\"
    assert rows["ab"] == r"ab & run28 & 0.4700\rlap{\textsuperscript{a}} \\"
    assert rows["ac"] == r"ac & run29 & 0.4800\rlap{\textsuperscript{a,b}} \\"
    assert rows["ad"] == r"ad & run30 & \textbf{0.4900}\rlap{\textsuperscript{a-c}} \\"


def test_up_to_26_runs_letters_stand_side_by_side():
    text = write_output("latex", make_many_run_comparison(26, told_apart=0.23))
    assert r"z & run26 & \textbf{0.4500}\rlap{\textsuperscript{abc}} \\" in text


def test_a_loss_raises_a_letter_behind_the_other_run():
    lost = pair(difference=-0.0212, p_adjusted=0.01, verdict="worse")
    text = write_output("latex", comparison([system(mean=0.5), system("dense", mean=0.4)], [lost]))
    assert r"a & bm25 & \textbf{0.5000}\rlap{\textsuperscript{b}} \\" in text
    assert r"b & dense & 0.4000 \\" in text


def test_a_p_value_of_alpha_raises_nothing():
    of = comparison([system(), system("dense", mean=0.5)], [pair(p_adjusted=0.05)])
    assert r"b & dense & \textbf{0.5000} \\" in write_output("latex", of)


def test_means_that_look_the_same_are_bold_together_and_none_if_all_do():
    near = [system("a", mean=0.50001), system("b", mean=0.5), system("c", mean=0.4)]
    text = write_output("latex", comparison(near, []))
    assert text.count(r"\textbf{0.5000}") == 2
    assert "textbf" not in write_output("latex", comparison(near[:2], []))


def test_the_highest_mean_of_a_measure_that_is_not_better_for_it_is_not_bold():
    of = comparison([system("a", "NumRet", 3.0), system("b", "NumRet", 2.0)], [])
    assert "textbf" not in write_output("latex", of)


def test_csv_has_a_line_for_every_pair_and_measure_at_full_precision():
    rows = list(csv.DictReader(io.StringIO(write_output("csv", make_two_measure_comparison()))))
    assert [(r["measure"], r["exploratory"], r["system"]) for r in rows] == [
        ("nDCG@10", "false", "dense"),
        ("nDCG@10", "false", "hybrid"),
        ("P@5", "true", "dense"),
        ("P@5", "true", "hybrid"),
    ]
    assert rows[0]["relative"] == repr(0.0212 / 0.4911)
    assert rows[0]["p_equal"] == rows[0]["possible_low"] == ""
    assert rows[0]["sentence"] == "'dense' is better than 'bm25' by nDCG@10."


def test_tsv_has_as_many_fields_in_every_line():
    for of in (make_two_run_comparison(), hostile_comparison()):
        lines = write_output("tsv", of).splitlines()
        assert len(lines) == len(of.pairs) + 1
        assert {line.count("\t") for line in lines} == {33}


def test_systems_are_csv_with_a_line_for_every_run_and_measure():
    assert write_output("systems", make_two_run_comparison()).splitlines() == [
        "measure,exploratory,system,mean,interval_low,interval_high,judged,n_queries",
        "nDCG@10,false,bm25,0.4911,0.46109999999999995,0.5211,0.921,2",
        "nDCG@10,false,dense,0.5123,0.48229999999999995,0.5423,0.921,2",
    ]


def test_json_has_the_values_of_queries_only_on_request():
    of = make_two_run_comparison()
    assert json.loads(write_output("json", of, per_query=True)) == of.to_dict()
    without = json.loads(write_output("json", of))
    assert set(of.to_dict()) - set(without) == {"per_query"}


def test_footnotes_say_how_it_was_made_and_each_notice_once():
    made = make_two_run_comparison(notices=(NOTICE, NOTICE), margin=0.01)
    assert view_comparison(made).list_notes("table") == [
        "how: 2 queries, correction tukey, alpha 0.05, margin 0.01, seed 0, "
        "resamples 9,999 (intervals), 10,000 (tukey)",
        f"rules: {RULES}",
        NOTICE.line,
    ]


def test_names_of_any_kind_keep_table_and_markdown_in_their_lines():
    of = hostile_comparison()
    text = write_output("table", of, all_pairs=True)
    assert text.isprintable() is False
    assert all(line.isprintable() for line in text.splitlines())
    assert "\ntwo\\nlines " in text
    for line in write_output("markdown", of).splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) in (5, 8)


def test_names_of_any_kind_are_escaped_in_latex():
    text = write_output("latex", hostile_comparison())
    assert [line.split(" & 0.")[0] for line in text.splitlines()[5:15]] == [
        r"a & a\textbar{}b",
        r"b & x \& y\_1",
        r"c & 50\%",
        r"d & two\textbackslash{}nlines",
        r"e & tab\textbackslash{}there",
        "f & 🙂",
        r"g & \textless{}b\textgreater{}\$1\$\textless{}/b\textgreater{}",
        "h & ",
        "i & a  b",
        r"j & a b & \textbf{0.9000} \\",
    ]


def test_names_of_any_kind_come_back_from_csv_and_json():
    of = hostile_comparison()
    rows = csv.DictReader(io.StringIO(write_output("systems", of)))
    assert [row["system"] for row in rows] == HOSTILE
    data = json.loads(write_output("json", of))
    assert [row["system"] for row in data["systems"]] == data["runs"] == HOSTILE


def test_names_of_any_kind_are_escaped_in_notebooks():
    html = hostile_comparison()._repr_html_()
    assert "<b>$1$</b>" not in html
    assert html.startswith("<p><strong>&#x27;a|b&#x27; is better than &#x27;x &amp; y_1&#x27;")
