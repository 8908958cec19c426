"""The documentation site: complete, and nothing on it comes from elsewhere."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from urllib.parse import unquote, urlsplit

import html5lib
import pytest
from axe_playwright_python.sync_playwright import Axe
from markdown_it import MarkdownIt

from site_links import ADOPTED, ROOT, MissingFileError, find_page, find_source, relink
from site_notebooks import format_notebook

NOT_FOUND = "404.html"  # its links are those of a server's root
# What a browser fetches by itself; links of <a> it follows only if asked to.
ADDRESS_ATTRIBUTES = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "link": "href",
    "source": "srcset",
}
UNLOADED_RELATIONS = {"canonical", "prev", "next"}  # links that say something about the page
MATHML, SVG = "{http://www.w3.org/1998/Math/MathML}", "{http://www.w3.org/2000/svg}"
WORDLESS = {f"{MATHML}math", f"{SVG}svg", "pre"}
# Of a sentence, as arithmatex tells it from other dollars.
FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\w`$])\$(?=\S)[^$`]+(?<=\S)\$(?![\w`])", re.DOTALL)
# Blocks of Markdown, as the parser calls them and as HTML does.
BLOCKS = {
    "heading_open": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "fence": ("pre",),
    "table_open": ("table",),
    "tr_open": ("tr",),
    "bullet_list_open": ("ul",),
    "ordered_list_open": ("ol",),
    "list_item_open": ("li",),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, built as make docs does; a warning would end it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert (result.returncode, result.stdout + result.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def trees(site):
    """Every page, read as browsers do, by its path on the site."""
    return {
        path.relative_to(site).as_posix(): _parse_page(path)
        for path in sorted(site.rglob("*.html"))
        if path.name != NOT_FOUND
    }


def _parse_page(path):
    text = path.read_text(encoding="utf-8")
    return html5lib.parse(text, treebuilder="etree", namespaceHTMLElements=False)


def test_no_page_loads_anything_from_another_host(site, trees):
    addresses = {
        (name, element.get(ADDRESS_ATTRIBUTES[element.tag]))
        for name, tree in [*trees.items(), (NOT_FOUND, _parse_page(site / NOT_FOUND))]
        for element in tree.iter()
        if element.tag in ADDRESS_ATTRIBUTES and element.get("rel") not in UNLOADED_RELATIONS
        if element.get(ADDRESS_ATTRIBUTES[element.tag])
    }
    assert addresses
    assert {(n, a) for n, a in addresses if urlsplit(a).scheme not in ("", "data")} == set()
    assert {(n, a) for n, a in addresses if a.startswith("//")} == set()
    classes = {element.get("class") for tree in trees.values() for element in tree.iter()}
    assert "mermaid" not in classes  # the theme's script would load what draws it


def test_no_style_loads_anything_from_another_host(site, trees):
    styles = {path.name: path.read_text(encoding="utf-8") for path in site.rglob("*.css")}
    styles |= {
        name: "".join([*(e.text or "" for e in tree.iter("style")), *_list_inline_styles(tree)])
        for name, tree in trees.items()
    }
    addresses = [a for s in styles.values() for a in re.findall(r"url\(['\"]?([^)'\"]+)", s)]
    imports = [a for s in styles.values() for a in re.findall(r"@import\s+['\"]([^'\"]+)", s)]
    assert len(styles) > len(trees)
    assert [a for a in addresses + imports if re.match(r"https?:|//", a)] == []


def _list_inline_styles(tree):
    return [element.get("style") for element in tree.iter() if element.get("style")]


def test_every_link_and_anchor_leads_somewhere(site, trees):
    anchors = {name: _find_anchors(tree) for name, tree in trees.items()}
    broken = []
    for name, tree in trees.items():
        for link in (a.get("href") for a in tree.iter("a") if a.get("href")):
            parts = urlsplit(link)
            if parts.scheme or link == "#":
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            target_name = os.path.relpath(target, site).replace(os.sep, "/")
            exists = target.is_file()
            if not exists or (
                parts.fragment and unquote(parts.fragment) not in anchors[target_name]
            ):
                broken.append((name, link))
    assert broken == []


def _find_anchors(tree):
    return {e.get(key) for e in tree.iter() for key in ("id", "name") if e.get(key)}


def test_every_page_is_in_the_navigation(trees):
    navigation = trees["index.html"].find(".//nav[@class='md-nav md-nav--primary md-nav--lifted']")
    links = {a.get("href") for a in navigation.iter("a")} | {"index.html"}
    files = [p for p in (ROOT / "docs").rglob("*") if p.suffix in (".md", ".ipynb")]
    paths = [path.relative_to(ROOT).as_posix() for path in files] + list(ADOPTED)
    pages = {find_page(path).removesuffix(".md") + ".html" for path in paths}
    assert pages - links == set()
    assert {name for name in trees if not name.startswith("source/")} == pages


PAGES = [*ADOPTED, *sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("docs/**/*.md"))]


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_the_same_blocks_on_the_site_as_where_they_are(path, trees):
    text = (ROOT / path).read_text(encoding="utf-8")
    tokens = Counter(token.type for token in MarkdownIt().enable("table").parse(text))
    article = trees[find_page(path).removesuffix(".md") + ".html"].find(".//article")
    counts = Counter(element.tag for element in article.iter() if isinstance(element.tag, str))
    for token, tags in BLOCKS.items():
        assert sum(counts[tag] for tag in tags) == tokens[token], token


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_the_same_words_on_the_site_as_where_they_are(path, trees):
    text = (ROOT / path).read_text(encoding="utf-8")
    markup = MarkdownIt().enable("table").render(FORMULA.sub("", text))
    tree = html5lib.parse(markup, treebuilder="etree", namespaceHTMLElements=False)
    article = trees[find_page(path).removesuffix(".md") + ".html"].find(".//article")
    assert _split_words(article) == _split_words(tree)


def _split_words(tree):
    return "".join(_iterate_texts(tree)).split()


def _iterate_texts(tree):
    """The text of a page, without code, formulas, charts, and signs that lead to headings."""
    if isinstance(tree.tag, str) and tree.tag not in WORDLESS and tree.get("class") != "headerlink":
        yield tree.text or ""
        for child in tree:
            yield from _iterate_texts(child)
            yield child.tail or ""


def test_formulas_are_mathml_on_the_site(trees):
    article = trees["measures.html"].find(".//article")
    assert len(list(article.iter(f"{MATHML}math"))) > 100
    assert "$$" not in "".join(article.itertext())


def test_links_of_pages_lead_to_where_their_targets_are_on_the_site():
    text = "[a](../README.md#x) [b](rules.md) [c](../src/gainful/base/ragged.py#L3) [d](#e)\n"
    expected = "[a](TOUR.md#x) [b](rules.md) [c](source/src/gainful/base/ragged.py.md#L3) [d](#e)\n"
    assert relink(text, "measures.md") == expected
    assert find_source("TOUR.md") == "README.md"


def test_links_within_code_are_left_alone():
    text = "```md\n[a](nothing.md)\n```\n"
    assert relink(text, "measures.md") == text


def test_a_link_to_no_file_is_refused():
    with pytest.raises(MissingFileError) as error:
        relink("[a](../src/no.py)", "measures.md")
    assert str(error.value) == "docs/measures.md: ../src/no.py is no file of the repository."


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "concepts/limits", "measures"])
def test_nobody_stumbles_over_a_page(name, scheme, site, browser):
    with browser.new_page(color_scheme=scheme) as page:
        page.goto((site / f"{name}.html").as_uri())
        violations = Axe().run(page).response["violations"]
    assert [
        violation for violation in violations if violation["impact"] in ("serious", "critical")
    ] == []


@pytest.mark.browser
def test_search_finds_pages_from_disk_and_asks_nobody(site, browser):
    addresses = []
    with browser.new_page() as page:
        page.on("request", lambda request: addresses.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.locator("input.md-search__input").press_sequentially("bpref")
        page.locator(".md-search-result__item a", has_text="Bpref").first.wait_for()
    assert {urlsplit(address).scheme for address in addresses} <= {"file", "data", "about"}


def _make_notebook(*outputs):
    code = {"cell_type": "code", "source": ["1 +\n", " 1"], "outputs": list(outputs)}
    return json.dumps({"cells": [{"cell_type": "markdown", "source": "# Title"}, code]})


def test_notebooks_become_their_text_their_code_and_what_came_of_it():
    stream = {"output_type": "stream", "text": ["2\n"]}
    display = {
        "output_type": "display_data",
        "data": {"text/html": "<b>\n\n2</b>", "text/plain": "2"},
    }
    assert format_notebook(_make_notebook(stream, display)) == (
        "# Title\n\n```python\n1 +\n 1\n```\n\n```text\n2\n```\n\n"
        '<div class="output"><b>\n2</b></div>\n'
    )


def test_charts_of_notebooks_are_charts_of_the_page_each_with_its_own_ids():
    data = {"image/svg+xml": '<svg><g id="clip0"/></svg>', "text/html": "<script>"}
    chart = {"output_type": "display_data", "data": data}
    page = format_notebook(_make_notebook(chart, chart))
    assert '<div class="chart"><svg><g id="cell-1-0-1"/></svg></div>' in page
    assert '<div class="chart"><svg><g id="cell-1-1-1"/></svg></div>' in page


def test_a_notebook_that_failed_is_refused():
    error = {"output_type": "error", "evalue": "division by zero"}
    with pytest.raises(ValueError, match="a cell of the notebook failed: division by zero"):
        format_notebook(_make_notebook(error))
