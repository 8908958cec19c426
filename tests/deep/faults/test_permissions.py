"""Files and folders that may not be read or written: one sentence that names them."""

import os
import shutil
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from faults.command import content, needs_linux, uncoded

pytestmark = needs_linux
NOBODY = 65534
# Root may read everything: the command is run by somebody else. What it loads is loaded before.
DROPPED = f"""
import os, polars, resource, gainful.cli, gainful.cli.eval, gainful.cli.convert
import gainful.sources.convert
import gainful.base.atomic_files, gainful.sources.convert, gainful.sources.writers
import gainful.diagnostics.codes
import gainful.sources.feed, gainful.base.atomic_files
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
    os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
"""


@pytest.fixture
def shared(folder, monkeypatch):
    """A folder that everybody can get to, and write to; those of pytest are its user's alone."""
    with TemporaryDirectory() as place:
        files = Path(place) / "files"
        shutil.copytree(folder, files)
        Path(place).chmod(0o755)
        files.chmod(0o777)
        if os.geteuid() == 0 and not all(above.stat().st_mode & 0o001 for above in files.parents):
            pytest.skip("temporary files are in a folder that nobody else can get to")
        monkeypatch.chdir(files)
        yield files


def test_an_input_that_may_not_be_read_is_named(shared):
    for name, arguments in {
        "one.run": ("eval", "qrels.txt", "one.run"),
        "qrels.txt": ("eval", "qrels.txt", "two.run"),
        "two.run": ("convert", "two.run", "out.csv"),
    }.items():
        Path(name).chmod(0)
        done = uncoded(*arguments, before=DROPPED)
        assert (done.out, done.err, done.code) == ("", f"error: {name}: permission denied.\n", 1)
        Path(name).chmod(0o644)


def test_a_folder_that_may_not_be_entered_is_named(shared):
    Path("closed").mkdir(mode=0)
    _, err, code = uncoded("eval", "qrels.txt", "closed/one.run", before=DROPPED)
    assert (err, code) == ("error: closed/one.run: permission denied.\n", 1)
    _, err, code = uncoded("convert", "one.run", "closed/out.csv", before=DROPPED)
    assert (err, code) == ("error: closed/out.csv: cannot be written to (Permission denied).\n", 1)


def test_a_folder_that_may_not_be_written_to_is_named(shared):
    Path("fixed").mkdir(mode=0o755)
    Path("fixed/out.csv").write_text("old")
    Path("fixed/out.csv").chmod(0o666)
    if os.geteuid() != 0:
        Path("fixed").chmod(0o555)
    _, err, code = uncoded("convert", "one.run", "fixed/out.csv", "--force", before=DROPPED)
    reason = "its folder cannot be written to"
    assert (err, code) == (f"error: fixed/out.csv: cannot be written to ({reason}).\n", 1)
    assert content(shared / "fixed") == {"out.csv": b"old"}


def test_a_folder_that_may_be_written_to_but_not_listed_is_written_to(shared):
    Path("drop").mkdir()
    Path("drop").chmod(0o333)
    _, err, code = uncoded("convert", "one.run", "drop/out.csv", before=DROPPED)
    assert (err, code) == ("3 items written to drop/out.csv.\n", 0)
    Path("drop").chmod(0o777)
    assert list(content(shared / "drop")) == ["out.csv"]


def test_a_file_that_may_only_be_read_is_not_replaced(shared):
    Path("out.csv").write_text("old")
    Path("out.csv").chmod(0o444)
    _, err, code = uncoded("convert", "one.run", "out.csv", "--force", before=DROPPED)
    assert (err, code) == ("error: out.csv: cannot be written to (Permission denied).\n", 1)
    assert Path("out.csv").read_text() == "old"


def test_a_file_that_is_replaced_leaves_its_permissions_to_the_new_one(folder):
    for mode in (0o600, 0o640, 0o664):
        Path("out.csv").write_text("old")
        Path("out.csv").chmod(mode)
        assert uncoded("convert", "one.run", "out.csv", "--force").code == 0
        assert stat.S_IMODE(Path("out.csv").stat().st_mode) == mode
        assert Path("out.csv").read_text() != "old"


def test_a_new_file_gets_the_permissions_that_others_get(folder):
    assert uncoded("convert", "one.run", "out.csv", before="import os; os.umask(0o027)").code == 0
    assert stat.S_IMODE(Path("out.csv").stat().st_mode) == 0o640


def test_a_link_is_followed_and_stays_a_link(folder):
    Path("elsewhere").mkdir()
    Path("out.csv").symlink_to("elsewhere/real.csv")
    assert uncoded("convert", "one.run", "out.csv", "--force").code == 0
    assert Path("out.csv").is_symlink()
    assert Path("elsewhere/real.csv").read_text().startswith("query,")
    assert uncoded("convert", "two.run", "out.csv", "--force").code == 0
    assert Path("out.csv").is_symlink()
    assert sorted(os.listdir("elsewhere")) == ["real.csv"]


def test_a_file_keeps_its_group_or_no_group_may_use_it(shared):
    Path("shared.csv").write_text("old")
    os.chown("shared.csv", -1, os.getegid() if os.geteuid() else 54321)
    Path("shared.csv").chmod(0o666)
    before = Path("shared.csv").stat()
    _, err, code = uncoded("convert", "one.run", "shared.csv", "--force", before=DROPPED)
    assert (err, code) == ("3 items written to shared.csv.\n", 0)
    after = Path("shared.csv").stat()
    kept = after.st_gid == before.st_gid
    assert (after.st_mode & 0o777) == (0o666 if kept else 0o606)
