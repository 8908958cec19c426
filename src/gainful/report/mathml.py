"""Formulas as MathML, for pages."""

from html import escape
from typing import NamedTuple

from gainful.errors import OutputError
from gainful.report.formulas import FORMULA, plain
from gainful.report.shown import shown
from gainful.report.tex import elements


class Html(NamedTuple):
    """HTML as it stands: templates do not escape it once more."""

    text: str

    def __html__(self) -> str:
        return self.text


def pieces(text: str) -> list[str | Html]:
    """Text with formulas, piece by piece: formulas are HTML, all else is text.

    >>> pieces("the first $k$ ranks")[1].text
    '<math alttext="k"><mi>k</mi></math>'
    """
    found: list[str | Html] = []
    end = 0
    for match in FORMULA.finditer(text):
        found += [text[end : match.start()], formula(match[1] or match[2], display=bool(match[1]))]
        end = match.end()
    return [piece for piece in [*found, text[end:]] if piece]


def formula(tex: str, *, display: bool = False) -> Html:
    """A formula as MathML, or as plain text if it holds TeX that is not known here.

    Anyone may declare a measure, and document it with TeX of any kind.

    >>> formula(r"\\hbox{a}").text
    '<code>hbox{a}</code>'
    """
    try:
        return Html(mathml(tex, display=display))
    except OutputError:
        return Html(f"<code>{_plain(tex)}</code>")


def mathml(tex: str, *, display: bool = False) -> str:
    """A formula as MathML; ``display`` is for those that stand alone.

    >>> mathml("h_k")
    '<math alttext="h_k"><msub><mi>h</mi><mi>k</mi></msub></math>'

    Raises:
        OutputError: The formula holds TeX that is not known here.
    """
    block = ' display="block"' if display else ""
    return f'<math{block} alttext="{_plain(tex)}">{elements(tex)}</math>'


def _plain(tex: str) -> str:
    return escape(shown(" ".join(plain(f"${tex}$").split())))
