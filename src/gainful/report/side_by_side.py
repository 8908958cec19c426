"""Two explanations of one query side by side: what a run moved, found and lost against another."""

from collections import Counter
from typing import Any, NamedTuple

from gainful import tables
from gainful.comparison.digits import decimals, signed
from gainful.explanation import Explanation
from gainful.notices import lines
from gainful.plain import to_json
from gainful.settings import text_of

_KINDS = ("up", "down", "same", "new", "lost")


class Moved(NamedTuple):
    """An item, its rank in both rankings (None where it is not among those that count).

    ``product`` is what it adds to the run, ``before`` what it adds to the other.
    """

    item: str
    label: float | None
    rank: int | None
    rank_before: int | None
    product: float
    before: float

    @property
    def move(self) -> str:
        """How it moved: ``up 3``, ``down 2``, ``same``, ``new`` or ``lost``.

        >>> Moved("d1", 2.0, 1, 4, 2.0, 0.86).move, Moved("d2", None, 3, None, 0.0, 0.0).move
        ('up 3', 'new')
        """
        if self.rank_before is None:
            return "new"
        if self.rank is None:
            return "lost"
        steps = self.rank_before - self.rank
        return "same" if not steps else f"up {steps}" if steps > 0 else f"down {-steps}"


def moves(run: Explanation, against: Explanation) -> list[Moved]:
    """Every item that counts in either: those of the run by rank, then those that it lost.

    >>> import gainful
    >>> qrels, rankings = {"q": {"a": 1}}, ({"q": ["x", "a"]}, {"q": ["a", "y"]})
    >>> old, new = (gainful.explain(qrels, ranking, "q") for ranking in rankings)
    >>> [(moved.item, moved.move) for moved in moves(new, old)]
    [('a', 'up 1'), ('y', 'new'), ('x', 'lost')]
    """
    ours = {position.item: position for position in run.positions}
    theirs = {position.item: position for position in against.positions}
    found = []
    for item in dict.fromkeys([*ours, *theirs]):
        own, other = ours.get(item), theirs.get(item)
        label = (own or theirs[item]).label
        ranks = (own and own.rank, other and other.rank)
        products = (own.product if own else 0.0, other.product if other else 0.0)
        found.append(Moved(item, label, *ranks, *products))
    return found


def summary(run: Explanation, against: Explanation) -> list[str]:
    """Both values and by how much they differ, then how many items moved which way."""
    kinds = Counter(moved.move.split()[0] for moved in moves(run, against))
    values = f"{decimals(run.value)} by {run.run}, {decimals(against.value)} by {against.run}"
    difference = signed(run.value - against.value)
    return [
        f"query {run.query}: {run.measure} is {values}; the difference is {difference}.",
        f"{', '.join(f'{kinds[kind]} {kind}' for kind in _KINDS)}.",
    ]


def closing(run: Explanation, against: Explanation) -> list[str]:
    """What is said below both: the rules, and every notice once."""
    return [f"rules: {run.rules}", *lines([*run.notices, *against.notices])]


def to_dict(run: Explanation, against: Explanation) -> dict[str, Any]:
    """Everything there is, as plain values: both explanations, and how every item moved."""
    both = run.value, against.value
    return {
        "difference": both[0] - both[1] if both[0] == both[0] and both[1] == both[1] else None,
        "moves": [moved._asdict() | {"move": moved.move} for moved in moves(run, against)],
        "run": run.to_dict(),
        "against": against.to_dict(),
    }


def as_json(run: Explanation, against: Explanation) -> str:
    """The same as JSON; floats at full precision."""
    return to_json(to_dict(run, against)) + "\n"


def as_tsv(run: Explanation, against: Explanation) -> str:
    """A tab-separated line for every item, floats at full precision."""
    rows = [
        ["" if value is None else str(value) for value in (*moved, moved.move)]
        for moved in moves(run, against)
    ]
    return tables.to_tsv([[*Moved._fields, "move"], *rows])


def as_markdown(run: Explanation, against: Explanation) -> str:
    """What differs, and a table of every item, as Markdown."""
    header = ["item", "label", run.run, against.run, "move", "gain x discount", "before"]
    rows = [
        [
            moved.item,
            "-" if moved.label is None else text_of(moved.label),
            *("" if rank is None else str(rank) for rank in (moved.rank, moved.rank_before)),
            moved.move,
            f"{moved.product:.4f}",
            f"{moved.before:.4f}",
        ]
        for moved in moves(run, against)
    ]
    said, *more = summary(run, against)
    notes = "".join(f"- {' '.join(line.split())}\n" for line in (*more, *closing(run, against)))
    return "\n".join([f"{' '.join(said.split())}\n", tables.to_markdown(header, rows), notes])
