"""Start-up of the command line."""

from bench.contenders import make_import, make_ten_lines
from bench.data import TINY
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_NUMPY = make_import("numpy")


def measure_startup(size: Size) -> Group:
    """Measure start-up on ten lines of input; the size does not matter."""
    return Group(
        title="Start-up",
        text=f"Data: {TINY}. The others are Python processes that import a package and end.",
        contenders=[make_ten_lines(), make_import("gainful"), _NUMPY],
        base=_NUMPY.name,
        figures=[
            Figure(
                "start-up: `gainful eval` of ten lines against `import numpy`",
                get_time_ratio(make_ten_lines().name, _NUMPY.name),
                at_most=1.4,
            )
        ],
        rounds=5,
    )
