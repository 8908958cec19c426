"""Folders with qrels and runs."""

from pathlib import Path

import pytest

from faults.command import QRELS, RUN


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("one.run").write_text(RUN)
    Path("two.run").write_text(RUN.replace(" b 1 9 ", " b 1 1 "))
    return tmp_path


@pytest.fixture
def large(folder):
    """Folder with qrels and a run that take about a second to process."""
    block = "".join(f"QQQQ Q0 d{n * 7919 % 10**6} {n + 1} {500 - n} t\n" for n in range(500))
    with open("large.run", "w") as file:
        file.writelines(block.replace("QQQQ", f"q{query:04}") for query in range(1000))
    judged = [n * 7919 % 10**6 for n in range(0, 500, 10)]
    with open("large.txt", "w") as file:
        for query in range(1000):
            file.writelines(f"q{query:04} 0 d{item} {item % 4}\n" for item in judged)
    return folder
