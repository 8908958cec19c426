"""What holds for every test."""

import pytest

from gainful.measures import REGISTRY


@pytest.fixture(autouse=True)
def _measures_declared_by_a_test_end_with_it():
    declared = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(declared)
