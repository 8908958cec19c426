"""One thread and two."""

from dataclasses import replace

from bench.contenders import Contender, make_gainful_eval, make_task
from bench.data import TINY, Collection
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_WHOLE = ("whole process, 1 thread", "whole process, 2 threads")
_INSIDE = ("without start-up, 1 thread", "without start-up, 2 threads")


def threads(size: Size) -> Group:
    """Compare the same work on one thread and on two."""
    collection = Collection(size.queries)
    return Group(
        title="Threads",
        text=f"Data: {collection}.",
        contenders=[
            *(_make_process(collection, number) for number in (1, 2)),
            *(_make_inside(collection, number) for number in (1, 2)),
        ],
        base=_WHOLE[0],
        figures=[
            Figure("two threads against one, whole process", get_time_ratio(*_WHOLE), at_least=1.7),
            Figure(
                "two threads against one, without start-up", get_time_ratio(*_INSIDE), at_least=1.7
            ),
        ],
    )


def _make_process(collection: Collection, number: int) -> Contender:
    wanted, trial = (make_gainful_eval(one, "--threads", str(number)) for one in (collection, TINY))
    return replace(wanted, name=_WHOLE[number - 1], trial=trial)


def _make_inside(collection: Collection, number: int) -> Contender:
    task = "gainful.evaluate files"
    wanted, trial = (make_task(task, str(number), collection=one) for one in (collection, TINY))
    return replace(wanted, name=_INSIDE[number - 1], trial=trial)
