"""Notebooks as Markdown: what stands in their cells, and what came of them when they were run."""

import json
from html import escape
from itertools import count
from typing import Any

from gainful.report.html.parts import clean_svg

# What is shown of an output that has several forms, best first. HTML of charts would load scripts.
_FORMS = ("image/svg+xml", "image/png", "text/html", "text/markdown", "text/plain")


def as_markdown(notebook: str) -> str:
    """A notebook's cells as Markdown; outputs are pictures, HTML or text.

    >>> cell = {"cell_type": "code", "source": ["1 + 1"], "outputs": []}
    >>> print(as_markdown(json.dumps({"cells": [cell]})))
    ```python
    1 + 1
    ```
    <BLANKLINE>
    """
    cells = json.loads(notebook)["cells"]
    return "\n\n".join(part for n, cell in enumerate(cells) for part in _cell(cell, n)) + "\n"


def _cell(cell: dict[str, Any], number: int) -> list[str]:
    text = _text(cell["source"])
    if cell["cell_type"] == "markdown":
        return [text]
    names = (f"cell-{number}-{place}" for place in count())
    shown = [_output(*one) for one in zip(cell["outputs"], names, strict=False)]
    return [f"```python\n{text}\n```", *filter(None, shown)]


def _output(output: dict[str, Any], name: str) -> str:
    if output["output_type"] == "stream":
        return _plain(_text(output["text"]))
    if output["output_type"] == "error":
        raise ValueError(f"a cell of the notebook failed: {output['evalue']}")
    data = output["data"]
    form = next(form for form in _FORMS if form in data)
    value = _text(data[form])
    if form == "image/png":
        described = escape(_text(data.get("text/plain", "")))
        return f'<img alt="{described}" src="data:image/png;base64,{value.strip()}">'
    if form == "image/svg+xml":
        return f'<div class="chart">{_one_block(clean_svg(value, name))}</div>'
    if form == "text/html":
        return f'<div class="output">{_one_block(value)}</div>'
    return value if form == "text/markdown" else _plain(value)


def _one_block(markup: str) -> str:
    """The markup without blank lines, which would end a block of HTML."""
    return "\n".join(line for line in markup.splitlines() if line.strip())


def _plain(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def _text(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
