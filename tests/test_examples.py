"""Every example in README.md and docs/, but for those that need Spark."""

import pytest

from pages import ROOT, check_examples
from terminal import needs_unix

NEED_SPARK = {"scale.md"}  # tests/engines/test_scale_page.py
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = [page for page in PAGES if page.name not in NEED_SPARK]


@needs_unix
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_examples(page, tmp_path)
