"""What a gate leaves behind for the servers that run it."""

import os
import sys

from gainful.cli._printing import say
from gainful.gating.github import annotations
from gainful.gating.result import Gate
from gainful.written_files import written


def write_junit(path: str, gate: Gate) -> None:
    """The file of JUnit XML; it appears when all of it is written."""
    with written(path) as file:
        file.write(gate.to_junit().encode())


def tell_github(gate: Gate) -> None:
    """On GitHub Actions: the summary of the step, and annotations on standard error.

    GitHub reads them there as well, and standard output may be the JSON that somebody wants.
    """
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        try:
            _append(summary, gate.to_markdown().encode("utf-8", "replace"))
        except OSError as error:
            # The verdict does not depend on it.
            reason = error.strerror or error
            say(f"warning: {summary}: cannot be written to ({reason}).\n", sys.stderr)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        say("".join(f"{line}\n" for line in annotations(gate)), sys.stderr)


def _append(path: str, text: bytes) -> None:
    """All of the text at the end of a file, or nothing."""
    with open(path, "ab", buffering=0) as file:
        end = file.tell()
        try:
            if file.write(text) != len(text):
                message = "the disk is full"
                raise OSError(message)
        except OSError:
            file.truncate(end)
            raise
