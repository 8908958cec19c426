"""Hostile ids, which collide under a known hash."""

from bench.contenders import make_task
from bench.figures import Figure, get_printed_number
from bench.groups._group import Group, Size
from bench.limit_tasks import KINDS, RATIO, ROUNDS


def compare_hostile_ids(size: Size) -> Group:
    """Compare ids that would collide under a known hash with ordinary ids of the same length."""
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
            .with_extra_numbers(RATIO)
            for kind in KINDS
        ],
        base=next(iter(KINDS)),
        figures=[
            Figure(f"ids {kind}, against ordinary ones", get_printed_number(kind, RATIO), at_most=3)
            for kind in KINDS
        ],
    )
