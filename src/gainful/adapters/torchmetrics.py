"""Metrics that gather labels and scores batch by batch, as those of torchmetrics.retrieval do.

Torch need not be installed. Tensors are taken by DLPack, arrays and lists as they are.
"""

from typing import Any, ClassVar

import numpy as np

from gainful.adapters._retrieval_metric import (
    Aggregation,
    Batch,
    Queries,
    RetrievalMetric,
    State,
    check_whole_number,
    compute_list_values,
    cut_at_rank,
    group_by_query,
)
from gainful.alignment import Rules
from gainful.base import FloatArray, ragged
from gainful.errors import RuleError, SourceError
from gainful.measures import AP, RR, Hits, Measure, P, R, Rprec, SetP, Success, nDCG

__all__ = [
    "RetrievalFallOut",
    "RetrievalHitRate",
    "RetrievalMAP",
    "RetrievalMRR",
    "RetrievalMetric",
    "RetrievalNormalizedDCG",
    "RetrievalPrecision",
    "RetrievalRPrecision",
    "RetrievalRecall",
    "State",
]


class RetrievalNormalizedDCG(RetrievalMetric):
    """nDCG as torchmetrics has it: labels may be any whole numbers, tied scores are averaged.

    >>> preds, target = [0.2, 0.3, 0.5, 0.1, 0.3, 0.5, 0.2], [0, 0, 1, 0, 1, 0, 1]
    >>> metric = RetrievalNormalizedDCG()
    >>> round(metric(preds, target, indexes=[0, 0, 0, 1, 1, 1, 1]), 4)
    0.8467
    """

    _single = True

    def __init__(
        self,
        empty_target_action: str = "neg",
        ignore_index: int | None = None,
        top_k: int | None = None,
        aggregation: Aggregation = "mean",
        **options: Any,
    ) -> None:
        self.top_k = _check_cutoff(top_k)
        super().__init__(
            nDCG if self.top_k is None else nDCG @ self.top_k,
            empty_target_action=empty_target_action,
            ignore_index=ignore_index,
            aggregation=aggregation,
            **options,
        )


class _BinaryMetric(RetrievalMetric):
    """A metric of binary labels; its scores are single precision.

    Items of equal score keep the order in which they came.
    """

    _single = True
    _measure: ClassVar[Measure]
    _rules: ClassVar[Rules] = Rules(ties="input", precision="float32")

    def __init__(
        self,
        empty_target_action: str = "neg",
        ignore_index: int | None = None,
        top_k: int | None = None,
        aggregation: Aggregation = "mean",
        **options: Any,
    ) -> None:
        self.top_k = _check_cutoff(top_k)
        super().__init__(
            self._measure,
            dialect=None,
            empty_target_action=empty_target_action,
            ignore_index=ignore_index,
            aggregation=aggregation,
            **options,
        )

    def _get_settings(self) -> tuple[Any, ...]:
        return *super()._get_settings(), self.top_k

    def _check_batch(self, batch: Batch) -> Batch:
        is_wrong = (batch.label != 0) & (batch.label != 1)
        if is_wrong.any():
            place = int(is_wrong.argmax())
            message = (
                f"target: must be 0 or 1 for {type(self).__name__}, "
                f"got {batch.label[place]} at position {place}."
            )
            raise SourceError(message, code="refused-label")
        return batch

    def _group_queries(self, batches: list[Batch]) -> Queries:
        queries = group_by_query(batches)
        with np.errstate(over="ignore"):  # too large scores become infinite
            return queries._replace(score=ragged.round_to_float32(queries.score))

    def _compute_values(self, queries: Queries) -> FloatArray:
        cutoff = queries.longest if self.top_k is None else self.top_k
        return ragged.round_to_float32(self._compute_at(queries, cutoff))

    def _compute_at(self, queries: Queries, cutoff: int) -> FloatArray:
        return compute_list_values(self.measure @ cutoff, queries, self._rules)


class RetrievalMAP(_BinaryMetric):
    """Mean average precision, over the relevant items of the first ``top_k`` alone.

    An item whose score is not above 0 is never relevant, as torchmetrics has it.

    >>> RetrievalMAP()([0.2, 0.3, 0.5], [1, 0, 1], indexes=[0, 0, 0])
    0.8333333134651184
    """

    _measure = AP

    def _compute_at(self, queries: Queries, cutoff: int) -> FloatArray:
        return compute_list_values(AP, cut_at_rank(_binarize(queries), cutoff), self._rules)


