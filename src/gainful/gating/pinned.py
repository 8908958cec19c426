"""Pinned queries: those that are held to a limit of their own."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

from gainful.errors import ComparisonError, SourceError

Pinned = Iterable[Any] | str | os.PathLike[str]
_NEAR = 3  # ids that an error suggests


def read_pinned(given: Pinned) -> tuple[str, ...]:
    """The ids of pinned queries, each once: as given, or one a line of a file.

    Blank lines of a file, and those that begin with #, are skipped.

    >>> read_pinned(["q1", 7, "q1"])
    ('q1', '7')
    """
    if isinstance(given, str | os.PathLike):
        return _from_file(os.fspath(given))
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        message = f"pinned: must be ids of queries, or the path of a file, got {given!r:.60}."
        raise ComparisonError(message, code="bad-argument")
    return tuple(dict.fromkeys(str(query) for query in given))


def _from_file(path: str) -> tuple[str, ...]:
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = [line.strip() for line in file]
    except OSError as error:
        reason = str(error.strerror or error).lower()
        message = f"{path}: {reason}."
        raise SourceError(message, code="cannot-read") from error
    found = tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    if not found:
        message = f"{path}: there are no queries in it; write one id a line."
        raise SourceError(message, code="nothing-in-it")
    return found


def known_pinned(pinned: Sequence[str], queries: Sequence[str], given: Pinned) -> None:
    """An error if a pinned query has no judgments; it names those that look alike.

    >>> known_pinned(["q1"], ["q1", "q2"], "pinned.txt")
    """
    place = os.fspath(given) if isinstance(given, str | os.PathLike) else "pinned"
    known = set(queries)
    unknown = [query for query in pinned if query not in known]
    if not unknown:
        return
    import difflib  # only a misspelt id needs it

    folded = {query.casefold(): query for query in queries}
    likely = difflib.get_close_matches(unknown[0].casefold(), folded, n=_NEAR, cutoff=0.6)
    near = [folded[query] for query in likely]
    way_out = f"The first of the qrels is {queries[0]!r}."
    if near:
        way_out = f"Did you mean {' or '.join(map(repr, near))}?"
    more = f", and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
    message = f"{place}: query {unknown[0]!r} has no judgments{more}. {way_out}"
    raise ComparisonError(message, code="unknown-query")
