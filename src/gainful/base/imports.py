"""Imports on demand: the public names of packages, and optional packages."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def import_package(name: str, caller: str, *, install: str | None = None) -> Any:
    """Import an optional package, or raise an error that says how to install it.

    Args:
        name: Name to import.
        caller: What needs it, for the error.
        install: Name that pip knows it by, if that is another.

    >>> import_package("math", "to_numbers").pi
    3.141592653589793
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # it is there, but something that it needs is not
            raise
        from gainful.errors import PackageError  # gainful/__init__.py loads as little as it can

        command = f"pip install {install or name}"
        message = f"{caller}: {name} is not installed. Install it with: {command}"
        raise PackageError(message, code="missing-package") from None


class Door(ModuleType):
    """A package whose public names are never replaced by submodules of the same name.

    Importing the package ``gainful.gate`` sets the attribute ``gate`` of ``gainful`` to it. A door
    ignores this if the name is public: ``gainful.gate`` remains the function. Names of the package
    are imported with ``from gainful.gate import Gate``.
    """

    def __setattr__(self, name: str, value: object) -> None:
        is_submodule = isinstance(value, ModuleType) and value.__name__ == f"{self.__name__}.{name}"
        if not (is_submodule and name in self.__all__):
            super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        """Pickle a door by its name: cloudpickle knows how to do it for plain modules only."""
        return import_module, (self.__name__,)


def lazy_exports(
    package: str, exports: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package that is imported lazily.

    A name's module is imported when the name is first used. From then on the name is an ordinary
    attribute of the package. ``make exports`` writes the package's ``__init__.pyi``.

    Args:
        package: Name of the package: its ``__name__``.
        exports: Public names by the module that defines them, relative to the package. ``"."``
            lists modules that are public themselves.

    Returns:
        The three functions and lists, to be assigned to these names in ``__init__.py``.
    """
    door = sys.modules[package]
    modules = {
        name: f"{package}.{name}" if module == "." else f"{package}.{module}"
        for module, names in exports.items()
        for name in names
    }
    public_modules = set(exports.get(".", ()))

    def get_attribute(name: str) -> Any:
        if name not in modules:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=door)
        module = import_module(modules[name])
        value = module if name in public_modules else getattr(module, name)
        vars(door)[name] = value
        return value

    def list_names() -> list[str]:
        return sorted(modules)

    door.__class__ = Door
    return get_attribute, list_names, list_names()
