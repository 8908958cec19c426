"""What the measures are: formula, reference, and how to read nDCG."""

import re
from typing import Any

from gainful.experiment.result import Experiment
from gainful.measures import REGISTRY, Measure
from gainful.report.formulas import plain
from gainful.report.mathml import Html, pieces
from gainful.report.page.parts import TEXT, Column, Section, Table, table

_ALWAYS = ("CG", "DCG", "IDCG", "nDCG")
_BANDS = (
    ("1", "no other ranking of the judged items could do better"),
    ("0.9 and above", "nearly ideal: at most small exchanges are left"),
    ("0.7 to 0.9", "good: the best items are near the top, some too low"),
    ("0.5 to 0.7", "fair: much that is relevant stands too low or is missing"),
    ("0.3 to 0.5", "weak: people have to look for what they want"),
    ("below 0.3", "poor: little that is relevant is near the top"),
    ("0", "nothing relevant in the ranks that count, or nothing relevant is known"),
)


def section(experiment: Experiment) -> Section:
    """Every measure that was used, those that nDCG is made of, and the reading aid."""
    names = dict.fromkeys([*(m.name for m in experiment.measures), *_ALWAYS])
    entries = [_entry(REGISTRY[name]) for name in names if name in REGISTRY]
    return Section("glossary", "Glossary", {"entries": entries, "bands": _bands()})


def _entry(measure: Measure) -> dict[str, Any]:
    """Name, and documentation paragraph by paragraph."""
    summary, *rest = re.split(r"\n\s*\n", measure.documentation.strip())
    paragraphs = [_paragraph(text) for text in rest if text.strip()]
    return {"name": measure.name, "summary": _parts(summary), "paragraphs": paragraphs}


def _paragraph(text: str) -> dict[str, Any]:
    stripped = text.strip()
    is_formula = stripped.startswith("$$") and stripped.endswith("$$")
    is_reference = stripped.startswith("Reference")
    kind = "formula" if is_formula else "reference" if is_reference else "text"
    return {"kind": kind, "parts": _parts(stripped)}


def _parts(text: str) -> list[tuple[str | Html, bool]]:
    """Pieces of text and formulas, and whether each is code."""
    found: list[tuple[str | Html, bool]] = []
    for piece in pieces(text):
        if isinstance(piece, Html):
            found.append((piece, False))
        else:
            words = re.sub(r"\s+", " ", plain(piece)).split("`")
            found += [(part, i % 2 == 1) for i, part in enumerate(words) if part]
    return found


def _bands() -> Table:
    columns = [Column("nDCG", TEXT), Column("what it often means", TEXT)]
    return table("bands-table", "Reading aid for nDCG", columns, [list(band) for band in _BANDS])
