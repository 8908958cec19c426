"""Agreement as text."""

from collections.abc import Callable

from gainful.comparison.agreement import Agreement
from gainful.notices import lines

OUTPUTS: dict[str, Callable[[Agreement], str]] = {
    "table": Agreement.to_text,
    "tsv": Agreement.to_tsv,
    "csv": Agreement.to_csv,
    "markdown": Agreement.to_markdown,
    "json": lambda found: found.to_json() + "\n",
}
COMPLETE = ("markdown", "json")  # the others leave the rules and notices to standard error


def footnotes(found: Agreement, *, said: bool) -> list[str]:
    """What the numbers hold under, and what they say, where that is not ``said`` yet."""
    rules = f"rules: {found.rules} ({found.settings})"
    return [*([] if said else found.sentences), rules, *lines(found.notices)]
