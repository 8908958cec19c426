"""The examples of README.md, and how examples are checked; tests/deep/test_pages.py has others."""

import re

import pytest

from end_to_end.pages import ROOT, check_blocks, check_examples, list_pages, read_blocks
from terminal import needs_unix

FEW = 12


@needs_unix
def test_examples_of_the_readme_print_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_examples(ROOT / "README.md", tmp_path)


def test_few_examples_are_not_run_and_tests_that_do_so_instead_exist():
    reasons = [block.reason for page in list_pages() for block in read_blocks(page) if block.reason]
    paths = [path for reason in reasons for path in re.findall(r"\btests/[\w/.]+\w", reason)]
    assert len(reasons) <= FEW
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("```\nunmarked\n```", "nothing checks ''"),
        ("    indented\n", "nothing checks ''"),
        ("```rust\nfn main() {}\n```", "nothing checks 'rust'"),
        ("<!-- about it -->\n\n```rust\nfn main() {}\n```", "nothing checks 'rust'"),
        ("```python\n1 + 1\n```", "Python without >>>"),
        ("```python\n>>> 1 + 1  # doctest: +SKIP\n```", "an example that is skipped"),
        ("```python\n>>> 1 + 1\n3\n```", "Expected:"),
        ("```console\n$ echo 1\n2\n```", "echo 1"),
        ("```console\necho 1\n```", "text before the first command"),
        ("```py\nraise ValueError('no')\n```", "ValueError: no"),
        ("```pyi\ndef ndcg(ranking, *, k=None): ...\n```", "ndcg"),
        ("```sh\nrm -r /nothing\n```", "nothing checks 'rm -r /nothing'"),
        ("```sh\nmake nothing\n```", "No rule to make target 'nothing'"),
        ("```sh\npip install '.[nothing]'\n```", "pip install nothing"),
        ("```sh\ngainful eval none.txt none.run\n```", "none.txt: no such file or directory"),
        ("```sh\ngainful eval none.txt none.run | cat\n```", "none.txt: no such file"),
        ("```json\n{,}\n```", "property name"),
        ("```toml\n[gate]\nlowest = 1\n```", "lowest"),
        ("```yaml\n- uses: OWNER/gainful@v1\n  with: {nothing: 1}\n```", "page.md"),
        ("```yaml\n- uses: somebody/else@v1\n```", "nothing in it is ours"),
    ],
)
@needs_unix
def test_an_example_that_is_wrong_or_that_nothing_can_run_fails(
    text, problem, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(Exception, match=re.escape(problem)):
        check_blocks(page, tmp_path)


@needs_unix
@pytest.mark.parametrize(
    "line", ["gainful eval qrels.txt --no-such", "gainful nothing", "python -m bench x"]
)
def test_commands_that_would_be_refused_fail(line, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"```sh\n{line}\n```", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"No such option|No such command|must be one of"):
        check_blocks(page, tmp_path)


@needs_unix
def test_what_is_not_run_says_why_just_above(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "page.md"
    page.write_text("<!-- not run: needs a cluster -->\n```sh\nspark-submit x.py\n```\n", "utf-8")
    assert [block.reason for block in read_blocks(page)] == ["needs a cluster"]
    check_blocks(page, tmp_path)
