"""Packages that Gainful uses but does not need: imported when they are asked for."""

from importlib import import_module
from typing import Any

from gainful.errors import PackageError


def package(name: str, wanted_by: str, *, install: str | None = None) -> Any:
    """A package that may not be installed; if it is not, the sentence that says how to get it.

    ``install`` is what pip calls it, if that is another name.

    >>> package("math", "to_numbers").pi
    3.141592653589793
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # it is there, but something that it needs is not
            raise
        how = f"pip install {install or name}"
        message = f"{wanted_by}: {name} is not installed. Install it with: {how}"
        raise PackageError(message, code="missing-package") from None
