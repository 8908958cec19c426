"""Run a command in a terminal of its own, and read what a person would see."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

needs_unix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminal, no fifo")


def run_in_terminal(command: str, folder: Path, **set_to: str) -> str:
    """Return standard output and error as a person sees them, with environment variables set."""
    import pty  # not on Windows

    main, child = pty.openpty()
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment |= set_to
    with subprocess.Popen(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=child,
    ) as process:
        os.close(child)
        output = b"".join(iter(lambda: _read(main), b""))
        process.wait()
    os.close(main)
    return output.decode().replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # how Linux says that the other end is closed
        return b""
