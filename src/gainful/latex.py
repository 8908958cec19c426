"""A header and rows of text, as a LaTeX table."""

import re
from collections.abc import Collection, Mapping, Sequence

_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    # As they stand, they would be read as part of the line break before them.
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


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    n_text: int = 1,
    bold: Collection[tuple[int, int]] = (),
    raised: Mapping[tuple[int, int], str] | None = None,
    notes: Sequence[str] = (),
) -> str:
    """A tabular for the package booktabs, with notes below it; all text is escaped.

    The first ``n_text`` columns are text, the others numbers; ``bold`` are rows and columns. With
    ``raised``, which are superscripts by row and column, numbers stand to the left: their digits
    are below each other, whatever is raised behind them.

    >>> print(table(["run", "P_5"], [["a&b", "-0.5"], ["c", "1"]], bold={(1, 1)}), end="")
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
            _cell(value, text=column < n_text, bold=(row, column) in bold)
            + _superscript((raised or {}).get((row, column), ""))
            for column, value in enumerate(values)
        )
        + " \\\\\n"
        for row, values in enumerate(rows)
    )
    text = _TABLE.format(
        columns="l" * n_text + ("r" if raised is None else "l") * (len(header) - n_text),
        header=" & ".join(map(escaped, header)),
        rows=lines,
    )
    below = "\\par\n".join(map(escaped, notes))
    note = f"\n{{\\footnotesize\\raggedright\n{below}\\par}}\n" if notes else ""
    return "% \\usepackage{booktabs}\n" + text + note


def _cell(value: str, *, text: bool, bold: bool) -> str:
    if text:
        return escaped(value)
    number = re.sub(r"^-(?=.)", "$-$", value)
    return f"\\textbf{{{number}}}" if bold else number


def _superscript(text: str) -> str:
    return f"\\textsuperscript{{{escaped(text)}}}" if text else ""


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is; what cannot be printed is written as Python writes it.

    >>> escaped("50%_of #1 [x] a--b")
    '50\\\\%\\\\_of \\\\#1 {[}x] a-{}-b'
    """
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    apart = _LIGATURE.sub(lambda match: match[0] + "\0", text)
    return "".join(_ESCAPED.get(sign, sign) for sign in apart).replace("\0", "{}")
