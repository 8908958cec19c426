"""Arrays as bytes and back: how counts travel between workers."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

_LENGTH = 8  # bytes that tell how long something is


def packed_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Flat arrays, whose small numbers take little room.

    >>> packed = packed_arrays({"rank": np.zeros(10_000, dtype=np.int64)})
    >>> len(packed) < 500, unpacked_arrays(packed)["rank"].sum()
    (True, np.int64(0))
    """
    import pyarrow as pa

    names = [[name, array.dtype.str, len(array)] for name, array in arrays.items()]
    head = json.dumps(names).encode()
    # Bytes of one weight together: those of high weight are mostly zeros.
    body = [_planes(array).T.tobytes() for array in arrays.values()]
    text = b"".join([_size(head), head, *body])
    packed: bytes = _size(text) + pa.compress(text, "zstd", asbytes=True)
    return packed


def unpacked_arrays(blob: bytes) -> dict[str, Any]:
    """What was packed."""
    import pyarrow as pa

    size, packed = int.from_bytes(blob[:_LENGTH], "little"), blob[_LENGTH:]
    text = pa.decompress(packed, size, "zstd", asbytes=True)
    end = _LENGTH + int.from_bytes(text[:_LENGTH], "little")
    found = {}
    for name, kind, size in json.loads(text[_LENGTH:end]):
        width = np.dtype(kind).itemsize
        planes = np.frombuffer(text, np.uint8, width * size, end).reshape(width, size)
        found[name] = np.ascontiguousarray(planes.T).view(kind).reshape(size)
        end += width * size
    return found


def _size(text: bytes) -> bytes:
    return len(text).to_bytes(_LENGTH, "little")


def _planes(array: Any) -> Any:
    return np.ascontiguousarray(array).view(np.uint8).reshape(len(array), array.dtype.itemsize)
