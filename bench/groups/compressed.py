"""A run that is compressed, or comes through a pipe."""

import shlex
from dataclasses import replace

from bench.contenders import COMMAND, Contender, gainful, ten_lines
from bench.data import TINY, Collection
from bench.figures import Figure, time_ratio
from bench.groups._declare import Group, Size

_PIPE = "gainful, through a pipe"
# What writes the file, if it is not in the standard library.
_SUFFIXES = {".gz": "gainful", ".bz2": "gainful", ".xz": "gainful", ".zst": "zstandard"}


def compressed(size: Size) -> Group:
    """The same run in every form in which it is streamed."""
    collection = Collection(size.queries)
    return Group(
        title="Compressed, and through a pipe",
        text=f"Data: {collection}. The pipe is `cat run | gainful eval qrels -`.",
        contenders=[
            ten_lines(),
            gainful(collection),
            _piped(collection),
            *(_of_suffix(collection, suffix) for suffix in _SUFFIXES),
        ],
        base="gainful",
        figures=[Figure("through a pipe, against the file", time_ratio(_PIPE, "gainful"))],
    )


def _of_suffix(collection: Collection, suffix: str) -> Contender:
    wanted, trial = (gainful(replace(one, suffix=suffix)) for one in (collection, TINY))
    return replace(wanted, name=f"gainful, {suffix}", package=_SUFFIXES[suffix], trial=trial)


def _piped(collection: Collection) -> Contender:
    command = (COMMAND, "eval", collection.qrels, "-", "-m", "nDCG@10")
    pipe = f"cat {shlex.join(collection.run_paths)} | {shlex.join(command)}"
    return replace(gainful(collection), name=_PIPE, command=("sh", "-c", pipe))
