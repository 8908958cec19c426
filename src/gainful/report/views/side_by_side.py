"""Two explanations of one query side by side: what a run moved, found and lost against another."""

from collections import Counter
from typing import Any, NamedTuple

from gainful.base import format_difference, format_number, text_of, to_json
from gainful.diagnostics import format_notice_lines
from gainful.evaluation import Explanation
from gainful.report import tables

_KINDS = ("up", "down", "same", "new", "lost")


class ItemMove(NamedTuple):
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

        >>> ItemMove("d1", 2.0, 1, 4, 2.0, 0.86).move, ItemMove("d2", None, 3, None, 0.0, 0.0).move
        ('up 3', 'new')
        """
        if self.rank_before is None:
            return "new"
        if self.rank is None:
            return "lost"
        steps = self.rank_before - self.rank
        return "same" if not steps else f"up {steps}" if steps > 0 else f"down {-steps}"


def find_moves(run: Explanation, against: Explanation) -> list[ItemMove]:
    """Every item that counts in either: those of the run by rank, then those that it lost.

    >>> import gainful
    >>> qrels, rankings = {"q": {"a": 1}}, ({"q": ["x", "a"]}, {"q": ["a", "y"]})
    >>> old, new = (gainful.explain(qrels, ranking, "q") for ranking in rankings)
    >>> [(moved.item, moved.move) for moved in find_moves(new, old)]
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
        found.append(ItemMove(item, label, *ranks, *products))
    return found


def summarize_moves(run: Explanation, against: Explanation) -> list[str]:
    """Both values and by how much they differ, then how many items moved which way."""
    kinds = Counter(moved.move.split()[0] for moved in find_moves(run, against))
    values = (
        f"{format_number(run.value)} by {run.run}, {format_number(against.value)} by {against.run}"
    )
    difference = format_difference(run.value - against.value)
    return [
        f"query {run.query}: {run.measure} is {values}; the difference is {difference}.",
        f"{', '.join(f'{kinds[kind]} {kind}' for kind in _KINDS)}.",
    ]


def move_footnotes(run: Explanation, against: Explanation) -> list[str]:
    """Return the rules, and every notice once."""
    return [f"rules: {run.rules}", *format_notice_lines([*run.notices, *against.notices])]


def moves_to_dict(run: Explanation, against: Explanation) -> dict[str, Any]:
    """Everything there is, as plain values: both explanations, and how every item moved."""
    both = run.value, against.value
    return {
        "difference": both[0] - both[1] if both[0] == both[0] and both[1] == both[1] else None,
        "moves": [moved._asdict() | {"move": moved.move} for moved in find_moves(run, against)],
        "run": run.to_dict(),
        "against": against.to_dict(),
    }


def write_moves_json(run: Explanation, against: Explanation) -> str:
    """Write both explanations and all moves as JSON, at full precision."""
    return to_json(moves_to_dict(run, against)) + "\n"


def write_moves_tsv(run: Explanation, against: Explanation) -> str:
    """A tab-separated line for every item, floats at full precision."""
    rows = [
        ["" if value is None else str(value) for value in (*moved, moved.move)]
        for moved in find_moves(run, against)
    ]
    return tables.to_tsv([[*ItemMove._fields, "move"], *rows])


def write_moves_markdown(run: Explanation, against: Explanation) -> str:
    """Write the summary and a table of every item as Markdown."""
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
        for moved in find_moves(run, against)
    ]
    said, *more = summarize_moves(run, against)
    notes = "".join(
        f"- {' '.join(line.split())}\n" for line in (*more, *move_footnotes(run, against))
    )
    return "\n".join([f"{' '.join(said.split())}\n", tables.to_markdown(header, rows), notes])
