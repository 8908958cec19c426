"""Write the Vega that reports hold, src/gainful/report/html/vega.json: ``make vega``.

It is copied from the installed vl-convert, whose specifications it draws, and compressed as pages
hold it. To bundle it takes longer than all else of a report. With --check, nothing is written, and
an outdated file is named.
"""

import json
import sys
from pathlib import Path

import vl_convert

from gainful.report.html.embedded_data import pack, unpack

PATH = Path(__file__).resolve().parent.parent / "src/gainful/report/html/vega.json"
INTERPRETER = "2.0.0"  # the version that vl-convert 1.9 includes; it does not report it


def bundle_vega() -> str:
    """Bundle Vega as a script that sets ``window.vega``.

    The bundle includes the interpreter of its expressions, which does not need the right to
    evaluate code.
    """
    # Named in full: what the package calls vega is its default export, and that is empty.
    module = f"/npm/vega@{vl_convert.get_vega_version()}/+esm"
    text: str = vl_convert.javascript_bundle(
        f'import * as all from "{module}";'
        f'import {{expressionInterpreter}} from "/npm/vega-interpreter@{INTERPRETER}/+esm";'
        "window.vega={...all,expressionInterpreter};"
    )
    return f"(() => {{{text}}})();"  # what it names stays its own


def main() -> int:
    """Write the file, or with --check compare it with the bundle of what is installed."""
    script = bundle_vega()
    if "--check" not in sys.argv:
        PATH.write_text(f'"{pack(script)}"\n', encoding="utf-8")
    elif unpack(json.loads(PATH.read_text(encoding="utf-8"))) != script:
        print(f"{PATH.name}: holds another Vega than vl-convert. Run make vega.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
