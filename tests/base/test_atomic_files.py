"""A file appears when all of it is written; what goes wrong leaves the old one, and no part."""

import os
import stat
from pathlib import Path

import pytest

from gainful import SourceError
from gainful.base import check_not_input, check_writable, is_special, open_atomic
from terminal import needs_unix


@pytest.fixture(autouse=True)
def _enter_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(target, data=b"new", **options):
    with open_atomic(target, **options) as file:
        file.write(data)


def test_a_file_is_there_when_all_of_it_is_written():
    Path("out").write_text("old")
    with open_atomic("out") as file:
        file.write(b"new")
        assert Path("out").read_text() == "old"
    assert (os.listdir(), Path("out").read_text()) == (["out"], "new")


def write_half(kind):
    with open_atomic("out") as file:
        file.write(b"half")
        raise kind


@pytest.mark.parametrize("kind", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_whatever_goes_wrong_leaves_the_old_file_and_no_part(kind):
    Path("out").write_text("old")
    with pytest.raises(kind):
        write_half(kind)
    assert (os.listdir(), Path("out").read_text()) == (["out"], "old")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_error_of_the_system_names_the_file(monkeypatch, step):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(SourceError) as error:
        write("out")
    assert str(error.value) == "out: cannot be written to (No space left on device)."
    assert os.listdir() == []


class Full:
    """A file on a disk without room."""

    def write(self, _data):
        raise OSError(28, "No space left on device")


def write_in_a_library():
    with open_atomic("out") as file:
        file._file = Full()
        try:
            file.write(b"new")
        except OSError:
            raise ValueError from None


def test_what_a_library_makes_of_an_error_of_writing_is_put_right():
    with pytest.raises(SourceError, match=r"^out: cannot be written to \(No space"):
        write_in_a_library()


@needs_unix
def test_permissions_stay_and_links_are_followed():
    Path("real").write_text("old")
    Path("real").chmod(0o640)
    Path("link").symlink_to("real")
    write("link")
    assert Path("link").is_symlink()
    assert (Path("real").read_text(), stat.S_IMODE(Path("real").stat().st_mode)) == ("new", 0o640)
    write("program", executable=True)
    assert os.access("program", os.X_OK)


def test_a_file_that_cannot_be_written_is_refused_before_any_work():
    Path("folder").mkdir()
    for target in ("folder", "none/out"):
        with pytest.raises(SourceError, match=rf"^{target}: cannot be written to \("):
            check_writable(target)
    check_writable("out")


def test_an_input_is_not_written_over():
    Path("qrels").write_text("q 0 d 1\n")
    with pytest.raises(SourceError, match=r"^qrels: is what is read\. Write to another file\."):
        check_not_input("qrels", None, "./qrels")


def test_standard_output_is_written_to_directly(capfdbinary):
    for target in ("-", "/dev/stdout"):
        write(target)
    assert capfdbinary.readouterr().out == b"newnew"


@needs_unix
def test_only_what_is_no_file_is_written_to_directly():
    for target in ("-", "/dev/stdout", "/dev/stderr", "/dev/null", "/dev/fd/9", "/proc/self/fd/1"):
        assert is_special(target)
    for target in ("/dev/shm/scores.csv", "/proc/none", "out"):
        assert not is_special(target)
    os.mkfifo("pipe")
    assert is_special("pipe")
