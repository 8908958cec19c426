"""TeX read token by token: the part of it that measures are documented with."""

import re
from collections.abc import Callable
from typing import NoReturn

from gainful.errors import OutputError
from gainful.report import math_elements as made
from gainful.report import tex_signs as kinds
from gainful.report.math_elements import Atom
from gainful.report.shown import shown
from gainful.report.tex_signs import SIGNS, SIZES, Sign

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\.{2,}|\s+|.", re.S)
_SCRIPTS = ("_", "^", "'")
_DEEPEST = 50


def elements(tex: str) -> str:
    """The elements of MathML that show a formula.

    >>> elements(r"\\frac{1}{R}")
    '<mfrac><mn>1</mn><mi>R</mi></mfrac>'

    Raises:
        OutputError: The formula holds TeX that is not known here.
    """
    return made.spaced(_Reader(tex).atoms(""))


class _Reader:
    """A formula that is being read; ``small`` is what stands above or below something else."""

    def __init__(self, tex: str) -> None:
        self._tex = tex
        self._tokens = _TOKEN.findall(tex)[::-1]
        self._depth = 0

    def atoms(self, end: str, *, small: bool = False) -> list[Atom]:
        """Everything up to a token, which is taken as well."""
        found: list[Atom] = []
        while (token := self._take()) != end:
            atom = self._atom(token, found, small)
            if atom.kind == kinds.CLOSE and self._next() in _SCRIPTS:
                atom = made.bracketed(found, atom)
            found.append(self._scripted(atom))
        return found

    def _next(self) -> str:
        """The token that will be taken; at the end it is empty."""
        while self._tokens and self._tokens[-1].isspace():
            self._tokens.pop()
        return self._tokens[-1] if self._tokens else ""

    def _take(self) -> str:
        self._next()
        return self._tokens.pop() if self._tokens else ""

    def _atom(self, token: str, before: list[Atom], small: bool) -> Atom:
        if token in _COMMANDS:
            return self._command(_COMMANDS[token], small)
        if token in SIZES:
            return made.sized(self._delimiter(), SIZES[token])
        if token in SIGNS:
            return made.sign(SIGNS[token], before, small)
        if token[:1].isdigit() and token.isascii():
            return Atom(f"<mn>{token}</mn>")
        if token.isalpha():
            return Atom(f"<mi>{token}</mi>")
        if token.startswith(".."):
            return made.sign(Sign(token, kinds.TIGHT), before, small)
        self._refuse(f"'{token}' is not known" if token else "it ends too early")

    def _command(self, command: "_Command", small: bool) -> Atom:
        self._depth += 1
        if self._depth > _DEEPEST:
            self._refuse("it is nested too deeply")
        atom = command(self, small)
        self._depth -= 1
        return atom

    def _scripted(self, base: Atom) -> Atom:
        """What was read, with what stands below and above it."""
        scripts = {"'": "", "_": "", "^": ""}
        while (sign := self._next()) in _SCRIPTS:
            self._take()
            if scripts[sign] and sign != "'":
                self._refuse(f"'{sign}' stands twice")
            scripts[sign] += made.PRIME if sign == "'" else self._argument(small=True)
        return made.scripted(base, *scripts.values())

    def _argument(self, *, small: bool) -> str:
        """What a command applies to, as one element: a token, or all between braces."""
        return self._atom(self._take(), [], small).markup

    def _words(self) -> str:
        """What stands between braces, as it stands."""
        if (first := self._take()) != "{":
            self._refuse(f"a text in braces is expected, not '{first}'")
        found = ""
        while self._tokens and self._tokens[-1] != "}":
            found += self._tokens.pop()
        if not self._take() or re.search(r"[\\{]", found):
            self._refuse(f"a text in braces is expected, not '{found}'")
        return found

    def _delimiter(self) -> Sign:
        token = self._take()
        sign = Sign("", kinds.FENCE) if token == "." else SIGNS.get(token)
        if sign is None or (sign.kind not in kinds.DELIMITERS and sign.text != "/"):
            self._refuse(f"'{token}' is not a delimiter")
        return sign

    def _group(self, small: bool) -> Atom:
        atoms = self.atoms("}", small=small)
        return Atom(made.row(made.spaced(atoms), len(atoms)))

    def _fraction(self, small: bool) -> Atom:
        return Atom(f"<mfrac>{self._argument(small=small)}{self._argument(small=small)}</mfrac>")

    def _small_fraction(self, small: bool) -> Atom:
        return Atom(f'<mstyle displaystyle="false">{self._fraction(small).markup}</mstyle>')

    def _choice(self, small: bool) -> Atom:
        both = self._argument(small=small) + self._argument(small=small)
        inside = f'<mfrac linethickness="0">{both}</mfrac>'
        return Atom(f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>")

    def _root(self, small: bool) -> Atom:
        return Atom(f"<msqrt>{self._argument(small=small)}</msqrt>")

    def _fenced(self, small: bool) -> Atom:
        left = made.fence(self._delimiter(), "prefix")
        inside = made.spaced(self.atoms(r"\right", small=small))
        return Atom(f"<mrow>{left}{inside}{made.fence(self._delimiter(), 'postfix')}</mrow>")

    def _upright(self, small: bool) -> Atom:
        return Atom(made.identifier(self._words()))

    def _function(self, small: bool) -> Atom:
        return Atom(made.identifier(self._words()), kinds.NAME)

    def _slanted(self, small: bool) -> Atom:
        return Atom(made.slanted(self._words()))

    def _sentence(self, small: bool) -> Atom:
        return Atom(made.sentence(self._words()))

    def _refuse(self, reason: str) -> NoReturn:
        message = f"formula '{shown(self._tex)}': {shown(reason)}."
        raise OutputError(message, code="bad-declaration")


_Command = Callable[[_Reader, bool], Atom]
_COMMANDS: dict[str, _Command] = {
    "{": _Reader._group,
    r"\frac": _Reader._fraction,
    r"\dfrac": _Reader._fraction,
    r"\tfrac": _Reader._small_fraction,
    r"\binom": _Reader._choice,
    r"\sqrt": _Reader._root,
    r"\left": _Reader._fenced,
    r"\mathrm": _Reader._upright,
    r"\operatorname": _Reader._function,
    r"\mathit": _Reader._slanted,
    r"\text": _Reader._sentence,
}
