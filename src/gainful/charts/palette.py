"""The palette: every colour of charts and pages, by name, for a light and a dark page.

Text stands out from the page by at least 4.5 to 1, marks by at least 3 to 1. Colours that must be
told apart stay apart for people who see no red or no green. Every value is there once, so that a
page can tell the name from the value.
"""

from typing import NamedTuple


class Colour(NamedTuple):
    """One colour: its value on a light page and on a dark one."""

    light: str
    dark: str


PALETTE = {
    "ink": Colour("#1b2230", "#e8ebf0"),
    "muted": Colour("#566070", "#a9b2c0"),
    "grid": Colour("#e2e5ea", "#333a45"),
    "page": Colour("#ffffff", "#14171c"),
    "panel": Colour("#f5f6f8", "#1d2128"),
    "a": Colour("#3451b2", "#8fa9ff"),
    "b": Colour("#9a6200", "#e6ac3a"),
    "better": Colour("#00748a", "#3cc0dc"),
    "worse": Colour("#b3360f", "#ff8b5e"),
    "same": Colour("#6a7280", "#949dab"),
    "relevant": Colour("#0b5c8f", "#58b4e6"),
    "nonrelevant": Colour("#8d8577", "#8b8678"),
    "unjudged": Colour("#c0570c", "#f2a65a"),
    "accent": Colour("#5a3fc0", "#b3a4ff"),
    # Of runs: the first two look like a and b, since those are most often them.
    "run1": Colour("#3552b3", "#90aaff"),
    "run2": Colour("#9b6301", "#e7ad3b"),
    "run3": Colour("#1c7f61", "#5f9e1b"),
    "run4": Colour("#8a2a5b", "#c96a96"),
    "run5": Colour("#1c1150", "#3a86f5"),
    "run6": Colour("#8a53d0", "#d5d4fa"),
    "run7": Colour("#2c3305", "#f6eb7f"),
    "run8": Colour("#544b1b", "#fd7fb0"),
}
RUNS = tuple(name for name in PALETTE if name.startswith("run"))


def light(name: str) -> str:
    """The value of a colour on a light page, which is what charts are drawn with.

    >>> light("page")
    '#ffffff'
    """
    return PALETTE[name].light


def runs() -> list[str]:
    """The values of the colours of runs on a light page, in their order.

    >>> runs()[:2]
    ['#3552b3', '#9b6301']
    """
    return [light(name) for name in RUNS]
