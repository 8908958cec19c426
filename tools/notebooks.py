"""Run the notebooks of docs/ from top to bottom in a fresh kernel, and keep their outputs.

python tools/notebooks.py writes the outputs into the files; a test compares them with a run.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
# Run before the first cell and after the last, and not kept: a kernel that ends warns of itself.
_SETUP = "import warnings; warnings.simplefilter('error')"
_TEARDOWN = "import warnings; warnings.simplefilter('ignore')"


def read_notebook(path: Path) -> Any:
    """Return a notebook as stored."""
    return nbformat.read(path, as_version=4)


def run_notebook(path: Path, folder: Path) -> Any:
    """Return the notebook with new outputs, run in a folder where warnings are errors."""
    notebook = read_notebook(path)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    cells = notebook.cells
    setup, teardown = (nbformat.v4.new_code_cell(code) for code in (_SETUP, _TEARDOWN))
    notebook.cells = [setup, *cells, teardown]
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}})
    with ThreadPoolExecutor(1) as pool:  # where no loop of the caller's is running
        pool.submit(lambda: asyncio.run(client.async_execute())).result()
    notebook.cells = cells
    for number, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), start=1):
        _normalize_cell(cell, number)
    notebook.metadata = read_notebook(path).metadata
    return notebook


def _normalize_cell(cell: Any, number: int) -> None:
    """Remove the parts that differ from run to run, and number the cell."""
    cell.metadata = {}
    cell.execution_count = number
    for output in cell.outputs:
        if "execution_count" in output:
            output.execution_count = number


def main() -> None:
    """Run all notebooks, or those that are named, and write them again."""
    stems = {Path(name).stem for name in sys.argv[1:]}
    for path in NOTEBOOKS:
        if not stems or path.stem in stems:
            notebook = run_notebook(path, ROOT / "docs")
            nbformat.write(notebook, path)
            print(f"{path.name}: {len(notebook.cells)} cells")


if __name__ == "__main__":
    main()
