"""``gainful eval`` with item data."""

import subprocess
import sys

import pytest


@pytest.fixture
def write_items(tmp_path):
    def write_items(text):
        path = tmp_path / "items.txt"
        path.write_text(text)
        return str(path)

    return write_items


def test_command_line_reads_items(write_items, tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("u 0 a 1\nv 0 b 1\n")
    run.write_text("u Q0 a 1 2 t\nu Q0 b 2 1 t\nv Q0 b 1 1 t\n")
    items = write_items("a 8 1 0\nb 1 0 1\nc 2 1 1\nd 0 0 0\n")
    measures = [f"-m{name}@2" for name in ("Coverage", "Gini", "Novelty", "ILD", "Serendipity")]
    command = [sys.executable, "-m", "gainful", "eval", str(qrels), str(run), *measures]
    result = subprocess.run(
        [*command, "--items", items, "--users", "8"], capture_output=True, text=True, check=True
    )
    assert result.stdout == (
        "Coverage@2\t0.5\n"
        f"Gini@2\t{(1 * 1 + 3 * 2) / 9!r}\n"
        "Novelty@2\t2.25\n"  # (0 + 3) / 2 and 3
        "ILD@2\t0.5\n"
        "Serendipity@2\t0.25\n"  # b for v
    )
    result = subprocess.run([*command, "--users", "8"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "--users says how many --items counts, got no --items." in result.stderr
