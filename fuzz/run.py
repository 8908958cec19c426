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
    """Return the dictionary of the words that a target's inputs are made of."""
    name = "python" if target in list_names(PYTHON) else "bytes" if target in BYTES else "text"
    return FUZZ / "dictionaries" / f"{name}.dict"


def list_names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


def list_folders(target: str) -> list[str]:
    """Return the folders of seeds and of past crashes."""
    folders = [FUZZ / kind / target for kind in ("seeds", "regressions")]
    return [str(folder) for folder in folders if folder.is_dir()]


def build_programs(targets: list[str]) -> dict[str, list[str]]:
    """Return the command that starts each target; native ones are built first."""
    native = [path for path in NATIVE if path.stem in targets]
    driver = str(FUZZ / "driver.py")
    commands = {name: [sys.executable, driver, name] for name in list_names(PYTHON)}
    if native:
        compiler = find_compiler()
        if compiler is None:
            sys.exit("error: native targets need a C++ compiler, and there is none.")
        builder = compiler.program
        print(f"Building {len(native)} native targets with {builder} in {BUILD}.", flush=True)
        programs = build_targets(native, compiler)
        commands.update({name: [str(path)] for name, path in programs.items()})
    return {target: commands[target] for target in targets}


def make_environment(folder: str) -> dict[str, str]:
    """Return an environment for readable stacks and for temporary files in a folder."""
    symbolizer = shutil.which("llvm-symbolizer") or shutil.which("addr2line")
    variables = {"ASAN_SYMBOLIZER_PATH": symbolizer} if symbolizer else {}
    return {**os.environ, "TMPDIR": folder, **variables}


def run_program(command: list[str]) -> tuple[int, str]:
    """Return the exit code and the output of a command."""
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="gainful-fuzz-", dir=memory) as folder:
        result = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=make_environment(folder),
        )
    return result.returncode, result.stdout.decode("utf-8", "backslashreplace")


def fuzz_target(target: str, program: list[str], seconds: int, smoke: bool) -> Outcome:
    """Fuzz one target, and minimize the crash, if there is one."""
    # A smoke test does the same every time, so it goes on from nothing that was found before.
    crashes, corpus = BUILD / "crashes" / target, BUILD / ("smoke" if smoke else "corpus") / target
    if smoke:
        shutil.rmtree(corpus, ignore_errors=True)
    for folder in (crashes, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    old_crashes = set(crashes.iterdir())
    command = [*program, f"-max_total_time={seconds}", *LIMITS, f"-artifact_prefix={crashes}/"]
    if find_dictionary(target).exists():
        command.append(f"-dict={find_dictionary(target)}")
    code, output = run_program(
        [*command, *(["-seed=1"] if smoke else []), str(corpus), *list_folders(target)]
    )
    (BUILD / f"{target}.log").write_text(output)
    new_crashes = sorted(set(crashes.iterdir()) - old_crashes)
    smaller = [] if smoke else [minimize(program, crash) for crash in new_crashes]
    executions = re.findall(r"stat::number_of_executed_units: *(\d+)", output)
    coverage = re.findall(r"cov: (\d+)", output)
    return Outcome(
        target,
        executions[-1] if executions else "?",
        coverage[-1] if coverage else "-",
        tuple(smaller or new_crashes),
        failed=code != 0 or bool(new_crashes),
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
        (o.target, o.executions, o.coverage, str(max(len(o.crashes), int(o.failed))))
        for o in outcomes
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
    for outcome in outcomes:
        if not outcome.failed:
            continue
        print(f"{outcome.target}: what was said is in {BUILD / f'{outcome.target}.log'}")
        for crash in outcome.crashes:
            command = shlex.join(["python", "fuzz/run.py", "--replay", str(crash), outcome.target])
            print(f"{outcome.target}: see it again with: {command}")


def main() -> int:
    """Fuzz the targets, and return exit code 1 if one crashed."""
    names = [*list_names(NATIVE), *list_names(PYTHON)]
    parser = argparse.ArgumentParser(description="Fuzz the native core and the readers.")
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(names)}; all if none is named")
    parser.add_argument("--time", type=int, default=60, help="seconds for each target")
    parser.add_argument("--smoke", action="store_true", help="the same inputs every time")
    parser.add_argument("--replay", metavar="FILE", help="run one input alone")
    options = parser.parse_args()
    unknown = sorted(set(options.targets) - set(names))
    if unknown:
        parser.error(f"unknown target {unknown[0]!r}; there are {', '.join(names)}")
    targets = options.targets or names
    programs = build_programs(targets)
    if options.replay:
        code, output = run_program([*programs[targets[0]], "-runs=0", options.replay])
        print(output)
        return int(code != 0)
    outcomes = []
    for target in targets:
        print(f"{target}: {options.time} seconds", flush=True)
        outcomes.append(fuzz_target(target, programs[target], options.time, options.smoke))
    print_report(outcomes)
    if not options.smoke:
        print(f"New inputs are kept in {BUILD / 'corpus'}, to go on from the next time.")
    return int(any(outcome.failed for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
