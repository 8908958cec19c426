"""One thread and two."""

from dataclasses import replace

from bench.contenders import Contender, gainful, inside
from bench.data import TINY, Collection
from bench.figures import Figure, time_ratio
from bench.groups._declare import Group, Size

_WHOLE = ("whole process, 1 thread", "whole process, 2 threads")
_INSIDE = ("without start-up, 1 thread", "without start-up, 2 threads")


def threads(size: Size) -> Group:
    """The same work on one thread and on two."""
    collection = Collection(size.queries)
    return Group(
        title="Threads",
        text=f"Data: {collection}.",
        contenders=[
            *(_whole(collection, number) for number in (1, 2)),
            *(_inside(collection, number) for number in (1, 2)),
        ],
        base=_WHOLE[0],
        figures=[
            Figure("two threads against one, whole process", time_ratio(*_WHOLE), at_least=1.7),
            Figure("two threads against one, without start-up", time_ratio(*_INSIDE), at_least=1.7),
        ],
    )


def _whole(collection: Collection, number: int) -> Contender:
    wanted, trial = (gainful(one, "--threads", str(number)) for one in (collection, TINY))
    return replace(wanted, name=_WHOLE[number - 1], trial=trial)


def _inside(collection: Collection, number: int) -> Contender:
    task = "gainful.evaluate files"
    wanted, trial = (inside(task, str(number), collection=one) for one in (collection, TINY))
    return replace(wanted, name=_INSIDE[number - 1], trial=trial)
