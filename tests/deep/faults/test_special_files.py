"""Folders, devices, pipes, sockets and impossible names: one sentence or the right value."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from faults.command import (
    TIMEOUT,
    is_one_sentence,
    needs_linux,
    read_folder,
    run_shell,
    run_without_codes,
)
from gainful import SourceError, convert, evaluate, read_qrels, write_report

pytestmark = needs_linux
NUL = "a\0b"


@pytest.fixture
def special_files(folder):
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("dangling").symlink_to("none/at/all")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    return folder


ERRORS = {
    "folder": "is a directory",
    "loop": "too many levels of symbolic links",
    "dangling": "no such file or directory",
    "socket": "no such device or address",
    "x" * 5000: "file name too long",
    "none/qrels.txt": "no such file or directory",
    "qrels.txt/qrels.txt": "not a directory",
}


@pytest.mark.parametrize("name", ERRORS)
def test_what_cannot_be_read_is_said(special_files, name):
    for arguments in (("eval", name, "one.run"), ("eval", "qrels.txt", name)):
        out, err, code = run_without_codes(*arguments)
        assert (out, err, code) == ("", f"error: {name}: {ERRORS[name]}.\n", 1)


@pytest.mark.parametrize("name", [name for name in ERRORS if name != "dangling"])
def test_what_cannot_be_written_is_said(special_files, name):
    files = read_folder(special_files)
    out, err, code = run_without_codes("convert", "one.run", name, "--to", "csv", "--force")
    assert (out, code) == ("", 1)
    assert is_one_sentence(err)
    assert err.lower() == f"error: {name}: cannot be written to ({ERRORS[name]}).\n".lower()
    assert read_folder(special_files) == files


def test_a_name_that_no_file_can_have_is_said(folder):
    for read in (
        lambda: read_qrels(NUL),
        lambda: evaluate("qrels.txt", NUL, "AP"),
        lambda: convert("one.run", NUL, to="csv"),
        lambda: write_report("qrels.txt", ["one.run"], NUL),
    ):
        with pytest.raises(SourceError) as error:
            read()
        assert str(error.value).startswith(repr(NUL) + ": ")
        assert str(error.value).endswith("(embedded null byte).")


def test_files_of_the_system_without_a_size_are_read(folder):
    out, err, code = run_without_codes("eval", "/proc/self/status", "one.run")
    assert (out, code) == ("", 1)
    assert is_one_sentence(err)
    assert err.startswith("error: /proc/self/status, line 1: expected 4 fields, found ")


def test_nothing_is_said_to_be_empty(folder):
    _, err, code = run_without_codes("eval", "/dev/null", "one.run")
    assert (err, code) == ("error: /dev/null: there are no judgments in it.\n", 1)


def test_pipes_are_read_and_written(folder):
    right = run_shell("gainful eval qrels.txt one.run -m CG 2>/dev/null").out
    assert run_shell("gainful eval qrels.txt <(cat one.run) -m CG 2>/dev/null").out == right
    assert (
        run_shell("cat one.run | gainful eval qrels.txt /dev/stdin -m CG 2>/dev/null").out == right
    )
    result = run_shell("mkfifo pipe; cat pipe & gainful convert one.run pipe --to csv; wait")
    run_shell("gainful convert one.run out.csv")
    assert result.out == Path("out.csv").read_text()


@pytest.mark.parametrize("arguments", [("eval", "pipe", "one.run"), ("convert", "one.run", "pipe")])
def test_a_pipe_that_nobody_opens_waits_until_a_signal(folder, arguments):
    os.mkfifo("pipe")
    target = ("--to", "csv") if arguments[0] == "convert" else ()
    # The signal arrives while the process waits, or earlier, when the system handles it.
    process = subprocess.Popen(
        [sys.executable, "-m", "gainful", *arguments, *target],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=TIMEOUT)
    assert (out, err) == (b"", b"")
    assert process.returncode in (128 + signal.SIGTERM, -signal.SIGTERM)


def test_standard_output_is_written_to_where_it_stands_and_not_replaced(folder):
    Path("log").write_text("old\n")
    result = run_shell("gainful convert one.run /dev/stdout --to csv >> log && echo new >> log")
    assert (result.out, result.code) == ("", 0)
    plain = run_shell("gainful convert one.run - --to csv")
    assert Path("log").read_text() == f"old\n{plain.out}new\n"
    run_shell("( echo begun; gainful convert one.run /dev/stdout --to csv; echo ended ) > log")
    assert Path("log").read_text() == f"begun\n{plain.out}ended\n"


def test_what_is_open_for_something_else_is_named(folder):
    result = run_without_codes("convert", "one.run", "/dev/fd/77", "--to", "csv")
    assert (result.out, result.code, is_one_sentence(result.err)) == ("", 1, True)
