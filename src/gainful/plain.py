"""What results hold as plain values, and these as JSON."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """The value as JSON holds it: None stands for NaN and for infinity, which it has not.

    An interval, or any other tuple, is a list; numbers of NumPy are those of Python.

    >>> plain({"low": float("nan"), "ends": (0.25, np.float64(0.5)), "n": np.int64(3)})
    {'low': None, 'ends': [0.25, 0.5], 'n': 3}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(one) for one in value]
    return value


def to_json(held: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """Plain values as JSON; floats at full precision.

    >>> to_json({"query": "q1", "value": 0.5}, indent=None)
    '{"query": "q1", "value": 0.5}'
    """
    import json  # only who asks for it pays for loading it

    return json.dumps(held, indent=indent, ensure_ascii=False, allow_nan=False)
