"""docs/guides/r.md: what R prints, and that R would be handed the same values without it."""

import csv
import re

import pyarrow.compute
import pyarrow.feather
import pyarrow.parquet
import pytest
import scipy.stats

import gainful
from end_to_end.pages import ROOT, check_examples, read_blocks
from r_session import has_package, needs_r, run_block
from terminal import needs_unix

PAGE = ROOT / "docs" / "guides" / "r.md"
BLOCKS = [block.text for block in read_blocks(PAGE) if block.language == "r"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@needs_unix
def test_commands_and_python_print_what_the_page_says(folder):
    check_examples(PAGE, folder, r=_skip_block)


@needs_unix
@needs_r
def test_blocks_of_base_r_print_what_the_page_says(folder):
    check_examples(PAGE, folder, r=_check_base_block)


@needs_unix
@needs_r
def test_blocks_with_arrow_print_what_the_page_says(folder):
    if not has_package("arrow"):
        pytest.skip("R has no package arrow; in R: install.packages('arrow')")
    check_examples(PAGE, folder, r=_check_block)


def _skip_block(text, folder, names, where):
    """Nothing: the blocks of R have tests of their own."""


def _check_base_block(text, folder, names, where):
    if "library(arrow)" not in text:
        _check_block(text, folder, names, where)


def _check_block(text, folder, names, where):
    assert run_block(text, folder) == text


def test_the_page_has_blocks_of_both_kinds():
    assert len(BLOCKS) >= 5
    assert sum("library(arrow)" in text for text in BLOCKS) == 1


def read_output(start):
    """What the block that has the text prints, joined."""
    block = next(text for text in BLOCKS if start in text)
    return " ".join(re.findall(r"^#> ?(.*)$", block, re.MULTILINE))


def test_means_and_p_values_that_r_prints_are_those_of_gainful_and_scipy():
    demo = ROOT / "src" / "gainful" / "demo"
    runs = [demo / "keyword.run", demo / "hybrid.run"]
    old, new = (gainful.evaluate(demo / "qrels.txt", run, ["nDCG@10", "AP"]) for run in runs)
    p = scipy.stats.ttest_rel(new.column("nDCG@10"), old.column("nDCG@10")).pvalue
    text = read_output("t.test(")
    for value in (old["AP"], new["AP"], old["nDCG@10"], new["nDCG@10"], p):
        assert f"{value:.7g}" in text


@needs_unix
def test_tidy_values_are_text_that_any_reader_of_csv_gives_back_exactly(folder):
    scores = gainful.evaluate({"001": {"d1": 1}}, {"001": ["d2", "d1"]}, "nDCG@10")
    (row,) = csv.DictReader(scores.to_csv(shape="tidy").splitlines())
    assert (row["query"], float(row["value"])) == ("001", scores["nDCG@10"])


def test_what_arrow_would_read_and_write_in_r_has_the_columns_and_the_value_of_the_page(folder):
    demo = ROOT / "src" / "gainful" / "demo"
    gainful.convert(demo / "hybrid.run", folder / "hybrid.parquet")
    run = pyarrow.parquet.read_table(folder / "hybrid.parquet")
    top = run.filter(pyarrow.compute.field("rank") <= 10)
    pyarrow.parquet.write_table(top, folder / "top10.parquet")
    pyarrow.feather.write_feather(run, folder / "run.feather")  # with LZ4, as R does it
    text = read_output("library(arrow)")
    assert re.findall(r'"(\w+)"', text) == run.column_names
    for name in ("top10.parquet", "run.feather"):
        value = gainful.evaluate(demo / "qrels.txt", folder / name, "nDCG@10")["nDCG@10"]
        assert text.endswith(f"nDCG@10\t{value!r}")
