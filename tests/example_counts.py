"""How many examples a test tries: a few in ``make test``, many in ``make test-deep``.

There is no deadline, since machines are noisy, and every run tries the same examples.
"""

from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import settings

_QUICK = 20
_SHARE = 5

settings.register_profile("quick", deadline=None, derandomize=True, max_examples=_QUICK)
settings.register_profile("deep", deadline=None, derandomize=True, max_examples=100)


Case = TypeVar("Case")

sampled = pytest.mark.sampled  # marks tests that call sample_cases, which make test-deep runs too


def max_examples(times: int) -> settings:
    """Return settings with so many examples in ``make test-deep``, and a fifth elsewhere."""
    return settings(max_examples=times if _is_deep() else max(3, times // _SHARE))


def sample_cases(cases: Sequence[Case], first: int = 0) -> Sequence[Case]:
    """Return every fifth case, beginning at ``first``; all of them in ``make test-deep``."""
    return cases if _is_deep() else cases[first % _SHARE :: _SHARE] or cases[:1]


def _is_deep() -> bool:
    return settings.get_current_profile_name() == "deep"
