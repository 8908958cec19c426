"""Setup: what the numbers were made of and by."""

import hashlib
import os
import platform
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from gainful._version import __version__
from gainful.errors import SourceError
from gainful.experiment.result import File
from gainful.sources import Judgments, Run, is_path

# Those that make the numbers, and those that make the page.
_PACKAGES = ("numpy", "scipy", "polars", "altair", "vl-convert-python", "jinja2")


def files(qrels: Any, runs: Sequence[Run], items: Any, queries: Any) -> tuple[File, ...]:
    """All that was read, in this order, and the SHA-256 of what are files.

    >>> files({"q1": {"d1": 1}}, [], None, None)
    (File(role='qrels', name='qrels', sha256=None),)
    """
    known = qrels.name if isinstance(qrels, Judgments) else "qrels"
    given = [("qrels", known, qrels), *(("run", run.name, run.source) for run in runs)]
    given += [(role, role, one) for role, one in (("items", items), ("queries", queries))]
    return tuple(_file(*one) for one in given if one[2] is not None)


def paths(qrels: Any, runs: Sequence[Run], items: Any, queries: Any) -> list[str]:
    """The files among what is read.

    >>> paths("qrels.txt", [], "titles.tsv", None)
    ['qrels.txt', 'titles.tsv']
    """
    known = qrels.name if isinstance(qrels, Judgments) else qrels
    given = [known, *(run.source for run in runs), items, queries]
    return [os.fspath(one) for one in given if is_path(one)]


def versions() -> dict[str, str]:
    """The versions of what made the numbers, by name; of packages, those that are installed.

    >>> list(versions())[:3]
    ['gainful', 'python', 'numpy']
    """
    found = {"gainful": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue  # not all of them are needed
    return found


def _file(role: str, name: str, source: Any) -> File:
    if not is_path(source):
        return File(role, name, None)
    path = os.fspath(source)
    # What comes through a pipe is gone when it has been read, and "-" is no name of a file.
    return File(role, path, _sha256(path) if path != "-" and os.path.isfile(path) else None)


def _sha256(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        message = f"{path}: was read and cannot be read again, got {error.strerror!r}."
        raise SourceError(message, code="cannot-read") from error
