"""Start-up."""

from bench.contenders import importing, ten_lines
from bench.data import TINY
from bench.figures import Figure, time_ratio
from bench.groups._declare import Group, Size

_NUMPY = importing("numpy")


def startup(size: Size) -> Group:
    """What remains where next to nothing is to be read; the size does not matter."""
    return Group(
        title="Start-up",
        text=f"Data: {TINY}. The others are Python processes that import a package and end.",
        contenders=[ten_lines(), importing("gainful"), _NUMPY],
        base=_NUMPY.name,
        figures=[
            Figure(
                "start-up: `gainful eval` of ten lines against `import numpy`",
                time_ratio(ten_lines().name, _NUMPY.name),
                at_most=1.4,
            )
        ],
        rounds=5,
    )
