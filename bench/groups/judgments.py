"""Memory of millions of judgments."""

from bench.contenders import Contender, make_task
from bench.figures import Figure, get_printed_number
from bench.groups._group import Group, Size
from bench.limit_tasks import BYTES

# Judgments of a query and bytes of an item's id: what the index may take for each judgment.
_SHAPES = {(100, 8): 80, (100, 16): 90, (100, 36): 115, (10, 8): 115}


def measure_judgments(size: Size) -> Group:
    """Measure the memory of an index of judgments, by length of ids and size of queries."""
    n = 300 * size.queries
    return Group(
        title="Memory of judgments",
        text=(
            f"Data: qrels of {n:,} judgments, read from a file. What is resident above what was "
            "before is divided by the judgments."
        ),
        contenders=[_make_contender(n, *shape) for shape in _SHAPES],
        base=_format_name(100, 8),
        figures=[
            Figure(
                _format_name(*shape),
                get_printed_number(_format_name(*shape), BYTES),
                at_most=target,
                unit=f" {BYTES}",
            )
            for shape, target in _SHAPES.items()
        ],
    )


def _make_contender(n: int, judgments_per_query: int, length: int) -> Contender:
    arguments = (str(n), str(judgments_per_query), str(length))
    contender = make_task("gainful.read_qrels many", *arguments).with_name(
        _format_name(judgments_per_query, length)
    )
    return contender.with_answer("judgments").with_extra_numbers(BYTES)


def _format_name(judgments_per_query: int, length: int) -> str:
    return f"{judgments_per_query} judgments a query, ids of {length} bytes"
