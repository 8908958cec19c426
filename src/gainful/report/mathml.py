"""Formulas as MathML, for pages."""

import re
from collections.abc import Callable
from html import escape
from typing import NamedTuple, NoReturn

from gainful.errors import OutputError
from gainful.report.formulas import FORMULA, format_plain_formulas
from gainful.report.outputs import sanitize_text

WORD, OPEN, CLOSE, FENCE = "word", "open", "close", "fence"
JOIN, RELATION, COMMA, TIGHT = "join", "relation", "comma", "tight"
NAME, LARGE, SPACE = "name", "large", "space"
DELIMITERS = (OPEN, CLOSE, FENCE)


class Sign(NamedTuple):
    """A text and its kind, which determines the space around it."""

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


_TIGHT = ' lspace="0" rspace="0"'
_THIN = '<mspace width="0.1667em"/>'
_APPLIED = "<mo>&#8289;</mo>"
_FORMS = {OPEN: "prefix", CLOSE: "postfix"}
# The kinds after which an operator sign is binary; otherwise it is the sign of a number.
_ENDS = (WORD, CLOSE, TIGHT)
PRIME = f"<mo{_TIGHT}>\N{PRIME}</mo>"


class Atom(NamedTuple):
    """One element and its kind, which determines the space around it."""

    markup: str
    kind: str = WORD


def make_sign(sign: Sign, before: list[Atom], small: bool) -> Atom:
    """Make a sign, given the atoms before it.

    >>> make_sign(Sign("+", JOIN), [Atom("<mi>n</mi>")], small=False).markup
    '<mo>+</mo>'
    """
    text = _escape_text(sign.text)
    if sign.kind == WORD:
        return Atom(f"<mi>{text}</mi>")
    if sign.kind == NAME:
        return Atom(make_identifier(sign.text), NAME)
    if sign.kind == SPACE:
        return Atom(f'<mspace width="{text}"/>', SPACE)
    if sign.kind in DELIMITERS:
        return _make_bracket(text, sign.kind, before)
    last = next((atom.kind for atom in reversed(before) if atom.kind != SPACE), "")
    return Atom(f"<mo{_choose_spacing(sign, last, small)}>{text}</mo>", sign.kind)


def _choose_spacing(sign: Sign, last: str, small: bool) -> str:
    """Choose the attributes that set the space around a sign."""
    if sign.kind == LARGE:
        return ' lspace="0"' if last in ("", OPEN, RELATION) else ""
    if small or sign.kind == TIGHT:
        return _TIGHT
    if sign.kind == JOIN and last not in _ENDS:
        return ' form="prefix"'
    return ' lspace="0.2778em" rspace="0.2778em"' if sign.text == ":" else ""


def _make_bracket(text: str, kind: str, before: list[Atom]) -> Atom:
    """Make a bracket as high as the line; bars open and close in turn."""
    if kind == FENCE:
        n = sum(atom.kind in _FORMS and atom.markup.endswith(f">{text}</mo>") for atom in before)
        kind = CLOSE if n % 2 else OPEN
    return Atom(f'<mo form="{_FORMS[kind]}" stretchy="false">{text}</mo>', kind)


def make_fence(sign: Sign, form: str) -> str:
    """Make a bracket as high as its content; no element if there is no sign."""
    return f'<mo form="{form}" stretchy="true">{_escape_text(sign.text)}</mo>' if sign.text else ""


def make_sized_bracket(sign: Sign, size: str) -> Atom:
    """Make a bracket, bar or stroke of a given height."""
    is_bracket = sign.kind in _FORMS
    spacing = f'form="{_FORMS[sign.kind]}"' if is_bracket else 'lspace="0.1667em" rspace="0"'
    height = f'minsize="{size}" maxsize="{size}" stretchy="true" symmetric="true"'
    return Atom(f"<mo {spacing} {height}>{_escape_text(sign.text)}</mo>", sign.kind)


def join_bracketed(before: list[Atom], close: Atom) -> Atom:
    """Remove everything from the matching bracket on from ``before``, and join it into one row."""
    n_open = 1
    for i in reversed(range(len(before))):
        n_open += {CLOSE: 1, OPEN: -1}.get(before[i].kind, 0)
        if not n_open:
            inside = before[i:]
            del before[i:]
            return Atom(f"<mrow>{join_spaced([*inside, close])}</mrow>")
    return close


def add_scripts(base: Atom, primes: str, below: str, above: str) -> Atom:
    """Add subscript, superscript and primes to an element.

    >>> add_scripts(Atom("<mi>p</mi>"), "", "<mi>j</mi>", "").markup
    '<msub><mi>p</mi><mi>j</mi></msub>'
    """
    # A prime is small and high as it is: it goes beside, not above.
    markup = f"<mrow>{base.markup}{primes}</mrow>" if primes else base.markup
    if not below and not above:
        return Atom(markup, base.kind)
    has_limits = base.kind == LARGE or markup in _LIMITED
    name = _NAMES[has_limits][bool(below) + 2 * bool(above)]
    return Atom(f"<{name}>{_LIMITED.get(markup, markup)}{below}{above}</{name}>", base.kind)


