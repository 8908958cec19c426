"""A gate as GitHub Actions shows it: annotations of a job."""

from gainful.gating.result import CANNOT_TELL, FAIL, Gate

_TITLE = "gainful gate"
_MOST = 10  # annotations of each kind that GitHub shows for a step


def annotations(gate: Gate) -> list[str]:
    """A workflow command for every check that failed, and one for the verdict where none did.

    What nobody can tell is a warning, what failed an error.

    >>> import gainful
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}}
    >>> before, now = {"q1": ["d1"], "q2": ["d1"]}, {"q1": ["d1"], "q2": ["d2", "d1"]}
    >>> failed = gainful.gate(qrels, before, now, "RR")
    >>> print(*annotations(failed), sep="\\n")
    ::error title=gainful gate%3A RR point::RR drops by 0.2500, from 1.0000 to 0.7500; no more \
than 0.01 is allowed.
    """
    lines = []
    for outcome, command in ((FAIL, "error"), (CANNOT_TELL, "warning")):
        missed = [check for check in gate.deciding if check.outcome == outcome]
        several = missed if len(missed) <= _MOST else missed[: _MOST - 1]
        lines += [
            _command(command, f"{_TITLE}: {check.measure} {check.name}", check.sentence)
            for check in several
        ]
        if len(several) < len(missed):
            more = f"{len(missed) - len(several):,} more checks {outcome}; see the summary."
            lines.append(_command(command, _TITLE, more))
    return lines or [_command("notice", _TITLE, gate.sentence)]


def _command(command: str, title: str, message: str) -> str:
    return f"::{command} title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
