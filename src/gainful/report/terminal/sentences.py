"""Sentences on a terminal."""

from gainful.report.terminal.cells import wrapped
from gainful.report.terminal.screen import Line, Screen, Span
from gainful.tables import printable


def said(text: str, screen: Screen, style: str = "") -> list[Line]:
    """A sentence in as many lines as it takes.

    >>> said("the ranking is empty", Screen(width=11))
    [[Span(text='the ranking', style='')], [Span(text='  is empty', style='')]]
    """
    return [[Span(line, style)] for line in wrapped(printable(text), screen.width)]
