"""Elements of MathML, with the space around them that TeX gives them."""

import re
from html import escape
from typing import NamedTuple

from gainful.report import tex_signs as kinds
from gainful.report.shown import shown
from gainful.report.tex_signs import Sign

_TIGHT = ' lspace="0" rspace="0"'
_THIN = '<mspace width="0.1667em"/>'
_APPLIED = "<mo>&#8289;</mo>"
_FORMS = {kinds.OPEN: "prefix", kinds.CLOSE: "postfix"}
# What a sign of calculation follows if it joins two things, and is not the sign of one.
_ENDS = (kinds.WORD, kinds.CLOSE, kinds.TIGHT)
PRIME = f"<mo{_TIGHT}>\N{PRIME}</mo>"


class Atom(NamedTuple):
    """One element, and of which kind it is: the kind decides on the space around it."""

    markup: str
    kind: str = kinds.WORD


def sign(sign: Sign, before: list[Atom], small: bool) -> Atom:
    """A sign, after what was read before it.

    >>> sign(Sign("+", kinds.JOIN), [Atom("<mi>n</mi>")], small=False).markup
    '<mo>+</mo>'
    """
    text = _text(sign.text)
    match sign.kind:
        case kinds.WORD:
            return Atom(f"<mi>{text}</mi>")
        case kinds.NAME:
            return Atom(identifier(sign.text), kinds.NAME)
        case kinds.SPACE:
            return Atom(f'<mspace width="{text}"/>', kinds.SPACE)
        case kinds.OPEN | kinds.CLOSE | kinds.FENCE:
            return _bracket(text, sign.kind, before)
    last = next((atom.kind for atom in reversed(before) if atom.kind != kinds.SPACE), "")
    return Atom(f"<mo{_around(sign, last, small)}>{text}</mo>", sign.kind)


def _around(sign: Sign, last: str, small: bool) -> str:
    """The attributes that put as much space around a sign as it should have."""
    if sign.kind == kinds.LARGE:
        return ' lspace="0"' if last in ("", kinds.OPEN, kinds.RELATION) else ""
    if small or sign.kind == kinds.TIGHT:
        return _TIGHT
    if sign.kind == kinds.JOIN and last not in _ENDS:
        return ' form="prefix"'
    return ' lspace="0.2778em" rspace="0.2778em"' if sign.text == ":" else ""


def _bracket(text: str, kind: str, before: list[Atom]) -> Atom:
    """A bracket that stays as high as the line; bars open and close in turn."""
    if kind == kinds.FENCE:
        n = sum(atom.kind in _FORMS and atom.markup.endswith(f">{text}</mo>") for atom in before)
        kind = kinds.CLOSE if n % 2 else kinds.OPEN
    return Atom(f'<mo form="{_FORMS[kind]}" stretchy="false">{text}</mo>', kind)


def fence(sign: Sign, form: str) -> str:
    """A bracket as high as what it holds; no element if there is no sign."""
    return f'<mo form="{form}" stretchy="true">{_text(sign.text)}</mo>' if sign.text else ""


def sized(sign: Sign, size: str) -> Atom:
    """A bracket, bar or stroke of a given height."""
    is_bracket = sign.kind in _FORMS
    how = f'form="{_FORMS[sign.kind]}"' if is_bracket else 'lspace="0.1667em" rspace="0"'
    height = f'minsize="{size}" maxsize="{size}" stretchy="true" symmetric="true"'
    return Atom(f"<mo {how} {height}>{_text(sign.text)}</mo>", sign.kind)


def bracketed(before: list[Atom], close: Atom) -> Atom:
    """All from the bracket that is closed, taken from what was read before: it goes together."""
    n_open = 1
    for i in reversed(range(len(before))):
        n_open += {kinds.CLOSE: 1, kinds.OPEN: -1}.get(before[i].kind, 0)
        if not n_open:
            inside = before[i:]
            del before[i:]
            return Atom(f"<mrow>{spaced([*inside, close])}</mrow>")
    return close


def scripted(base: Atom, primes: str, below: str, above: str) -> Atom:
    """An element with what stands below and above it.

    >>> scripted(Atom("<mi>p</mi>"), "", "<mi>j</mi>", "").markup
    '<msub><mi>p</mi><mi>j</mi></msub>'
    """
    # A prime is small and high as it is: it goes beside, not above.
    markup = f"<mrow>{base.markup}{primes}</mrow>" if primes else base.markup
    if not below and not above:
        return Atom(markup, base.kind)
    has_limits = base.kind == kinds.LARGE or markup in _LIMITED
    name = _NAMES[has_limits][bool(below) + 2 * bool(above)]
    return Atom(f"<{name}>{_LIMITED.get(markup, markup)}{below}{above}</{name}>", base.kind)


_NAMES = {
    False: ("", "msub", "msup", "msubsup"),
    True: ("", "munder", "mover", "munderover"),
}
# Below a name that is an operator, browsers put what goes below it in formulas that stand alone.
_LIMITED = {
    f"<mi>{name}</mi>": f'<mo movablelimits="true"{_TIGHT}>{name}</mo>'
    for name in ("max", "min", "Pr")
}


def identifier(name: str) -> str:
    """A name in upright letters, which is how browsers show those of several letters.

    >>> identifier("AP"), identifier("P")
    ('<mi>AP</mi>', '<mi mathvariant="normal">P</mi>')
    """
    variant = ' mathvariant="normal"' if len(name) == 1 else ""
    return f"<mi{variant}>{_text(name)}</mi>"


def slanted(name: str) -> str:
    """A name in slanted letters: browsers slant only those that are alone in their element."""
    return row("".join(f"<mi>{_text(letter)}</mi>" for letter in name), len(name))


def sentence(text: str) -> str:
    """Words; white space at the ends of an element would not be shown."""
    kept = re.sub(r"\s+", "\N{NO-BREAK SPACE}", text)
    return f"<mtext>{_text(kept)}</mtext>"


def row(content: str, n: int) -> str:
    """Elements as one element."""
    return content if n == 1 else f"<mrow>{content}</mrow>"


def spaced(atoms: list[Atom]) -> str:
    """The elements one after the other, names of functions set off from what they apply to."""
    found = ""
    for i, atom in enumerate(atoms):
        before = atoms[i - 1].kind if i else ""
        after = atoms[i + 1].kind if i + 1 < len(atoms) else ""
        if atom.kind == kinds.NAME and before in (kinds.WORD, kinds.CLOSE):
            found += _THIN
        found += atom.markup
        if atom.kind == kinds.NAME and after in (kinds.OPEN, kinds.WORD, kinds.NAME):
            found += _APPLIED + ("" if after == kinds.OPEN else _THIN)
    return found


def _text(text: str) -> str:
    return escape(shown(text))
