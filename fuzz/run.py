"""Fuzz every target, or those that are named, and print the findings.

make fuzz TIME=60 ARGS='qrels text_files'
python fuzz/run.py --time 600 qrels
python fuzz/run.py --replay FILE qrels
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from native_targets import BUILD, ROOT, build_targets, find_compiler

FUZZ = ROOT / "fuzz"
NATIVE = sorted((FUZZ / "native").glob("*.cpp"))
PYTHON = sorted((FUZZ / "python").glob("*.py"))
BYTES = ("arrays", "columns", "tables")  # native targets whose input is no text
LIMITS = (
    "-timeout=60",
    "-rss_limit_mb=2500",
    "-max_len=2048",
    "-print_final_stats=1",
    "-report_slow_units=60",
)


@dataclass(frozen=True)
class Outcome:
    """The result for a target: inputs that ran, edges of the code they reached, and crashes."""

    target: str
    executions: str
    coverage: str
    crashes: tuple[Path, ...]
    failed: bool


def find_dictionary(target: str) -> Path:
    """Return the words that the inputs of a target are made of."""
    name = "python" if target in list_names(PYTHON) else "bytes" if target in BYTES else "text"
    return FUZZ / "dictionaries" / f"{name}.dict"


def list_names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


def list_folders(target: str) -> list[str]:
    """Return the folders of seeds and of past crashes."""
    kept = [FUZZ / kind / target for kind in ("seeds", "regressions")]
    return [str(folder) for folder in kept if folder.is_dir()]


def build_programs(targets: list[str]) -> dict[str, list[str]]:
    """Return the command that starts each target; native ones are built first."""
    native = [path for path in NATIVE if path.stem in targets]
    out = {one: [sys.executable, str(FUZZ / "driver.py"), one] for one in list_names(PYTHON)}
    if native:
        using = find_compiler()
        if using is None:
            sys.exit("error: native targets need a C++ compiler, and there is none.")
        print(f"Building {len(native)} native targets with {using.program} in {BUILD}.", flush=True)
        out.update({name: [str(path)] for name, path in build_targets(native, using).items()})
    return {target: out[target] for target in targets}


def make_environment(folder: str) -> dict[str, str]:
    """Return variables that name stacks, and put files into a folder that is always removed."""
    symbolizer = shutil.which("llvm-symbolizer") or shutil.which("addr2line")
    known = {"ASAN_SYMBOLIZER_PATH": symbolizer} if symbolizer else {}
    return {**os.environ, "TMPDIR": folder, **known}


def run_program(command: list[str]) -> tuple[int, str]:
    """Return the exit code and the output of a command."""
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="gainful-fuzz-", dir=memory) as folder:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=make_environment(folder),
        )
    return done.returncode, done.stdout.decode("utf-8", "backslashreplace")


def fuzz_target(target: str, program: list[str], seconds: int, smoke: bool) -> Outcome:
    """Fuzz one target, and minimize the crash, if there is one."""
    # A smoke test does the same every time, so it goes on from nothing that was found before.
    crashes, corpus = BUILD / "crashes" / target, BUILD / ("smoke" if smoke else "corpus") / target
    if smoke:
        shutil.rmtree(corpus, ignore_errors=True)
    for folder in (crashes, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(crashes.iterdir())
    command = [*program, f"-max_total_time={seconds}", *LIMITS, f"-artifact_prefix={crashes}/"]
    if find_dictionary(target).exists():
        command.append(f"-dict={find_dictionary(target)}")
    code, said = run_program(
        [*command, *(["-seed=1"] if smoke else []), str(corpus), *list_folders(target)]
    )
    (BUILD / f"{target}.log").write_text(said)
    found = sorted(set(crashes.iterdir()) - before)
    smaller = [] if smoke else [minimize(program, crash) for crash in found]
    executions = re.findall(r"stat::number_of_executed_units: *(\d+)", said)
    coverage = re.findall(r"cov: (\d+)", said)
    return Outcome(
        target,
        executions[-1] if executions else "?",
        coverage[-1] if coverage else "-",
        tuple(smaller or found),
        failed=code != 0 or bool(found),
    )


def minimize(program: list[str], crash: Path) -> Path:
    """Return a shorter input that crashes too, or the same."""
    smaller = crash.with_name(f"minimized-{crash.name}")
    limits = ["-minimize_crash=1", "-max_total_time=30", f"-exact_artifact_path={smaller}"]
    run_program([*program, *limits, str(crash)])
    return smaller if smaller.exists() else crash


def format_table(outcomes: list[Outcome]) -> str:
    """Return the results of all targets as a table."""
    rows = [("target", "executions", "coverage", "crashes")]
    rows += [
        (one.target, one.executions, one.coverage, str(max(len(one.crashes), int(one.failed))))
        for one in outcomes
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        numbers = [text.rjust(width) for text, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *numbers]))
    return "\n".join(lines)


def print_report(outcomes: list[Outcome]) -> None:
    """Print the table, and how to repeat every crash."""
    print(format_table(outcomes))
    for one in outcomes:
        if not one.failed:
            continue
        print(f"{one.target}: what was said is in {BUILD / f'{one.target}.log'}")
        for crash in one.crashes:
            again = shlex.join(["python", "fuzz/run.py", "--replay", str(crash), one.target])
            print(f"{one.target}: see it again with: {again}")


def main() -> int:
    """Fuzz the targets, and return exit code 1 if one crashed."""
    every = [*list_names(NATIVE), *list_names(PYTHON)]
    parser = argparse.ArgumentParser(description="Fuzz the native core and the readers.")
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(every)}; all if none is named")
    parser.add_argument("--time", type=int, default=60, help="seconds for each target")
    parser.add_argument("--smoke", action="store_true", help="the same inputs every time")
    parser.add_argument("--replay", metavar="FILE", help="run one input alone")
    given = parser.parse_args()
    unknown = sorted(set(given.targets) - set(every))
    if unknown:
        parser.error(f"unknown target {unknown[0]!r}; there are {', '.join(every)}")
    targets = given.targets or every
    started = build_programs(targets)
    if given.replay:
        code, said = run_program([*started[targets[0]], "-runs=0", given.replay])
        print(said)
        return int(code != 0)
    outcomes = []
    for target in targets:
        print(f"{target}: {given.time} seconds", flush=True)
        outcomes.append(fuzz_target(target, started[target], given.time, given.smoke))
    print_report(outcomes)
    if not given.smoke:
        print(f"New inputs are kept in {BUILD / 'corpus'}, to go on from the next time.")
    return int(any(one.failed for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())
