"""Every example in CONTRIBUTING.md and docs/, but for those that need Spark or R."""

import pytest

from end_to_end.pages import ROOT, check_examples, list_pages, read_blocks
from terminal import needs_unix

# Elsewhere: tests/end_to_end/test_examples.py, tests/deep/spark/test_scale_page.py, test_r_page.py
ELSEWHERE = {"README.md", "scale.md", "r.md"}
PAGES = [page for page in list_pages() if page.name not in ELSEWHERE and read_blocks(page)]


@needs_unix
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_examples(page, tmp_path)
