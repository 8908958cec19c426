"""Diffs on pages that add files to the package: they are applied to a copy, and tested there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from gainful.base import _native

ROOT = Path(__file__).parents[2]
_NEW_FILE = re.compile(r"^--- /dev/null\n\+\+\+ b/(.+)\n@@ -0,0 \+1,(\d+) @@\n((?:\+.*\n)+)", re.M)


def check_additions(text, folder, location):
    """Assert that with the new files of a diff the package works, and that their tests pass."""
    files = {path: (int(count), body) for path, count, body in _NEW_FILE.findall(text)}
    assert _NEW_FILE.sub("", text) == "", f"{location}: more than new files"
    assert all(body.count("\n") == count for count, body in files.values()), f"{location}: lines"
    copy = folder / "with_additions"
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(_native.__file__, copy / "src" / "gainful" / "base")
    shutil.copytree(ROOT / "tools", copy / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for path, (_, body) in files.items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(re.sub(r"^\+", "", body, flags=re.M), encoding="utf-8")
    tests = [path for path in files if path.startswith("tests/")]
    for arguments in (["tools/generate_exports.py"], ["-m", "pytest", "-q", *tests]):
        # -S: an editable install would lead to the package itself.
        result = subprocess.run(
            [sys.executable, "-S", *arguments],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(copy / "src"), *sys.path])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, f"{location}: {result.stdout}{result.stderr}"
