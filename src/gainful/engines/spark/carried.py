"""Facts as text and back: how they come from a worker to the driver."""

import json
from dataclasses import fields, is_dataclass
from typing import Any

from gainful.engines.spark.averages import Sum
from gainful.facts import Facts, GroupFacts, Ids, ItemFacts, Lacks, Met, Row, Sample, Seen, Stranger
from gainful.parts import Lacking

_CLASSES: dict[str, Any] = {
    one.__name__: one
    for one in (
        Facts,
        ItemFacts,
        GroupFacts,
        Seen,
        Row,
        Stranger,
        Sample,
        Ids,
        Met,
        Lacks,
        Lacking,
        Sum,
        tuple,
        frozenset,
    )
}


def packed(value: Any) -> bytes:
    """Facts, and what they hold, as JSON.

    >>> unpacked(packed({"missing": Seen(2, ("q1", 0.5))}))
    {'missing': Seen(times=2, first=('q1', 0.5))}
    """
    return json.dumps(_plain(value), separators=(",", ":")).encode()


def unpacked(text: bytes) -> Any:
    """What was packed."""
    return _restored(json.loads(text))


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        held = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return [type(value).__name__, held]
    if isinstance(value, tuple | frozenset):
        return [type(value).__name__, [_plain(one) for one in value]]
    if isinstance(value, list):
        return ["list", [_plain(one) for one in value]]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value


def _restored(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _restored(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    name, held = value
    if name == "list":
        return [_restored(one) for one in held]
    kind = _CLASSES[name]
    if isinstance(held, dict):
        return kind(**_restored(held))
    several = [_restored(one) for one in held]
    return kind(*several) if hasattr(kind, "_fields") else kind(several)
