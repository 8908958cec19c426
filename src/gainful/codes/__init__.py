"""Every code of an error or a notice, with cause and remedy: the pages of ``gainful help``.

Nothing that evaluates imports this: the texts are long, and a run that goes well needs none.
"""

from gainful.codes import (
    about_judgments,
    about_results,
    about_runs,
    joining,
    measuring,
    reading_files,
    reading_objects,
    reading_values,
    spreading,
    writing,
)
from gainful.codes._declare import Code

__all__ = ["CODES", "GROUPS", "Code", "find_code", "spelt"]

GROUPS: dict[str, tuple[Code, ...]] = {
    "Errors: files": reading_files.ERRORS,
    "Errors: columns, ids, labels and scores": reading_values.ERRORS,
    "Errors: objects and arguments": reading_objects.ERRORS,
    "Errors: measures and rules": measuring.ERRORS,
    "Errors: qrels, runs and comparisons": joining.ERRORS,
    "Errors: output and packages": writing.ERRORS,
    "Errors: Spark": spreading.ERRORS,
    "Notices: runs": about_runs.NOTICES,
    "Notices: judgments": about_judgments.NOTICES,
    "Notices: data about queries and items, dialects": about_results.ABOUT_DATA,
    "Notices: comparisons and reports": about_results.ABOUT_COMPARISONS,
}
CODES: dict[str, Code] = {one.code: one for group in GROUPS.values() for one in group}


def spelt(asked: str) -> str:
    """A code as it is declared, of one that was typed in any case, with brackets or underscores.

    >>> spelt("[Missing_Queries]")
    'missing-queries'
    """
    return "-".join(asked.strip("[] ").lower().replace("_", " ").replace("-", " ").split())


def find_code(asked: str) -> Code | None:
    """The page of a code, however it was typed; None if there is none.

    >>> find_code("[missing-queries]").severity
    'warning'
    """
    return CODES.get(spelt(asked))
