"""Processes and threads that write the same file at once: one whole file of one of them."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import gainful
from faults.command import MAIN, PATIENCE, content
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
        both = [
            subprocess.Popen(
                [sys.executable, "-c", MAIN, "convert", f"{name}.run", "out.csv", "--force"],
                stderr=subprocess.PIPE,
            )
            for name in ("first", "second")
        ]
        said = [process.communicate(timeout=PATIENCE)[1].decode() for process in both]
        assert [process.returncode for process in both] == [0, 0]
        assert said == ["20,000 items written to out.csv.\n"] * 2
        left = content(runs)
        assert left["out.csv"] in (left["first.csv"], left["second.csv"])
        assert not [name for name in left if name.endswith(".part")]


def test_two_threads_leave_one_whole_file(runs):
    with ThreadPoolExecutor(4) as pool:
        names = ["first", "second"] * 6
        done = pool.map(lambda name: gainful.convert(f"{name}.run", "out.csv", force=True), names)
        assert [one.n_rows for one in done] == [20_000] * len(names)
    left = content(runs)
    assert left["out.csv"] in (left["first.csv"], left["second.csv"])
    assert not [name for name in left if name.endswith(".part")]


def test_the_part_of_a_dead_process_hinders_nobody(folder, monkeypatch):
    monkeypatch.setattr("gainful.base.atomic_files._NAMELESS", 0)
    Path(".gainful-0123456789abcdef.part").write_text("half")
    with open_atomic("out") as file:
        file.write(b"new")
    assert content(folder)["out"] == b"new"


def test_a_writer_that_fails_within_another_leaves_the_other_alone(folder):
    with open_atomic("out") as outer:
        outer.write(b"outer")
        with suppress(ZeroDivisionError), open_atomic("out") as inner:
            inner.write(b"inner")
            raise ZeroDivisionError
    assert content(folder)["out"] == b"outer"
