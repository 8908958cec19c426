"""Judgments: queries keep their place, and ids must be there."""

import pytest

import gainful
from gainful.errors import SourceError


def test_queries_without_items_keep_their_place():
    qrels = {f"q{i:02}": {"d": 1} if i % 2 else {} for i in range(40)}
    assert gainful.read_qrels(qrels).queries == tuple(qrels)
    sets = {query: set(items) for query, items in qrels.items()}
    assert gainful.read_qrels(sets).queries == tuple(qrels)


@pytest.mark.parametrize("kind", ["query", "item"])
def test_an_id_that_is_missing_is_no_empty_one(kind):
    columns = {"query": ["q", "q"], "item": ["a", "b"], "label": [1, 0]}
    columns[kind] = ["", None]
    with pytest.raises(SourceError, match=r"row 2: .*got None"):
        gainful.read_qrels(gainful.Columns(**columns))
