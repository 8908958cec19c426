"""Values that libraries printed for small edge cases, read from ``recorded.json``."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Qrels = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]

_RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text())


@dataclass(frozen=True)
class Case:
    """Judgments and a run, with their items in the order in which the libraries received them."""

    name: str
    qrels: Qrels
    run: Run


@dataclass(frozen=True)
class Record:
    """One value of one library.

    Attributes:
        library: Name of the library, as in the file.
        version: Version that gave the value, with the versions of its environment.
        function: Function that was called.
        params: Arguments of the call, except the cutoff.
        case: Input of the call.
        requested_cutoff: Cutoff to be evaluated; None for none.
        cutoff: Cutoff that was passed to the library instead.
        value: A number in hexadecimal, "nan", {query: number}, {"raised": message}, or "random".
    """

    library: str
    version: str
    function: str
    params: dict[str, Any]
    case: Case
    requested_cutoff: int | None
    cutoff: int | None
    value: Any

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in self.params.items())
        cutoffs = f"{self.requested_cutoff}->{self.cutoff}"
        return f"{self.case.name} {self.function}({arguments}) k={cutoffs}"


def _make_case(entry: dict[str, Any]) -> Case:
    queries = entry["queries"].items()
    qrels = {query: dict(data["qrels"]) for query, data in queries}
    run = {query: dict(data["run"]) for query, data in queries if data["run"]}
    return Case(entry["id"], qrels, run)


CASES = {entry["id"]: _make_case(entry) for entry in _RECORDED["cases"]}
RECORDS = [
    Record(call["library"], call["version"], call["function"], call["params"], CASES[case], *row)
    for call in _RECORDED["libraries"]
    for case, *row in call["records"]
]
LIBRARIES = list(dict.fromkeys(record.library for record in RECORDS))
