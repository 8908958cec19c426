"""RetrievalMetric: any measure, over labels and scores that come batch by batch."""

import copy
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gainful import ragged
from gainful.adapters._accumulated import Batch, Queries, batch, queries
from gainful.adapters._query_lists import ListMeasures, list_measures, one_measure
from gainful.adapters._tensors import device_of, torch_tensor
from gainful.asked import as_dialect
from gainful.dialects import Dialect
from gainful.errors import AlignError, MeasureError, RuleError, SourceError
from gainful.measures import Measure
from gainful.ragged import FloatArray
from gainful.rules import Rules

Aggregation = str | Callable[..., Any]

_EMPTY = {"neg": 0.0, "pos": 1.0, "skip": np.nan, "error": np.nan}


def _lower_median(values: FloatArray) -> float:
    return float(np.sort(values)[(len(values) - 1) // 2])


AGGREGATIONS: dict[str, Callable[[FloatArray], float]] = {
    "mean": ragged.mean,
    "median": _lower_median,
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
        self.measure = one_measure(type(self).__name__, measure)
        self.dialect = as_dialect(dialect, rules)
        self._taken = list_measures(type(self).__name__, self.measure, dialect, rules)
        self.empty_target_action = empty_target_action
        if empty_target_action is not None:
            _check_known("empty_target_action", empty_target_action, _EMPTY)
        self.ignore_index = whole_number(ignore_index, "ignore_index")
        self.aggregation = aggregation
        if not callable(aggregation):
            _check_known("aggregation", aggregation, AGGREGATIONS)
        self.rank = whole_number(rank, "rank")
        self.sync_on_compute = sync_on_compute
        self._batches: list[Batch] = []
        self._device: str | None = None

    @property
    def higher_is_better(self) -> bool:
        """Whether more of it is better."""
        return self.measure.higher_is_better

    @property
    def state(self) -> State:
        """All that was seen since the last reset."""
        return State(tuple(self._batches), self._device)

    def update(self, preds: Any, target: Any, indexes: Any = None) -> None:
        """Add items: their scores, their labels, and the number of the query of each.

        An empty batch adds nothing.
        """
        brought = self._brought(preds, target, indexes)
        if len(brought.query):
            self._batches.append(brought)
            self._device = device_of(preds) or self._device

    def compute(self) -> Any:
        """The value over all that was seen, in all processes."""
        whole = self.sync() if self.sync_on_compute else self
        return whole._aggregated(whole._batches)

    def forward(self, preds: Any, target: Any, indexes: Any = None) -> Any:
        """The value of these items alone; they are added to the others."""
        self.update(preds, target, indexes)
        return self._aggregated([self._brought(preds, target, indexes)])

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
        distributed = _distributed()
        merged = copy.copy(self)
        merged.sync_on_compute = False
        if distributed is not None:
            states: list[Any] = [None] * distributed.get_world_size()
            distributed.all_gather_object(states, self.state)
            merged._batches = [part for state in states for part in state.batches]
        return merged

    def __repr__(self) -> str:
        own = f"{self.measure}, dialect={self.dialect}"
        return f"{type(self).__name__}({own})"

    def _brought(self, preds: Any, target: Any, indexes: Any) -> Batch:
        distributed = _distributed()
        rank = self.rank
        if rank is None:
            rank = 0 if distributed is None else distributed.get_rank()
        return self._checked(batch(preds, target, indexes, rank=rank, ignore=self.ignore_index))

    def _checked(self, brought: Batch) -> Batch:
        return brought

    def _aggregated(self, batches: Iterable[Batch]) -> Any:
        seen = list(batches)
        if not seen:
            message = f"{type(self).__name__}: has seen no items. Call update first."
            raise SourceError(message, code="nothing-in-it")
        values = self._values_of(self._queries(seen))
        values = values[~np.isnan(values)]
        if callable(self.aggregation):
            return _applied(self.aggregation, self._shown(values))
        # All queries may have been skipped.
        found = AGGREGATIONS[self.aggregation](values) if len(values) else 0.0
        return self._shown(found)

    def _shown(self, values: Any) -> Any:
        if self._device is not None:
            return torch_tensor(values, self._device)
        rounded = np.asarray(values, dtype=np.float32 if self._single else np.float64)
        return float(rounded) if rounded.ndim == 0 else rounded

    def _queries(self, batches: list[Batch]) -> Queries:
        return queries(batches)

    def _values_of(self, given: Queries) -> FloatArray:
        values = self._values(given)
        if self.empty_target_action is None:
            return values
        empty = given.total == 0
        if empty.any() and self.empty_target_action == "error":
            number = given.number[int(empty.argmax())]
            message = f"nothing is relevant for query {number}, got empty_target_action=error."
            raise AlignError(message, code="refused-empty")
        return np.where(empty, _EMPTY[self.empty_target_action], values)

    def _values(self, given: Queries) -> FloatArray:
        [settled], rules = self._taken.settled, self._taken.rules
        if self.empty_target_action is not None:
            rules = replace(rules, empty="zero")
        return listed(settled, given, rules)

    def _settings(self) -> tuple[Any, ...]:
        """What must be the same for what two metrics have seen to be one."""
        return self._taken, self.empty_target_action, self.ignore_index

    def _check_same(self, other: "RetrievalMetric") -> None:
        if (type(self), *self._settings()) != (type(other), *other._settings()):
            message = f"merge: must be given a metric of the same settings, got {self} and {other}."
            raise MeasureError(message, code="unlike-runs")


def listed(measure: Measure, given: Queries, rules: Rules) -> FloatArray:
    """One value per query."""
    taken = ListMeasures((measure,), (measure,), rules)
    sizes = np.diff(given.offsets)
    return taken.taken(given.label, given.score, group_sizes=sizes).values[:, 0]


def _applied(aggregation: Callable[..., Any], values: Any) -> Any:
    """What a function makes of the values; torchmetrics passes a ``dim`` as well."""
    try:
        takes_dim = "dim" in inspect.signature(aggregation).parameters
    except ValueError:  # of torch itself
        takes_dim = not isinstance(values, np.ndarray)
    return aggregation(values, dim=None) if takes_dim else aggregation(values)


def _distributed() -> Any:
    """torch.distributed, if processes work together in it; torch is not loaded for that."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available():
        return None
    return distributed if distributed.is_initialized() else None


def _check_known(name: str, value: Any, choices: Iterable[str]) -> None:
    if value not in list(choices):
        message = f"{name}: must be one of {', '.join(choices)}, got {value!r:.60}."
        raise RuleError(message, code="bad-argument")


def whole_number(value: Any, name: str) -> int | None:
    """An integer, or None; else an error that names the argument."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | np.integer)):
        message = f"{name}: must be a whole number, got {value!r:.60}."
        raise RuleError(message, code="bad-argument")
    return None if value is None else int(value)
