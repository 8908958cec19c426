"""Measures from text, and errors for text that names no measure."""

import pytest

from gainful import DCG, MeasureError, nDCG, parse_measure
from gainful.measures import REGISTRY, parse_measures


@pytest.mark.parametrize(
    "text",
    [
        "nDCG@10",
        "ndcg@10",
        "NDCG@10",
        "ndcg_cut_10",
        "ndcg_cut.10",
        " nDCG @ 10 ",
        "nDCG(cutoff=10)",
    ],
)
def test_all_spellings_of_the_field_are_read(text):
    assert parse_measure(text) == nDCG @ 10


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("nDCG", nDCG),
        ("ndcg", nDCG),
        ("nDCG(gain=exp2)@10", nDCG(gain="exp2") @ 10),
        ("nDCG(gain='exp2')@10", nDCG(gain="exp2") @ 10),
        ("nDCG(gain={1: 1, 2: 3})", nDCG(gain={1: 1, 2: 3})),
        ("nDCG(gain={2: 3, 1: 1.0})", nDCG(gain={1: 1, 2: 3})),
        ("nDCG(gain={-1: -2, 1: .5})", nDCG(gain={-1: -2, 1: 0.5})),
        ("DCG(discount=jk(2))", DCG(discount="jk(2)")),
        ("DCG(discount=none)", DCG(discount="none")),
        ("DCG(discount='log(10)')", DCG(discount="log(10)")),
        ("nDCG(rel=2, gain=binary)@5", nDCG(gain="binary", rel=2) @ 5),
    ],
)
def test_settings_are_read(text, measure):
    assert parse_measure(text) == measure


def test_several_cutoffs_give_several_measures():
    assert parse_measures("nDCG@5,10,20") == [nDCG @ 5, nDCG @ 10, nDCG @ 20]
    assert parse_measures("ndcg_cut.5,10") == [nDCG @ 5, nDCG @ 10]


def test_defaults_do_not_show_and_equal_measures_are_equal_keys():
    assert str(nDCG(gain="linear", discount="log2") @ 5) == "nDCG@5"
    assert {nDCG @ 5: 1}[nDCG(gain="linear") @ 5] == 1
    assert str(nDCG(gain={2: 3, 1: 1}, discount="jk(2.0)", rel=2.0) @ 5) == (
        "nDCG(gain={1: 1, 2: 3}, discount=jk(2), rel=2)@5"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ndgc", "unknown measure 'ndgc'. Did you mean nDCG?"),
        ("nDCG10", "unknown measure 'nDCG10'. Did you mean nDCG@10?"),
        ("p5", "unknown measure 'p5'. Did you mean P@5?"),
        ("xyzzy@3", f"unknown measure 'xyzzy'. There are {len(REGISTRY)}: see gainful measures."),
        ("nDCG@0", "nDCG: cutoff must be an integer >= 1, got 0."),
        ("nDCG@ten", "nDCG: cutoff must be an integer >= 1, got 'ten'."),
        ("nDCG@2.5", "nDCG: cutoff must be an integer >= 1, got 2.5."),
        ("nDCG@5,", "nDCG: cutoff must be an integer >= 1, got ''."),
        ("nDCG(rel=0)", "nDCG: rel must be a number > 0, got 0."),
        ("nDCG(rel=True)", "nDCG: rel must be a number > 0, got True."),
        (
            "nDCG(ideal=best)",
            "nDCG: ideal must be one of judged, list, ones, got 'best'.",
        ),
        (
            "nDCG(gain=exp)",
            "nDCG: gain must be one of linear, exp2, presence, positive, binary, signed_exp2, or a "
            "table such as {1: 1, 2: 3}, got 'exp'.",
        ),
        (
            "nDCG(discount=log(1))",
            "nDCG: discount must be one of log2, ln, log(b), jk(b), reciprocal, none with a base "
            "b > 1, got 'log(1)'.",
        ),
        (
            "CG(discount=ln)",
            "CG has no setting 'discount'; it takes cutoff, gain, negatives, rel.",
        ),
        (
            "nDCG(10)",
            "cannot read 'nDCG(10)' as a measure; write it like nDCG@10 or nDCG(gain=exp2)@5,10.",
        ),
        (
            "",
            "cannot read '' as a measure; write it like nDCG@10 or nDCG(gain=exp2)@5,10.",
        ),
        (
            "nDCG@5,10",
            "'nDCG@5,10' names 2 measures; name one.",
        ),
    ],
)
def test_other_text_is_an_error_that_says_the_way_out(text, sentence):
    with pytest.raises(MeasureError) as error:
        parse_measure(text)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "nDCG(" + "(" * 400 + ")" * 400 + ")",
        "nDCG(gain=" + "-" * 900 + "1)",
        "x" * 5000,
        "nDCG(gain=exp2, gain=linear)",
        "nDCG(cutoff=5)@10",
        "ndcg_cut_" + "9" * 5000,
        "nDCG(**{})",
        "nDCG(gain=[1,2][0])",
        "nDCG(gain=__import__('os'))",
        "nDCG\0@5",
    ],
)
def test_hostile_text_is_an_error_and_nothing_else(text):
    with pytest.raises(MeasureError):
        parse_measure(text)
