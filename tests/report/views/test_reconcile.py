"""The values of a run in every dialect, as text: members, notes, sentences and tables."""

import re

import gainful
from evaluation.test_reconcile import (
    BACKWARD_RUN,
    NEGATIVE_QRELS,
    QRELS,
    RUN,
    SMALL_DIALECTS,
    make_dialect,
)
from gainful import reconcile
from gainful.base.settings import Argument, Setting
from gainful.evaluation.reconcile import list_shown_groups
from gainful.report.views import reconcile as text


def test_older_versions_that_differ_stand_in_a_note_unless_they_are_asked_for():
    result = reconcile(NEGATIVE_QRELS, BACKWARD_RUN)
    # 1.1 keeps negative labels, which later versions refuse.
    assert "sklearn@1.1" in result.older
    assert "sklearn@1.2" not in result.older
    rows = [text.format_members(group) for group in list_shown_groups(result)]
    assert not any("sklearn@1.1" in names for names in rows)
    assert any("sklearn (also @1.2)" in names for names in rows)
    [note] = [
        note
        for note in text.list_reading_notes(result)
        if note.startswith("Older versions that differ: ")
    ]
    assert f"sklearn@1.1 {result['sklearn@1.1'].value:.4f}" in note
    assert note.endswith("; gainful reconcile --versions shows them as rows.")
    assert "sklearn@1.1" in [entry["dialect"] for entry in result.to_dict()["dialects"]]
    full_result = reconcile(NEGATIVE_QRELS, BACKWARD_RUN, dialects=["sklearn", "sklearn@1.1"])
    assert full_result.older == ()
    assert [group.names for group in list_shown_groups(full_result)] == [
        group.names for group in full_result.groups
    ]


def test_versions_are_rows_if_all_are_asked_for_and_so_is_an_older_one_as_the_reference():
    every = reconcile(NEGATIVE_QRELS, BACKWARD_RUN, versions=True)
    assert every.older == ()
    assert any("sklearn@1.1" in text.format_members(group) for group in list_shown_groups(every))
    assert (
        "sklearn@1.1" not in reconcile(NEGATIVE_QRELS, BACKWARD_RUN, reference="sklearn@1.1").older
    )


def test_coarse_rounding_is_said_in_words():
    qrels = {"q1": {"a": 1, "b": 2, "c": 3}}
    result = reconcile(qrels, {"q1": ["a", "b", "c"]}, dialects=["rre"])
    assert "terms and value cut to 2 decimals (" in text.summarize_reconciliation(result)
    back = reconcile(qrels, {"q1": ["a", "b", "c"]}, reference="rre", dialects=["burges"])
    assert "nothing rounded on the way (" in text.summarize_reconciliation(back)


def test_values_are_told_in_short():
    run = {"q1": ["b", "a"]}
    alike = reconcile({"q1": {"a": 1}}, run, dialects=["trec_eval", "ranx"])
    assert text.summarize_reconciliation(alike) == "nDCG@10 of 'run' is 0.6309 by every definition."
    refused = reconcile({"q1": {"a": 1, "b": -1}}, run, dialects=["lightgbm"])
    assert text.summarize_reconciliation(refused) == (
        "nDCG@10 of 'run' is 0.6309 by every definition that has a value."
    )
    same = reconcile({"q1": {"a": 1}}, run, dialects=["trec_eval"])
    assert text.summarize_reconciliation(same) == "trec_eval@10 0.630930, gainful 0.630930: equal."
    nothing = make_dialect("nothing", rules={"empty": "nan"})
    none = reconcile({"q1": {"a": 0}}, {"q1": ["a"]}, reference=nothing, dialects=[])
    assert text.summarize_reconciliation(none) == "nDCG@10 of 'run' has no value in any dialect."


def test_people_are_shown_a_line_for_each_group():
    lines = repr(reconcile(QRELS, RUN, dialects=SMALL_DIALECTS)).splitlines()
    assert lines[0] == "<Reconciliation of 'run': nDCG@10 in 6 dialects, 3 queries>"
    assert [re.split("  +", line.strip()) for line in lines[4:8]] == [
        ["value", "difference", "dialects", "what sets them apart"],
        [
            *("0.854905", "+0.589336", "boost, boost-too"),
            "a query with nothing relevant scores 1 (+0.3333), queries without results left out "
            "(+0.2995), exponential gain (-0.0434)",
        ],
        [
            *("0.398354", "+0.132785", "skips@10 (also @9), list"),
            "queries without results left out (+0.1328)",
        ],
        ["0.265569", "+0.000000", "gainful", "the reference"],
    ]


def test_notebooks_show_a_table():
    html = reconcile(QRELS, RUN, dialects=SMALL_DIALECTS)._repr_html_()
    assert "0.2656 to 0.8549, depending on whose definition; yours (gainful) is 0.2656." in html
    assert "<table" in html
    assert "exponential gain (-0.0434)" in html


def test_every_value_that_a_dialect_has_is_said_in_words():
    for dialect in gainful.DIALECTS.values():
        ours = gainful.nDCG.arguments
        settings = dialect.resolve(gainful.nDCG).all_settings
        phrases = [argument.phrase(settings[name]) for name, argument in ours.items()]
        assert not [words for words in phrases if "=" in words], dialect.name


def test_a_value_without_words_is_named():
    assert Argument("depth", int, None, Setting(""), True).phrase(None) == "depth=none"
