"""Names that MLflow takes for what Gainful measures."""

import posixpath
import re
from collections.abc import Iterable

from gainful.errors import OutputError

# What MLflow 3 allows on every system; a colon is refused on Windows.
_FOREIGN = re.compile(r"[^/\w.\- ]+")
_LONGEST = 250


def metric_names(measures: Iterable[object]) -> dict[str, str]:
    """A name for each measure, no two alike, by the text of the measure.

    >>> metric_names(["nDCG@10", "P(rel=2)@5", "AP"])
    {'nDCG@10': 'nDCG_at_10', 'P(rel=2)@5': 'P_rel_2_at_5', 'AP': 'AP'}
    """
    names: dict[str, str] = {}
    for text in map(str, measures):
        name = legal(text)
        again = sum(
            re.fullmatch(rf"{re.escape(name)}(__\d+)?", one) is not None for one in names.values()
        )
        names[text] = f"{name}__{again + 1}" if again else name
    return names


def legal(text: str) -> str:
    """The text in letters that MLflow takes, as part of a name.

    >>> legal("nDCG(gain=exp2)@10"), legal("runs/bm25 (new)")
    ('nDCG_gain_exp2_at_10', 'runs_bm25 _new')
    """
    spelt = text.replace(")@", "@").replace("@", "_at_").replace("/", "_")
    return _FOREIGN.sub("_", spelt).strip("_ ") or "_"


def checked_prefix(prefix: str) -> str:
    """The prefix, if names that begin with it are legal; else an error.

    >>> checked_prefix("valid/")
    'valid/'
    """
    if not isinstance(prefix, str) or _FOREIGN.search(prefix):
        message = f"prefix: may hold letters, digits, and _ - . / or spaces, got {prefix!r:.60}."
        raise OutputError(message, code="bad-name")
    return checked_name(f"{prefix}n_queries")[: len(prefix)]


def checked_name(name: str) -> str:
    """The name, if it is a path in plain form and not too long for MLflow; else an error."""
    if posixpath.normpath(name) != name or name.startswith(("/", "..")):
        message = f"prefix: must make a path in plain form, such as valid/nDCG, got {name!r:.60}."
        raise OutputError(message, code="bad-name")
    if len(name) > _LONGEST:
        message = (
            f"MLflow: a name must have at most {_LONGEST} letters, got {len(name)}: {name:.60}..."
        )
        raise OutputError(message, code="bad-name")
    return name