_NAMES = {
    False: ("", "msub", "msup", "msubsup"),
    True: ("", "munder", "mover", "munderover"),
}
# In display formulas, browsers put limits below a name only if it is an operator.
_LIMITED = {
    f"<mi>{name}</mi>": f'<mo movablelimits="true"{_TIGHT}>{name}</mo>'
    for name in ("max", "min", "Pr")
}


def make_identifier(name: str) -> str:
    """Make a name in upright letters, as browsers show names of several letters.

    >>> make_identifier("AP"), make_identifier("P")
    ('<mi>AP</mi>', '<mi mathvariant="normal">P</mi>')
    """
    variant = ' mathvariant="normal"' if len(name) == 1 else ""
    return f"<mi{variant}>{_escape_text(name)}</mi>"


def make_slanted(name: str) -> str:
    """Make a name in slanted letters: browsers slant only letters alone in their element."""
    return wrap_in_row("".join(f"<mi>{_escape_text(letter)}</mi>" for letter in name), len(name))


def make_sentence(text: str) -> str:
    """Make words; white space at the ends of an element would not be shown."""
    unbroken = re.sub(r"\s+", "\N{NO-BREAK SPACE}", text)
    return f"<mtext>{_escape_text(unbroken)}</mtext>"


def wrap_in_row(content: str, n: int) -> str:
    """Wrap several elements in one row."""
    return content if n == 1 else f"<mrow>{content}</mrow>"


def join_spaced(atoms: list[Atom]) -> str:
    """Join the elements, with space between names of functions and their arguments."""
    parts = ""
    for i, atom in enumerate(atoms):
        before = atoms[i - 1].kind if i else ""
        after = atoms[i + 1].kind if i + 1 < len(atoms) else ""
        if atom.kind == NAME and before in (WORD, CLOSE):
            parts += _THIN
        parts += atom.markup
        if atom.kind == NAME and after in (OPEN, WORD, NAME):
            parts += _APPLIED + ("" if after == OPEN else _THIN)
    return parts


def _escape_text(text: str) -> str:
    return escape(sanitize_text(text))


_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\.{2,}|\s+|.", re.S)
_SCRIPTS = ("_", "^", "'")
_DEEPEST = 50


def parse_tex(tex: str) -> str:
    """Parse a formula into the MathML elements that show it.

    >>> parse_tex(r"\\frac{1}{R}")
    '<mfrac><mn>1</mn><mi>R</mi></mfrac>'

    Raises:
        OutputError: The formula contains unknown TeX.
    """
    return join_spaced(_TexParser(tex).read_atoms(""))


