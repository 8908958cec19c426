"""Thresholds read from gainful.toml and pyproject.toml."""

from pathlib import Path

import pytest

from gainful import SourceError
from gainful.gate.thresholds import collect_threshold_arguments, find_config, read_config


def write_config(text, name="gainful.toml"):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def read_wrong_config(text, name="gainful.toml"):
    write_config(text, name)
    with pytest.raises(SourceError) as error:
        read_config(name)
    return str(error.value)


def test_the_nearest_file_with_a_table_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_config("[gate]\nmin = 0.1\n")
    write_config("[tool.other]\n", "a/pyproject.toml")
    assert find_config("a").thresholds == {"min": 0.1}
    write_config("[tool.gainful.gate]\nmin = 0.2\n", "a/pyproject.toml")
    assert find_config("a").thresholds == {"min": 0.2}
    write_config("[gate]\nmin = 0.3\n", "a/gainful.toml")
    assert find_config("a").thresholds == {"min": 0.3}


def test_every_threshold_and_rule_is_a_key(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_config(
        '[gate]\nmax-drop = 0\nmode = "regression"\nmin = 0.4\nquery-max-drop = 0.5\n'
        'min-judged = 1\nalpha = 0.1\nmissing = "error"\ndepth = 10\npinned = ["q1", "q2"]\n'
    )
    config = read_config("gainful.toml")
    assert list(config.thresholds) == list(collect_threshold_arguments())
    assert config.thresholds["max_drop"] == 0
    assert config.rules == {"missing": "error", "depth": 10}
    assert config.pinned == ("q1", "q2")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "[gate]\nmax-dorp = 0.1\n",
            "gainful.toml: unknown key 'max-dorp' in [gate]. Did you mean max-drop?",
        ),
        (
            "[gate]\nzzz = 0.1\n",
            "gainful.toml: unknown key 'zzz' in [gate]. There are qrels, baseline, candidate, "
            "junit, report, measures, pinned, max-drop, mode, min, query-max-drop, min-judged, "
            "alpha, ties, order, missing, duplicates, unjudged, empty, depth, collapse, "
            "precision.",
        ),
        (
            '[gate.measures."nDCG@10"]\nmin_judged = 0.1\n',
            "gainful.toml: unknown key 'min_judged' in [gate.measures.\"nDCG@10\"]. "
            "Did you mean min-judged?",
        ),
        (
            '[gate]\nmax-drop = "0.1"\n',
            "gainful.toml: max-drop of [gate] must be a number >= 0, got '0.1'.",
        ),
        (
            "[gate]\nmin = true\n",
            "gainful.toml: min of [gate] must be a number, got True.",
        ),
        (
            '[gate]\nmode = "strict"\n',
            "gainful.toml: mode of [gate] must be one of point, regression, noninferior, "
            "got 'strict'.",
        ),
        (
            "[gate]\nmeasures = 10\n",
            "gainful.toml: measures of [gate] must be a name, a list of names, or a table of each, "
            "got 10.",
        ),
        (
            "[gate.measures]\nP = 0.1\n",
            "gainful.toml: P of [gate.measures] must be a table of thresholds, got 0.1.",
        ),
        (
            "[gate]\npinned = [1]\n",
            "gainful.toml: pinned of [gate] must be a file, or a list of ids, got [1].",
        ),
        (
            '[gate]\nmeasures = ["ndgc"]\n',
            "gainful.toml: measures of [gate]: unknown measure 'ndgc'. Did you mean nDCG?",
        ),
        ("[gate]\nqrels = 1\n", "gainful.toml: qrels of [gate] must be a path, got 1."),
        ("gate = 1\n", "gainful.toml: gate must be a table, got 1."),
        ("", "gainful.toml: has no table [gate]. Write the thresholds below it."),
        (
            "[gate\n",
            "gainful.toml: is no TOML (expected ']' at the end of a table declaration (at line 1, "
            "column 6)).",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path, monkeypatch, text, sentence):
    monkeypatch.chdir(tmp_path)
    assert read_wrong_config(text) == sentence


def test_bytes_that_are_no_text_are_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gainful.toml").write_bytes(b"[gate]\n# \xff\n")
    with pytest.raises(SourceError) as error:
        read_config("gainful.toml")
    assert str(error.value) == "gainful.toml: the text must be UTF-8, got byte 0xff."


@pytest.mark.parametrize(
    ("name", "text", "heading"),
    [
        ("gainful.toml", "[gates]\nmin = 0.3\n", "gate"),
        ("gainful.toml", "min = 0.3\n", "gate"),
        ("pyproject.toml", "[tool.gainful]\nmin = 0.3\n", "tool.gainful.gate"),
        ("pyproject.toml", "[tool.gainful.gat]\nmin = 0.3\n", "tool.gainful.gate"),
    ],
)
def test_a_file_of_ours_without_the_table_is_not_passed_by(tmp_path, name, text, heading):
    (tmp_path / name).write_text(text)
    with pytest.raises(SourceError) as error:
        find_config(tmp_path)
    assert str(error.value) == (
        f"{tmp_path / name}: has no table [{heading}]. Write the thresholds below it."
    )
