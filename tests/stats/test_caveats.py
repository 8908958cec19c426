"""Notices about a comparison: few queries, ties, uneven judging, queries that are left out."""

from gainful import Rules
from gainful.stats.compare import compare


def test_few_queries_many_ties_and_undefined_queries_are_said():
    qrels = {f"q{i}": {"d1": i % 2} for i in range(10)}
    first = {query: ["d1"] for query in qrels}
    second = {query: ["d2", "d1"] if query == "q1" else ["d1"] for query in qrels}
    comparison = compare(qrels, {"one": first, "two": second})
    messages = {notice.code: str(notice) for notice in comparison.notices}
    assert messages["few-queries"] == (
        "10 queries are compared, fewer than 25: only large differences show, and p-values and "
        "intervals are rough."
    )
    assert messages["many-ties"] == (
        "nDCG@10: on up to 90% of the queries both runs have the same value ('two - one'); the "
        "difference rests on the others. A deeper or finer measure tells more of them apart."
    )
    assert messages["undefined-queries"] == (
        "nDCG@10 is undefined for 5 of 10 queries: nothing is relevant there. They tell nothing, "
        "yet count among the queries; empty=skip leaves them out."
    )


def test_uneven_judging_is_said():
    qrels = {f"q{i}": {"d1": 1, "d2": 0} for i in range(30)}
    old = {query: ["d1", "d2"] for query in qrels}
    new = {query: ["d1", "x"] for query in qrels}
    (notice,) = [n for n in compare(qrels, [old, new]).notices if n.code == "uneven-judging"]
    assert str(notice) == (
        "nDCG@10: 50% of what 'run-2' returns is judged but 100% of what 'run-1' returns; unjudged "
        "items count as not relevant, so the first may be better than it looks. gainful unjudged "
        "lists what to judge, and how far nDCG could move."
    )


def test_queries_of_some_runs_only_are_left_out_and_said():
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
    first, second = {"q1": ["d1"], "q2": ["d1"]}, {"q2": ["d1"], "q3": ["d1"]}
    comparison = compare(qrels, [first, second], rules=Rules(missing="skip"))
    assert comparison.queries == ("q2",)
    (notice,) = [n for n in comparison.notices if n.code == "uncommon-queries"]
    assert str(notice) == (
        "2 queries ('q1', 'q3') not all runs have a value for; left out of the comparison."
    )
