"""The benchmark command: ``python -m bench --help``."""

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.data import ROOT
from bench.groups import FULL, GROUPS, ON_DEMAND, QUICK, Size
from bench.report import Findings, Section, format_report
from bench.rounds import find_obstacle, run_rounds


def main(arguments: Sequence[str]) -> None:
    """Measure the groups, print the report, and write it to a file if requested."""
    options = _build_parser().parse_args(arguments)
    size = QUICK if options.quick else FULL
    size = replace(size, queries=options.queries or size.queries)
    default = [name for name in GROUPS if options.large or name not in ON_DEMAND]
    names = [name for name in GROUPS if name in (options.group or default)]
    repeat = options.repeat or (1 if options.quick else 5)
    load = os.getloadavg()[0]
    report = format_report(
        Findings(
            command=shlex.join(["python", "-m", "bench", *arguments]),
            load=load,
            sections=[measure_group(name, size, repeat) for name in names],
            omitted_groups=[name for name in GROUPS if name not in names],
        )
    )
    print(report, end="")
    out = options.out or (ROOT / "bench" / "RESULTS.md" if _is_complete(size, names) else None)
    if out:
        out.write_text(report)


def measure_group(name: str, size: Size, repeat: int) -> Section:
    """Measure the contenders of the group that can run on this machine."""
    print(f"{name}:", file=sys.stderr)
    group = GROUPS[name](size)
    obstacles = {contender.name: find_obstacle(contender) for contender in group.contenders}
    contenders = [item for item in group.contenders if obstacles[item.name] is None]
    return Section(
        group=group,
        outcomes=run_rounds(contenders, repeat=repeat * group.rounds) if contenders else {},
        skip_messages=[message for message in obstacles.values() if message],
    )


def _is_complete(size: Size, names: Sequence[str]) -> bool:
    return size == FULL and set(names) >= GROUPS.keys() - set(ON_DEMAND)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure speed and memory."
    )
    parser.add_argument(
        "group",
        nargs="*",
        type=_parse_group,
        metavar="GROUP",
        help=f"what to measure: {', '.join(GROUPS)} (default all but {', '.join(ON_DEMAND)})",
    )
    parser.add_argument(
        "--large", action="store_true", help=f"measure {' and '.join(ON_DEMAND)} as well"
    )
    parser.add_argument("--quick", action="store_true", help="use less data, once")
    parser.add_argument(
        "--queries",
        type=_parse_positive,
        metavar="N",
        help=f"of the files (default {FULL.queries})",
    )
    parser.add_argument(
        "--repeat",
        type=_parse_positive,
        metavar="N",
        help="rounds to take the median of (default 5)",
    )
    parser.add_argument(
        "--out", type=Path, help="file to write (default bench/RESULTS.md if all is measured)"
    )
    return parser


def _parse_group(text: str) -> str:
    if text not in GROUPS:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(GROUPS)}, got {text!r}.")
    return text


def _parse_positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}.")
    return number


if __name__ == "__main__":
    main(sys.argv[1:])
