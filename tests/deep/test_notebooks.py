"""The notebooks of docs/ run from top to bottom, and give what they show."""

import re

import pytest

from notebooks import NOTEBOOKS, read_notebook, run_notebook

NAMES = ("rag", "recommender", "search")


def get_stem(path):
    return path.stem


def list_outputs(notebook):
    """Everything that cells gave, but for pictures, whose letters are those of the machine."""
    texts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {"text/plain": output.get("text")})
            texts.append(
                {form: text for form, text in data.items() if not form.startswith("image")}
            )
    return texts


def test_there_are_three():
    assert tuple(map(get_stem, NOTEBOOKS)) == NAMES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=get_stem)
def test_a_notebook_gives_what_it_shows(path, tmp_path):
    notebook = run_notebook(path, tmp_path)
    assert list_outputs(notebook) == list_outputs(read_notebook(path))
    assert not [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.get("name") == "stderr"
    ]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=get_stem)
def test_a_notebook_begins_with_a_title_and_shows_charts_as_pictures(path):
    notebook = read_notebook(path)
    assert notebook.cells[0].source.startswith("# ")
    forms = [
        form
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for form in output.get("data", {})
    ]
    assert forms.count("image/svg+xml") >= 2
    assert not [form for form in forms if "vega" in form or "javascript" in form]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=get_stem)
def test_a_notebook_loads_nothing_and_names_no_place_of_a_machine(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    assert not re.search(r"<script|/home/|/root/|/tmp/|site-packages", text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=get_stem)
def test_cells_have_lines_that_a_page_can_show(path):
    for cell in read_notebook(path).cells:
        if cell.cell_type == "code":
            assert max(map(len, cell.source.splitlines())) <= 120
