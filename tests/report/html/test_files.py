"""The file of a report: its size, the same bytes for the same input, nothing from elsewhere."""

import re

import html5lib
import pytest


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
