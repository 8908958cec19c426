"""Notebooks as Markdown: their cells and the outputs of their last run."""

import json
from html import escape
from itertools import count
from typing import Any

from gainful.report.html.parts import clean_svg

# The forms of an output, best first; only the first is shown. HTML of charts would load scripts.
_FORMS = ("image/svg+xml", "image/png", "text/html", "text/markdown", "text/plain")


def format_notebook(notebook: str) -> str:
    """Return a notebook's cells as Markdown; outputs are pictures, HTML or text.

    >>> cell = {"cell_type": "code", "source": ["1 + 1"], "outputs": []}
    >>> print(format_notebook(json.dumps({"cells": [cell]})))
    ```python
    1 + 1
    ```
    <BLANKLINE>
    """
    cells = json.loads(notebook)["cells"]
    return (
        "\n\n".join(part for n, cell in enumerate(cells) for part in _format_cell(cell, n)) + "\n"
    )


def _format_cell(cell: dict[str, Any], number: int) -> list[str]:
    text = _join_lines(cell["source"])
    if cell["cell_type"] == "markdown":
        return [text]
    names = (f"cell-{number}-{place}" for place in count())
    outputs = [
        _format_output(output, name) for output, name in zip(cell["outputs"], names, strict=False)
    ]
    return [f"```python\n{text}\n```", *filter(None, outputs)]


def _format_output(output: dict[str, Any], name: str) -> str:
    if output["output_type"] == "stream":
        return _fence_text(_join_lines(output["text"]))
    if output["output_type"] == "error":
        raise ValueError(f"a cell of the notebook failed: {output['evalue']}")
    data = output["data"]
    form = next(form for form in _FORMS if form in data)
    value = _join_lines(data[form])
    if form == "image/png":
        description = escape(_join_lines(data.get("text/plain", "")))
        return f'<img alt="{description}" src="data:image/png;base64,{value.strip()}">'
    if form == "image/svg+xml":
        return f'<div class="chart">{_remove_blank_lines(clean_svg(value, name))}</div>'
    if form == "text/html":
        return f'<div class="output">{_remove_blank_lines(value)}</div>'
    return value if form == "text/markdown" else _fence_text(value)


def _remove_blank_lines(markup: str) -> str:
    """Return the markup without blank lines, which would end a block of HTML."""
    return "\n".join(line for line in markup.splitlines() if line.strip())


def _fence_text(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def _join_lines(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
