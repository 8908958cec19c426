"""Judgments by the million."""

from bench.contenders import Contender, inside
from bench.figures import Figure, printed
from bench.groups._declare import Group, Size
from bench.inside_limits import BYTES

# Judgments of a query and bytes of an item's id: what the index may take for each judgment.
_SHAPES = {(100, 8): 80, (100, 16): 90, (100, 36): 115, (10, 8): 115}


def judgments(size: Size) -> Group:
    """The memory that an index of judgments takes, by the length of ids and the size of queries."""
    n = 300 * size.queries
    return Group(
        title="Memory of judgments",
        text=(
            f"Data: qrels of {n:,} judgments, read from a file. What is resident above what was "
            "before is divided by the judgments."
        ),
        contenders=[_contender(n, *shape) for shape in _SHAPES],
        base=_name(100, 8),
        figures=[
            Figure(_name(*shape), printed(_name(*shape), BYTES), at_most=most, unit=f" {BYTES}")
            for shape, most in _SHAPES.items()
        ],
    )


def _contender(n: int, of_a_query: int, length: int) -> Contender:
    arguments = (str(n), str(of_a_query), str(length))
    found = inside("gainful.read_qrels many", *arguments).called(_name(of_a_query, length))
    return found.answering("judgments").printing(BYTES)


def _name(of_a_query: int, length: int) -> str:
    return f"{of_a_query} judgments a query, ids of {length} bytes"
