"""Every measure under every rule: a value or a GainfulError, and no warning."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import GainfulError, evaluate
from gainful.alignment.rules import list_rule_arguments
from gainful.dialects import DialectRules
from gainful.measures import REGISTRY
from measures.every_measure import ITEMS, complete_measure

NUMBERS = {"depth": [1, 2, 10], "min_items": [0, 1, 3], "decimals": [0, 4], "own_items": ["drop"]}
LABELS = ([0, 1], [-2, -1, 0, 1, 3], [0], [0.5, 1.5, 0], [1], [1e300, 1])
SCORES = ([1.0], [0.0, -0.0, 1.0], [1e308, -1e308, 5e-324], [1.0, 2.0, 3.0])


def _list_values(argument):
    choices = argument.setting.choices
    return list(choices) if choices else NUMBERS.get(argument.name, [-1, 0, 1, 2])


# Few at a time: most rules that are drawn together refuse each other.
single_rules = st.sampled_from(list(list_rule_arguments(DialectRules).values())).flatmap(
    lambda argument: st.tuples(st.just(argument.name), st.sampled_from(_list_values(argument)))
)
rule_sets = st.lists(single_rules, max_size=3).map(dict)


def _build_items(numbers):
    return st.sampled_from(numbers).flatmap(
        lambda values: st.dictionaries(
            st.sampled_from([f"d{i}" for i in range(7)]), st.sampled_from(values)
        )
    )


collections = st.tuples(
    *(st.lists(_build_items(numbers), min_size=2, max_size=2) for numbers in (LABELS, SCORES))
)


@pytest.mark.parametrize("name", sorted(REGISTRY))
@max_examples(25)
@given(collection=collections, rules=rule_sets)
def test_there_is_a_value_or_an_error_of_ours(name, collection, rules):
    qrels, run = ({f"d{i}": items for i, items in enumerate(side)} for side in collection)
    with suppress(GainfulError):
        scores = evaluate(
            qrels, run, complete_measure(name), rules=DialectRules(**rules), items=ITEMS
        )
        assert not np.isinf(scores.values).any()
        scores.to_json()
