"""Facts of parts add up to those of the whole, and so does what is said of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful import Rules, ragged
from gainful.about_joins import parties
from gainful.align import part, said
from gainful.errors import GainfulError
from gainful.facts import NEVER, Facts, Ids, ItemFacts, Lacks, Met, Row, Seen, added, moved
from gainful.sources import Columns, Reading, index_qrels, read_run

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
    found = ragged.distinct(np.array(values, dtype=np.float64))
    assert found.tolist() == np.unique(np.array(values, dtype=np.float64)).tolist()


@settings(deadline=None, max_examples=200)
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
    _, whole, handed = part(judgments, source, rules, READING)
    who = parties(judgments, source, handed)
    assert _said(added(parts), who, rules) == _said(whole, who, rules)


def test_the_first_of_what_parts_saw_is_the_lowest():
    several = Seen(3, Row(7, "q2", "b")), NEVER, Seen(1, Row(2, "q1", "z"))
    assert added(Facts(rows=rows) for rows in several).rows == Seen(4, Row(2, "q1", "z"))
    assert added([Facts(), Facts()]).rows == NEVER


def test_items_that_something_is_not_known_of_are_shown_in_the_order_of_queries():
    one = Lacks(Ids(("z", "a")), (Met("q1", 4, "z"), Met("q5", 9, "a")))
    other = Lacks(Ids(("a", "b")), (Met("q2", 0, "a"), Met("q3", 1, "b")))
    each = [ItemFacts(Facts(), lacks.ids, unknown=lacks) for lacks in (one, other)]
    both = added(each).unknown
    assert both.ids == ("a", "b", "z")
    assert [met.id for met in both.first] == ["z", "a", "b"]


def test_facts_of_many_parts_add_up_in_one_go():
    parts = [Facts(missing=tuple(f"q{100 * n + i}" for i in range(100))) for n in range(1000)]
    assert len(added(parts).missing) == 100_000


def test_items_that_parts_share_are_there_once():
    both = added([_items("b", "a"), _items("c", "a")])
    assert both.groups == ("a", "b", "c")


def test_rows_are_known_by_the_places_they_are_moved_to():
    facts = Facts(rows=Seen(2, Row(1, "q", "d")), infinite=Seen(1, 2))
    found = moved(facts, [40, 50])
    assert found.rows.first.place == 40
    assert found.infinite.first == 50


def test_a_query_that_the_rules_refuse_is_named_by_the_error():
    with pytest.raises(GainfulError) as error:
        gainful.evaluate(
            {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["a"]}, rules=Rules(missing="error")
        )
    assert error.value.query == "q2"


def _items(*names):
    from gainful.facts import GroupFacts

    return GroupFacts(Facts(), (), 0, Ids(names), 0, NEVER, 0, 0)


def _part_of(qrels, run, rules, chosen):
    places = [number for number, row in enumerate(run, 1) if row[0] in chosen]
    own = [row for row in run if row[0] in chosen]
    judgments = _judgments([one for one in qrels if one[0][0] in chosen], rules)
    _, facts, _ = part(judgments, _run(own), rules, READING)
    return moved(facts, places)


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


def _said(facts, who, rules):
    try:
        return said(facts, who, rules)
    except GainfulError as error:
        return str(error)
