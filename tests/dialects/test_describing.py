"""gainful dialects, and what the documentation says of them: all from the declarations."""

import json
import sys

import pytest

from gainful import cli, parse_measure
from gainful.dialects import DIALECTS, FAMILIES, Dialect, find_dialect, list_versions
from gainful.report.views.dialects import (
    describe_dialect,
    describe_dialect_markdown,
    list_dialects,
    make_dialect_sections,
)
from terminal import needs_unix, seen_on_a_terminal

EVERY = [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS.values()]


@pytest.fixture
def run(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["gainful", *arguments])
        code = cli.run()
        printed = capsys.readouterr()
        return printed.out, printed.err, code

    return run


def test_in_a_pipe_there_is_a_line_for_each_with_tool_and_summary(run) -> None:
    out, err, code = run("dialects")
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines == [[d.name, d.tool, d.summary] for d in DIALECTS.values()]
    assert (err, code) == ("", 0)


@needs_unix
def test_on_a_terminal_they_are_listed_by_family(tmp_path) -> None:
    seen = seen_on_a_terminal("python -m gainful dialects", tmp_path, COLUMNS="70")
    assert seen == list_dialects(70)
    for family in FAMILIES:
        assert f"{family}\n" in seen


@pytest.mark.parametrize("width", [60, 100])
def test_no_line_of_the_list_is_wider_than_the_terminal(width: int) -> None:
    titles = set(FAMILIES)
    assert all(
        len(line) <= width for line in list_dialects(width).splitlines() if line not in titles
    )


@pytest.mark.parametrize("dialect", EVERY)
def test_one_is_explained_with_all_that_is_declared(dialect: Dialect) -> None:
    text = " ".join(describe_dialect(dialect, 80).split())
    said = (dialect.tool, dialect.function, dialect.summary, dialect.source)
    for part in (*said, *dialect.edges.values(), *dialect.defects, *dialect.options):
        assert " ".join(part.split()) in text
    assert f'dialect="{dialect.name}"' in text
    assert f"--dialect {dialect.name}" in text


@pytest.mark.parametrize("dialect", EVERY)
def test_the_documentation_has_every_section_but_how_to_call_it(dialect: Dialect) -> None:
    page = describe_dialect_markdown(dialect)
    titles = [line[2:].partition(":")[0] for line in page.splitlines() if line.startswith("- ")]
    assert [*titles, "Use"] == [section.title for section in make_dialect_sections(dialect)]


@pytest.mark.parametrize("dialect", EVERY)
def test_the_measure_that_is_shown_is_the_one_that_is_computed(dialect: Dialect) -> None:
    shown = next(
        section for section in make_dialect_sections(dialect) if section.title == "Measure"
    )
    asked = parse_measure(f"{dialect.measures[0]}@10")
    assert parse_measure(shown.rows[0][1]) == dialect.resolve(asked)


def test_xgboost_is_explained_to_the_letter(run) -> None:
    out, err, code = run("dialects", "XGBoost")
    assert (err, code) == ("", 0)
    assert out.startswith(
        "xgboost: XGBoost, eval_metric=ndcg\n\n"
        "As LightGBM, with scores in single precision; without @k it is cut at rank 32.\n\n"
        "Formula:\n"
        "  nDCG@k  DCG@k / IDCG@k\n"
        "  DCG@k   sum over i = 1..k of g(l_i) / d(i)\n"
        "  IDCG@k  sum over i = 1..k of g_(i) / d(i)\n"
        "  g(l)    2^label - 1\n"
        "  d(i)    log2(rank + 1)\n"
    )
    assert "  cutoff=32  " in out
    assert "  empty_weight=one    empty queries not weighted\n" in out
    assert (
        "Versions:\n  xgboost    from 2.0 on; checked against 3.2.0\n  xgboost@1  before 2.0\n"
    ) in out


def test_json_has_one_or_all_with_what_measures_mean_in_it(run) -> None:
    every = json.loads(run("dialects", "-f", "json")[0])["dialects"]
    assert [one["name"] for one in every] == list(DIALECTS)
    [one] = json.loads(run("dialects", "es", "-f", "json")[0])["dialects"]
    assert one["name"] == "elasticsearch"
    assert set(one["measures"]) == {"nDCG", "DCG"}
    assert one["settings"]["ideal_depth"] == "retrieved"
    assert one["options"]["unknown_doc_rating=X"] == "unjudged_label=X"


def test_an_unknown_name_is_an_error_that_names_the_nearest(run) -> None:
    assert run("dialects", "sklern") == (
        "",
        "error: unknown dialect 'sklern'. Did you mean sklearn? [unknown-dialect]\n",
        1,
    )


def test_versions_are_told_newest_first_and_where_each_ends() -> None:
    told = [(one.name, before) for one, before in list_versions(find_dialect("sklearn@1.1"))]
    assert told == [("sklearn", ""), ("sklearn@1.2", "1.3"), ("sklearn@1.1", "1.2")]
    assert [(d.name, b) for d, b in list_versions(find_dialect("rax"))] == [("rax", "")]
