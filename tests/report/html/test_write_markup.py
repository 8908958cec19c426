"""The HTML of a page: valid, connected and in order, whatever the data."""

import json
import re
from collections import Counter
from itertools import pairwise

import html5lib
import pytest

from gainful.report.html.embedded_data import unpack
from gainful.report.html.write import make_page
from report.html.experiments import HOSTILE, hostile_experiment, parse_page, small_experiment

ORDER = (
    *("verdict", "summary", "notices", "curves", "differences", "scatter"),
    *("distribution", "significance", "coverage", "slices", "queries", "query", "examples"),
    *("to-judge", "reconcile", "quality", "setup", "glossary"),
)
PAGES = {
    "one": lambda: small_experiment(1),
    "two": lambda: small_experiment(2),
    "baseline": lambda: small_experiment(3, baseline="run 1"),
    "several": lambda: small_experiment(4, reconcile=True),
    "no terms": lambda: small_experiment(2, measures="RR"),
    "hostile": hostile_experiment,
}


@pytest.fixture(scope="module", params=PAGES)
def html(request):
    return make_page(PAGES[request.param]())


@pytest.fixture(scope="module")
def page(html):
    return parse_page(html)


def test_every_id_is_there_once(page):
    ids = Counter(element.get("id") for element in page.iter() if element.get("id") is not None)
    assert [name for name, n in ids.items() if n > 1] == []
    assert "" not in ids


def test_what_refers_to_an_id_finds_it(page):
    ids = {element.get("id") for element in page.iter()}
    for element in page.iter():
        for name in ("aria-labelledby", "aria-describedby", "for", "aria-controls"):
            for target in (element.get(name) or "").split():
                assert target in ids, (element.tag, name, target)
        href = element.get("href") or ""
        assert not href.startswith("#") or href[1:] in ids
    text = "".join(json.dumps(dict(element.attrib)) for element in page.iter())
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= ids


def test_nothing_leads_away(page):
    for element in page.iter():
        for name, value in element.attrib.items():
            if name in ("src", "href", "action") or str(name).endswith("href"):
                assert value.startswith("#")
            assert not str(name).startswith("on"), (element.tag, name)


def test_headings_are_in_order_and_not_empty(page):
    levels = []
    for element in page.iter():
        if re.fullmatch("h[1-6]", str(element.tag)):
            assert "".join(element.itertext()).strip()
            levels.append(int(element.tag[1]))
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_the_rows_of_a_table_have_as_many_cells_as_its_head(page):
    for table in page.iter("table"):
        widths = {sum(int(cell.get("colspan", 1)) for cell in row) for row in table.iter("tr")}
        assert len(widths) == 1, table.get("id")
        assert "".join(table.find("caption").itertext()).strip()
        assert all(cell.get("scope") for cell in table.iter("th"))


def test_every_box_that_scrolls_is_reached_and_named(page):
    for element in page.iter("div"):
        if (element.get("class") or "") in ("scroll", "view"):
            assert (element.get("tabindex"), element.get("role")) == ("0", "region")
            assert element.get("aria-label") or element.get("aria-labelledby")


def test_scripts_are_data_but_for_one_whose_hash_is_in_the_policy(page):
    scripts = list(page.iter("script"))
    assert [element.get("id") for element in scripts] == ["page", "bulk", "vega-packed", None]
    policy = next(
        element.get("content")
        for element in page.iter("meta")
        if element.get("http-equiv") is not None
    )
    assert policy.count("'sha256-") == 2  # ours, and Vega, which ours puts in
    assert policy.startswith("default-src 'none'; ")


def test_the_data_are_json(page):
    texts = {element.get("id"): element.text for element in page.iter("script")}
    data, bulk = json.loads(texts["page"]), unpack(json.loads(texts["bulk"]))
    assert list(data) == [
        "measure",
        "measures",
        "runs",
        "baseline",
        "candidate",
        "tie",
        "explained",
        "charts",
        "copies",
        "to_judge_csv",
        "n_drawn",
    ]
    assert list(data["copies"]) == ["markdown", "latex", "csv"]
    assert "window.vega" in unpack(json.loads(texts["vega-packed"]))
    assert len(bulk["details"]) == len(bulk["queries"])
    charts = {element.get("data-chart") for element in page.iter("figure")}
    assert charts | {"gains"} == set(data["charts"])
    for spec in data["charts"].values():
        assert [entry for entry in spec["data"] if entry["name"] == "rows"]


def test_sections_stand_in_order(page):
    sections = [element.get("id") for element in page.iter("section")]
    assert sections == [name for name in ORDER if name in sections]


def test_one_run_has_no_section_that_compares():
    sections = {
        element.get("id") for element in parse_page(make_page(small_experiment(1))).iter("section")
    }
    assert not sections & {"differences", "scatter", "significance"}
    assert {"curves", "distribution", "coverage", "queries", "examples"} <= sections


def test_twenty_runs_keep_every_table_small_enough_to_read():
    read = parse_page(make_page(small_experiment(20)))
    matrix = next(element for element in read.iter("table") if element.get("id") == "matrix")
    assert len(list(matrix.iter("tr"))) == 21


def test_names_that_mean_harm_are_text():
    read = parse_page(make_page(hostile_experiment()))
    assert [element for element in read.iter("b")] == []
    texts = {"".join(element.itertext()) for element in read.iter("bdi")}
    assert HOSTILE[0] in texts
    assert HOSTILE[3] in texts
    assert "tab\tand\u2401control\u2421\ufffd" in texts
    assert "lone\\udcff" in texts


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
