"""Labels and scores as arrays or nested lists, flattened into one list with offsets."""

from collections.abc import Hashable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np

from gainful.base import FloatArray, IntArray, format_repr, ragged
from gainful.errors import SourceError

# By the numbers of DLPack: memory of the processor, plain or pinned for a graphics card.
_REACHABLE = (1, 3, 11, 13)


def is_array(source: object) -> bool:
    """Return whether it is an array: of NumPy, or of a library that shares arrays with it."""
    return hasattr(source, "__array__") or _speaks_dlpack(source)


def to_array(source: Any, name: str) -> Any:
    """Return a NumPy array of an object that speaks DLPack; any other object unchanged.

    Tensors that require gradients are taken without them. What is on another device is an error,
    and so is a type of numbers that NumPy does not have.
    """
    if isinstance(source, np.ndarray) or not _speaks_dlpack(source):
        return source
    device = _find_device(source)
    if device not in _REACHABLE:
        message = (
            f"{name}: must be in the memory of the processor, got an array on device {device} "
            "of DLPack. Copy it there first, for example with .cpu() or .get()."
        )
        raise SourceError(message, code="wrong-type")
    if getattr(source, "requires_grad", False):
        source = source.detach()
    try:
        return np.from_dlpack(source)
    except (BufferError, RuntimeError, TypeError, ValueError, AttributeError):
        pass
    try:
        return np.asarray(source) if hasattr(source, "__array__") else _refuse_array(source, name)
    except (BufferError, RuntimeError, TypeError, ValueError):
        return _refuse_array(source, name)


def _find_device(source: Any) -> Any:
    try:
        return source.__dlpack_device__()[0]
    except (BufferError, RuntimeError, TypeError, ValueError):
        return getattr(source, "device", None)  # one that DLPack has no number for


def _refuse_array(source: object, name: str) -> Any:
    kind = getattr(source, "dtype", type(source).__name__)
    message = (
        f"{name}: must be of a type of numbers that NumPy has, got {kind}. "
        "Convert it first, for example with .float()."
    )
    raise SourceError(message, code="wrong-type")


def _speaks_dlpack(source: object) -> bool:
    return hasattr(source, "__dlpack__") and hasattr(source, "__dlpack_device__")


class Flat(NamedTuple):
    """Many rankings in one list.

    Attributes:
        values: The elements of all rankings, one after the other.
        offsets: Where each ranking begins; one more than there are rankings.
        single: Whether one ranking was given, not a list of rankings.
    """

    values: Any
    offsets: IntArray
    single: bool


def flatten(source: Any, name: str = "ranking") -> Flat:
    """Flatten one ranking, or many as a 2-D array or a list of lists, into one list.

    >>> flat = flatten([[3, 2], [1]])
    >>> flat.values, flat.offsets.tolist(), flat.single
    ([3, 2, 1], [0, 2, 3], False)
    """
    if hasattr(source, "__dlpack__"):
        source = to_array(source, name)
    if isinstance(source, str | bytes | Mapping) or not hasattr(source, "__len__"):
        message = f"{name}: expected a list or an array, got {format_repr(source)}."
        if name == "scores" and isinstance(source, int):
            message += f" For a cutoff write k={source}."
        raise SourceError(message, code="wrong-type")
    if isinstance(source, Set) or np.ma.is_masked(source):
        message = f"{name}: must have an order and no masked values, got {format_repr(source)}."
        raise SourceError(message, code="wrong-type")
    if hasattr(source, "__array__"):
        array = np.asarray(source)
        if array.ndim not in (1, 2):
            message = f"{name}: expected one or two dimensions, got {array.ndim}."
            raise SourceError(message, code="wrong-shape")
        width = array.shape[-1]
        count = 1 if array.ndim == 1 else array.shape[0]
        return Flat(array.ravel(), np.arange(count + 1) * width, array.ndim == 1)
    n_lists = 0
    for element in source:
        n_lists += hasattr(element, "__len__") and not isinstance(element, str | bytes)
    if not n_lists:
        return Flat(source, np.array([0, len(source)]), single=True)
    if n_lists < len(source):
        message = f"{name}: expected lists only, or no list, got a mix: {format_repr(source)}."
        raise SourceError(message, code="wrong-shape")
    offsets = ragged.offsets_from_sizes([len(ranking) for ranking in source])
    return Flat([value for ranking in source for value in ranking], offsets, single=False)


