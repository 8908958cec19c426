"""The examples of docs/scale.md, in the session that all tests of Spark share."""

import pytest

from pages import ROOT, check_examples
from terminal import needs_unix

pytestmark = pytest.mark.spark


@needs_unix
def test_examples_print_what_the_page_says(spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_examples(ROOT / "docs" / "scale.md", tmp_path)
