"""Where the benchmark ran, in words."""

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.contenders import Contender


def facts(contenders: Iterable[Contender], load: float) -> Iterator[str]:
    """The machine, the system, and the versions of what was measured."""
    yield f"machine: {_cpu()}, {os.cpu_count()} cores, {_memory_gb():.0f} GB"
    kernel = platform.release().split("-")[0]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"system: {platform.system()} {kernel}, {python}, load {load:.2f} before the start"
    yield f"versions: {', '.join(_versions(contenders))}"


def _versions(contenders: Iterable[Contender]) -> list[str]:
    """Every package once, and the system's wc, which has no package."""
    named = {f"{one.package} {one.version}" for one in contenders if one.package}
    return [*sorted(named), _wc_version()]


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
