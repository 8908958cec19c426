"""The ``gainful`` command: arguments to library to text. The only place that prints or exits."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "output": ("say",),
        "main": ("main", "gainful", "run"),
    },
)