class RetrievalMRR(_BinaryMetric):
    """Mean reciprocal rank of the first relevant item whose score is above 0.

    >>> RetrievalMRR()([0.2, 0.3, 0.5], [0, 1, 0], indexes=[0, 0, 0])
    0.5
    """

    _measure = RR

    def _compute_at(self, queries: Queries, cutoff: int) -> FloatArray:
        return compute_list_values(RR @ cutoff, _binarize(queries), self._rules)


class RetrievalPrecision(_BinaryMetric):
    """Share of the first ``top_k`` ranks that hold a relevant item whose score is above 0.

    ``adaptive_k`` divides by the number of items where that is less; so it does without a
    ``top_k``.

    >>> RetrievalPrecision(top_k=2)([0.2, 0.3, 0.5], [1, 0, 1], indexes=[0, 0, 0])
    0.5
    """

    _measure = P @ 1

    def __init__(
        self,
        empty_target_action: str = "neg",
        ignore_index: int | None = None,
        top_k: int | None = None,
        adaptive_k: bool = False,
        aggregation: Aggregation = "mean",
        **options: object,
    ) -> None:
        super().__init__(empty_target_action, ignore_index, top_k, aggregation, **options)
        self.adaptive_k = adaptive_k

    def _get_settings(self) -> tuple[Any, ...]:
        return *super()._get_settings(), self.adaptive_k

    def _compute_at(self, queries: Queries, cutoff: int) -> FloatArray:
        if self.top_k is None or self.adaptive_k:
            return compute_list_values(SetP, cut_at_rank(_binarize(queries), cutoff), self._rules)
        return compute_list_values(P @ cutoff, _binarize(queries), self._rules)


class RetrievalRecall(_BinaryMetric):
    """Share of the relevant items that are within the first ``top_k``, their score above 0.

    >>> RetrievalRecall(top_k=2)([0.2, 0.3, 0.5], [1, 0, 1], indexes=[0, 0, 0])
    0.5
    """

    _measure = R @ 1

    def _compute_at(self, queries: Queries, cutoff: int) -> FloatArray:
        hits = compute_list_values(Hits @ cutoff, _binarize(queries), self._rules)
        return ragged.divide(hits, queries.total, empty=0.0)


class RetrievalHitRate(_BinaryMetric):
    """1 if any of the first ``top_k`` items is relevant, else 0.

    >>> RetrievalHitRate(top_k=2)([0.2, 0.3, 0.5], [1, 0, 1], indexes=[0, 0, 0])
    1.0
    """

    _measure = Success @ 1


class RetrievalFallOut(_BinaryMetric):
    """Share of the items that are not relevant that are within the first ``top_k``.

    Empty is a query without such items.

    >>> RetrievalFallOut(top_k=2)([0.2, 0.3, 0.5], [1, 0, 1], indexes=[0, 0, 0])
    1.0
    """

    _measure = R @ 1

    def __init__(
        self,
        empty_target_action: str = "pos",
        ignore_index: int | None = None,
        top_k: int | None = None,
        aggregation: Aggregation = "mean",
        **options: object,
    ) -> None:
        super().__init__(empty_target_action, ignore_index, top_k, aggregation, **options)

    @property
    def higher_is_better(self) -> bool:
        """No: it counts what should not have been found."""
        return False

    def _group_queries(self, batches: list[Batch]) -> Queries:
        queries = super()._group_queries(batches)
        return queries._replace(label=1.0 - queries.label)


class RetrievalRPrecision(_BinaryMetric):
    """Share of the first ranks, as many as there are relevant items, that hold one.

    >>> RetrievalRPrecision()([0.2, 0.3, 0.5], [1, 0, 1], indexes=[0, 0, 0])
    0.5
    """

    _measure = Rprec

    def __init__(
        self,
        empty_target_action: str = "neg",
        ignore_index: int | None = None,
        aggregation: Aggregation = "mean",
        **options: object,
    ) -> None:
        super().__init__(empty_target_action, ignore_index, None, aggregation, **options)

    def _compute_at(self, queries: Queries, cutoff: int) -> FloatArray:
        return compute_list_values(Rprec, queries, self._rules)


def _binarize(queries: Queries) -> Queries:
    return queries._replace(label=np.where(queries.score > 0, queries.label, 0.0))


def _check_cutoff(top_k: Any) -> int | None:
    if check_whole_number(top_k, "top_k") is not None and top_k < 1:
        message = f"top_k: must be a whole number >= 1, got {top_k!r}."
        raise RuleError(message, code="bad-argument")
    return None if top_k is None else int(top_k)
