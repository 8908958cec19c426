"""The text and the documentation of every dialect, generated from its declaration."""

import pytest

from gainful import parse_measure
from gainful.dialects import DIALECTS, FAMILIES, Dialect
from gainful.report.views.dialects import (
    describe_dialect,
    describe_dialect_markdown,
    list_dialects,
    make_dialect_sections,
)

EVERY = [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS.values()]


@pytest.mark.parametrize("width", [60, 100])
def test_no_line_of_the_list_is_wider_than_the_terminal(width: int) -> None:
    titles = set(FAMILIES)
    assert all(
        len(line) <= width for line in list_dialects(width).splitlines() if line not in titles
    )


@pytest.mark.parametrize("dialect", EVERY)
def test_one_is_explained_with_all_that_is_declared(dialect: Dialect) -> None:
    text = " ".join(describe_dialect(dialect, 80).split())
    texts = (dialect.tool, dialect.function, dialect.summary, dialect.source)
    for part in (*texts, *dialect.edges.values(), *dialect.defects, *dialect.options):
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
    table = next(
        section for section in make_dialect_sections(dialect) if section.title == "Measure"
    )
    measure = parse_measure(f"{dialect.measures[0]}@10")
    assert parse_measure(table.rows[0][1]) == dialect.resolve(measure)
