"""Files and folders that may not be read or written: one sentence that names them."""

import os
import shutil
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from faults.command import needs_linux, read_folder, run_without_codes

pytestmark = needs_linux
NOBODY = 65534
# Root may read everything, so the command runs as another user, with its modules loaded before.
DROP_PRIVILEGES = f"""
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
    """Folder that everybody can enter and write to; those of pytest belong to one user."""
    with TemporaryDirectory() as root:
        files = Path(root) / "files"
        shutil.copytree(folder, files)
        Path(root).chmod(0o755)
        files.chmod(0o777)
        if os.geteuid() == 0 and not all(folder.stat().st_mode & 0o001 for folder in files.parents):
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
        result = run_without_codes(*arguments, setup=DROP_PRIVILEGES)
        assert (result.out, result.err, result.code) == (
            "",
            f"error: {name}: permission denied.\n",
            1,
        )
        Path(name).chmod(0o644)


def test_a_folder_that_may_not_be_entered_is_named(shared):
    Path("closed").mkdir(mode=0)
    _, err, code = run_without_codes("eval", "qrels.txt", "closed/one.run", setup=DROP_PRIVILEGES)
    assert (err, code) == ("error: closed/one.run: permission denied.\n", 1)
    _, err, code = run_without_codes("convert", "one.run", "closed/out.csv", setup=DROP_PRIVILEGES)
    assert (err, code) == ("error: closed/out.csv: cannot be written to (Permission denied).\n", 1)


def test_a_folder_that_may_not_be_written_to_is_named(shared):
    Path("fixed").mkdir(mode=0o755)
    Path("fixed/out.csv").write_text("old")
    Path("fixed/out.csv").chmod(0o666)
    if os.geteuid() != 0:
        Path("fixed").chmod(0o555)
    _, err, code = run_without_codes(
        "convert", "one.run", "fixed/out.csv", "--force", setup=DROP_PRIVILEGES
    )
    assert (err, code) == ("error: fixed/out.csv: cannot be written to (Permission denied).\n", 1)
    assert read_folder(shared / "fixed") == {"out.csv": b"old"}


def test_a_folder_that_may_be_written_to_but_not_listed_is_written_to(shared):
    Path("drop").mkdir()
    Path("drop").chmod(0o333)
    _, err, code = run_without_codes("convert", "one.run", "drop/out.csv", setup=DROP_PRIVILEGES)
    assert (err, code) == ("3 items written to drop/out.csv.\n", 0)
    Path("drop").chmod(0o777)
    assert list(read_folder(shared / "drop")) == ["out.csv"]


def test_a_file_that_may_only_be_read_is_not_replaced(shared):
    Path("out.csv").write_text("old")
    Path("out.csv").chmod(0o444)
    _, err, code = run_without_codes(
        "convert", "one.run", "out.csv", "--force", setup=DROP_PRIVILEGES
    )
    assert (err, code) == ("error: out.csv: cannot be written to (Permission denied).\n", 1)
    assert Path("out.csv").read_text() == "old"


def test_a_file_that_is_replaced_leaves_its_permissions_to_the_new_one(folder):
    for mode in (0o600, 0o640, 0o664):
        Path("out.csv").write_text("old")
        Path("out.csv").chmod(mode)
        assert run_without_codes("convert", "one.run", "out.csv", "--force").code == 0
        assert stat.S_IMODE(Path("out.csv").stat().st_mode) == mode
        assert Path("out.csv").read_text() != "old"


def test_a_new_file_gets_the_permissions_that_others_get(folder):
    assert (
        run_without_codes("convert", "one.run", "out.csv", setup="import os; os.umask(0o027)").code
        == 0
    )
    assert stat.S_IMODE(Path("out.csv").stat().st_mode) == 0o640


def test_a_link_is_followed_and_stays_a_link(folder):
    Path("elsewhere").mkdir()
    Path("out.csv").symlink_to("elsewhere/real.csv")
    assert run_without_codes("convert", "one.run", "out.csv", "--force").code == 0
    assert Path("out.csv").is_symlink()
    assert Path("elsewhere/real.csv").read_text().startswith("query,")
    assert run_without_codes("convert", "two.run", "out.csv", "--force").code == 0
    assert Path("out.csv").is_symlink()
    assert sorted(os.listdir("elsewhere")) == ["real.csv"]
