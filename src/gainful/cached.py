"""Values that an object computes when they are first asked for, and keeps."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

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
    def __get__(self, owned_by: None, owner: type) -> "cached_property[T]": ...
    @overload
    def __get__(self, owned_by: object, owner: type) -> T: ...
    def __get__(self, owned_by: object | None, owner: type) -> "cached_property[T] | T":
        if owned_by is None:
            return self
        # Not asked for here again: what an object holds under a name comes first.
        value = vars(owned_by)[self._name] = self._compute(owned_by)
        return value