class _TexParser:
    """A parser of one formula; ``small`` marks what is above or below something else."""

    def __init__(self, tex: str) -> None:
        self._tex = tex
        self._tokens = _TOKEN.findall(tex)[::-1]
        self._depth = 0

    def read_atoms(self, end: str, *, small: bool = False) -> list[Atom]:
        """Read everything up to and including a token."""
        parts: list[Atom] = []
        while (token := self._take()) != end:
            atom = self._read_atom(token, parts, small)
            if atom.kind == CLOSE and self._peek() in _SCRIPTS:
                atom = join_bracketed(parts, atom)
            parts.append(self._read_scripts(atom))
        return parts

    def _peek(self) -> str:
        """Return the next token without taking it; at the end it is empty."""
        while self._tokens and self._tokens[-1].isspace():
            self._tokens.pop()
        return self._tokens[-1] if self._tokens else ""

    def _take(self) -> str:
        self._peek()
        return self._tokens.pop() if self._tokens else ""

    def _read_atom(self, token: str, before: list[Atom], small: bool) -> Atom:
        if token in _COMMANDS:
            return self._read_command(_COMMANDS[token], small)
        if token in SIZES:
            return make_sized_bracket(self._read_delimiter(), SIZES[token])
        if token in SIGNS:
            return make_sign(SIGNS[token], before, small)
        if token[:1].isdigit() and token.isascii():
            return Atom(f"<mn>{token}</mn>")
        if token.isalpha():
            return Atom(f"<mi>{token}</mi>")
        if token.startswith(".."):
            return make_sign(Sign(token, TIGHT), before, small)
        self._refuse(f"'{token}' is not known" if token else "it ends too early")

    def _read_command(self, command: "_Command", small: bool) -> Atom:
        self._depth += 1
        if self._depth > _DEEPEST:
            self._refuse("it is nested too deeply")
        atom = command(self, small)
        self._depth -= 1
        return atom

    def _read_scripts(self, base: Atom) -> Atom:
        """Read what is below and above an element, and add it."""
        scripts = {"'": "", "_": "", "^": ""}
        while (sign := self._peek()) in _SCRIPTS:
            self._take()
            if scripts[sign] and sign != "'":
                self._refuse(f"'{sign}' stands twice")
            scripts[sign] += PRIME if sign == "'" else self._read_argument(small=True)
        return add_scripts(base, *scripts.values())

    def _read_argument(self, *, small: bool) -> str:
        """Read the argument of a command as one element: a token, or everything between braces."""
        return self._read_atom(self._take(), [], small).markup

    def _read_words(self) -> str:
        """Read the text between braces, unparsed."""
        if (first := self._take()) != "{":
            self._refuse(f"a text in braces is expected, not '{first}'")
        parts = ""
        while self._tokens and self._tokens[-1] != "}":
            parts += self._tokens.pop()
        if not self._take() or re.search(r"[\\{]", parts):
            self._refuse(f"a text in braces is expected, not '{parts}'")
        return parts

    def _read_delimiter(self) -> Sign:
        token = self._take()
        sign = Sign("", FENCE) if token == "." else SIGNS.get(token)
        if sign is None or (sign.kind not in DELIMITERS and sign.text != "/"):
            self._refuse(f"'{token}' is not a delimiter")
        return sign

    def _read_group(self, small: bool) -> Atom:
        atoms = self.read_atoms("}", small=small)
        return Atom(wrap_in_row(join_spaced(atoms), len(atoms)))

    def _read_fraction(self, small: bool) -> Atom:
        return Atom(
            f"<mfrac>{self._read_argument(small=small)}{self._read_argument(small=small)}</mfrac>"
        )

    def _read_small_fraction(self, small: bool) -> Atom:
        return Atom(f'<mstyle displaystyle="false">{self._read_fraction(small).markup}</mstyle>')

    def _read_binomial(self, small: bool) -> Atom:
        arguments = self._read_argument(small=small) + self._read_argument(small=small)
        inside = f'<mfrac linethickness="0">{arguments}</mfrac>'
        return Atom(f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>")

    def _read_root(self, small: bool) -> Atom:
        return Atom(f"<msqrt>{self._read_argument(small=small)}</msqrt>")

    def _read_fenced(self, small: bool) -> Atom:
        left = make_fence(self._read_delimiter(), "prefix")
        inside = join_spaced(self.read_atoms(r"\right", small=small))
        return Atom(f"<mrow>{left}{inside}{make_fence(self._read_delimiter(), 'postfix')}</mrow>")

    def _read_upright(self, small: bool) -> Atom:
        return Atom(make_identifier(self._read_words()))

    def _read_function(self, small: bool) -> Atom:
        return Atom(make_identifier(self._read_words()), NAME)

    def _read_slanted(self, small: bool) -> Atom:
        return Atom(make_slanted(self._read_words()))

    def _read_sentence(self, small: bool) -> Atom:
        return Atom(make_sentence(self._read_words()))

    def _refuse(self, reason: str) -> NoReturn:
        message = f"formula '{sanitize_text(self._tex)}': {sanitize_text(reason)}."
        raise OutputError(message, code="bad-declaration")


_Command = Callable[[_TexParser, bool], Atom]
_COMMANDS: dict[str, _Command] = {
    "{": _TexParser._read_group,
    r"\frac": _TexParser._read_fraction,
    r"\dfrac": _TexParser._read_fraction,
    r"\tfrac": _TexParser._read_small_fraction,
    r"\binom": _TexParser._read_binomial,
    r"\sqrt": _TexParser._read_root,
    r"\left": _TexParser._read_fenced,
    r"\mathrm": _TexParser._read_upright,
    r"\operatorname": _TexParser._read_function,
    r"\mathit": _TexParser._read_slanted,
    r"\text": _TexParser._read_sentence,
}


class Html(NamedTuple):
    """HTML that templates do not escape again."""

    text: str

    def __html__(self) -> str:
        return self.text


def split_formulas(text: str) -> list[str | Html]:
    """Split a text at its formulas: formulas become HTML, all else stays text.

    >>> split_formulas("the first $k$ ranks")[1].text
    '<math alttext="k"><mi>k</mi></math>'
    """
    parts: list[str | Html] = []
    end = 0
    for match in FORMULA.finditer(text):
        parts += [
            text[end : match.start()],
            format_formula(match[1] or match[2], display=bool(match[1])),
        ]
        end = match.end()
    return [piece for piece in [*parts, text[end:]] if piece]


def format_formula(tex: str, *, display: bool = False) -> Html:
    """Format a formula as MathML, or as plain text if it has unknown TeX.

    Anyone may declare a measure, and document it with any kind of TeX.

    >>> format_formula(r"\\hbox{a}").text
    '<code>hbox{a}</code>'
    """
    try:
        return Html(convert_to_mathml(tex, display=display))
    except OutputError:
        return Html(f"<code>{_format_alttext(tex)}</code>")


def convert_to_mathml(tex: str, *, display: bool = False) -> str:
    """Convert a formula to MathML; ``display`` is for formulas in a paragraph of their own.

    >>> convert_to_mathml("h_k")
    '<math alttext="h_k"><msub><mi>h</mi><mi>k</mi></msub></math>'

    Raises:
        OutputError: The formula contains unknown TeX.
    """
    block = ' display="block"' if display else ""
    return f'<math{block} alttext="{_format_alttext(tex)}">{parse_tex(tex)}</math>'


def _format_alttext(tex: str) -> str:
    return escape(sanitize_text(" ".join(format_plain_formulas(f"${tex}$").split())))
