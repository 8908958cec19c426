"""Labels and scores in rows of one length, of which some places are padding."""

from typing import Any, NamedTuple

import numpy as np

from gainful.adapters._tensors import ordered, taken
from gainful.errors import SourceError
from gainful.ragged import FloatArray, IntArray
from gainful.ruled_rankings import is_padding
from gainful.rules import Rules


class Lists(NamedTuple):
    """The items of all rows that are no padding, and how many each row has."""

    label: FloatArray
    score: FloatArray
    sizes: IntArray


def kept_lists(y_true: Any, y_pred: Any, rules: Rules) -> Lists:
    """The items of each list that are no padding; one list alone is a batch of one.

    Args:
        y_true: Labels, or ``{"labels": ..., "mask": ...}`` as keras-rs takes them.
        y_pred: Scores.
        rules: What says which labels are padding.
    """
    asked = y_true if isinstance(y_true, dict) else {"labels": y_true}
    if "labels" not in asked:
        message = f"y_true: must have labels, got {', '.join(map(str, asked)) or 'nothing'}."
        raise SourceError(message, code="missing-column")
    label, score = _rows(asked["labels"], "y_true"), _rows(y_pred, "y_pred")
    kept = ~is_padding(label, rules)
    if asked.get("mask") is not None:
        kept &= _alike(_rows(asked["mask"], "mask"), label, "mask").astype(np.bool_)
    score = _alike(score, label, "y_pred")
    ordered(np.where(kept, score, 0.0), "y_pred")  # padding may have any score
    return Lists(label[kept], score[kept], kept.sum(axis=1))


def _rows(given: Any, name: str) -> Any:
    array = taken(given, name)
    if array.ndim not in (1, 2):
        message = f"{name}: must be one list, or a batch of lists, got the shape {array.shape}."
        raise SourceError(message, code="wrong-shape")
    return np.atleast_2d(array).astype(np.float64)


def _alike(array: Any, label: Any, name: str) -> Any:
    if array.shape != label.shape:
        message = f"{name}: must have the shape of y_true, {label.shape}, got {array.shape}."
        raise SourceError(message, code="unequal-lengths")
    return array
