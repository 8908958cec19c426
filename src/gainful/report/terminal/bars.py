"""Bars of characters: as long as a value is large."""

_EIGHTHS = " ▏▎▍▌▋▊▉"
_FULL = "█"


def bar(value: float, scale: float, width: int, *, blocks: bool) -> str:
    """A bar that is ``width`` cells long for a value as large as the scale.

    A value that is not 0 is always to be seen, and none is longer than the scale. What is below 0
    is hatched; what is no number has no bar.

    >>> bar(1.0, 2.0, 5, blocks=True), bar(1e-9, 2.0, 5, blocks=True), bar(-1, 2, 5, blocks=True)
    ('██▌', '▏', '▒▒')
    >>> bar(1.0, 2.0, 5, blocks=False), bar(-1.0, 2.0, 5, blocks=False)
    ('##', '--')
    """
    share = share_of(value, scale)
    if value < 0:
        return ("▒" if blocks else "-") * _steps(share_of(-value, scale), width)
    if not blocks:
        return "#" * _steps(share, width)
    full, eighths = divmod(_steps(share, width * 8), 8)
    return _FULL * full + (_EIGHTHS[eighths] if eighths else "")


def track(value: float, scale: float, width: int, *, blocks: bool) -> str:
    """The same in whole cells of a lighter shade: what a bar is compared with.

    >>> track(1.0, 2.0, 5, blocks=True), track(1.0, 2.0, 5, blocks=False)
    ('░░', '..')
    """
    return ("░" if blocks else ".") * _steps(share_of(value, scale), width)


def share_of(value: float, scale: float) -> float:
    """The value as a share of the scale, from 0 to 1.

    >>> share_of(1.0, 4.0), share_of(9.0, 4.0), share_of(-1.0, 4.0), share_of(1.0, 0.0)
    (0.25, 1.0, 0.0, 0.0)
    """
    if not value > 0 or not scale > 0:
        return 0.0
    return 1.0 if value >= scale else value / scale


def _steps(share: float, most: int) -> int:
    return max(round(share * most), 1) if share > 0 and most > 0 else 0
