"""Compressed runs, and a run from a pipe."""

import shlex
from dataclasses import replace

from bench.contenders import COMMAND, Contender, make_gainful_eval, make_ten_lines
from bench.data import TINY, Collection
from bench.figures import Figure, get_time_ratio
from bench.groups._group import Group, Size

_PIPE = "gainful, through a pipe"
# What writes the file, if it is not in the standard library.
_SUFFIXES = {".gz": "gainful", ".bz2": "gainful", ".xz": "gainful", ".zst": "zstandard"}


def compare_compressed(size: Size) -> Group:
    """Compare compressed files, a plain file and a pipe, all with the same run."""
    collection = Collection(size.queries)
    return Group(
        title="Compressed, and through a pipe",
        text=f"Data: {collection}. The pipe is `cat run | gainful eval qrels -`.",
        contenders=[
            make_ten_lines(),
            make_gainful_eval(collection),
            _make_piped(collection),
            *(_make_compressed(collection, suffix) for suffix in _SUFFIXES),
        ],
        base="gainful",
        figures=[Figure("through a pipe, against the file", get_time_ratio(_PIPE, "gainful"))],
    )


def _make_compressed(collection: Collection, suffix: str) -> Contender:
    contender, trial = (
        make_gainful_eval(replace(data, suffix=suffix)) for data in (collection, TINY)
    )
    return replace(contender, name=f"gainful, {suffix}", package=_SUFFIXES[suffix], trial=trial)


def _make_piped(collection: Collection) -> Contender:
    command = (COMMAND, "eval", collection.qrels, "-", "-m", "nDCG@10")
    pipe = f"cat {shlex.join(collection.run_paths)} | {shlex.join(command)}"
    return replace(make_gainful_eval(collection), name=_PIPE, command=("sh", "-c", pipe))
