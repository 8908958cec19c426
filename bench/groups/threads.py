"""One thread and two."""

from dataclasses import replace

from bench.contenders import Contender, make_gainful_eval, make_task
from bench.data import TINY, Collection
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_PROCESSES = ("whole process, 1 thread", "whole process, 2 threads")
_CALLS = ("without start-up, 1 thread", "without start-up, 2 threads")


def compare_threads(size: Size) -> Group:
    """Compare one thread with two."""
    collection = Collection(size.queries)
    return Group(
        title="Threads",
        text=f"Data: {collection}.",
        contenders=[
            *(_make_process(collection, number) for number in (1, 2)),
            *(_make_call(collection, number) for number in (1, 2)),
        ],
        base=_PROCESSES[0],
        figures=[
            Figure(
                "two threads against one, whole process", get_time_ratio(*_PROCESSES), at_least=1.7
            ),
            Figure(
                "two threads against one, without start-up", get_time_ratio(*_CALLS), at_least=1.7
            ),
        ],
    )


def _make_process(collection: Collection, number: int) -> Contender:
    contender, trial = (
        make_gainful_eval(data, "--threads", str(number)) for data in (collection, TINY)
    )
    return replace(contender, name=_PROCESSES[number - 1], trial=trial)


def _make_call(collection: Collection, number: int) -> Contender:
    task = "gainful.evaluate files"
    contender, trial = (
        make_task(task, str(number), collection=data) for data in (collection, TINY)
    )
    return replace(contender, name=_CALLS[number - 1], trial=trial)