def regroup(
    flat: Flat, group_sizes: Sequence[int] | None, query_ids: Sequence[Hashable] | None
) -> tuple[Flat, IntArray | None]:
    """Split a list into rankings by sizes or ids; return them and the order that groups them.

    The order is None if the elements of each ranking are already together.
    """
    if group_sizes is None and query_ids is None:
        return flat, None
    name = "query_ids" if group_sizes is None else "group_sizes"
    if not flat.single or (group_sizes is not None and query_ids is not None):
        message = f"{name}: cuts one list into rankings; give either it alone, or many rankings."
        raise SourceError(message, code="bad-groups")
    if group_sizes is not None:
        group_sizes = to_array(group_sizes, name)
        sizes = np.asarray(group_sizes, dtype=None if len(group_sizes) else np.int64)
        if sizes.dtype.kind not in "iu" or sizes.ndim != 1 or (sizes < 0).any():
            message = f"group_sizes: must be integers >= 0, got {format_repr(group_sizes)}."
            raise SourceError(message, code="bad-groups")
        _check_count("group_sizes: the sum", sum(sizes.tolist()), len(flat.values))
        offsets = ragged.offsets_from_sizes(sizes)
        return Flat(flat.values, offsets, single=False), None
    number = _number_ids(to_array(query_ids, name))
    _check_count("query_ids: the count", len(number), len(flat.values))
    order = np.argsort(number, kind="stable")
    offsets = ragged.offsets_from_sizes(np.bincount(number))
    return Flat(flat.values, offsets, single=False), order


def _number_ids(ids: Any) -> IntArray:
    """Return a number for each id, from 0 by first appearance."""
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iuUS":
        _, first, number = np.unique(ids, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[number], dtype=np.int64)
    numbers: dict[Any, int] = {}
    for value in ids:
        if not isinstance(value, Hashable) or value != value:
            message = f"query_ids: must be ids, got {format_repr(value)}."
            raise SourceError(message, code="bad-groups")
        numbers.setdefault(value, len(numbers))
    return np.array([numbers[value] for value in ids], dtype=np.int64)


def to_numbers(values: object, name: str) -> FloatArray:
    """Convert to finite float64 numbers (scores may be infinite), or raise an error."""
    return check_finite(to_float64(values, name), name)


def to_float64(values: Any, name: str) -> FloatArray:
    """Convert to float64 numbers, or raise an error."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":
            raise TypeError
        if array.dtype.kind == "O" and any(isinstance(v, str | bytes) for v in array.flat):
            raise TypeError
        array = np.ascontiguousarray(array, dtype=np.float64)
        if array.ndim != 1:
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        example = next((v for v in values if not isinstance(v, int | float | np.number)), values)
        message = f"{name}: must be numbers, got {format_repr(example)}."
        if name == "labels":
            message += " Pass labels={...} to map words, or relevant={...} for item ids."
        raise SourceError(message, code="not-numbers") from None
    return array


def check_finite(array: FloatArray, name: str) -> FloatArray:
    """Return the numbers; raise an error if one is not finite, or a score that is NaN."""
    orders = name == "scores"  # may be infinite
    bad = np.isnan(array) if orders else ~np.isfinite(array)
    if bad.any():
        place = int(bad.argmax())
        kind = "numbers that can be ordered" if orders else "finite numbers"
        message = f"{name}: must be {kind}, got {array[place]} at position {place}."
        raise SourceError(message, code="not-numbers")
    return array


def labels_from_words(words: Sequence[Hashable], labels: Mapping[Any, float]) -> list[float]:
    """Return the label of each word; an integer and its text are the same word.

    >>> labels_from_words(["click", "none", 5], {"click": 1, "none": 0, "5": 2})
    [1, 0, 2]
    """
    if not isinstance(labels, Mapping):
        message = f"labels: must map words to numbers, got {format_repr(labels)}."
        raise SourceError(message, code="bad-labels")
    labels_by_word = {**{_convert_word(word): label for word, label in labels.items()}, **labels}
    unknown = [word for word in words if not _is_known(word, labels_by_word)]
    if unknown:
        words_listed = ", ".join(repr(word) for word in labels)
        message = f"labels: must name every word, got {unknown[0]!r}; there are {words_listed}."
        raise SourceError(message, code="bad-labels")
    return [labels_by_word[word] for word in words]


def _convert_word(word: Any) -> Any:
    """Return the text of an integer, the integer of its text; all else as it is.

    >>> _convert_word(5), _convert_word("5"), _convert_word("05"), _convert_word("five")
    ('5', 5, '05', 'five')
    """
    if isinstance(word, int) and not isinstance(word, bool):
        return str(word)
    is_integer = isinstance(word, str) and len(word) < 20 and word.isascii() and word.isdecimal()
    return int(word) if is_integer and str(int(word)) == word else word


def _is_known(word: object, labels: Mapping[Any, float]) -> bool:
    try:
        return word in labels
    except TypeError:  # a list, for one, can be no key
        return False


def _check_count(subject: str, number: int, expected: int) -> None:
    if number != expected:
        message = f"{subject} must be the number of labels, {expected}, got {number}."
        raise SourceError(message, code="unequal-lengths")
