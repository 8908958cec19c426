"""The charts of the documentation: drawn by Gainful, from what it computes now."""

import re

import pytest

import draw_pictures
from draw_pictures import IMAGES, draw_picture, hash_rows, list_pictures, read_row_hash
from end_to_end.pages import ROOT
from gainful.report.charts.style import PALETTE
from site_pictures import format_style, inline_charts


@pytest.mark.parametrize("name", list_pictures())
def test_pictures_are_drawn_from_what_is_computed_now(name):
    assert read_row_hash(IMAGES / name) == hash_rows(list_pictures()[name]())


def test_every_picture_is_drawn_by_the_tool_and_shown_on_a_page():
    files = {path.name for path in IMAGES.glob("*.svg")}
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    links = set(re.findall(r"images/([\w-]+\.svg)", text))
    assert files == set(list_pictures()) == links


def test_a_picture_is_drawn_again_if_its_rows_change_and_only_then(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(draw_pictures, "IMAGES", tmp_path)
    monkeypatch.setattr(draw_pictures, "CHARTS", {"added": draw_pictures.CHARTS["added"]})
    monkeypatch.setattr("sys.argv", ["draw_pictures.py", "--check"])
    assert draw_pictures.main() == 1
    assert capsys.readouterr().out == "added.svg: drawn from other rows. Run make docs.\n"
    monkeypatch.setattr("sys.argv", ["draw_pictures.py"])
    assert draw_pictures.main() == 0
    path = tmp_path / "added.svg"
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    assert draw_pictures.main() == 0
    assert path.read_text(encoding="utf-8") == text


def test_pictures_have_colors_for_dark_pages_and_load_nothing():
    svg = draw_picture("added.svg", list_pictures()["added.svg"]())
    assert f'[fill="{PALETTE["ink"].light}"]{{fill:{PALETTE["ink"].dark}}}' in svg
    assert re.findall(r"(?:href|src)=", svg) == []


def test_a_page_has_its_charts_in_it_and_follows_the_reader_s_colors():
    page = inline_charts('<p><img alt="Two &lt; bars" src="../images/added.svg" /></p>')
    assert page.startswith('<p><span class="chart"><svg role="img" aria-label="Two &lt; bars" ')
    assert "<style>" not in page
    assert (
        f'.chart [stroke="{PALETTE["grid"].light}"]{{stroke:{PALETTE["grid"].dark}}}'
        in format_style()
    )
