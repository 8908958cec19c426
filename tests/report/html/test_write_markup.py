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
    *("verdict", "summary", "setup", "notices", "curves", "differences", "scatter"),
    *("distribution", "significance", "coverage", "slices", "queries", "query", "examples"),
    *("to-judge", "reconcile", "quality", "glossary"),
)
PAGES = {
    "one": lambda: small_experiment(1),
    "two": lambda: small_experiment(2),
    "baseline": lambda: small_experiment(3, baseline="run 1"),
    "several": lambda: small_experiment(4),
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
    ids = Counter(one.get("id") for one in page.iter() if one.get("id") is not None)
    assert [name for name, n in ids.items() if n > 1] == []
    assert "" not in ids


def test_what_refers_to_an_id_finds_it(page):
    ids = {one.get("id") for one in page.iter()}
    for one in page.iter():
        for name in ("aria-labelledby", "aria-describedby", "for", "aria-controls"):
            for target in (one.get(name) or "").split():
                assert target in ids, (one.tag, name, target)
        href = one.get("href") or ""
        assert not href.startswith("#") or href[1:] in ids
    text = "".join(json.dumps(dict(one.attrib)) for one in page.iter())
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= ids


def test_nothing_leads_away(page):
    for one in page.iter():
        for name, value in one.attrib.items():
            if name in ("src", "href", "action") or str(name).endswith("href"):
                assert value.startswith("#")
            assert not str(name).startswith("on"), (one.tag, name)


def test_headings_are_in_order_and_not_empty(page):
    levels = []
    for one in page.iter():
        if re.fullmatch("h[1-6]", str(one.tag)):
            assert "".join(one.itertext()).strip()
            levels.append(int(one.tag[1]))
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
    for one in page.iter("div"):
        if (one.get("class") or "") in ("scroll", "view"):
            assert (one.get("tabindex"), one.get("role")) == ("0", "region")
            assert one.get("aria-label") or one.get("aria-labelledby")


def test_scripts_are_data_but_for_one_whose_hash_is_in_the_policy(page):
    scripts = list(page.iter("script"))
    assert [one.get("id") for one in scripts] == ["page", "bulk", "vega-packed", None]
    policy = next(
        one.get("content") for one in page.iter("meta") if one.get("http-equiv") is not None
    )
    assert policy.count("'sha256-") == 2  # ours, and Vega, which ours puts in
    assert policy.startswith("default-src 'none'; ")


def test_the_data_are_json(page):
    held = {one.get("id"): one.text for one in page.iter("script")}
    data, bulk = json.loads(held["page"]), unpack(json.loads(held["bulk"]))
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
    assert "window.vega" in unpack(json.loads(held["vega-packed"]))
    assert len(bulk["details"]) == len(bulk["queries"])
    drawn = {one.get("data-chart") for one in page.iter("figure")}
    assert drawn | {"gains"} == set(data["charts"])
    for spec in data["charts"].values():
        assert [one for one in spec["data"] if one["name"] == "rows"]


def test_sections_stand_in_order(page):
    found = [one.get("id") for one in page.iter("section")]
    assert found == [name for name in ORDER if name in found]


def test_one_run_has_no_section_that_compares():
    found = {one.get("id") for one in parse_page(make_page(small_experiment(1))).iter("section")}
    assert not found & {"differences", "scatter", "significance"}
    assert {"curves", "distribution", "coverage", "queries", "examples"} <= found


def test_twenty_runs_keep_every_table_small_enough_to_read():
    read = parse_page(make_page(small_experiment(20)))
    matrix = next(one for one in read.iter("table") if one.get("id") == "matrix")
    assert len(list(matrix.iter("tr"))) == 21


def test_names_that_mean_harm_are_text():
    read = parse_page(make_page(hostile_experiment()))
    assert [one for one in read.iter("b")] == []
    shown = {"".join(one.itertext()) for one in read.iter("bdi")}
    assert HOSTILE[0] in shown
    assert HOSTILE[3] in shown
    assert "tab\tand\u2401control\u2421\ufffd" in shown
    assert "lone\\udcff" in shown


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
