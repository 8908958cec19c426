"""How runs are told apart: by colour, by dash and by name."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gainful.charts.palette import light, runs
from gainful.charts.style import Rows, altair

MOST = 8  # runs that have a colour each
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond")


class Looks(NamedTuple):
    """The runs of a chart in their order, and the look of each."""

    names: list[str]
    named: list[str]
    colours: list[str]
    dashes: list[list[int]]
    shapes: list[str]


def looks(names: Sequence[str], highlight: Sequence[str] = ()) -> Looks:
    """The look of each run; of more than eight only those to highlight stand out.

    >>> looks(["old", "new"]).colours
    ['#3552b3', '#9b6301']
    """
    few = len(names) <= MOST
    named = list(names) if few else [name for name in names if name in highlight][:MOST]
    place = {name: i for i, name in enumerate(named)}
    all_colours = runs()
    return Looks(
        list(names),
        named,
        [all_colours[place[n]] if n in place else light("same") for n in names],
        [DASHES[place[n] % len(DASHES)] if n in place else [1, 0] for n in names],
        [SHAPES[place[n] % len(SHAPES)] if n in place else "circle" for n in names],
    )


def names_of(rows: Rows, field: str = "run") -> list[str]:
    """The names in a field, each once, in the order of the rows.

    >>> names_of([{"run": "b"}, {"run": "a"}, {"run": "b"}])
    ['b', 'a']
    """
    return list(dict.fromkeys(row[field] for row in rows))


def scale(names: list[str], values: Sequence[Any]) -> Any:
    """A scale that gives every name its value."""
    return altair().Scale(domain=names, range=list(values))
