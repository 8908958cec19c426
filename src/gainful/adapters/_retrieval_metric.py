"""RetrievalMetric: any measure, over labels and scores that come batch by batch."""

import copy
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gainful.adapters._query_lists import (
    ListMeasures,
    check_order,
    get_device,
    make_torch_tensor,
    parse_list_measures,
    parse_single_measure,
    read_numbers,
)
from gainful.alignment import Rules
from gainful.base import FloatArray, IntArray, check_choice, find_owners, ragged, sum_by_query
from gainful.dialects import Dialect
from gainful.errors import AlignError, MeasureError, RuleError, SourceError
from gainful.evaluation import resolve_dialect
from gainful.measures import Measure


class Batch(NamedTuple):
    """The items of one update: a query, a score and a label for each."""

    rank: int
    query: IntArray
    score: Any
    label: Any


class Queries(NamedTuple):
    """The items of all batches, grouped by query, with queries in the order of their number."""

    number: IntArray
    label: FloatArray
    score: FloatArray
    offsets: IntArray

    @property
    def owner(self) -> IntArray:
        """The query, from 0, that each item belongs to."""
        return find_owners(self.offsets)

    @property
    def longest(self) -> int:
        """The number of items of the longest query."""
        return int(np.diff(self.offsets).max(initial=1))

    @property
    def total(self) -> FloatArray:
        """The sum of the labels of each query."""
        return sum_by_query(self.label, self.owner, len(self.number))


def make_batch(
    preds: object, target: object, indexes: object, *, rank: int, ignore: float | None
) -> Batch:
    """Return a batch that copies the arrays, so that the caller may reuse them.

    Items with the label ``ignore`` are left out.
    """
    if indexes is None:
        message = "indexes: must say which query each item belongs to, got None."
        raise SourceError(message, code="bad-groups")
    score, label, query = (
        read_numbers(preds, "preds"),
        read_numbers(target, "target"),
        read_numbers(indexes, "indexes"),
    )
    if not score.shape == label.shape == query.shape:
        shapes = f"{score.shape}, {label.shape} and {query.shape}"
        message = f"preds, target and indexes: must have the same shape, got {shapes}."
        raise SourceError(message, code="unequal-lengths")
    if query.size and query.dtype.kind not in "iu":
        message = f"indexes: must be integers, got {query.dtype}."
        raise SourceError(message, code="bad-groups")
    query, score, label = query.astype(np.int64).ravel(), score.ravel(), label.ravel()
    selection = slice(None) if ignore is None else label != ignore
    # A slice shares the memory of the tensor, which the caller may overwrite.
    score, label = np.array(score[selection]), np.array(label[selection])
    return Batch(rank, query[selection], check_order(score, "preds"), _check_finite(label))


def group_by_query(batches: Iterable[Batch]) -> Queries:
    """Return the items of all batches, grouped by query.

    The items of a query are in the order of the ranks of processes, then of updates: the order of
    merging makes no difference.
    """
    parts = sorted(batches, key=lambda part: part.rank)
    number = np.concatenate([part.query for part in parts])
    order = np.argsort(number, kind="stable")
    numbers, sizes = np.unique(number, return_counts=True)
    return Queries(
        number=numbers,
        label=_concatenate([part.label for part in parts])[order],
        score=_concatenate([part.score for part in parts])[order],
        offsets=ragged.offsets_from_sizes(sizes),
    )


def cut_at_rank(queries: Queries, cutoff: int) -> Queries:
    """Return the queries with only the ``cutoff`` best items of each."""
    owner = queries.owner
    order = np.lexsort((-queries.score, owner))  # stable: ties stay in their order
    rank = np.arange(len(owner)) - queries.offsets[owner]
    top = order[rank < cutoff]
    offsets = ragged.offsets_from_sizes(np.minimum(np.diff(queries.offsets), cutoff))
    return Queries(queries.number, queries.label[top], queries.score[top], offsets)


def _concatenate(parts: list[Any]) -> FloatArray:
    return np.concatenate(parts).astype(np.float64)


def _check_finite(label: Any) -> Any:
    bad = ~np.isfinite(label)
    if bad.any():
        place = int(bad.argmax())
        message = f"target: must be finite numbers, got {label[place]} at position {place}."
        raise SourceError(message, code="not-numbers")
    return label


Aggregation = str | Callable[..., Any]

_EMPTY = {"neg": 0.0, "pos": 1.0, "skip": np.nan, "error": np.nan}


