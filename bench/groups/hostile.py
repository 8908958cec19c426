"""Ids that somebody made to be slow."""

from bench.contenders import inside
from bench.figures import Figure, printed
from bench.groups._declare import Group, Size
from bench.inside_limits import KINDS, RATIO, ROUNDS


def hostile(size: Size) -> Group:
    """Ids that would collide under a hash that is known, beside ordinary ids as long."""
    n = 15 * size.queries
    return Group(
        title="Hostile ids",
        text=(
            f"Data: one query of {n:,} items, all judged, from two files. Each kind is timed "
            f"beside ids of the same lengths that are drawn at random, {ROUNDS} times in turn."
        ),
        contenders=[
            inside("gainful.evaluate hostile ids", kind, str(n)).called(kind).printing(RATIO)
            for kind in KINDS
        ],
        base=next(iter(KINDS)),
        figures=[
            Figure(f"ids {kind}, against ordinary ones", printed(kind, RATIO), at_most=3)
            for kind in KINDS
        ],
    )
