"""A header and rows of text, as aligned text, CSV, TSV, Markdown or HTML."""

from collections.abc import Sequence

Rows = Sequence[Sequence[str]]
_OBEYED = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, but for tabs and line ends
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # lines and directions
    r"\ud800-\udfff]"  # bytes that are no text
)


def to_text(header: Sequence[str], rows: Rows, *, left: Sequence[int] = (0,)) -> str:
    """Aligned columns, two spaces apart; those in ``left`` to the left, the others to the right.

    >>> print(to_text(["query", "value"], [["q1", "0.5"], ["q10", "1"]]), end="")
    query  value
    q1       0.5
    q10        1
    """
    lines = [[printable(value) for value in row] for row in ([header, *rows] if header else rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return "".join(_aligned(line, widths, left) + "\n" for line in lines)


def to_csv(header: Sequence[str], rows: Rows) -> str:
    """Comma-separated, quoted where needed, a header line first.

    >>> to_csv(["query", "note"], [["q1", "a, b"]])
    'query,note\\nq1,"a, b"\\n'
    """
    import csv  # what only some outputs need is loaded by them
    import io

    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *rows])
    if "\r" in out.getvalue():  # to readers it ends a line, yet the writer leaves it as it is
        out = io.StringIO()
        csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([header, *rows])
    return out.getvalue()


def to_tsv(rows: Rows) -> str:
    """Tab-separated; white space inside a value becomes one space.

    >>> to_tsv([["nDCG@10", "0.5"]])
    'nDCG@10\\t0.5\\n'
    """
    return "".join("\t".join(" ".join(value.split()) for value in row) + "\n" for row in rows)


def to_markdown(header: Sequence[str], rows: Rows, *, left: Sequence[int] = (0,)) -> str:
    """A Markdown table; the columns in ``left`` to the left, the others to the right.

    >>> print(to_markdown(["a", "b"], [["x|y", "1"]]), end="")
    | a | b |
    |:--|--:|
    | x\\|y | 1 |
    """
    align = [":--" if i in left else "--:" for i in range(len(header))]
    lines = [_markdown_row(header), "|" + "|".join(align) + "|", *map(_markdown_row, rows)]
    return "\n".join(lines) + "\n"


def to_html(header: Sequence[str], rows: Rows) -> str:
    """An HTML table, all text escaped.

    >>> to_html(["a"], [["<b>"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    head = _html_row(header, "th")
    body = "".join(_html_row(row, "td") for row in rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _markdown_row(row: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(v.replace("|", "\\|").split()) for v in row) + " |"


def _html_row(row: Sequence[str], cell: str) -> str:
    import html

    return "<tr>" + "".join(f"<{cell}>{html.escape(v)}</{cell}>" for v in row) + "</tr>"


def _aligned(line: Sequence[str], widths: Sequence[int], left: Sequence[int]) -> str:
    cells = []
    for i, (value, width) in enumerate(zip(line, widths, strict=True)):
        space = " " * (width - _width(value))
        cells.append(value + space if i in left else space + value)
    return "  ".join(cells).rstrip()


def printable(value: str) -> str:
    """Text that keeps to its line; what cannot be printed is written as Python writes it.

    >>> printable("a\\nb")
    'a\\\\nb'
    """
    # An id may hold anything; a table keeps its lines, and a terminal its colours.
    return value if value.isprintable() else repr(value)[1:-1]


def harmless(text: str) -> str:
    """Text of any number of lines in which nothing is left that a terminal would obey.

    Line ends and tabs stay; other control characters, bytes that are no text, and characters that
    turn the direction of others are written as Python writes them.

    >>> harmless("q1\\tred \\x1b[31m hats\\n")
    'q1\\tred \\\\x1b[31m hats\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    import re

    return re.sub(_OBEYED, lambda found: repr(found[0])[1:-1], text)


def _width(value: str) -> int:
    if value.isascii():
        return len(value)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in value)
    return len(value) + wide - sum(unicodedata.combining(c) != 0 for c in value)
