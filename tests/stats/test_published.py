"""Numbers that others have published, beside those that stand with the function they are about."""

import numpy as np
import pytest
import scipy.stats

import gainful
from gainful.stats.anova import randomized_tukey, tukey
from gainful.stats.paired_tests import (
    benjamini_hochberg,
    holm,
    paired_t,
    regression,
    sign,
    wilcoxon,
)
from stats import permtest, sakai, urbano

# Urbano, Lima and Hanjalic, SIGIR 2019, run 126 less run 125.
GAINS = urbano.VALUES[1] - urbano.VALUES[0]
# Moffat and Zobel's way to look at unjudged items: u1 and u2 have no judgment.
QRELS = {"q": {"a": 3, "b": 0, "c": 2, "z": 1}}
RUN = {"q": ["u1", "a", "u2", "c", "b"]}


def test_the_t_test_of_two_runs_of_trec():
    found = paired_t(GAINS)
    assert found.p == pytest.approx(0.0013193972, abs=5e-11)
    assert regression(-GAINS) == pytest.approx(0.0006596986, abs=5e-11)
    assert found.interval == pytest.approx((0.02174, 0.08427), abs=5e-6)


def test_the_wilcoxon_and_sign_tests_of_two_runs_of_trec():
    # R's wilcox.test(exact=FALSE), which corrects for continuity, and SciPy when it does so too.
    with_correction = scipy.stats.wilcoxon(GAINS, correction=True, method="asymptotic").pvalue
    assert with_correction == pytest.approx(0.003445188, abs=5e-10)
    # There are ties: ours is as asymptotic, and does not correct for continuity, as SciPy.
    whole = np.round(GAINS * 10_000)
    assert wilcoxon(GAINS) == scipy.stats.wilcoxon(whole, method="asymptotic").pvalue
    assert wilcoxon(GAINS) == pytest.approx(0.003445188, abs=2e-4)
    # 31 of the 44 queries that differ by more than 0.01.
    assert sign(GAINS, minimum=0.01) == pytest.approx(0.009559879, abs=5e-10)


def test_the_t_tests_of_the_sample_of_permtest():
    close = [paired_t(permtest.VALUES[i] - permtest.VALUES[0]).p for i in (1, 2, 3)]
    assert close == pytest.approx([0.0647, 0.3292, 4.3e-8], abs=5e-5)


def test_systems_share_their_queries_and_are_not_taken_for_independent_groups():
    rows = sakai.VALUES
    above = np.triu_indices(3, 1)
    assert tukey(rows)[above] == pytest.approx([0.25670, 0.09569, 0.85496], abs=5e-6)
    independent = scipy.stats.tukey_hsd(*rows).pvalue[above]
    assert independent == pytest.approx([0.394, 0.196, 0.900], abs=5e-4)
    exact = [0.30376, 0.10659, 0.89160]  # by convolution over all choices of permutations
    assert randomized_tukey(rows, resamples=50_000)[above] == pytest.approx(exact, abs=0.007)


def test_corrections_of_five_p_values():
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.05])
    assert holm(p) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert benjamini_hochberg(p) == pytest.approx([0.05] * 5)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("nDCG@5", 0.5783753957),
        ("nDCG(gain=exp2)@5", 0.6077574819),
        ("Judged@5", 0.6),
        ("RBP", 0.2624),
        ("RBPResidual", 0.65568),
        ("Bpref", 2 / 3),
    ],
)
def test_a_ranking_with_unjudged_items(measure, value):
    assert gainful.evaluate(QRELS, RUN, measure)[measure] == pytest.approx(value, abs=5e-11)


def test_a_condensed_ranking():
    rules = gainful.Rules(unjudged="condense")
    scores = gainful.evaluate(QRELS, RUN, "nDCG@5", rules=rules)
    assert scores["nDCG@5"] == pytest.approx(0.8949990021, abs=5e-11)
    assert "condensed-lists" in [notice.code for notice in scores.notices]
