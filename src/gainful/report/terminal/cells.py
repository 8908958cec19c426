"""Text in cells: how wide it is on a terminal, and how it is made to fit."""


def width_of(text: str) -> int:
    """How many cells it takes; Chinese, Japanese and Korean characters take two each.

    >>> width_of("peg"), width_of("釘")
    (3, 2)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # only who has such text pays for it

    return cell_len(text)


def cropped(text: str, width: int) -> str:
    """As much of the start as fits.

    >>> cropped("tent peg", 6), cropped("釘釘釘", 5), cropped("peg", 0)
    ('tent p', '釘釘', '')
    """
    if width_of(text) <= width:
        return text
    if text.isascii() or width <= 0:
        return text[: max(width, 0)]
    from rich.cells import set_cell_size

    start = set_cell_size(text, width)
    # Half of a wide character is a space there, which the text does not have.
    return start if text.startswith(start) else start[:-1]


def shortened(text: str, width: int, ellipsis: str) -> str:
    """The text, or its start and an ellipsis where it is too wide.

    >>> shortened("tent pegs", 8, "…"), shortened("tent pegs", 6, "…"), shortened("tent", 2, "...")
    ('tent pe…', 'tent…', 'te')
    """
    if width_of(text) <= width:
        return text
    if width <= len(ellipsis):
        return cropped(text, width)
    return cropped(text, width - len(ellipsis)).rstrip() + ellipsis


def filled(text: str, width: int, *, right: bool = False) -> str:
    """The text with spaces around it, so that it takes as many cells.

    >>> filled("釘", 4), filled("0.5", 5, right=True)
    ('釘  ', '  0.5')
    """
    space = " " * (width - width_of(text))
    return space + text if right else text + space


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most so many cells; those after the first are indented.

    >>> wrapped("moving peg-002 from rank 10", 16)
    ['moving peg-002', '  from rank 10']
    >>> wrapped("abcdefgh", 5)
    ['abcde', '  fgh']
    """
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}" if line.strip() else line + word
        while width_of(joined) > width:
            fits = line if line.strip() else cropped(joined, width)
            if not fits.strip():  # not even one character fits
                fits = joined
            joined = _indent(width) + (word if fits == line else joined[len(fits) :])
            lines.append(fits)
            line = ""
        line = joined
    return [*lines, line] if line.strip() else lines


def _indent(width: int) -> str:
    return "  " if width > 4 else ""
