"""The links of pages, changed from files of the repository to pages of the site."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = "docs"
# Pages of the site that are not in docs/; README.md would be the start page of its folder.
ADOPTED = {
    name: name.replace("README", "TOUR")
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/RESULTS.md")
}
_FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)(?=#[^)\s]*\)|\))")


class MissingFileError(Exception):
    """A page links to a file that is not in the repository."""


def find_source(page: str) -> str:
    """Return the file of the repository that a page of the site is made from.

    >>> find_source("measures.md"), find_source("TOUR.md")
    ('docs/measures.md', 'README.md')
    """
    sources = {uri: name for name, uri in ADOPTED.items()}
    return sources.get(page, f"{DOCS}/{page}")


def find_page(path: str) -> str:
    """Return the page of a file; a file that is not a page gets one that shows its source.

    >>> find_page("docs/measures.md"), find_page("README.md"), find_page("src/gainful/base/a.py")
    ('measures.md', 'TOUR.md', 'source/src/gainful/base/a.py.md')
    """
    if path in ADOPTED:
        return ADOPTED[path]
    if path.startswith(f"{DOCS}/"):
        uri = path.removeprefix(f"{DOCS}/")
        return f"{uri.removesuffix('.ipynb')}.md" if uri.endswith(".ipynb") else uri
    return f"source/{path}.md"


def relink(text: str, page: str) -> str:
    """Return the text of a page with every link rewritten to its target's page."""

    def move(link: re.Match[str]) -> str:
        target = _resolve_target(link[1], page)
        return posixpath.relpath(find_page(target), posixpath.dirname(page) or ".")

    return "".join(
        part if is_fenced else _LINK.sub(move, part) for part, is_fenced in _split_fences(text)
    )


def find_targets(text: str, page: str) -> set[str]:
    """Return the files of the repository that a page links to."""
    parts = (part for part, is_fenced in _split_fences(text) if not is_fenced)
    return {_resolve_target(link, page) for part in parts for link in _LINK.findall(part)}


def _resolve_target(link: str, page: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(find_source(page)), link))
    if not (ROOT / path).is_file():
        raise MissingFileError(f"{find_source(page)}: {link} is no file of the repository.")
    return path


def _split_fences(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text, and whether each is inside a fence."""
    end = 0
    for match in _FENCE.finditer(text):
        yield text[end : match.start()], False
        yield match[0], True
        end = match.end()
    yield text[end:], False
