"""docs/choose.md: every measure that it names can be asked for."""

import re

import pytest

import gainful
from end_to_end.pages import ROOT

PAGE = (ROOT / "docs" / "choose.md").read_text(encoding="utf-8")
CODE = set(re.findall(r"`([^`\n]+)`", re.sub(r"(?s)^```.*?^```", "", PAGE, flags=re.MULTILINE)))
ANY_CUTOFF = "@k"  # stands for a cutoff that readers choose
MEASURES = sorted(
    text.replace(ANY_CUTOFF, "@10")
    for text in CODE
    if re.match(r"[A-Z]|nDCG|alpha_nDCG|infAP", text)
)


def test_the_page_names_measures():
    assert len(MEASURES) > 40
    others = {text for text in CODE if text.replace(ANY_CUTOFF, "@10") not in MEASURES}
    assert others <= {
        "-m",
        "--unjudged condense",
        "--queries FILE --by COLUMN",
        "max_label",
        "ndcg",
        "rules:",
        *(text for text in others if text.startswith("gainful")),
    }


@pytest.mark.parametrize("text", MEASURES)
def test_every_measure_of_the_page_exists(text):
    assert gainful.parse_measure(str(gainful.parse_measure(text))) == gainful.parse_measure(text)
