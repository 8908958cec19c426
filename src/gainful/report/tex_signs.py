"""What the commands of TeX stand for: signs, names, spaces and sizes."""

from typing import NamedTuple

WORD, OPEN, CLOSE, FENCE = "word", "open", "close", "fence"
JOIN, RELATION, COMMA, TIGHT = "join", "relation", "comma", "tight"
NAME, LARGE, SPACE = "name", "large", "space"
DELIMITERS = (OPEN, CLOSE, FENCE)


class Sign(NamedTuple):
    """What is shown, and of which kind it is: the kind decides on the space around it."""

    text: str
    kind: str


_SMALL = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau"
_SMALL += " upsilon phi chi psi omega varepsilon vartheta varphi"
_CAPITAL = "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
_GREEK = {
    **dict(zip(_SMALL.split(), "αβγδϵζηθικλμνξπρστυϕχψωεϑφ", strict=True)),
    **dict(zip(_CAPITAL.split(), "ΓΔΘΛΞΠΣΦΨΩ", strict=True)),
}
_OTHERS = {
    WORD: {"infty": "∞", "ell": "\N{SCRIPT SMALL L}", "emptyset": "∅"},
    TIGHT: {"dots": "…", "ldots": "…", "cdots": "⋯"},
    JOIN: {
        **{"cdot": "⋅", "times": "\N{MULTIPLICATION SIGN}", "setminus": "\N{SET MINUS}"},
        **{"cup": "\N{UNION}", "cap": "∩"},
    },
    RELATION: {
        **{"ge": "≥", "geq": "≥", "le": "≤", "leq": "≤", "ne": "≠", "neq": "≠"},
        **{"in": "∈", "to": "→", "mid": "|", "approx": "≈"},
    },
    OPEN: {"{": "{", "lfloor": "⌊", "lceil": "⌈", "lvert": "|"},
    CLOSE: {"}": "}", "rfloor": "⌋", "rceil": "⌉", "rvert": "|"},
    LARGE: {"sum": "∑", "prod": "∏", "bigcup": "\N{N-ARY UNION}", "bigcap": "⋂"},
    NAME: {name: name for name in ("exp", "ln", "log", "max", "min", "Pr")},
    SPACE: {"!": "-0.1667em", ",": "0.1667em", ";": "0.2778em", "quad": "1em", "qquad": "2em"},
}
_CHARACTERS = {
    OPEN: "([",
    CLOSE: ")]",
    FENCE: "|",
    JOIN: "+",
    RELATION: "=<>:",
    COMMA: ",;",
    TIGHT: "/@.!",
}

SIGNS = {
    **{f"\\{name}": Sign(letter, WORD) for name, letter in _GREEK.items()},
    **{f"\\{n}": Sign(text, kind) for kind, named in _OTHERS.items() for n, text in named.items()},
    **{one: Sign(one, kind) for kind, several in _CHARACTERS.items() for one in several},
    "-": Sign("\N{MINUS SIGN}", JOIN),
    "*": Sign("\N{ASTERISK OPERATOR}", JOIN),
    "'": Sign("\N{PRIME}", TIGHT),
    "~": Sign("0.3333em", SPACE),
}

_SIZES = {"big": "1.2em", "Big": "1.8em", "bigg": "2.4em", "Bigg": "3em"}
SIZES = {f"\\{name}{side}": size for name, size in _SIZES.items() for side in ("", "l", "r")}
