"""Formulas as plain text, for the terminal."""

import re

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
