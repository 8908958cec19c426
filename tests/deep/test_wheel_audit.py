"""What is looked at in a wheel before it is released; ``make wheel`` looks at real ones."""

import base64
import hashlib
import zipfile
from functools import cache

import pytest

import gainful
from wheel_audit import ROOT, SOURCE, find_wheel_problems, list_package_files, main

VERSION = gainful.__version__
INFO = f"gainful-{VERSION}.dist-info/"
NATIVE = "gainful/base/_native.abi3.so"
METADATA = (
    f"Metadata-Version: 2.4\nName: gainful\nVersion: {VERSION}\nSummary: Rankings\n"
    "License-Expression: MIT\nLicense-File: LICENSE\n"
    "Classifier: Programming Language :: Python :: 3.11\n"
    "Description-Content-Type: text/markdown\n\n"
)


def copy_files():
    """What a good wheel holds, but for the list of files."""
    return dict(read_files())


@cache
def read_files():
    files = {name: (SOURCE / name).read_bytes() for name in list_package_files()}
    files[NATIVE] = b"\x7fELF"
    files[f"{INFO}WHEEL"] = (
        b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp312-abi3-linux_x86_64\n"
    )
    files[f"{INFO}METADATA"] = METADATA.encode() + (ROOT / "README.md").read_bytes()
    for name in ("LICENSE", "THIRD-PARTY.txt"):
        files[f"{INFO}licenses/{name}"] = (ROOT / name).read_bytes()
    return files


def format_row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def write_wheel(folder, files, *, listed=None):
    """The wheel with these files, whose list of files is that of ``listed``, if given."""
    path = folder / f"gainful-{VERSION}-cp312-abi3-linux_x86_64.whl"
    record = "".join(format_row(*item) for item in (listed or files).items()) + f"{INFO}RECORD,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**files, f"{INFO}RECORD": record.encode()}.items():
            archive.writestr(name, data)
    return path


def test_a_whole_wheel_has_no_problem(tmp_path, capsys):
    path = write_wheel(tmp_path, copy_files())
    assert list(find_wheel_problems(path)) == []
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{path.name}: ")


@pytest.mark.parametrize(
    "name",
    [
        "gainful/py.typed",
        "gainful/base/_native.pyi",
        "gainful/demo/qrels.txt",
        "gainful_command.py",
    ],
)
def test_a_file_that_is_missing_is_named(tmp_path, name):
    files = copy_files()
    del files[name]
    assert list(find_wheel_problems(write_wheel(tmp_path, files))) == [f"{name} is missing."]


@pytest.mark.parametrize(
    "name",
    ["tests/cli/test_eval.py", "bench/data.py", "gainful/__pycache__/ragged.cpython-311.pyc"],
)
def test_a_file_too_many_is_named(tmp_path, name):
    path = write_wheel(tmp_path, {**copy_files(), name: b""})
    assert list(find_wheel_problems(path)) == [f"{name} should not be there."]


def test_a_wheel_without_a_native_core_or_with_two_is_refused(tmp_path):
    files = copy_files()
    two = {**files, "gainful/base/_native.cpython-311-x86_64-linux-gnu.so": b""}
    assert [text[:46] for text in find_wheel_problems(write_wheel(tmp_path, two))] == [
        "there is one native core, but here are 2: ['ga"
    ]
    del files[NATIVE]
    assert list(find_wheel_problems(write_wheel(tmp_path, files))) == [
        "there is one native core, but here are 0: []."
    ]


def test_a_wheel_without_the_notices_of_others_is_refused(tmp_path):
    files = copy_files()
    del files[f"{INFO}licenses/THIRD-PARTY.txt"]
    assert list(find_wheel_problems(write_wheel(tmp_path, files))) == [
        f"{INFO}licenses/THIRD-PARTY.txt is missing, or another."
    ]


def test_a_list_of_files_that_is_not_theirs_is_refused(tmp_path):
    files = copy_files()
    changed = {**files, NATIVE: b"other"}
    assert list(find_wheel_problems(write_wheel(tmp_path, changed, listed=files))) == [
        f"RECORD has another hash or size for {NATIVE}."
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            f"\nVersion: {VERSION}",
            "\nVersion: 0.1",
            f"it has version 0.1, the source ['{VERSION}'].",
        ),
        ("Programming Language :: Python :: 3.11", "Py", "no index knows the classifier 'Py'."),
        ("License-Expression: MIT\n", "", "it does not say its license."),
        ("markdown", "x-rst", "its description is called text/x-rst."),
    ],
)
def test_metadata_that_an_index_would_refuse_are_told(tmp_path, old, new, message):
    files = copy_files()
    text = files[f"{INFO}METADATA"].decode()
    files[f"{INFO}METADATA"] = text.replace(old, new, 1).encode()
    assert list(find_wheel_problems(write_wheel(tmp_path, files))) == [message]
