"""The size of reports, and the same bytes from another process."""

import os
import subprocess
import sys

import pytest

from report.html.sample_reports import write_demo_report, write_random_report


@pytest.mark.parametrize(("n_queries", "largest"), [(12, 1_200_000), (300, 1_500_000)])
def test_a_report_is_small(tmp_path, n_queries, largest):
    path = write_random_report(tmp_path / "report.html", n_queries, 2)
    assert path.stat().st_size <= largest


def test_a_report_of_five_thousand_queries_is_small(tmp_path):
    path = write_random_report(tmp_path / "report.html", 5000, 2)
    assert path.stat().st_size <= 3_000_000


def test_a_report_of_twenty_runs_is_not_large(tmp_path):
    path = write_random_report(tmp_path / "report.html", 300, 20)
    assert path.stat().st_size <= 3_000_000


def test_the_same_input_gives_the_same_bytes_in_another_process(tmp_path):
    path = write_demo_report(tmp_path / "report.html")
    content = path.read_bytes()
    code = (
        "import sys; from pathlib import Path; "
        "from report.html.sample_reports import write_demo_report; "
        "write_demo_report(Path(sys.argv[1]))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7"}
    for seed in ("7", "8"):
        environment["PYTHONHASHSEED"] = seed
        subprocess.run([sys.executable, "-c", code, str(path)], env=environment, check=True)
        assert path.read_bytes() == content
