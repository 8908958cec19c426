"""cached_property: that of ``functools``, without the lock that it has in Python 3.11."""

import functools
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801
        """A property that is computed once.

        In Python 3.11 that of ``functools`` holds one lock for all objects of the class meanwhile:
        a process that is forked while another thread computes finds it locked forever.
        """

        def __get__(self, instance: object, owner: type | None = None) -> Any:
            if instance is None:
                return self
            # The instance finds the value in its attributes from now on.
            value = vars(instance)[self.attrname] = self.func(instance)
            return value
