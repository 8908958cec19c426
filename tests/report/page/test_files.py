"""The file of a report: its size, the same bytes for the same input, nothing from elsewhere."""

import os
import re
import subprocess
import sys

import html5lib
import pytest

from report.page.samples import demo_report, drawn_report


@pytest.mark.parametrize(("n_queries", "largest"), [(12, 1_200_000), (300, 1_500_000)])
def test_a_report_is_small(tmp_path, n_queries, largest):
    path = drawn_report(tmp_path / "report.html", n_queries, 2)
    assert path.stat().st_size <= largest


@pytest.mark.slow
def test_a_report_of_five_thousand_queries_is_small(tmp_path):
    path = drawn_report(tmp_path / "report.html", 5000, 2)
    assert path.stat().st_size <= 3_000_000


@pytest.mark.slow
def test_a_report_of_twenty_runs_is_not_large(tmp_path):
    path = drawn_report(tmp_path / "report.html", 300, 20)
    assert path.stat().st_size <= 3_000_000


@pytest.mark.parametrize("name", ["three", "one", "hostile"])
def test_a_report_is_html_without_mistakes(report, name):
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(report(name).read_text(encoding="utf-8"))
    assert parser.errors == []


@pytest.mark.parametrize("name", ["three", "twenty", "hostile"])
def test_nothing_is_loaded_from_elsewhere(report, name):
    text = report(name).read_text(encoding="utf-8")
    markup = re.sub(r"(?s)<script.*?</script>", "", text)
    assert not re.findall(r"(?i)<(?:link|iframe|object|embed|base|form|img)\b", markup)
    assert not re.findall(r"(?i)\b(?:src|srcset|action|poster|data)\s*=\s*[\"']?https?:", markup)
    assert not re.findall(r"(?i)(?:url\(|@import)\s*[\"']?(?!#)\S{1,40}", markup)


def test_the_same_input_gives_the_same_bytes_in_another_process(tmp_path):
    mine = demo_report(tmp_path / "report.html")
    before = mine.read_bytes()
    code = (
        "import sys; from pathlib import Path; from report.page.samples import demo_report; "
        "demo_report(Path(sys.argv[1]))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7"}
    for seed in ("7", "8"):
        environment["PYTHONHASHSEED"] = seed
        subprocess.run([sys.executable, "-c", code, str(mine)], env=environment, check=True)
        assert mine.read_bytes() == before
