"""The page as a tree: what every page must hold to, whatever is in it."""

import json
import re
from collections import Counter
from itertools import pairwise

import html5lib
import pytest

import gainful
from gainful.report.html.embedded_data import unpack
from gainful.report.html.page_data import gather_experiment
from gainful.report.html.write import make_page

ORDER = (
    *("verdict", "summary", "setup", "notices", "curves", "differences", "scatter"),
    *("distribution", "significance", "coverage", "slices", "queries", "query", "examples"),
    *("holes", "reconcile", "quality", "glossary"),
)
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><b>",
    "\"' onload=x",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eevil",
    "tab\tand\x01control\x7f\x85",
    "lone\udcff",
    "\ufdd0\ufffe",
    "a" * 300,
]


def tree(text):
    """The page, read as browsers read it; what is not HTML is an error."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def small(n_runs, **how):
    """An experiment on six queries."""
    qrels = {f"q{i}": {"a": 2, "b": 1, "c": 0} for i in range(6)}
    names = "abcx"
    runs = {
        f"run {r}": {f"q{i}": [names[(i * (r + 1) + j) % 4] for j in range(4)] for i in range(6)}
        for r in range(n_runs)
    }
    return gather_experiment(qrels, runs, how.pop("measures", "nDCG@3,AP"), **how)


def hostile():
    """An experiment whose every name means harm."""
    qrels = {q: {i: n % 3 for n, i in enumerate(HOSTILE)} for q in HOSTILE}
    runs = {
        HOSTILE[0]: dict.fromkeys(HOSTILE, HOSTILE[::-1]),
        HOSTILE[5]: dict.fromkeys(HOSTILE, HOSTILE),
    }
    told = [{"query": q, "text": t, "kind": t} for q, t in zip(HOSTILE, HOSTILE[::-1], strict=True)]
    items = gainful.ItemData(titles=dict(zip(HOSTILE, HOSTILE[::-1], strict=True)))
    return gather_experiment(
        qrels, runs, "nDCG@10", queries=told, by=["kind"], items=items, command=HOSTILE[1]
    )


PAGES = {
    "one": lambda: small(1),
    "two": lambda: small(2),
    "baseline": lambda: small(3, baseline="run 1"),
    "several": lambda: small(4),
    "no terms": lambda: small(2, measures="RR"),
    "hostile": hostile,
}


@pytest.fixture(scope="module", params=PAGES)
def text(request):
    return make_page(PAGES[request.param]())


@pytest.fixture(scope="module")
def read(text):
    return tree(text)


def test_every_id_is_there_once(read):
    ids = Counter(one.get("id") for one in read.iter() if one.get("id") is not None)
    assert [name for name, n in ids.items() if n > 1] == []
    assert "" not in ids


def test_what_refers_to_an_id_finds_it(read):
    ids = {one.get("id") for one in read.iter()}
    for one in read.iter():
        for name in ("aria-labelledby", "aria-describedby", "for", "aria-controls"):
            for target in (one.get(name) or "").split():
                assert target in ids, (one.tag, name, target)
        href = one.get("href") or ""
        assert not href.startswith("#") or href[1:] in ids
    text = "".join(json.dumps(dict(one.attrib)) for one in read.iter())
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= ids


def test_nothing_leads_away(read):
    for one in read.iter():
        for name, value in one.attrib.items():
            if name in ("src", "href", "action") or str(name).endswith("href"):
                assert value.startswith("#")
            assert not str(name).startswith("on"), (one.tag, name)


def test_headings_are_in_order_and_not_empty(read):
    levels = []
    for one in read.iter():
        if re.fullmatch("h[1-6]", str(one.tag)):
            assert "".join(one.itertext()).strip()
            levels.append(int(one.tag[1]))
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_the_rows_of_a_table_have_as_many_cells_as_its_head(read):
    for table in read.iter("table"):
        widths = {sum(int(cell.get("colspan", 1)) for cell in row) for row in table.iter("tr")}
        assert len(widths) == 1, table.get("id")
        assert "".join(table.find("caption").itertext()).strip()
        assert all(cell.get("scope") for cell in table.iter("th"))


def test_every_box_that_scrolls_is_reached_and_named(read):
    for one in read.iter("div"):
        if (one.get("class") or "") in ("scroll", "view"):
            assert (one.get("tabindex"), one.get("role")) == ("0", "region")
            assert one.get("aria-label") or one.get("aria-labelledby")


def test_scripts_are_data_but_for_one_whose_hash_is_in_the_policy(read):
    scripts = list(read.iter("script"))
    assert [one.get("id") for one in scripts] == ["page", "bulk", "vega-packed", None]
    policy = next(
        one.get("content") for one in read.iter("meta") if one.get("http-equiv") is not None
    )
    assert policy.count("'sha256-") == 2  # ours, and Vega, which ours puts in
    assert policy.startswith("default-src 'none'; ")


def test_the_data_are_json(read):
    held = {one.get("id"): one.text for one in read.iter("script")}
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
        "holes_csv",
        "n_drawn",
    ]
    assert list(data["copies"]) == ["markdown", "latex", "csv"]
    assert "window.vega" in unpack(json.loads(held["vega-packed"]))
    assert len(bulk["details"]) == len(bulk["queries"])
    drawn = {one.get("data-chart") for one in read.iter("figure")}
    assert drawn | {"gains"} == set(data["charts"])
    for spec in data["charts"].values():
        assert [one for one in spec["data"] if one["name"] == "rows"]


def test_sections_stand_in_order(read):
    found = [one.get("id") for one in read.iter("section")]
    assert found == [name for name in ORDER if name in found]


def test_one_run_has_no_section_that_compares():
    found = {one.get("id") for one in tree(make_page(small(1))).iter("section")}
    assert not found & {"differences", "scatter", "significance"}
    assert {"curves", "distribution", "coverage", "queries", "examples"} <= found


def test_twenty_runs_keep_every_table_small_enough_to_read():
    read = tree(make_page(small(20)))
    matrix = next(one for one in read.iter("table") if one.get("id") == "matrix")
    assert len(list(matrix.iter("tr"))) == 21


def test_names_that_mean_harm_are_text():
    read = tree(make_page(hostile()))
    assert [one for one in read.iter("b")] == []
    shown = {"".join(one.itertext()) for one in read.iter("bdi")}
    assert HOSTILE[0] in shown
    assert HOSTILE[3] in shown
    assert "tab\tand\u2401control\u2421\ufffd" in shown
    assert "lone\\udcff" in shown
