"""What was measured, as Markdown whose tables read well as they are."""

import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.contenders import GAINFUL, IMPORT_GAINFUL, IMPORT_NUMPY
from bench.data import TINY, Collection
from bench.process import least_peak_mb
from bench.rounds import Outcome

Outcomes = dict[str, Outcome]


@dataclass(frozen=True)
class Findings:
    """Everything that a report says.

    Attributes:
        command: What was typed.
        load: How many processes ran or waited on the machine before it, averaged over a minute.
        collection: The files of ``answers``.
        answers: From files to mean nDCG@10.
        startups: The same on ten lines, and what it rests on.
        skipped: Sentences on what could not be measured.
    """

    command: str
    load: float
    collection: Collection
    answers: Outcomes
    startups: Outcomes
    skipped: Sequence[str]


def markdown(found: Findings) -> str:
    """The whole report."""
    parts = [
        "# Results of the benchmark",
        f"Written by `{found.command}`. Read the ratios; seconds and megabytes are for scale.",
        "\n".join(f"- {fact}" for fact in _facts(found)),
        "## From two files to mean nDCG@10",
        "Every contender is a process of its own, measured from start to end; they take turns, and "
        "the files are in the page cache. All that compute the value agree within 1e-9. "
        "`wc -l` only reads the run.",
        _table(found.answers, base=GAINFUL.name),
        _memory(found),
        "## Start-up",
        f"The same command on a run and qrels of {TINY.queries * TINY.items} lines each.",
        _table(found.startups, base=IMPORT_NUMPY.name),
        *found.skipped,
    ]
    return "\n\n".join(parts) + "\n"


def _facts(found: Findings) -> Iterable[str]:
    yield f"machine: {_cpu()}, {os.cpu_count()} cores, {_memory_gb():.0f} GB"
    kernel = platform.release().split("-")[0]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"system: {platform.system()} {kernel}, {python}, load {found.load:.2f} before the start"
    yield f"versions: {', '.join(_versions([*found.answers.values(), *found.startups.values()]))}"
    yield f"data: {found.collection}, seed {found.collection.seed}"
    yield (
        "columns: seconds and CPU seconds (of all threads) are medians of the runs, range is the "
        "fastest and the slowest run, peak is the median of the most memory resident at once"
    )


def _versions(several: Iterable[Outcome]) -> list[str]:
    """Every package once, and the system's wc, which has no package."""
    named = {f"{one.contender.package} {one.contender.version}" for one in several}
    return [*sorted(named - {"None None"}), _wc_version()]


def _wc_version() -> str:
    said = subprocess.run(["wc", "--version"], capture_output=True, text=True, check=False)
    return said.stdout.partition("\n")[0] or "wc without a version"


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _memory_gb() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9


def _memory(found: Findings) -> str:
    """How much of gainful's memory is due to the data."""
    peak = found.answers[GAINFUL.name].peak_mb
    bare = found.startups[IMPORT_GAINFUL.name].peak_mb
    return (
        f"gainful's peak is {peak - bare:.0f} MB above the {bare:.0f} MB of `import gainful`, "
        f"for a run of {found.collection.run_mb:.1f} MB."
    )


def _table(several: Outcomes, *, base: str) -> str:
    """One line per contender, the base's ratio being 1."""
    header = [
        *("contender", f"time / {base}", f"peak / {base}"),
        *("seconds", "range", "CPU seconds", "peak MB", "runs", "nDCG@10"),
    ]
    return _aligned([header, *(_row(one, several[base]) for one in several.values())])


def _row(one: Outcome, base: Outcome) -> list[str]:
    # Of a smaller process than the one that started it, no more is known than that.
    known = one.peak_mb > least_peak_mb()
    return [
        one.contender.name,
        f"{one.seconds / base.seconds:.2f}",
        f"{one.peak_mb / base.peak_mb:.2f}" if known else "-",
        f"{one.seconds:.3f}",
        f"{one.times[0]:.3f}-{one.times[-1]:.3f}",
        f"{one.cpu_seconds:.3f}",
        f"{one.peak_mb:.0f}" if known else f"< {one.peak_mb:.0f}",
        str(len(one.samples)),
        "-" if one.value is None else f"{one.value:.10f}",
    ]


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    cells = [
        [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
        for row in (rows[0], rule, *rows[1:])
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)
