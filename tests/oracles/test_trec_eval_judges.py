"""Comparison of averages over judges with trec_eval 10.0, as it printed them: four decimals.

Recorded once, since trec_eval 10.0 is not on PyPI, by

    trec_eval -q -n -l LEVEL -R qrels_jg -m map_avgjg -m P_avgjg.1,3,5,10 \\
        -m Rprec_mult_avgjg.0.2,0.6,1.0,1.4,2.0 qrels.txt run.txt
"""

import pytest

import gainful
from oracles.tally import count_compared

QRELS = """\
1 ann d1 1
1 ann d2 0
1 ann d3 2
1 ann d4 1
1 bob d1 0
1 bob d3 1
1 bob d5 1
1 bob d6 -1
1 cyd d2 0
1 cyd d7 0
2 ann d1 1
2 ann d2 2
2 bob d2 1
2 bob d3 1
2 bob d4 1
2 bob d5 3
2 bob d6 1
2 bob d7 1
3 ann d1 0
3 bob d1 -1
4 bob d9 1
"""
RUN = """\
1 Q0 d3 1 9.5 r
1 Q0 d8 2 9.5 r
1 Q0 d1 3 7 r
1 Q0 d2 4 6.5 r
1 Q0 d5 5 6.5 r
1 Q0 d6 6 2 r
1 Q0 d4 7 1 r
2 Q0 d7 1 5 r
2 Q0 d1 2 4 r
2 Q0 d9 3 3 r
2 Q0 d2 4 3 r
2 Q0 d6 5 2 r
3 Q0 d1 1 1 r
4 Q0 d9 1 1 r
"""
# The values of the queries 1 to 4, by the lowest label that is relevant.
PRINTED = {
    1: """
        map_avgjg             0.3439 0.4250 0.0000 1.0000
        P_avgjg_1             0.0000 0.5000 0.0000 1.0000
        P_avgjg_3             0.3333 0.3333 0.0000 0.3333
        P_avgjg_5             0.2667 0.5000 0.0000 0.2000
        P_avgjg_10            0.1667 0.2500 0.0000 0.1000
        Rprec_mult_avgjg_0.20 0.0000 0.2500 0.0000 1.0000
        Rprec_mult_avgjg_0.60 0.3333 0.5000 0.0000 1.0000
        Rprec_mult_avgjg_1.00 0.3889 0.5000 0.0000 1.0000
        Rprec_mult_avgjg_1.40 0.2444 0.3333 0.0000 0.5000
        Rprec_mult_avgjg_2.00 0.2778 0.3750 0.0000 0.5000
    """,
    2: """
        map_avgjg             0.1667 0.1250 0.0000 0.0000
        P_avgjg_1             0.0000 0.0000 0.0000 0.0000
        P_avgjg_3             0.1111 0.0000 0.0000 0.0000
        P_avgjg_5             0.0667 0.1000 0.0000 0.0000
        P_avgjg_10            0.0333 0.0500 0.0000 0.0000
        Rprec_mult_avgjg_0.20 0.0000 0.0000 0.0000 0.0000
        Rprec_mult_avgjg_0.60 0.0000 0.0000 0.0000 0.0000
        Rprec_mult_avgjg_1.00 0.0000 0.0000 0.0000 0.0000
        Rprec_mult_avgjg_1.40 0.1667 0.0000 0.0000 0.0000
        Rprec_mult_avgjg_2.00 0.1667 0.0000 0.0000 0.0000
    """,
}


@pytest.mark.parametrize("level", PRINTED)
def test_equals_what_trec_eval_printed(level, tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS, encoding="utf-8")
    (tmp_path / "run.txt").write_text(RUN, encoding="utf-8")
    for line in PRINTED[level].strip().splitlines():
        name, *printed = line.split()
        m = gainful.parse_measure(name)(rel=level)
        scores = gainful.evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", m)
        assert scores.queries == ("1", "2", "3", "4")
        assert [f"{value:.4f}" for value in scores.column(m)] == printed
        count_compared("trec_eval 10.0 (recorded)", len(printed))