def _compute_lower_median(values: FloatArray) -> float:
    return float(np.sort(values)[(len(values) - 1) // 2])


AGGREGATIONS: dict[str, Callable[[FloatArray], float]] = {
    "mean": ragged.mean,
    "median": _compute_lower_median,
    "min": lambda values: float(values.min()),
    "max": lambda values: float(values.max()),
}


class State(NamedTuple):
    """All that a metric has seen: plain arrays, which may be pickled and sent."""

    batches: tuple[Batch, ...]
    device: str | None


class RetrievalMetric:
    """Any measure of labels and scores, over queries that come in batches.

    Rows of one query may come in several batches, and in several processes: they are joined by
    their index. What comes back is a float, or a tensor of torch where ``preds`` were one.

    Args:
        measure: ``"nDCG@10"``, ``AP @ 5``: any that reads labels, one value per query.
        dialect: Whose definition holds; None for our own, ties averaged.
        rules: How to rank and average, where there is no dialect.
        empty_target_action: What a query scores whose labels add up to 0: ``neg`` 0, ``pos`` 1,
            ``skip`` leaves it out, ``error`` is one. As the dialect has it if None.
        ignore_index: Leave out items with this label.
        aggregation: ``mean``, ``median`` (of two the lower), ``min``, ``max``, or a function of the
            values of the queries.
        rank: The number of this process: what rows of a query come first if several processes have
            some. As ``torch.distributed`` says, or 0, if None.
        sync_on_compute: Whether ``compute`` gathers from all processes, where
            ``torch.distributed`` is at work.

    >>> metric = RetrievalMetric("nDCG@10", dialect=None)
    >>> metric.update(preds=[0.9, 0.8], target=[0, 1], indexes=[0, 0])
    >>> metric.update(preds=[0.7, 0.6], target=[1, 0], indexes=[1, 1])
    >>> metric.compute()
    0.8154648767857288
    """

    is_differentiable: ClassVar[bool] = False
    _single: bool = False  # whether values are numbers of single precision

    def __init__(
        self,
        measure: str | Measure = "nDCG",
        *,
        dialect: str | Dialect | None = "torchmetrics",
        rules: Rules | None = None,
        empty_target_action: str | None = None,
        ignore_index: int | None = None,
        aggregation: Aggregation = "mean",
        rank: int | None = None,
        sync_on_compute: bool = True,
    ) -> None:
        self.measure = parse_single_measure(type(self).__name__, measure)
        self.dialect = resolve_dialect(dialect, rules)
        self._measures = parse_list_measures(type(self).__name__, self.measure, dialect, rules)
        self.empty_target_action = empty_target_action
        if empty_target_action is not None:
            check_choice("empty_target_action:", empty_target_action, _EMPTY, RuleError)
        self.ignore_index = check_whole_number(ignore_index, "ignore_index")
        self.aggregation = aggregation
        if not callable(aggregation):
            check_choice("aggregation:", aggregation, AGGREGATIONS, RuleError)
        self.rank = check_whole_number(rank, "rank")
        self.sync_on_compute = sync_on_compute
        self._batches: list[Batch] = []
        self._device: str | None = None

    @property
    def higher_is_better(self) -> bool:
        """True if higher values are better."""
        return self.measure.higher_is_better

    @property
    def state(self) -> State:
        """All that was seen since the last reset."""
        return State(tuple(self._batches), self._device)

    def update(self, preds: object, target: object, indexes: object = None) -> None:
        """Add items: their scores, their labels, and the number of the query of each.

        An empty batch adds nothing.
        """
        batch = self._make_batch(preds, target, indexes)
        if len(batch.query):
            self._batches.append(batch)
            self._device = get_device(preds) or self._device

    def compute(self) -> Any:
        """The value over all that was seen, in all processes."""
        merged = self.sync() if self.sync_on_compute else self
        return merged._aggregate(merged._batches)

    def forward(self, preds: object, target: object, indexes: object = None) -> Any:
        """The value of these items alone; they are added to the others."""
        self.update(preds, target, indexes)
        return self._aggregate([self._make_batch(preds, target, indexes)])

    __call__ = forward

    def reset(self) -> None:
        """Forget all that was seen."""
        self._batches, self._device = [], None

    def clone(self) -> "RetrievalMetric":
        """A copy, with all that was seen."""
        return copy.deepcopy(self)

    def merge_state(self, other: "RetrievalMetric | State") -> None:
        """Add what another metric has seen, or its ``state``.

        Rows of a query that both have stand in the order of their ranks.
        """
        if isinstance(other, RetrievalMetric):
            self._check_same(other)
            other = other.state
        if not isinstance(other, State):
            message = f"merge_state: must be given a metric or its state, got {other!r:.60}."
            raise SourceError(message, code="wrong-type")
        self._batches = sorted([*self._batches, *other.batches], key=lambda part: part.rank)
        self._device = self._device or other.device

    def merge(self, *others: "RetrievalMetric | State") -> "RetrievalMetric":
        """A new metric that has seen what all of them have.

        >>> first, second = RetrievalMetric("RR", rank=0), RetrievalMetric("RR", rank=1)
        >>> first.update([0.2], [1], [0]), second.update([0.3], [0], [0])
        (None, None)
        >>> second.merge(first).compute()
        0.5
        """
        merged = copy.copy(self)
        for other in others:
            merged.merge_state(other)
        return merged

    def sync(self) -> "RetrievalMetric":
        """A new metric that has seen what all processes have; alone, what this one has.

        All processes must call it.
        """
        distributed = _get_distributed()
        merged = copy.copy(self)
        merged.sync_on_compute = False
        if distributed is not None:
            states: list[Any] = [None] * distributed.get_world_size()
            distributed.all_gather_object(states, self.state)
            merged._batches = [part for state in states for part in state.batches]
        return merged

    def __repr__(self) -> str:
        settings = f"{self.measure}, dialect={self.dialect}"
        return f"{type(self).__name__}({settings})"

    def _make_batch(self, preds: object, target: object, indexes: object) -> Batch:
        distributed = _get_distributed()
        rank = self.rank
        if rank is None:
            rank = 0 if distributed is None else distributed.get_rank()
        return self._check_batch(
            make_batch(preds, target, indexes, rank=rank, ignore=self.ignore_index)
        )

    def _check_batch(self, batch: Batch) -> Batch:
        return batch

    def _aggregate(self, batches: Iterable[Batch]) -> Any:
        batch_list = list(batches)
        if not batch_list:
            message = f"{type(self).__name__}: has seen no items. Call update first."
            raise SourceError(message, code="nothing-in-it")
        values = self._score_queries(self._group_queries(batch_list))
        values = values[~np.isnan(values)]
        if callable(self.aggregation):
            return _apply_aggregation(self.aggregation, self._convert_result(values))
        # All queries may have been skipped.
        value = AGGREGATIONS[self.aggregation](values) if len(values) else 0.0
        return self._convert_result(value)

    def _convert_result(self, values: object) -> Any:
        if self._device is not None:
            return make_torch_tensor(values, self._device)
        rounded = np.asarray(values, dtype=np.float32 if self._single else np.float64)
        return float(rounded) if rounded.ndim == 0 else rounded

    def _group_queries(self, batches: list[Batch]) -> Queries:
        return group_by_query(batches)

    def _score_queries(self, queries: Queries) -> FloatArray:
        values = self._compute_values(queries)
        if self.empty_target_action is None:
            return values
        empty = queries.total == 0
        if empty.any() and self.empty_target_action == "error":
            number = queries.number[int(empty.argmax())]
            message = f"nothing is relevant for query {number}, got empty_target_action=error."
            raise AlignError(message, code="refused-empty")
        return np.where(empty, _EMPTY[self.empty_target_action], values)

    def _compute_values(self, queries: Queries) -> FloatArray:
        [resolved], rules = self._measures.resolved, self._measures.rules
        if self.empty_target_action is not None:
            rules = replace(rules, empty="zero")
        return compute_list_values(resolved, queries, rules)

    def _get_settings(self) -> tuple[Any, ...]:
        """Return the settings that two metrics must share to be merged."""
        return self._measures, self.empty_target_action, self.ignore_index

    def _check_same(self, other: "RetrievalMetric") -> None:
        if (type(self), *self._get_settings()) != (type(other), *other._get_settings()):
            message = f"merge: must be given a metric of the same settings, got {self} and {other}."
            raise MeasureError(message, code="unlike-runs")


def compute_list_values(measure: Measure, queries: Queries, rules: Rules) -> FloatArray:
    """Return one value per query."""
    measures = ListMeasures((measure,), (measure,), rules)
    sizes = np.diff(queries.offsets)
    return measures.compute_scores(queries.label, queries.score, group_sizes=sizes).values[:, 0]


def _apply_aggregation(aggregation: Callable[..., Any], values: object) -> Any:
    """Return what a function makes of the values; torchmetrics passes a ``dim`` as well."""
    try:
        takes_dim = "dim" in inspect.signature(aggregation).parameters
    except ValueError:  # of torch itself
        takes_dim = not isinstance(values, np.ndarray)
    return aggregation(values, dim=None) if takes_dim else aggregation(values)


def _get_distributed() -> Any:
    """Return torch.distributed if processes work together in it; never load torch."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available():
        return None
    return distributed if distributed.is_initialized() else None


def check_whole_number(value: object, name: str) -> int | None:
    """Return an integer or None; raise an error that names the argument for anything else."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | np.integer)):
        message = f"{name}: must be a whole number, got {value!r:.60}."
        raise RuleError(message, code="bad-argument")
    return None if value is None else int(value)
