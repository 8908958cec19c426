"""Description of the machine that runs the benchmark."""

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.contenders import Contender


def describe_machine(contenders: Iterable[Contender], load: float) -> Iterator[str]:
    """Yield lines on the machine, the system, and the versions of the contenders."""
    yield f"machine: {_find_cpu()}, {os.cpu_count()} cores, {_get_memory_gb():.0f} GB"
    kernel = platform.release().split("-")[0]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"system: {platform.system()} {kernel}, {python}, load {load:.2f} before the start"
    yield f"versions: {', '.join(_list_versions(contenders))}"


def _list_versions(contenders: Iterable[Contender]) -> list[str]:
    """Return the version of every package, and that of the system's wc."""
    versions = {f"{item.package} {item.version}" for item in contenders if item.package}
    return [*sorted(versions), _find_wc_version()]


def _find_wc_version() -> str:
    result = subprocess.run(["wc", "--version"], capture_output=True, text=True, check=False)
    return result.stdout.partition("\n")[0] or "wc without a version"


def _find_cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _get_memory_gb() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
