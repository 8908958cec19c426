"""What ``-h`` prints."""

from gainful.trec_eval.arguments import USAGE, Arguments


def manual(arguments: Arguments) -> str:
    """The usage, and what the chosen measures are."""
    return USAGE
