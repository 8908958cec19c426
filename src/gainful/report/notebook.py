"""Tables, notes and bars as notebooks show them: HTML without a style sheet, in any theme.

Colors are those of the page, except for bars, which are visible on light and dark. All text is
escaped, and text of either direction stays in its cell.
"""

from collections.abc import Collection, Iterable, Sequence

# Each has a contrast of 3 to 1 with white and with black.
GAIN, LOSS = "#3a84c4", "#c9702a"
_TEXT = 'dir="auto" style="text-align:left"'
_NUMBER = 'style="text-align:right;font-variant-numeric:tabular-nums"'
_CAPTION = "caption-side:top;text-align:left;font-weight:bold;padding:0.3em 0"
_ONE_LINE = 60  # characters of a caption that a narrow table does not break
_FEW = 4  # notices
_BAR = "display:inline-block;vertical-align:middle;height:0.8em;margin-left:0.6em;"


def escape_html(text: str) -> str:
    """Escape a text for HTML.

    >>> escape_html("a < b")
    'a &lt; b'
    """
    import html

    # A byte that is no text cannot be sent to a notebook; its number can.
    return html.escape(text.encode("utf-8", "backslashreplace").decode())


def format_html_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    n_text: int | Collection[int] = 1,
    bold: Collection[tuple[int, int]] = (),
    ready: Collection[int] = (),
    foot: Sequence[Sequence[str]] = (),
) -> str:
    """Format a table with a caption.

    Args:
        header: The titles of the columns.
        rows: The cells.
        caption: What the table shows.
        n_text: The columns that hold text, or how many of the first do; the others are numbers.
        bold: Which cells stand out, by row and column.
        ready: The columns that are HTML already.
        foot: Rows below the others, such as sums.

    >>> format_html_table(["run"], [["<b>"]], caption="Runs")[-74:]
    '<td dir="auto" style="text-align:left">&lt;b&gt;</td></tr></tbody></table>'
    """
    texts = set(range(n_text)) if isinstance(n_text, int) else set(n_text)
    head = "".join(
        f'<th scope="col" {_TEXT if i in texts else _NUMBER}>{escape_html(title)}</th>'
        for i, title in enumerate(header)
    )
    body = "".join(
        _format_row([_format_cell(v, i in ready, (r, i) in bold) for i, v in enumerate(row)], texts)
        for r, row in enumerate(rows)
    )
    sums = "".join(
        _format_row([_format_cell(v, i in ready, True) for i, v in enumerate(row)], texts)
        for row in foot
    )
    below = f"<tfoot>{sums}</tfoot>" if foot else ""
    parts = f"{_format_caption(caption)}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{below}"
    return f"<table>{parts}</table>"


def _format_caption(caption: str) -> str:
    style = f"{_CAPTION};white-space:nowrap" if len(caption) <= _ONE_LINE else _CAPTION
    return f'<caption style="{style}">{escape_html(caption)}</caption>'


def _format_cell(value: str, ready: bool, bold: bool) -> str:
    text = value if ready else escape_html(value)
    return f"<strong>{text}</strong>" if bold and text else text


def _format_row(cells: Sequence[str], texts: Collection[int]) -> str:
    inner = "".join(
        f"<td {_TEXT if i in texts else _NUMBER}>{cell}</td>" for i, cell in enumerate(cells)
    )
    return f"<tr>{inner}</tr>"


def format_list(lines: Iterable[str]) -> str:
    """Format lines as a list; empty if there are none.

    >>> format_list(["one", "<two>"])
    '<ul><li>one</li><li>&lt;two&gt;</li></ul>'
    """
    inner = "".join(f"<li>{escape_html(line)}</li>" for line in lines)
    return f"<ul>{inner}</ul>" if inner else ""


def format_details(summary: str, inner: str, *, opened: bool = False) -> str:
    """Format HTML that a click unfolds, or folds if it is ``opened``; empty if it is empty.

    >>> format_details("More", "<p>this</p>")
    '<details><summary>More</summary><p>this</p></details>'
    """
    start = "<details open>" if opened else "<details>"
    return f"{start}<summary>{escape_html(summary)}</summary>{inner}</details>" if inner else ""


def format_notices(lines: Sequence[str]) -> str:
    """Return notices as a list; many can be folded away.

    >>> format_notices(["note: one"])
    '<ul><li>note: one</li></ul>'
    """
    is_long = len(lines) > _FEW
    return (
        format_details(f"{len(lines)} notices", format_list(lines), opened=True)
        if is_long
        else format_list(lines)
    )


def format_number_bar(number: str, share: float) -> str:
    """Format a number with a bar beside it, as long as its share of the longest.

    The bar is decoration: the number says the same, with its sign.

    >>> "width:2.50em" in format_number_bar("0.5", 0.5)
    True
    """
    length, color = 5 * min(abs(share), 1), LOSS if share < 0 else GAIN
    bar = f"{_BAR}width:{length:.2f}em;background:{color}"
    # As wide as the longest, so that numbers stay below each other.
    space = f"display:inline-block;width:{5 - length:.2f}em"
    return (
        f'{escape_html(number)}<span aria-hidden="true" style="{bar}"></span>'
        f'<span aria-hidden="true" style="{space}"></span>'
    )
