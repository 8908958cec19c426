"""Full disks at any step: one sentence, the old file, and no part of the new file."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from faults.command import is_one_sentence, needs_linux, read_folder, run_gainful, run_shell
from gainful import SourceError, convert

FULL = os.strerror(errno.ENOSPC)
DEFINE_FULL = """
import errno, os, io
def full(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
"""
COMMANDS = {
    "convert": ("convert", "one.run", "out.csv", "--force"),
    "gzip": ("convert", "one.run", "out.csv.gz", "--force"),
    "parquet": ("convert", "one.run", "out.parquet", "--force"),
    "report": ("report", "qrels.txt", "one.run", "-o", "out.html"),
    "junit": ("gate", "qrels.txt", "one.run", "two.run", "--junit", "out.xml", "--no-config"),
    "page": ("gate", "qrels.txt", "one.run", "--min", "0", "--report", "out.html", "--no-config"),
}
all_writers = pytest.mark.parametrize("name", COMMANDS)


def find_target(name):
    return next(word for word in COMMANDS[name] if word.startswith("out."))


def assert_unchanged(name, folder, *, setup):
    """Check that writing fails and leaves the folder unchanged; return the error."""
    Path(find_target(name)).write_text("old")
    files = read_folder(folder)
    _, err, code = run_gainful(*COMMANDS[name], setup=setup)
    assert code == (2 if COMMANDS[name][0] == "gate" else 1)
    *notices, error = err.splitlines(keepends=True)
    assert all(line.startswith(("rules: ", "note: ", "warning: ")) for line in notices)
    assert is_one_sentence(error)
    assert error.startswith(f"error: {find_target(name)}: cannot be written to (")
    assert read_folder(folder) == files
    return error


@needs_linux
@all_writers
@pytest.mark.parametrize("step", ["os.fsync", "os.replace", "os.chmod"])
def test_the_old_file_stays_where_the_last_steps_fail(folder, name, step):
    assert FULL in assert_unchanged(name, folder, setup=f"{DEFINE_FULL}\n{step} = full")


@needs_linux
@all_writers
def test_the_old_file_stays_where_there_is_room_for_a_few_bytes(folder, name):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5))"
    assert os.strerror(errno.EFBIG) in assert_unchanged(name, folder, setup=limit)


@needs_linux
@pytest.mark.parametrize("to", ["trec", "csv", "tsv", "jsonl", "parquet"])
def test_a_device_that_is_full_is_said(folder, to):
    _, err, code = run_gainful("convert", "one.run", "/dev/full", "--to", to)
    assert (err, code) == (f"error: /dev/full: cannot be written to ({FULL}). [cannot-write]\n", 1)


@needs_linux
@pytest.mark.parametrize(
    "arguments",
    [
        "eval qrels.txt one.run",
        "eval qrels.txt one.run -f json",
        "compare qrels.txt one.run two.run",
        "convert one.run - --to jsonl",
        "report qrels.txt one.run -o -",
        "measures",
        "trec_eval qrels.txt one.run",
        "demo",
        "--help",
    ],
)
def test_standard_output_that_is_full_is_said(folder, arguments):
    _, err, code = run_shell(f"gainful {arguments} >/dev/full")
    assert "error: standard output: no space left on device. [cannot-write]\n" in err
    assert "Traceback" not in err
    assert code == 1


@needs_linux
def test_a_gate_that_cannot_say_its_verdict_has_not_decided(folder):
    _, err, code = run_shell("gainful gate qrels.txt one.run two.run --no-config >/dev/full")
    assert (err, code) == ("error: standard output: no space left on device. [cannot-write]\n", 2)


@needs_linux
def test_what_cannot_be_said_on_standard_error_changes_no_exit_code(folder):
    out, _, code = run_shell("gainful eval qrels.txt one.run -m CG 2>/dev/full")
    assert (out, code) == ("CG\t2.0\n", 0)
    assert run_shell("gainful eval none one.run 2>/dev/full").code == 1
    assert run_shell("gainful eval --none 2>/dev/full").code == 2
    assert run_shell("gainful gate --none 2>/dev/full").code == 2
    assert run_shell("gainful convert one.run out.csv 2>/dev/full").code == 0
    assert Path("out.csv").exists()


@needs_linux
def test_what_comes_through_a_pipe_and_cannot_be_kept_is_said(folder):
    Path("one.run.gz").write_bytes(subprocess.check_output(["gzip", "-c", "one.run"]))
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5))\n"
    spill = "import gainful.base.files as files; files._IN_MEMORY = 1\n"
    with open("one.run", "rb") as file:
        cat = subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE)
    with cat:
        _, err, code = run_gainful("eval", "qrels.txt", "-", setup=limit + spill, stdin=cat.stdout)
    assert code == 1
    assert is_one_sentence(err)
    assert "-: cannot be kept in " in err
    assert "(File too large). Set TMPDIR to a folder with more room. [" in err


def test_a_file_that_cannot_be_written_is_an_error_of_the_library(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, FULL)

    Path("out.csv").write_text("old")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(SourceError, match=r"^out\.csv: cannot be written to \(No space left"):
        convert("one.run", "out.csv", force=True)
    assert read_folder(folder)["out.csv"] == b"old"
    assert not [name for name in read_folder(folder) if name.endswith(".part")]


@pytest.fixture
def small_disk(folder):
    disk = folder / "disk"
    disk.mkdir()
    process = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=False
    )
    if process.returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@needs_linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount")
def test_a_file_system_that_is_really_full_keeps_the_old_file(small_disk, folder):
    Path("disk/out.html").write_text("old")
    _, err, code = run_gainful("report", "qrels.txt", "one.run", "-o", "disk/out.html")
    assert (err, code) == (
        f"error: disk/out.html: cannot be written to ({FULL}). [cannot-write]\n",
        1,
    )
    assert read_folder(small_disk) == {"out.html": b"old"}
