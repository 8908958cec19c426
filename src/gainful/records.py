"""Frozen and Record: what ``dataclass(frozen=True)`` generates for every class, written once.

Generated code is compiled anew in every process; it was a fifth of the time in which the command
line starts. A class that derives from these says ``@dataclass(eq=False, repr=False)``.
"""

from collections.abc import Collection
from dataclasses import FrozenInstanceError
from typing import Any


class Frozen:
    """An object whose attributes are set once."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self) or name not in _fields(self):
            message = f"cannot assign to field {name!r}"
            raise FrozenInstanceError(message)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        message = f"cannot delete field {name!r}"
        raise FrozenInstanceError(message)


class Record(Frozen):
    """A frozen value that is compared and shown by what it holds."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _held(self) == _held(other)

    def __hash__(self) -> int:
        return hash(tuple(_held(self).values()))

    def __repr__(self) -> str:
        held = ", ".join(f"{name}={value!r}" for name, value in _held(self).items())
        return f"{type(self).__name__}({held})"


def _fields(record: Frozen) -> Collection[str]:
    """The names that a class declares; notices are no dataclasses."""
    return getattr(record, "__dataclass_fields__", None) or type(record).__annotations__


def _held(record: Frozen) -> dict[str, Any]:
    """What it holds, without what it has worked out since."""
    values = vars(record)
    return {name: values[name] for name in _fields(record) if name in values}
