"""How often something is tried: a few times in ``make test``, many times in ``make test-deep``.

Machines are noisy: no example has to be quick, and every run tries the same ones.
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

drawn = pytest.mark.drawn  # marks a test with some() in it, which make test-deep runs as well


def tried(times: int) -> settings:
    """Settings of a property that needs another number of examples, in ``make test-deep``."""
    return settings(max_examples=times if _is_deep() else max(3, times // _SHARE))


def some(cases: Sequence[Case], first: int = 0) -> Sequence[Case]:
    """One in five of the cases, from one of them on; all of them in ``make test-deep``."""
    return cases if _is_deep() else cases[first % _SHARE :: _SHARE] or cases[:1]


def _is_deep() -> bool:
    return settings.get_current_profile_name() == "deep"
