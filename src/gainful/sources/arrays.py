"""Labels and scores as arrays or nested lists, flattened into one list with offsets."""

from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.errors import SourceError
from gainful.ragged import FloatArray, IntArray
from gainful.records import Frozen
from gainful.sources._tensors import as_array
from gainful.wording import as_written


@dataclass(eq=False, repr=False)
class Flat(Frozen):
    """Many rankings in one list.

    Attributes:
        values: The elements of all rankings, one after the other.
        offsets: Where each ranking begins; one more than there are rankings.
        single: Whether one ranking was given, not a list of rankings.
    """

    values: Any
    offsets: IntArray
    single: bool


def flatten(given: Any, name: str = "ranking") -> Flat:
    """One ranking, or many of them as a 2-D array or a list of lists, in one list.

    >>> flat = flatten([[3, 2], [1]])
    >>> flat.values, flat.offsets.tolist(), flat.single
    ([3, 2, 1], [0, 2, 3], False)
    """
    given = as_array(given, name)
    if isinstance(given, str | bytes | Mapping) or not hasattr(given, "__len__"):
        message = f"{name}: expected a list or an array, got {as_written(given)}."
        if name == "scores" and isinstance(given, int):
            message += f" For a cutoff write k={given}."
        raise SourceError(message, code="wrong-type")
    if isinstance(given, Set) or np.ma.is_masked(given):
        message = f"{name}: must have an order and no masked values, got {as_written(given)}."
        raise SourceError(message, code="wrong-type")
    if hasattr(given, "__array__"):
        array = np.asarray(given)
        if array.ndim not in (1, 2):
            message = f"{name}: expected one or two dimensions, got {array.ndim}."
            raise SourceError(message, code="wrong-shape")
        width = array.shape[-1]
        count = 1 if array.ndim == 1 else array.shape[0]
        return Flat(array.ravel(), np.arange(count + 1) * width, array.ndim == 1)
    nested = [_is_nested(element) for element in given]
    if not any(nested):
        return Flat(given, np.array([0, len(given)]), single=True)
    if not all(nested):
        message = f"{name}: expected lists only, or no list, got a mix: {as_written(given)}."
        raise SourceError(message, code="wrong-shape")
    offsets = np.concatenate([[0], np.cumsum([len(ranking) for ranking in given])])
    return Flat([value for ranking in given for value in ranking], offsets, single=False)


def regroup(
    flat: Flat, group_sizes: Sequence[int] | None, query_ids: Sequence[Hashable] | None
) -> tuple[Flat, IntArray | None]:
    """The rankings that sizes or ids cut one list into, and the order that brings them together.

    The order is None where the elements of each ranking stand together already.
    """
    if group_sizes is None and query_ids is None:
        return flat, None
    name = "query_ids" if group_sizes is None else "group_sizes"
    if not flat.single or (group_sizes is not None and query_ids is not None):
        message = f"{name}: cuts one list into rankings; give either it alone, or many rankings."
        raise SourceError(message, code="bad-groups")
    if group_sizes is not None:
        group_sizes = as_array(group_sizes, name)
        sizes = np.asarray(group_sizes, dtype=None if len(group_sizes) else np.int64)
        if sizes.dtype.kind not in "iu" or sizes.ndim != 1 or (sizes < 0).any():
            message = f"group_sizes: must be integers >= 0, got {as_written(group_sizes)}."
            raise SourceError(message, code="bad-groups")
        _same_count("group_sizes: the sum", sum(sizes.tolist()), len(flat.values))
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return Flat(flat.values, offsets, single=False), None
    number = _numbered(as_array(query_ids, name))
    _same_count("query_ids: the count", len(number), len(flat.values))
    order = np.argsort(number, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(number))]).astype(np.int64)
    return Flat(flat.values, offsets, single=False), order


def _numbered(ids: Any) -> IntArray:
    """A number for each id, from 0 by first appearance."""
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iuUS":
        _, first, number = np.unique(ids, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[number], dtype=np.int64)
    known: dict[Any, int] = {}
    for one in ids:
        if not isinstance(one, Hashable) or one != one:
            message = f"query_ids: must be ids, got {as_written(one)}."
            raise SourceError(message, code="bad-groups")
        known.setdefault(one, len(known))
    return np.array([known[one] for one in ids], dtype=np.int64)


def numbers(values: Any, name: str) -> FloatArray:
    """Finite numbers as float64 (scores may be infinite); else an error that names the place."""
    return checked(converted(values, name), name)


def converted(values: Any, name: str) -> FloatArray:
    """Numbers as float64; what is none is an error."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO" or any(
            isinstance(v, str | bytes) for v in _objects(array)
        ):
            raise TypeError
        array = np.ascontiguousarray(array, dtype=np.float64)
        if array.ndim != 1:
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        wrong = next((v for v in values if not isinstance(v, int | float | np.number)), values)
        message = f"{name}: must be numbers, got {as_written(wrong)}."
        if name == "labels":
            message += " Pass labels={...} to map words, or relevant={...} for item ids."
        raise SourceError(message, code="not-numbers") from None
    return array


def checked(array: FloatArray, name: str) -> FloatArray:
    """The numbers, unless one is not finite, or a score that cannot be ordered."""
    orders = name == "scores"  # may be infinite
    bad = np.isnan(array) if orders else ~np.isfinite(array)
    if bad.any():
        place = int(bad.argmax())
        kind = "numbers that can be ordered" if orders else "finite numbers"
        message = f"{name}: must be {kind}, got {array[place]} at position {place}."
        raise SourceError(message, code="not-numbers")
    return array


def _objects(array: Any) -> list[Any]:
    return array.ravel().tolist() if array.dtype.kind == "O" else []


def worded(words: Sequence[Hashable], labels: Mapping[Any, float]) -> list[float]:
    """The label of each word; an integer and its text are the same word, as they are in files.

    >>> worded(["click", "none", 5], {"click": 1, "none": 0, "5": 2})
    [1, 0, 2]
    """
    if not isinstance(labels, Mapping):
        message = f"labels: must map words to numbers, got {as_written(labels)}."
        raise SourceError(message, code="bad-labels")
    meant = {**{_twin(word): label for word, label in labels.items()}, **labels}
    unknown = [word for word in words if not _is_known(word, meant)]
    if unknown:
        known = ", ".join(repr(word) for word in labels)
        message = f"labels: must name every word, got {unknown[0]!r}; there are {known}."
        raise SourceError(message, code="bad-labels")
    return [meant[word] for word in words]


def _twin(word: Any) -> Any:
    """The text of an integer, the integer of its text; all else as it is.

    >>> _twin(5), _twin("5"), _twin("05"), _twin("five")
    ('5', 5, '05', 'five')
    """
    if isinstance(word, int) and not isinstance(word, bool):
        return str(word)
    is_integer = isinstance(word, str) and len(word) < 20 and word.isascii() and word.isdecimal()
    return int(word) if is_integer and str(int(word)) == word else word


def _is_known(word: Any, labels: Mapping[Any, float]) -> bool:
    try:
        return word in labels
    except TypeError:  # a list, for one, can be no key
        return False


def _is_nested(element: Any) -> bool:
    return hasattr(element, "__len__") and not isinstance(element, str | bytes)


def _same_count(what: str, found: int, expected: int) -> None:
    if found != expected:
        message = f"{what} must be the number of labels, {expected}, got {found}."
        raise SourceError(message, code="unequal-lengths")
