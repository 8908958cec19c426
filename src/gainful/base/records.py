"""Frozen and Record: what ``dataclass(frozen=True)`` generates for every class, written once.

Generated code is compiled anew in every process; it was a fifth of the time in which the command
line starts. A class that derives from these says ``@dataclass(eq=False, repr=False)``. The few of
which many are made say ``frozen=True`` too: their generated ``__init__`` is several times as fast.
"""

from collections.abc import Callable, Collection
from dataclasses import FrozenInstanceError
from typing import Any, Generic, TypeVar, overload


class Frozen:
    """An object whose attributes are set once."""

    def __setattr__(self, name: str, value: object) -> None:
        fields = getattr(self, "__dataclass_fields__", None) or type(self).__annotations__
        if name in vars(self) or name not in fields:
            message = f"cannot assign to field {name!r}"
            raise FrozenInstanceError(message)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        message = f"cannot delete field {name!r}"
        raise FrozenInstanceError(message)


class Record(Frozen):
    """A frozen value that is compared and shown by what it holds."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _collect_values(self) == _collect_values(other)

    def __hash__(self) -> int:
        return hash(tuple(_collect_values(self).values()))

    def __repr__(self) -> str:
        content = ", ".join(f"{name}={value!r}" for name, value in _collect_values(self).items())
        return f"{type(self).__name__}({content})"


def _list_fields(record: Frozen) -> Collection[str]:
    """Return the names of the fields that a class declares; notices are not dataclasses."""
    return getattr(record, "__dataclass_fields__", None) or type(record).__annotations__


def _collect_values(record: Frozen) -> dict[str, Any]:
    """Return the values of the declared fields, without cached ones."""
    values = vars(record)
    return {name: values[name] for name in _list_fields(record) if name in values}


T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801
    """A property that is computed once: what ``functools.cached_property`` is from Python 3.12 on.

    That of 3.11 holds a lock of the whole class meanwhile: threads wait for each other, and a
    process that is forked while another thread computes finds it locked forever. Here two threads
    that ask at once may both compute, and what they find is the same.

    >>> class Circle:
    ...     radius = 2
    ...
    ...     @cached_property
    ...     def area(self):
    ...         return 3 * self.radius**2
    >>> circle = Circle()
    >>> circle.area, vars(circle)
    (12, {'area': 12})
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "cached_property[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "cached_property[T] | T":
        if instance is None:
            return self
        # Not asked for here again: what an object holds under a name comes first.
        value = vars(instance)[self._name] = self._compute(instance)
        return value
