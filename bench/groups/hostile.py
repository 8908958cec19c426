"""Ids that somebody made to be slow."""

from bench.contenders import make_task
from bench.figures import Figure, get_printed
from bench.groups._group import Group, Size
from bench.limit_tasks import KINDS, RATIO, ROUNDS


def hostile(size: Size) -> Group:
    """Compare ids that would collide under a known hash with ordinary ids as long."""
    n = 15 * size.queries
    return Group(
        title="Hostile ids",
        text=(
            f"Data: one query of {n:,} items, all judged, from two files. Each kind is timed "
            f"beside ids of the same lengths that are drawn at random, {ROUNDS} times in turn."
        ),
        contenders=[
            make_task("gainful.evaluate hostile ids", kind, str(n))
            .with_name(kind)
            .with_further(RATIO)
            for kind in KINDS
        ],
        base=next(iter(KINDS)),
        figures=[
            Figure(f"ids {kind}, against ordinary ones", get_printed(kind, RATIO), at_most=3)
            for kind in KINDS
        ],
    )
