"""Statistics and notices of parts of the queries add up to those of the whole."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from example_counts import max_examples
from gainful import Rules
from gainful.alignment.join import align
from gainful.alignment.join_stats import (
    ZERO,
    Count,
    FirstSeen,
    GroupStats,
    Ids,
    ItemStats,
    JoinStats,
    MissingData,
    RunRow,
    add_stats,
    move_rows,
)
from gainful.base import ragged
from gainful.base.limits import Reading
from gainful.diagnostics.diagnose import diagnose_join, name_sources
from gainful.errors import GainfulError
from gainful.sources import Columns, index_qrels, read_run

READING = Reading(threads=1)

floats = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)
ids = st.sampled_from(["a", "b", "c", "\uffff", "\U00010000"])
queries = st.sampled_from([f"q{number}" for number in range(8)])
judged = st.dictionaries(st.tuples(queries, ids), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 3.0, 12.0]))
retrieved = st.lists(
    st.tuples(queries, ids, st.sampled_from([-0.0, 0.0, 0.1, 0.1000000001, 1.0, math.inf])),
    unique_by=lambda row: row[:2],
)


@given(st.lists(floats), st.integers(1, 4))
def test_exact_terms_of_parts_add_up_to_the_sum_rounded_once(values, n_parts):
    parts = [ragged.exact_terms(np.array(values[i::n_parts])) for i in range(n_parts)]
    assert math.fsum(term for terms in parts for term in terms) == math.fsum(values)


@given(st.lists(st.one_of(st.integers(-5, 20).map(float), floats)))
def test_distinct_values_are_those_that_sorting_finds(values):
    found = ragged.find_distinct(np.array(values, dtype=np.float64))
    assert found.tolist() == np.unique(np.array(values, dtype=np.float64)).tolist()


@max_examples(200)
@given(
    judged,
    retrieved,
    st.integers(1, 4),
    st.sampled_from(
        [
            Rules(),
            Rules(ties="average"),
            Rules(missing="error"),
            Rules(empty="error"),
            Rules(missing="skip", empty="skip"),
            Rules(unjudged="condense", depth=2),
            Rules(padding="negative", own_items="drop"),
        ]
    ),
)
def test_parts_of_the_queries_say_what_the_whole_says(qrels, run, n_parts, rules):
    qrels = sorted(qrels.items())
    if not qrels:
        return
    parts = [
        _part_of(qrels, run, rules, {f"q{n}" for n in range(i, 8, n_parts)}) for i in range(n_parts)
    ]
    judgments, source = _judgments(qrels, rules), _run(run)
    _, whole, locator = align(judgments, source, rules, READING)
    names = name_sources(judgments, source, locator)
    assert _said(add_stats(parts), names, rules) == _said(whole, names, rules)


def test_the_first_of_what_parts_saw_is_the_lowest():
    several = Count(3, RunRow(7, "q2", "b")), ZERO, Count(1, RunRow(2, "q1", "z"))
    assert add_stats(JoinStats(rows=rows) for rows in several).rows == Count(
        4, RunRow(2, "q1", "z")
    )
    assert add_stats([JoinStats(), JoinStats()]).rows == ZERO


def test_items_that_something_is_not_known_of_are_shown_in_the_order_of_queries():
    one = MissingData(Ids(("z", "a")), (FirstSeen("q1", 4, "z"), FirstSeen("q5", 9, "a")))
    other = MissingData(Ids(("a", "b")), (FirstSeen("q2", 0, "a"), FirstSeen("q3", 1, "b")))
    each = [ItemStats(JoinStats(), lacks.ids, unknown=lacks) for lacks in (one, other)]
    both = add_stats(each).unknown
    assert both.ids == ("a", "b", "z")
    assert [met.id for met in both.first] == ["z", "a", "b"]


def test_facts_of_many_parts_add_up_in_one_go():
    parts = [JoinStats(missing=tuple(f"q{100 * n + i}" for i in range(100))) for n in range(1000)]
    assert len(add_stats(parts).missing) == 100_000


def test_items_that_parts_share_are_there_once():
    both = add_stats([_items("b", "a"), _items("c", "a")])
    assert both.groups == ("a", "b", "c")


def test_rows_are_known_by_the_places_they_are_moved_to():
    facts = JoinStats(rows=Count(2, RunRow(1, "q", "d")), infinite=Count(1, 2))
    found = move_rows(facts, [40, 50])
    assert found.rows.first.place == 40
    assert found.infinite.first == 50


def test_a_query_that_the_rules_refuse_is_named_by_the_error():
    with pytest.raises(GainfulError) as error:
        gainful.evaluate(
            {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}, rules=Rules(missing="error")
        )
    assert error.value.query == "q2"


def _items(*names):

    return GroupStats(JoinStats(), (), 0, Ids(names), 0, ZERO, 0, 0)


def _part_of(qrels, run, rules, chosen):
    places = [number for number, row in enumerate(run, 1) if row[0] in chosen]
    own = [row for row in run if row[0] in chosen]
    judgments = _judgments([one for one in qrels if one[0][0] in chosen], rules)
    _, facts, _ = align(judgments, _run(own), rules, READING)
    return move_rows(facts, places)


def _judgments(qrels, rules):
    columns = Columns(
        query=[query for (query, _), _ in qrels],
        item=[item for (_, item), _ in qrels],
        label=[label for _, label in qrels],
    )
    return index_qrels(columns, rules, READING)


def _run(rows):
    query, item, score = zip(*rows, strict=True) if rows else ((), (), ())
    return read_run(Columns(query=list(query), item=list(item), score=list(score)))


def _said(facts, names, rules):
    try:
        return diagnose_join(facts, names, rules)
    except GainfulError as error:
        return str(error)
