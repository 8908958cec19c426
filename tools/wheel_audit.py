"""Check an sdist or a wheel: missing files, files that should not be there, and metadata.

python tools/wheel_audit.py FILE ...
"""

import base64
import hashlib
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email.parser import BytesParser
from pathlib import Path, PurePosixPath

from packaging.metadata import Metadata
from trove_classifiers import classifiers

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
MB = 1_000_000
LARGEST = 5 * MB
SUFFIXES = {".py", ".pyi", ".typed", ".json", ".html", ".css", ".js", ".tsv", ".txt", ".run"}
NATIVE = re.compile(r"gainful/base/_native\.(abi3|cpython-\w+(-[\w-]+)?|cp\w+-\w+)?\.?(so|pyd)")
# An sdist builds from these alone, and its tests run.
REQUIRED = ("pyproject.toml", "CMakeLists.txt", "LICENSE", "THIRD-PARTY.txt", "README.md")
EXCLUDED = {".ci", ".git", ".github", ".venv", "build", "dist", "wheelhouse"}


def list_package_files() -> set[str]:
    """Return the files of a wheel, except the native core and the metadata."""
    files = {path.relative_to(SOURCE) for path in (SOURCE / "gainful").rglob("*")}
    files.add(Path("gainful_command.py"))
    return {path.as_posix() for path in files if path.suffix in SUFFIXES}


def find_wheel_problems(path: Path) -> Iterator[str]:
    """Yield a sentence for each problem of a wheel."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    info = "-".join(path.name.split("-")[:2]) + ".dist-info/"
    package_files = {name for name in files if not name.startswith(info)}
    native = {name for name in package_files if NATIVE.fullmatch(name)}
    expected = list_package_files()
    yield from (f"{name} is missing." for name in sorted(expected - package_files))
    surplus = package_files - expected - native
    yield from (f"{name} should not be there." for name in sorted(surplus))
    if len(native) != 1:
        yield f"there is one native core, but here are {len(native)}: {sorted(native)}."
    for name in ("LICENSE", "THIRD-PARTY.txt"):
        if files.get(f"{info}licenses/{name}") != (ROOT / name).read_bytes():
            yield f"{info}licenses/{name} is missing, or another."
    if path.stat().st_size > LARGEST:
        yield f"it has {path.stat().st_size:,} bytes; more than {LARGEST:,} were never meant."
    yield from _find_record_problems(files, info)
    yield from _find_tag_problems(path, files[f"{info}WHEEL"])
    yield from find_metadata_problems(files[f"{info}METADATA"])


def _find_record_problems(files: dict[str, bytes], info: str) -> Iterator[str]:
    """Yield a sentence for each difference between RECORD and the files."""
    record = f"{info}RECORD"
    rows = [line.rsplit(",", 2) for line in files[record].decode().splitlines()]
    listed = {name.strip('"'): (digest, size) for name, digest, size in rows}
    if listed.keys() != files.keys():
        yield f"RECORD and the archive differ in {sorted(listed.keys() ^ files.keys())}."
    for name in sorted((listed.keys() & files.keys()) - {record}):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=")
        if listed[name] != (f"sha256={digest.decode()}", str(len(files[name]))):
            yield f"RECORD has another hash or size for {name}."


def _find_tag_problems(path: Path, text: bytes) -> Iterator[str]:
    """Yield a sentence for each tag that is not that of the file's name."""
    fields = BytesParser().parsebytes(text)
    if "-".join(path.stem.split("-")[2:]) not in fields.get_all("Tag", []):
        yield f"its tags are {fields.get_all('Tag')}, which its name does not say."
    if fields["Root-Is-Purelib"] != "false":
        yield "it calls itself pure Python."


def find_metadata_problems(text: bytes) -> Iterator[str]:
    """Yield a sentence for each problem of the metadata."""
    metadata = Metadata.from_email(text, validate=True)
    version = re.findall(r'__version__ = "(.+)"', (SOURCE / "gainful/_version.py").read_text())
    if [str(metadata.version)] != version:
        yield f"it has version {metadata.version}, the source {version}."
    if metadata.license_expression != "MIT" or metadata.license_files is None:
        yield "it does not say its license."
    yield from (
        f"no index knows the classifier {classifier!r}."
        for classifier in metadata.classifiers or []
        if classifier not in classifiers
    )
    if metadata.description != (ROOT / "README.md").read_text(encoding="utf-8"):
        yield "its description is not README.md."
    if not str(metadata.description_content_type).startswith("text/markdown"):
        yield f"its description is called {metadata.description_content_type}."


def find_sdist_problems(path: Path) -> Iterator[str]:
    """Yield a sentence for each problem of an sdist."""
    with tarfile.open(path) as archive:
        members = {str(PurePosixPath(*PurePosixPath(m.name).parts[1:])): m for m in archive}
        stream = archive.extractfile(members["PKG-INFO"])
        assert stream is not None
        yield from find_metadata_problems(stream.read())
    native = {f"src/native/{file.name}" for file in (SOURCE / "native").iterdir()}
    required = {*REQUIRED, *native, *(f"src/{name}" for name in list_package_files())}
    yield from (f"{name} is missing." for name in sorted(required - members.keys()))
    for name, member in sorted(members.items()):
        parts = PurePosixPath(name).parts
        if not (member.isfile() or member.isdir()):
            yield f"{name} is neither a file nor a folder."
        if (parts and parts[0] in EXCLUDED) or "__pycache__" in parts or name.endswith(".so"):
            yield f"{name} should not be there."
    if path.stat().st_size > LARGEST:
        yield f"it has {path.stat().st_size:,} bytes; more than {LARGEST:,} were never meant."


def main(paths: list[str]) -> int:
    """Print the problems of each file, or how large it is."""
    n_problems = 0
    for path in map(Path, paths):
        find_problems = find_wheel_problems if path.suffix == ".whl" else find_sdist_problems
        problems = list(find_problems(path))
        n_problems += len(problems)
        lines = [f"{path.name}: {problem}" for problem in problems]
        print(*lines, sep="\n", end="\n" * bool(lines))
        print(f"{path.name}: {path.stat().st_size / MB:.2f} MB")
    return int(n_problems > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
