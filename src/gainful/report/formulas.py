"""Formulas of docstrings, written in TeX: as plain text for terminals, as MathML for pages."""

import re
import xml.etree.ElementTree as ET
from html import escape, unescape
from typing import TYPE_CHECKING

from gainful.base import import_package
from gainful.report.html.escaping import sanitize_text

if TYPE_CHECKING:
    from markupsafe import Markup

_SIGNS = {
    r"\log_2": "log2",
    r"\dots": "...",
    r"\ldots": "...",
    r"\cdots": "...",
    r"\cdot": "*",
    r"\times": "*",
    r"\ge": ">=",
    r"\geq": ">=",
    r"\le": "<=",
    r"\leq": "<=",
    r"\ne": "!=",
    r"\neq": "!=",
    r"\to": "->",
    r"\infty": "infinity",
    r"\in": "in",
    r"\cup": "\N{UNION}",
    r"\cap": "\N{INTERSECTION}",
    r"\setminus": "without",
    r"\mid": "|",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\lfloor": "floor(",
    r"\rfloor": ")",
    r"\lceil": "ceil(",
    r"\rceil": ")",
    r"\ell": "l",
    r"\left": "",
    r"\right": "",
    r"\big": "",
    r"\Big": "",
    r"\Bigl": "",
    r"\Bigr": "",
    r"\bigl": "",
    r"\bigr": "",
    r"\varepsilon": "epsilon",
    r"\bigcup": "\N{UNION}",
    r"\qquad": " ",
    r"\quad": " ",
    r"\,": " ",
    r"\;": " ",
    r"\!": "",
    r"\{": "{",
    r"\}": "}",
    r"\\": "",
    "&": "",
}
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.S)
_NAMED = r"\\(?:mathrm|text|operatorname|mathbf|mathit|mathsf)\{([^{}]*)\}"
_FRACTION = re.compile(r"\\[td]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_CHOOSE = re.compile(r"\\binom\{([^{}]*)\}\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\{([^{}]*)\}")
_OVER = re.compile(
    r"\\(sum|prod|max|min)_(?:\{([^{}]*)\}|(\w))(?:\^(?:\{([^{}]*)\}|(\w|\\infty)))?"
)
_BELOW = re.compile(r"([_^])\{([^{}]*)\}")


def format_plain_formulas(text: str) -> str:
    """Format TeX formulas as plain text.

    >>> format_plain_formulas(r"$$\\mathrm{nDCG}@k = \\frac{\\mathrm{DCG}@k}{\\mathrm{IDCG}@k}$$")
    'nDCG@k = DCG@k / IDCG@k'
    >>> format_plain_formulas(r"$$\\sum_{i=1}^{k} \\frac{1 - \\alpha}{\\log_2 (i + 1)}$$")
    'sum over i = 1..k of (1 - alpha) / (log2 (i + 1))'
    """
    text = FORMULA.sub(lambda m: _format_formula(m[1] or m[2]), text)
    return text.replace("``", "")


def _format_formula(tex: str) -> str:
    tex = re.sub(_NAMED, r"\1", tex)
    before = ""
    # From the inside out: the text matched between braces contains no braces.
    while before != tex:
        before = tex
        tex = _OVER.sub(_format_operator, tex)
        tex = _BELOW.sub(_format_script, tex)
        tex = _ROOT.sub(r"sqrt(\1)", tex)
        tex = _CHOOSE.sub(r"choose(\1, \2)", tex)
        tex = _FRACTION.sub(_format_fraction, tex)
    for sign in sorted(_SIGNS, key=len, reverse=True):
        end = r"(?![A-Za-z])" if sign[-1].isalpha() else ""
        tex = re.sub(re.escape(sign) + end, _SIGNS[sign].replace("\\", ""), tex)
    tex = re.sub(r"\\([A-Za-z]+)", r"\1", tex)  # Greek letters and functions by their names
    return re.sub(r"(?<=\S) {2,}", " ", tex).strip()


def _format_operator(match: re.Match[str]) -> str:
    name = {"sum": "sum over", "prod": "product over"}.get(match[1], f"{match[1]} over")
    below, above = match[2] or match[3] or "", match[4] or match[5]
    below = re.sub(r"\s*=\s*", " = ", below)
    return f"{name} {below}{f'..{above}' if above else ''} of"


def _format_script(match: re.Match[str]) -> str:
    sign, inside = match[1], match[2]
    return f"{sign}{inside}" if re.fullmatch(r"\(?\w+\)?", inside) else f"{sign}({inside})"


def _format_fraction(match: re.Match[str]) -> str:
    fraction = f"{_group_part(match[1])} / {_group_part(match[2])}"
    # Before another factor it would read as if that were below the line.
    factor = re.match(r"\s*(\\?[A-Za-z(]|\\[,;!]|\[)", match.string[match.end() :])
    return f"({fraction})" if factor else fraction


def _group_part(part: str) -> str:
    part = part.strip()
    return f"({part})" if re.search(r"[\s+*/-]", part) else part


def split_formulas(text: str) -> "list[str | Markup]":
    """Split a text at its formulas: formulas become HTML, all else stays text.

    >>> split_formulas("the first $k$ ranks")[1]
    Markup('<math display="inline" alttext="k"><mrow><mi>k</mi></mrow></math>')
    """
    markup = import_package("markupsafe", "report", install="'gainful[report]'").Markup
    parts: list[str | Markup] = []
    end = 0
    for match in FORMULA.finditer(text):
        tex, display = match[1] or match[2], bool(match[1])
        parts += [text[end : match.start()], markup(convert_to_mathml(tex, display=display))]
        end = match.end()
    return [piece for piece in [*parts, text[end:]] if piece]


def convert_to_mathml(tex: str, *, display: bool = False) -> str:
    """Convert a formula to MathML, or to plain text in a code element if it cannot be parsed.

    Anyone may declare a measure, and document it with any kind of TeX.

    Args:
        tex: The formula, without dollar signs.
        display: Whether it has a paragraph of its own.

    >>> convert_to_mathml("h_k")
    '<math display="inline" alttext="h_k"><mrow><msub><mi>h</mi><mi>k</mi></msub></mrow></math>'
    >>> convert_to_mathml("a_1_2")
    '<code>a_1_2</code>'
    """
    import_package("latex2mathml", "report", install="'gainful[report]'")
    from latex2mathml.converter import convert_to_element

    tex = sanitize_text(tex)
    alttext = " ".join(format_plain_formulas(f"${tex}$").split())
    try:
        math: ET.Element = convert_to_element(tex, display="block" if display else "inline")
    except Exception:  # its errors have no common base
        return f"<code>{escape(alttext)}</code>"
    del math.attrib["xmlns"]
    math.set("alttext", alttext)
    for element in math.iter():
        # Signs are written as character references; words may be anything, markup included.
        element.text = unescape(element.text) if element.text else None
    return ET.tostring(math, encoding="unicode")
