"""Processes and threads that write one file at the same time: the complete file of one of them."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import gainful
from faults.command import MAIN, TIMEOUT, read_folder
from gainful.base.atomic_files import open_atomic


@pytest.fixture
def runs(folder):
    for name in ("first", "second"):
        lines = (f"q{n % 100} Q0 {name}{n} 1 {-n} t\n" for n in range(20_000))
        Path(f"{name}.run").write_text("".join(sorted(lines)))
        gainful.convert(f"{name}.run", f"{name}.csv")
    return folder


def test_two_processes_leave_one_whole_file(runs):
    for _ in range(3):
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", MAIN, "convert", f"{name}.run", "out.csv", "--force"],
                stderr=subprocess.PIPE,
            )
            for name in ("first", "second")
        ]
        messages = [process.communicate(timeout=TIMEOUT)[1].decode() for process in processes]
        assert [process.returncode for process in processes] == [0, 0]
        assert messages == ["20,000 items written to out.csv.\n"] * 2
        files = read_folder(runs)
        assert files["out.csv"] in (files["first.csv"], files["second.csv"])
        assert not [name for name in files if name.endswith(".part")]


def test_two_threads_leave_one_whole_file(runs):
    with ThreadPoolExecutor(4) as pool:
        names = ["first", "second"] * 6
        summaries = pool.map(
            lambda name: gainful.convert(f"{name}.run", "out.csv", force=True), names
        )
        assert [summary.n_rows for summary in summaries] == [20_000] * len(names)
    files = read_folder(runs)
    assert files["out.csv"] in (files["first.csv"], files["second.csv"])
    assert not [name for name in files if name.endswith(".part")]


def test_the_part_of_a_dead_process_hinders_nobody(folder):
    Path(".gainful-0123456789abcdef.part").write_text("half")
    with open_atomic("out") as file:
        file.write(b"new")
    assert read_folder(folder)["out"] == b"new"


def test_a_writer_that_fails_within_another_leaves_the_other_alone(folder):
    with open_atomic("out") as outer:
        outer.write(b"outer")
        with suppress(ZeroDivisionError), open_atomic("out") as inner:
            inner.write(b"inner")
            raise ZeroDivisionError
    assert read_folder(folder)["out"] == b"outer"
