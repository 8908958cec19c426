"""Run one Python target: under atheris, which is guided by coverage, or by plain mutation.

    python fuzz/driver.py TARGET [-runs=N] [-max_total_time=S] [FOLDER or FILE ...]

The arguments are libFuzzer's. Without atheris, the inputs are replayed and then mutated with a
fixed seed, as driver.cpp does for native targets.
"""

import importlib
import importlib.util
import pkgutil
import random
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

Target = Callable[[bytes], None]

# Modules that are imported on first use are imported beforehand, or they would not be instrumented.
PACKAGES = ("sources", "measures", "gate", "adapters.trec_eval")
FRAGMENTS = (b"\n", b"\0", b"\xff", b",", b'"', b" ", b"1e400", b"-1", b"{", b"]")


def load_target(name: str) -> Target:
    """Return the function of a target, and make warnings errors."""
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "python")]
    target: Target = importlib.import_module(name).check_input
    warnings.simplefilter("error")
    return target


def fuzz_guided(name: str, arguments: list[str]) -> None:
    """Fuzz a target with atheris, which ends the process."""
    import atheris

    with atheris.instrument_imports(include=["gainful", name]):
        target = load_target(name)
        for package in PACKAGES:
            folder = importlib.import_module(f"gainful.{package}").__path__
            for module in pkgutil.iter_modules(folder):
                importlib.import_module(f"gainful.{package}.{module.name}")
    atheris.Setup([sys.argv[0], *arguments], target)
    atheris.Fuzz()


def read_inputs(names: list[str]) -> list[bytes]:
    """Return the contents of files and of the files in folders."""
    paths = [Path(name) for name in names]
    folders = [sorted(path.iterdir()) if path.is_dir() else [path] for path in paths]
    return [file.read_bytes() for files in folders for file in files]


def mutate(data: bytes, seeds: list[bytes], rng: random.Random) -> bytes:
    """Return the input with a few bytes changed, cut out, repeated, or taken from another input."""
    out = bytearray(data)
    for _ in range(1 + rng.randrange(4)):
        at, size = rng.randrange(len(out) + 1), 1 + rng.randrange(16)
        donor = rng.choice(seeds)
        start = rng.randrange(len(donor) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            out[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 1:
            del out[at : at + size]
        elif kind == 2:
            out[at:at] = out[at : at + size]
        elif kind == 3:
            out[at:at] = rng.choice(FRAGMENTS)
        else:
            out[at : at + size] = donor[start : start + size]
    return bytes(out)


def fuzz_unguided(
    target: Target, runs: float, seconds: float, seeds: list[bytes], artifacts: str
) -> int:
    """Run a target on the seeds, then on mutations of them, and return how many inputs ran."""
    rng, count, end = random.Random(1), 0, time.monotonic() + seconds
    while count < len(seeds) or (seeds and count < runs and time.monotonic() < end):
        data = seeds[count] if count < len(seeds) else mutate(rng.choice(seeds), seeds, rng)
        try:
            target(data)
        except BaseException:
            Path(f"{artifacts}crash-plain").write_bytes(data)
            raise
        count += 1
    return count


def is_finding(target: Target, data: bytes) -> bool:
    """Return whether the target fails on an input."""
    try:
        target(data)
    except BaseException:
        return True
    return False


def shorten(target: Target, data: bytes, seconds: float) -> bytes:
    """Return a finding without the bytes that it does not need; it may be another finding."""
    end, size = time.monotonic() + seconds, len(data) // 2
    while size > 0 and is_finding(target, data):
        for at in range(0, len(data), size):
            shorter = data[:at] + data[at + size :]
            if time.monotonic() < end and is_finding(target, shorter):
                data = shorter
                break
        else:
            size //= 2
    return data


def main(name: str, *arguments: str) -> None:
    """Fuzz a target with the arguments of libFuzzer."""
    options = dict(arg[1:].split("=", 1) for arg in arguments if arg.startswith("-"))
    names = [arg for arg in arguments if not arg.startswith("-")]
    if "minimize_crash" in options:  # which atheris cannot do
        crash = Path(names[0]).read_bytes()
        short = shorten(load_target(name), crash, float(options["max_total_time"]))
        Path(options["exact_artifact_path"]).write_bytes(short)
        return None
    if importlib.util.find_spec("atheris") and options.get("runs") != "0":
        return fuzz_guided(name, list(arguments))
    runs, seconds = float(options.get("runs", "inf")), float(options.get("max_total_time", "inf"))
    prefix = options.get("artifact_prefix", "")
    n_inputs = fuzz_unguided(load_target(name), runs, seconds, read_inputs(names), prefix)
    sys.stderr.write(f"stat::number_of_executed_units: {n_inputs}\n")
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
