"""Measure gainful beside its peers: ``python -m bench --help``."""

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.contenders import GAINFUL, IMPORT_GAINFUL, IMPORT_NUMPY, OTHERS, WC
from bench.data import ROOT, TINY, Collection, prepare
from bench.report import Findings, markdown
from bench.rounds import outcomes

FULL = Collection(queries=6980, items=1000)  # MS MARCO dev
QUICK = Collection(queries=500, items=1000)
_STARTUPS = 5  # start-up is short, so it is measured this many times as often


def main(arguments: Sequence[str]) -> None:
    """Measure, print the report, and write it where that is asked for."""
    options = _parser().parse_args(arguments)
    size = QUICK if options.quick else FULL
    collection = Collection(options.queries or size.queries, options.items or size.items)
    found = findings(collection, options.repeat, shlex.join(["python", "-m", "bench", *arguments]))
    report = markdown(found)
    print(report, end="")
    out = options.out or (ROOT / "bench" / "RESULTS.md" if collection == FULL else None)
    if out:
        out.write_text(report)


def findings(collection: Collection, repeat: int, command: str) -> Findings:
    """The measurements of all contenders that can run here."""
    load = os.getloadavg()[0]
    prepare(TINY)
    prepare(collection)
    contenders = [one for one in (GAINFUL, *OTHERS, WC) if one.available]
    # Once on ten lines: Python compiles and the system caches what the contenders import.
    outcomes(contenders, TINY, repeat=1)
    startups = (GAINFUL, IMPORT_GAINFUL, IMPORT_NUMPY)
    return Findings(
        command=command,
        load=load,
        collection=collection,
        startups=outcomes(startups, TINY, repeat=repeat * _STARTUPS),
        answers=outcomes(contenders, collection, repeat=repeat),
        skipped=[
            f"{one.name} was skipped: {one.package} is not installed."
            for one in OTHERS
            if not one.available
        ],
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure speed and memory."
    )
    parser.add_argument("--quick", action="store_true", help=f"use {QUICK.queries} queries")
    parser.add_argument("--queries", type=_positive, metavar="N", help=f"default {FULL.queries}")
    parser.add_argument("--items", type=_positive, metavar="N", help=f"default {FULL.items}")
    parser.add_argument("--repeat", type=_positive, metavar="N", default=3, help="default 3")
    parser.add_argument(
        "--out", type=Path, help="file to write (default bench/RESULTS.md if all is measured)"
    )
    return parser


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}.")
    return number


if __name__ == "__main__":
    main(sys.argv[1:])
