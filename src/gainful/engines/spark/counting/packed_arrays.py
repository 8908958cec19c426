"""Arrays as bytes and back: how counts travel between workers."""

import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

_LENGTH = 4  # bytes that tell how long the names are
_FAST = 1


def packed_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Flat arrays, whose small numbers take little room.

    >>> packed = packed_arrays({"rank": np.zeros(10_000, dtype=np.int64)})
    >>> len(packed) < 500, unpacked_arrays(packed)["rank"].sum()
    (True, np.int64(0))
    """
    names = [[name, array.dtype.str, len(array)] for name, array in arrays.items()]
    head = json.dumps(names).encode()
    # Bytes of one weight together: those of high weight are mostly zeros.
    body = [_planes(array).T.tobytes() for array in arrays.values()]
    return zlib.compress(b"".join([len(head).to_bytes(_LENGTH, "little"), head, *body]), _FAST)


def unpacked_arrays(blob: bytes) -> dict[str, Any]:
    """What was packed."""
    text = zlib.decompress(blob)
    end = _LENGTH + int.from_bytes(text[:_LENGTH], "little")
    found = {}
    for name, kind, size in json.loads(text[_LENGTH:end]):
        width = np.dtype(kind).itemsize
        planes = np.frombuffer(text, np.uint8, width * size, end).reshape(width, size)
        found[name] = np.ascontiguousarray(planes.T).view(kind).reshape(size)
        end += width * size
    return found


def _planes(array: Any) -> Any:
    return np.ascontiguousarray(array).view(np.uint8).reshape(len(array), array.dtype.itemsize)
