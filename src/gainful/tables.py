"""A header and rows of text, as CSV, TSV, Markdown or HTML."""

import csv
import html
import io
from collections.abc import Sequence

Rows = Sequence[Sequence[str]]


def to_csv(header: Sequence[str], rows: Rows) -> str:
    """Comma-separated, quoted where needed, a header line first.

    >>> to_csv(["query", "note"], [["q1", "a, b"]])
    'query,note\\nq1,"a, b"\\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def to_tsv(rows: Rows) -> str:
    """Tab-separated; white space inside a value becomes one space.

    >>> to_tsv([["nDCG@10", "0.5"]])
    'nDCG@10\\t0.5\\n'
    """
    return "".join("\t".join(" ".join(value.split()) for value in row) + "\n" for row in rows)


def to_markdown(header: Sequence[str], rows: Rows) -> str:
    """A Markdown table; the first column to the left, the others to the right.

    >>> print(to_markdown(["a", "b"], [["x|y", "1"]]), end="")
    | a | b |
    |:--|--:|
    | x\\|y | 1 |
    """
    align = [":--"] + ["--:"] * (len(header) - 1)
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
    return "<tr>" + "".join(f"<{cell}>{html.escape(v)}</{cell}>" for v in row) + "</tr>"
