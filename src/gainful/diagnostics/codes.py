"""The pages of ``gainful help CODE``: every code of an error or a notice, its cause and its remedy.

The pages are the Markdown files in the folder ``codes``: one file per group, one section per code.
They are read when this module is imported, which nothing that evaluates does.
"""

import re
from dataclasses import dataclass
from importlib.resources import files

_FILES = (
    *("files", "values", "objects", "measures", "joins", "output", "spark"),
    *("runs", "judgments", "metadata", "comparisons"),
)
_PAGE = re.compile(
    r"(?P<code>\S+)\n\n(?P<summary>.+?)\n\n(?:Raised: (?P<errors>.+?)|Severity: (?P<severity>\w+))"
    r"\n\n```text\n(?P<example>.+?)\n```\n\n\*\*Cause\.\*\* (?P<cause>.+?)"
    r"\n\n\*\*Remedy\.\*\* (?P<remedy>.+?)\n*",
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Code:
    """The page of one error or notice.

    Attributes:
        code: The word in brackets at the end of a message.
        summary: The meaning, in one sentence.
        cause: The usual reasons for it.
        remedy: What to do, with the flag and with the argument in Python.
        example: A message with this code.
        errors: The exceptions that carry it; empty for notices.
        severity: The severity of a notice; "error" for exceptions.
    """

    code: str
    summary: str
    cause: str
    remedy: str
    example: str
    errors: tuple[str, ...] = ()
    severity: str = "error"


def read_group(name: str) -> tuple[str, tuple[Code, ...]]:
    """Read one Markdown file of pages and return its title and codes.

    >>> title, codes = read_group("spark")
    >>> title, codes[0].code
    ('Errors: Spark', 'no-spark-session')
    """
    path = files("gainful.diagnostics") / "codes" / f"{name}.md"
    title, *pages = path.read_text(encoding="utf-8").split("\n## ")
    return title.removeprefix("# ").strip(), tuple(_parse_page(page) for page in pages)


def _parse_page(page: str) -> Code:
    match = _PAGE.fullmatch(page)
    if not match:
        message = f"the page of {page.split()[0]!r} does not have the parts of a page."
        raise ValueError(message)
    texts = {name: " ".join((text or "").split()) for name, text in match.groupdict().items()}
    return Code(
        code=texts["code"],
        summary=texts["summary"],
        cause=texts["cause"],
        remedy=texts["remedy"],
        example=match["example"],
        errors=tuple(texts["errors"].replace(",", "").split()),
        severity=texts["severity"] or "error",
    )


GROUPS: dict[str, tuple[Code, ...]] = dict(map(read_group, _FILES))
CODES: dict[str, Code] = {page.code: page for group in GROUPS.values() for page in group}


def normalize_code(text: str) -> str:
    """Return a code as it is declared, from text in any case, with brackets or underscores.

    >>> normalize_code("[Missing_Queries]")
    'missing-queries'
    """
    return "-".join(text.strip("[] ").lower().replace("_", " ").replace("-", " ").split())


def find_code(text: str) -> Code | None:
    """Return the page of a code, however it was typed, or None.

    >>> find_code("[missing-queries]").severity
    'warning'
    """
    return CODES.get(normalize_code(text))
