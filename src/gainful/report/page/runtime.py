"""Scripts and styles that go into a page."""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from gainful.charts.palette import PALETTE, Colour
from gainful.packages import package
from gainful.report.page.script import script
from gainful.report.page.style import style

# The version that vl-convert 1.9 carries, and does not tell.
_INTERPRETER = "2.0.0"


@cache
def vega() -> str:
    """Vega, as a script that sets ``window.vega``; it is part of the package.

    With it comes the interpreter of its expressions, which needs no right to make code of text.
    """
    converter = package("vl_convert", "report", install="'gainful[report]'")
    # Named in full: what the package calls vega is its default export, and that is empty.
    module = f"/npm/vega@{converter.get_vega_version()}/+esm"
    text: str = converter.javascript_bundle(
        f'import * as all from "{module}";'
        f'import {{expressionInterpreter}} from "/npm/vega-interpreter@{_INTERPRETER}/+esm";'
        "window.vega={...all,expressionInterpreter};"
    )
    return f"(() => {{{text}}})();"  # what it names stays its own


def vega_notices() -> str:
    """Whose Vega is, and under which terms: copies of it must say so."""
    return (files("gainful.report.page") / "vega_notices.txt").read_text(encoding="utf-8")


def own() -> str:
    """Our own script."""
    return _inline(script())


def styles() -> str:
    """Our own styles, after the colours that they name."""
    return _colours() + style()


def policy(*scripts: str) -> str:
    """What the page may do: draw what is in it and run these scripts, nothing else."""
    hashes = " ".join(f"'sha256-{_digest(text)}'" for text in scripts)
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src {hashes}; base-uri 'none'; form-action 'none'"
    )


def _inline(text: str) -> str:
    """A script that no text in it ends."""
    return re.sub(r"</(?=script)", r"<\\/", text, flags=re.IGNORECASE).replace("<!--", "<\\!--")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _colours() -> str:
    light, dark = (
        "".join(f"--{name}:{getattr(colour, side)};" for name, colour in PALETTE.items())
        for side in ("light", "dark")
    )
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme:dark)"
        f"{{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        f"{''.join(_repainted(name, colour) for name, colour in PALETTE.items())}"
    )


def _repainted(name: str, colour: Colour) -> str:
    """The rules by which what charts paint in a colour follows the page."""
    return "".join(
        f'.view [{paint}="{colour.light}"]{{{paint}:var(--{name})}}\n'
        for paint in ("fill", "stroke")
    )
