"""Links of pages as they are in the repository, made right for the site."""

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
_FENCED = re.compile(r"^ *(```+|~~~+).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)(?=#[^)\s]*\)|\))")


class MissingFileError(Exception):
    """A page links to what is not in the repository."""


def home(page: str) -> str:
    """Where a page of the site is in the repository.

    >>> home("measures.md"), home("TOUR.md")
    ('docs/measures.md', 'README.md')
    """
    own = {known: name for name, known in ADOPTED.items()}
    return own.get(page, f"{DOCS}/{page}")


def page_of(path: str) -> str:
    """Where a file of the repository is on the site; what is no page becomes one of its source.

    >>> page_of("docs/measures.md"), page_of("README.md"), page_of("src/gainful/base/ragged.py")
    ('measures.md', 'TOUR.md', 'source/src/gainful/base/ragged.py.md')
    """
    if path in ADOPTED:
        return ADOPTED[path]
    if path.startswith(f"{DOCS}/"):
        inside = path.removeprefix(f"{DOCS}/")
        return f"{inside.removesuffix('.ipynb')}.md" if inside.endswith(".ipynb") else inside
    return f"source/{path}.md"


def relinked(text: str, page: str) -> str:
    """The text of a page of the site, every link in it leading to where its target is there."""

    def moved(link: re.Match[str]) -> str:
        target = _target(link[1], page)
        return posixpath.relpath(page_of(target), posixpath.dirname(page) or ".")

    return "".join(part if fenced else _LINK.sub(moved, part) for part, fenced in _parts(text))


def targets(text: str, page: str) -> set[str]:
    """The files of the repository that a page links to."""
    parts = (part for part, fenced in _parts(text) if not fenced)
    return {_target(link, page) for part in parts for link in _LINK.findall(part)}


def _target(link: str, page: str) -> str:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(home(page)), link))
    if not (ROOT / path).is_file():
        raise MissingFileError(f"{home(page)}: {link} is no file of the repository.")
    return path


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The text in turn outside and inside of fences."""
    end = 0
    for fenced in _FENCED.finditer(text):
        yield text[end : fenced.start()], False
        yield fenced[0], True
        end = fenced.end()
    yield text[end:], False
