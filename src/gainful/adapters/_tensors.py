"""Numbers out of tensors and arrays of any library, and back to where they came from."""

import sys
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.sources._tensors import as_array


def taken(given: Any, name: str) -> Any:
    """A NumPy array of numbers, be they on a graphics card, under gradients, or in a list.

    Tensors are shared by DLPack, and not copied where the processor can reach them.

    >>> taken([1, 0], "target")
    array([1, 0])
    """
    try:
        array = np.asarray(as_array(_within_reach(given), name))
    except SourceError:
        raise
    except ValueError:  # lists of different lengths
        raise _no_numbers(given, name) from None
    if array.dtype.kind not in "biuf" and array.size:
        raise _no_numbers(given, name)
    return array if array.size else array.astype(np.float64)


def ordered(array: Any, name: str) -> Any:
    """The numbers, unless one of them cannot be ordered: NaN."""
    bad = np.isnan(array)
    if bad.any():
        place = int(bad.ravel().argmax())
        message = f"{name}: must be numbers that can be ordered, got nan at position {place}."
        raise SourceError(message, code="not-numbers")
    return array


def device_of(given: Any) -> str | None:
    """Where a tensor of torch is; None for what is none.

    >>> device_of([1, 0]) is None
    True
    """
    is_torch = type(given).__module__.partition(".")[0] == "torch" and hasattr(given, "device")
    return str(given.device) if is_torch else None


def torch_tensor(values: Any, device: str) -> Any:
    """The values as a tensor of torch, which is loaded: tensors came in."""
    torch = sys.modules["torch"]
    return torch.tensor(values, dtype=torch.float32, device=device)


def _within_reach(given: Any) -> Any:
    for step in ("detach", "cpu"):
        given = getattr(given, step, lambda same=given: same)()
    # NumPy has no such type; single precision holds all of its numbers.
    return given.float() if str(getattr(given, "dtype", "")).endswith("bfloat16") else given


def _no_numbers(given: Any, name: str) -> SourceError:
    return SourceError(f"{name}: must be numbers, got {given!r:.60}.", code="not-numbers")
