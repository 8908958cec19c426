"""The examples of docs/scale.md, in the session that all tests of Spark share."""

import pytest

from pages import ROOT, check_examples
from terminal import needs_unix

pytestmark = pytest.mark.spark


@needs_unix
def test_examples_print_what_the_page_says(spark, tmp_path):
    # The session has been started elsewhere, and looks for relative paths there.
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    page = tmp_path / "scale.md"
    page.write_text(text.replace('"shop/', f'"{tmp_path}/shop/'), encoding="utf-8")
    check_examples(page, tmp_path)
