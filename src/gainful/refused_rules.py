"""Rules that some parts cannot follow, and the error that says so."""

from collections.abc import Mapping

from gainful.errors import AlignError
from gainful.rules import Rules

# By the name of the rule: the values in question, or none for all that can be set.
Named = Mapping[str, tuple[str, ...]]

# Rules that take items out of rankings by their label, or give a rank to several or a label to
# unjudged ones: whoever goes by the items that the native core keeps does not know them.
SHIFTING: Named = {"padding": (), "unjudged_label": (), "ties": ("middle",)}
# Rules that go by the one label that an item has.
OF_ONE_LABEL: Named = {
    **SHIFTING,
    "label_type": (),
    "min_label": (),
    "max_label": (),
    "empty_test": (),
    "unjudged": ("undefined",),
    "duplicates": ("once", "count"),
}


def refuse(rules: Rules, unknown: Named, reason: str) -> None:
    """Refuse rules that would be ignored: those that are set, or set to one of some values."""
    if held := rules.held(unknown):
        message = f"{held} {reason}. Pass rules without it."
        raise AlignError(message, code="refused-rule")
