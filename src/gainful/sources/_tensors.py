"""Arrays of other libraries, as NumPy arrays that share their memory."""

from typing import Any

import numpy as np

from gainful.errors import SourceError

# By the numbers of DLPack: memory of the processor, plain or pinned for a graphics card.
_REACHABLE = (1, 3, 11, 13)


def is_array(given: Any) -> bool:
    """Whether it is an array: of NumPy, or of a library that shares arrays with it."""
    return hasattr(given, "__array__") or _speaks_dlpack(given)


def as_array(given: Any, name: str) -> Any:
    """A NumPy array of what shares arrays through DLPack; all else as it is.

    Tensors that require gradients are taken without them. What is on another device is an error,
    and so is a type of numbers that NumPy does not have.
    """
    if isinstance(given, np.ndarray) or not _speaks_dlpack(given):
        return given
    device = _device(given)
    if device not in _REACHABLE:
        message = (
            f"{name}: must be in the memory of the processor, got an array on device {device} "
            "of DLPack. Copy it there first, for example with .cpu() or .get()."
        )
        raise SourceError(message, code="wrong-type")
    if getattr(given, "requires_grad", False):
        given = given.detach()
    try:
        return np.from_dlpack(given)
    except (BufferError, RuntimeError, TypeError, ValueError, AttributeError):
        pass
    try:
        return np.asarray(given) if hasattr(given, "__array__") else _unshared(given, name)
    except (BufferError, RuntimeError, TypeError, ValueError):
        return _unshared(given, name)


def _device(given: Any) -> Any:
    try:
        return given.__dlpack_device__()[0]
    except (BufferError, RuntimeError, TypeError, ValueError):
        return getattr(given, "device", None)  # one that DLPack has no number for


def _unshared(given: Any, name: str) -> Any:
    kind = getattr(given, "dtype", type(given).__name__)
    message = (
        f"{name}: must be of a type of numbers that NumPy has, got {kind}. "
        "Convert it first, for example with .float()."
    )
    raise SourceError(message, code="wrong-type")


def _speaks_dlpack(given: Any) -> bool:
    return hasattr(given, "__dlpack__") and hasattr(given, "__dlpack_device__")
