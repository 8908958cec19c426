"""Tables of text, for views that are not made of ``tables.Table`` yet."""

import re
from collections.abc import Collection, Mapping, Sequence

Rows = Sequence[Sequence[str]]
_CONTROLS = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, except tabs and line ends
    r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # lines and directions
    r"\ud800-\udfff]"  # bytes that are no text
)


def to_text(header: Sequence[str], rows: Rows, *, left: Sequence[int] = (0,)) -> str:
    """Align columns, two spaces apart; those in ``left`` to the left, the others to the right.

    >>> print(to_text(["query", "value"], [["q1", "0.5"], ["q10", "1"]]), end="")
    query  value
    q1       0.5
    q10        1
    """
    lines = [
        [make_printable(value) for value in row] for row in ([header, *rows] if header else rows)
    ]
    widths = [max(map(_count_cells, column)) for column in zip(*lines, strict=True)]
    return "".join(_align_line(line, widths, left) + "\n" for line in lines)


def to_csv(header: Sequence[str], rows: Rows) -> str:
    """Write comma-separated values, quoted where needed, with a header line.

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
    """Write tab-separated values; white space inside a value becomes one space.

    >>> to_tsv([["nDCG@10", "0.5"]])
    'nDCG@10\\t0.5\\n'
    """
    return "".join("\t".join(" ".join(value.split()) for value in row) + "\n" for row in rows)


def to_markdown(header: Sequence[str], rows: Rows, *, left: Sequence[int] = (0,)) -> str:
    """Write a Markdown table; columns in ``left`` align to the left, the others to the right.

    >>> print(to_markdown(["a", "b"], [["x|y", "1"]]), end="")
    | a | b |
    |:--|--:|
    | x\\|y | 1 |
    """
    align = [":--" if i in left else "--:" for i in range(len(header))]
    lines = [
        _format_markdown_row(header),
        "|" + "|".join(align) + "|",
        *map(_format_markdown_row, rows),
    ]
    return "\n".join(lines) + "\n"


def to_html(header: Sequence[str], rows: Rows) -> str:
    """Write an HTML table, all text escaped.

    >>> to_html(["a"], [["<b>"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    head = _format_html_row(header, "th")
    body = "".join(_format_html_row(row, "td") for row in rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _format_markdown_row(row: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(v.replace("|", "\\|").split()) for v in row) + " |"


def _format_html_row(row: Sequence[str], cell: str) -> str:
    import html

    return "<tr>" + "".join(f"<{cell}>{html.escape(v)}</{cell}>" for v in row) + "</tr>"


def _align_line(line: Sequence[str], widths: Sequence[int], left: Sequence[int]) -> str:
    cells = []
    for i, (value, width) in enumerate(zip(line, widths, strict=True)):
        space = " " * (width - _count_cells(value))
        cells.append(value + space if i in left else space + value)
    return "  ".join(cells).rstrip()


def make_printable(value: str) -> str:
    """Escape what cannot be printed as Python does, so that the text stays on its line.

    >>> make_printable("a\\nb")
    'a\\\\nb'
    """
    # An id may contain anything; it must not break the lines of a table or change terminal colors.
    return value if value.isprintable() else repr(value)[1:-1]


def escape_controls(text: str) -> str:
    """Escape what a terminal would obey in a text of any number of lines.

    Line ends and tabs stay; other control characters, bytes that are not text, and characters that
    change the direction of others are written as Python writes them.

    >>> escape_controls("q1\\tred \\x1b[31m hats\\n")
    'q1\\tred \\\\x1b[31m hats\\n'
    """
    if text.isascii() and text.isprintable():
        return text
    import re

    return re.sub(_CONTROLS, lambda match: repr(match[0])[1:-1], text)


def _count_cells(value: str) -> int:
    if value.isascii():
        return len(value)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in value)
    return len(value) + wide - sum(unicodedata.combining(c) != 0 for c in value)


_ESCAPES = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    # Unescaped, they would be read as part of the line break before them.
    **{sign: f"{{{sign}}}" for sign in "[*"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
}
_LIGATURE = re.compile(r"([-',])(?=\1)")
_TABLE = r"""\begin{{tabular}}{{{columns}}}
\toprule
{header} \\
\midrule
{rows}\bottomrule
\end{{tabular}}
"""


def format_latex_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    n_text: int = 1,
    bold: Collection[tuple[int, int]] = (),
    superscripts: Mapping[tuple[int, int], str] | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Format a tabular for the package booktabs, with notes below it; all text is escaped.

    The first ``n_text`` columns are text, the others numbers; ``bold`` are rows and columns. With
    ``superscripts``, by row and column, numbers are aligned to the left, so that their digits line
    up whatever superscript follows.

    >>> rows = [["a&b", "-0.5"], ["c", "1"]]
    >>> print(format_latex_table(["run", "P_5"], rows, bold={(1, 1)}), end="")
    % \\usepackage{booktabs}
    \\begin{tabular}{lr}
    \\toprule
    run & P\\_5 \\\\
    \\midrule
    a\\&b & $-$0.5 \\\\
    c & \\textbf{1} \\\\
    \\bottomrule
    \\end{tabular}
    """
    lines = "".join(
        " & ".join(
            _format_cell(value, text=column < n_text, bold=(row, column) in bold)
            + _format_superscript((superscripts or {}).get((row, column), ""))
            for column, value in enumerate(values)
        )
        + " \\\\\n"
        for row, values in enumerate(rows)
    )
    text = _TABLE.format(
        columns="l" * n_text + ("r" if superscripts is None else "l") * (len(header) - n_text),
        header=" & ".join(map(escape_latex, header)),
        rows=lines,
    )
    below = "\\par\n".join(map(escape_latex, notes))
    note = f"\n{{\\footnotesize\\raggedright\n{below}\\par}}\n" if notes else ""
    return "% \\usepackage{booktabs}\n" + text + note


def _format_cell(value: str, *, text: bool, bold: bool) -> str:
    if text:
        return escape_latex(value)
    number = re.sub(r"^-(?=.)", "$-$", value)
    return f"\\textbf{{{number}}}" if bold else number


def _format_superscript(text: str) -> str:
    return f"\\textsuperscript{{{escape_latex(text)}}}" if text else ""


def escape_latex(text: str) -> str:
    """Escape text for LaTeX; what cannot be printed is written as Python writes it.

    >>> escape_latex("50%_of #1 [x] a--b")
    '50\\\\%\\\\_of \\\\#1 {[}x] a-{}-b'
    """
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    separated = _LIGATURE.sub(lambda match: match[0] + "\0", text)
    return "".join(_ESCAPES.get(sign, sign) for sign in separated).replace("\0", "{}")
