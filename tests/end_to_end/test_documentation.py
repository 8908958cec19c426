"""Names in the text of the documentation exist: commands, options, measures and files."""

import re

import pytest

import gainful
from end_to_end.pages import ROOT
from gainful.measures import REGISTRY

DOCS = ROOT / "docs"
PAGES = [DOCS / "choose.md", DOCS / "faq.md", DOCS / "performance.md", *DOCS.glob("guides/*.md")]
CLI = (DOCS / "cli.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## gainful (\w+)\n(.*?)(?=^## |\Z)", CLI, re.MULTILINE | re.DOTALL))
ANY_CUTOFF = "@k"  # stands for a cutoff that readers choose


def find_spans(page):
    """Return the code within the lines of a page, without its blocks."""
    text = re.sub(r"(?s)^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return sorted({" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)})


def find_flags(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_that_a_guide_names_exist(page):
    for span in find_spans(page):
        command = re.match(r"gainful (\w+)", span)
        if command and command[1] != "trec_eval":
            assert command[1] in SECTIONS, span
            assert find_flags(span) <= find_flags(SECTIONS[command[1]]), span
        elif span.startswith("--"):
            assert find_flags(span) <= find_flags(CLI), span


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_measures_that_a_guide_names_exist(page):
    for span in find_spans(page):
        name = re.match(r"([A-Za-z_]\w*)(?=$|@|\()", span)
        if name and name[1] in REGISTRY:
            assert gainful.parse_measure(span.replace(ANY_CUTOFF, "@10")), span


CHOOSE_PAGE = (ROOT / "docs" / "choose.md").read_text(encoding="utf-8")
CHOOSE_SPANS = set(
    re.findall(r"`([^`\n]+)`", re.sub(r"(?s)^```.*?^```", "", CHOOSE_PAGE, flags=re.MULTILINE))
)
CHOOSE_MEASURES = sorted(
    text.replace(ANY_CUTOFF, "@10")
    for text in CHOOSE_SPANS
    if re.match(r"[A-Z]|nDCG|alpha_nDCG|infAP", text)
)


def test_the_choose_page_names_measures():
    assert len(CHOOSE_MEASURES) > 40
    other_spans = {
        text for text in CHOOSE_SPANS if text.replace(ANY_CUTOFF, "@10") not in CHOOSE_MEASURES
    }
    assert other_spans <= {
        "-m",
        "--unjudged condense",
        "--queries FILE --by COLUMN",
        "max_label",
        "ndcg",
        "rules:",
        *(text for text in other_spans if text.startswith("gainful")),
    }


@pytest.mark.parametrize("text", CHOOSE_MEASURES)
def test_every_measure_of_the_choose_page_exists(text):
    assert gainful.parse_measure(str(gainful.parse_measure(text))) == gainful.parse_measure(text)


def test_every_local_link_in_the_documentation_leads_somewhere():
    for page in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
