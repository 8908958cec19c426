"""The notices, what is wrong first."""

from collections.abc import Iterable

from gainful.experiment.result import Experiment
from gainful.notices import SEVERITIES, Notice
from gainful.report.page.parts import Section
from gainful.tables import printable


def section(experiment: Experiment) -> Section:
    """What a reader of the numbers should know."""
    return Section("notices", "Notices", {"notices": said(experiment.notices)})


def said(notices: Iterable[Notice]) -> list[dict[str, str]]:
    """Severity, sentence and code of every notice, each once, the most severe first."""
    order = list(SEVERITIES)
    ranked = sorted(notices, key=lambda one: order.index(one.severity))
    each = [(one.severity, printable(str(one)), one.code) for one in ranked]
    return [
        {"severity": severity, "text": text, "code": code}
        for severity, text, code in dict.fromkeys(each)
    ]
