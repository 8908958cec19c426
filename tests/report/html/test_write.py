"""write_report(): where the file goes, and what it says if it cannot be written."""

import subprocess
import sys

import pytest

import gainful
from gainful.errors import OutputError, PackageError, SourceError

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}
RUNS = {"old": {"q1": ["d2", "d1"], "q2": ["d1"]}, "new": {"q1": ["d1"], "q2": ["d1"]}}


def test_the_report_says_where_it_is_how_large_and_what_it_says(tmp_path):
    report = gainful.write_report(QRELS, RUNS, tmp_path / "report.html", "RR")
    assert report.path == str(tmp_path / "report.html")
    assert report.n_bytes == (tmp_path / "report.html").stat().st_size
    assert report.verdict.startswith("new and old cannot be told apart. 1 of 2 queries got better")
    assert report.notices == report.experiment.notices
    assert repr(report).startswith("<Report ")


def test_no_folder_is_made(tmp_path):
    path = tmp_path / "no" / "report.html"
    with pytest.raises(SourceError) as caught:
        gainful.write_report(QRELS, RUNS, path, "RR")
    assert str(caught.value) == f"{path}: cannot be written to (No such file or directory)."


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError

    monkeypatch.setattr("gainful.report.html.write.make_page", broken)
    with pytest.raises(RuntimeError):
        gainful.write_report(QRELS, RUNS, tmp_path / "report.html", "RR")
    assert list(tmp_path.iterdir()) == []


def test_standard_output_is_a_path(capfdbinary):
    report = gainful.write_report(QRELS, RUNS, "-", "RR")
    out = capfdbinary.readouterr().out
    assert len(out) == report.n_bytes
    assert out.startswith(b"<!doctype html>")


@pytest.mark.parametrize("name", ["jinja2", "vl_convert", "latex2mathml"])
def test_a_package_that_is_not_there_is_named_before_anything_is_read(name, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PackageError) as caught:
        gainful.write_report("no such file", ["nor this"], tmp_path / "report.html")
    assert str(caught.value) == (
        f"report: {name} is not installed. Install it with: pip install 'gainful[report]'"
    )


def test_the_date_is_said_if_it_is_given_and_not_otherwise(tmp_path, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    gainful.write_report(QRELS, RUNS, tmp_path / "a.html", "RR")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    gainful.write_report(QRELS, RUNS, tmp_path / "b.html", "RR")
    assert "<dt>Date</dt>" not in (tmp_path / "a.html").read_text(encoding="utf-8")
    dated = (tmp_path / "b.html").read_text(encoding="utf-8")
    assert "<dt>Date</dt><dd><bdi>2023-11-14</bdi></dd>" in dated


def test_a_date_that_is_none_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(OutputError) as caught:
        gainful.write_report(QRELS, RUNS, tmp_path / "a.html", "RR")
    assert str(caught.value) == "SOURCE_DATE_EPOCH: must be a number of seconds, got 'today'."


def test_two_reports_of_one_process_are_the_same(tmp_path):
    for name in ("a", "b"):
        gainful.write_report(QRELS, RUNS, tmp_path / f"{name}.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_importing_write_report_loads_no_package_of_the_extra():
    code = "import sys, gainful; gainful.write_report; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"altair", "jinja2", "vl_convert", "markupsafe", "latex2mathml"} & set(loaded)


@pytest.mark.parametrize(
    ("name", "why"), [("no/such/r.html", "No such file or directory"), (".", "Is a directory")]
)
def test_a_place_that_cannot_be_written_to_is_refused_before_anything_is_read(tmp_path, name, why):
    path = tmp_path / name
    with pytest.raises(gainful.GainfulError) as error:
        gainful.write_report(tmp_path / "not-there.txt", [tmp_path / "not-there.run"], path)
    assert str(error.value) == f"{path}: cannot be written to ({why})."


def test_jinja_is_looked_for_before_altair_which_takes_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(gainful.GainfulError) as error:
        gainful.write_report("not-there.txt", ["not-there.run"], "r.html")
    assert str(error.value) == (
        "report: jinja2 is not installed. Install it with: pip install 'gainful[report]'"
    )


def write_inputs(folder):
    texts = {
        "qrels.txt": "q1 0 d1 1\nq1 0 d2 0\n",
        "old.run": "q1 Q0 d2 1 2 old\nq1 Q0 d1 2 1 old\n",
        "new.run": "q1 Q0 d1 1 2 new\nq1 Q0 d2 2 1 new\n",
        "items.csv": "item,title\nd1,First\n",
        "queries.csv": "query,text\nq1,what\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return texts


def write_report_on_inputs(folder, path, judged=None):
    runs = (folder / name for name in ("old.run", "new.run"))
    about = {"items": folder / "items.csv", "queries": str(folder / "queries.csv")}
    return gainful.write_report(judged or folder / "qrels.txt", runs, path, "RR", **about)


@pytest.mark.parametrize("linked", ["", "symlink_to", "hardlink_to"])
@pytest.mark.parametrize("name", ["qrels.txt", "old.run", "new.run", "items.csv", "queries.csv"])
def test_nothing_that_is_read_is_written_over(tmp_path, name, linked):
    texts, path = write_inputs(tmp_path), tmp_path / name
    if linked:
        path = tmp_path / "report.html"
        getattr(path, linked)(tmp_path / name)
    with pytest.raises(SourceError) as caught:
        write_report_on_inputs(tmp_path, path)
    assert str(caught.value) == f"{path}: is what is read. Write to another file."
    assert {name: (tmp_path / name).read_text() for name in texts} == texts


def test_judgments_that_were_read_before_are_not_written_over(tmp_path):
    texts, path = write_inputs(tmp_path), tmp_path / "qrels.txt"
    with pytest.raises(SourceError) as caught:
        write_report_on_inputs(tmp_path, path, gainful.read_qrels(path))
    assert str(caught.value) == f"{path}: is what is read. Write to another file."
    assert path.read_text() == texts["qrels.txt"]


def test_a_report_that_is_there_already_is_written_again(tmp_path):
    write_inputs(tmp_path)
    first = write_report_on_inputs(tmp_path, tmp_path / "r.html")
    assert write_report_on_inputs(tmp_path, tmp_path / "r.html").n_bytes == first.n_bytes
    assert first.experiment.runs == ("old", "new")
