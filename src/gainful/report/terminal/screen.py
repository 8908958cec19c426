"""Screen: where text is shown, and the lines that are shown on it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gainful.report.terminal.cells import cropped, width_of
from gainful.tables import printable

# In 16 colours, whose shades the terminal chooses, and in 256. Blue and orange are told apart by
# who does not tell red from green, and these shades are seen on light and on dark ground.
STYLES = {
    "title": ("bold", "bold"),
    "muted": ("dim", "color(245)"),
    "better": ("cyan", "color(32)"),
    "worse": ("yellow", "color(166)"),
    "unjudged": ("yellow", "color(166)"),
    "nonrelevant": ("dim", "color(245)"),
    "relevant1": ("cyan", "color(67)"),
    "relevant2": ("cyan", "color(32)"),
    "relevant3": ("bold cyan", "bold color(33)"),
}


class Screen(NamedTuple):
    """Where text is shown.

    Attributes:
        width: How many cells a line has.
        colours: The kind of colours that it shows, as rich names them; None for none.
        blocks: Whether it shows block characters; else bars are drawn with ASCII.
    """

    width: int = 80
    colours: str | None = None
    blocks: bool = True

    @property
    def ellipsis(self) -> str:
        """What stands for the rest of a text that was shortened."""
        return "…" if self.blocks else "..."


class Span(NamedTuple):
    """A piece of a line, and the name of its style, one of ``STYLES``."""

    text: str
    style: str = ""


Line = Sequence[Span]


def on_screen(lines: Iterable[Line], screen: Screen) -> str:
    """The lines as text: none wider than the screen, and nothing in them that it would obey.

    >>> on_screen([[Span("rank", "title"), Span("  \\x1b[2J  ")], []], Screen(width=12))
    'rank  \\\\x1b[2\\n\\n'
    """
    return "".join(_shown(line, screen) + "\n" for line in lines)


def _shown(line: Line, screen: Screen) -> str:
    room, shown = screen.width, []
    for span in _without_end(line):
        text = cropped(printable(span.text), room)
        room -= width_of(text)
        shown.append(_coloured(text, span.style, screen.colours))
    return "".join(shown)


def _without_end(line: Line) -> Line:
    """The line without white space at its end."""
    spans = list(line)
    while spans and not spans[-1].text.rstrip():
        spans.pop()
    return [*spans[:-1], spans[-1]._replace(text=spans[-1].text.rstrip())] if spans else []


def _coloured(text: str, style: str, colours: str | None) -> str:
    if not text or not style or colours is None:
        return text
    from rich.console import COLOR_SYSTEMS
    from rich.style import Style

    few, many = STYLES[style]
    system = COLOR_SYSTEMS[colours]
    chosen = Style.parse(many if colours in ("256", "truecolor") else few)
    return chosen.render(text, color_system=system)
