"""What other tools would make of the run that a report is about."""

from dataclasses import replace
from typing import Any

from gainful.dialects import Dialect
from gainful.measures import Measure
from gainful.rules import Rules
from gainful.sources import Judgments, Run
from gainful.translation.result import Rosetta
from gainful.translation.rosetta import reporting, rosetta

OURS = "this report"


def rosetta_or_why_not(
    judgments: Judgments, run: Run, measure: Measure, rules: Rules, reading: Any
) -> tuple[Rosetta | None, str | None]:
    """The measure of one run in every dialect, beside that of the report; or why there is none."""
    if not reporting(measure):
        return None, f"no other tool is known to report {measure.name}."
    own = Dialect(
        name=OURS,
        tool="Gainful",
        function="report",
        summary="The measure and the rules of this report.",
        settings=dict(measure.settings),
        rules=rules,
        measures=(measure.name,),
    )
    # Other tools have settings of their own; of ours they share the cutoff alone.
    asked = replace(measure, settings=(), stated=())
    k = dict(measure.settings).get("cutoff")
    return rosetta(judgments, run, k, measure=asked, reference=own, **reading), None
