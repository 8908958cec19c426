"""What a page is made of: sections, tables and charts, as plain values."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gainful.records import Frozen
from gainful.report.page.words import named

_SIDE = re.compile(r"\{([ab])\}")
ID, TEXT, NUMBER, CODE = "id", "text", "number", "code"


class Column(NamedTuple):
    """A title, and what stands below it: ids, texts, numbers or code."""

    title: str
    kind: str = NUMBER


class Cell(NamedTuple):
    """A text, and how it is marked: the name of a style."""

    text: str
    mark: str = ""


class Group(NamedTuple):
    """Rows that belong together, and what they are called, if there are several groups."""

    title: str
    rows: Sequence[Sequence[Cell]]


@dataclass(eq=False, repr=False)
class Table(Frozen):
    """A table.

    Attributes:
        id: What it is called on the page.
        caption: What it shows, in a few words.
        columns: The columns; the first says what a row is about.
        groups: The rows.
        note: What a reader should know, such as what was left out.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    note: str = ""

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return sum(len(group.rows) for group in self.groups)


@dataclass(eq=False, repr=False)
class Chart(Frozen):
    """A chart.

    Attributes:
        name: What the page calls it.
        title: What it shows, in a few words.
        drawing: The Altair chart.
        caption: How to read it.
        table: Its numbers, or some of them.
        sides: The runs that title and caption name as ``{a}`` and ``{b}``, which a script replaces
            when another pair is chosen; None if they name none so.
    """

    name: str
    title: str
    drawing: Any
    caption: str
    table: Table | None = None
    sides: Mapping[str, str] | None = None

    @property
    def label(self) -> str:
        """The title as text alone."""
        return "".join(named(piece) if side else piece for piece, side in self.pieces(self.title))

    def pieces(self, text: str) -> list[tuple[str, str]]:
        """Pieces of the title or caption, and which side each names, if any.

        >>> Chart("scatter", "{b} beside {a}", None, "", sides={"a": "old", "b": "new"}).label
        'new beside old'
        """
        if self.sides is None:
            return [(text, "")]
        parts = _SIDE.split(text)
        return [(self.sides[p], p) if i % 2 else (p, "") for i, p in enumerate(parts)]


@dataclass(eq=False, repr=False)
class Section(Frozen):
    """A section.

    Attributes:
        id: What links to it say.
        title: Its heading.
        values: What its template shows.
        charts: What is drawn in it.
        nav: Whether the list of sections has it.
    """

    id: str
    title: str
    values: Mapping[str, Any] = field(default_factory=dict)
    charts: tuple[Chart, ...] = ()
    nav: bool = True

    @property
    def template(self) -> str:
        """The file that says how it looks."""
        return f"{self.id}.html"


def table(
    name: str,
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str | Cell]],
    note: str = "",
) -> Table:
    """A table whose rows belong together."""
    return Table(name, caption, tuple(columns), (group("", rows),), note)


def group(title: str, rows: Sequence[Sequence[str | Cell]]) -> Group:
    """Rows of texts, some of which are marked.

    >>> group("", [["q1", Cell("0.5", "best")]]).rows
    [[Cell(text='q1', mark=''), Cell(text='0.5', mark='best')]]
    """
    return Group(title, [[c if isinstance(c, Cell) else Cell(c) for c in row] for row in rows])
