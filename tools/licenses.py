"""Write docs/licenses.md: the licenses of all that Gainful depends on, from what is installed.

Run by hand when a dependency is added: ``make licenses``. Versions are left out, since they would
be out of date tomorrow; a test sees to it that every dependency is listed.
"""

import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, cast

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from email.message import Message

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "licenses.md"
# SPDX identifiers of names that packages use.
SPDX = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
# Packages without a license in their metadata, or not installed here; looked up by hand.
KNOWN = {
    "atheris": "Apache-2.0",
    "axe-playwright-python": "MIT",
    "pyspark-client": "Apache-2.0",
    "mlflow-skinny": "Apache-2.0",
}
GROUPS = {
    "Always": "What `pip install gainful` installs, and what these bring.",
    "report": "With `gainful[report]`.",
    "spark": "With `gainful[spark]`; `gainful[spark-connect]` has pyspark-client for pyspark.",
    "To build": "When the native core is compiled. Neither is needed to use a wheel.",
    "To develop": "In tests, benchmarks and documentation. Nothing of these is in the package.",
}
HEAD = """\
<!-- Written by tools/licenses.py; run make licenses. -->
# Licenses

Gainful is under the MIT license. This page lists what it uses, and under which terms; names of
licenses are those of SPDX.

## Inside the package

The native core is linked with two libraries. Their notices are in `THIRD-PARTY.txt`, which every
wheel and every sdist holds.

| library | license | where |
|---|---|---|
| [nanobind](https://github.com/wjakob/nanobind) | BSD-3-Clause | in `gainful/base/_native` |
| [robin-map](https://github.com/Tessil/robin-map) | MIT | the same, as a part of nanobind |

## Inside every report

A page that `gainful report` writes holds Vega, so that its charts can be used without a network.
It is copied from vl-convert into `gainful/report/html/vega.json`; a comment in the page holds the
notices, as does `vega_notices.txt` beside that file.

| library | license |
|---|---|
| [Vega](https://vega.github.io/vega/), with vega-interpreter | BSD-3-Clause |
| [D3](https://d3js.org), topojson-client, internmap, delaunator, in Vega | ISC |
| robust-predicates, in Vega | Unlicense |
"""


def normalize_name(requirement: str) -> str:
    """Return the name of a package as an index writes it."""
    return canonicalize_name(Requirement(requirement).name)


def find_license(name: str) -> str:
    """Return the license of a package as SPDX calls it; exit with a message if it is unknown."""
    if name in KNOWN:
        return KNOWN[name]
    package_metadata = cast("Message", metadata.metadata(name))
    classified = [
        c.rpartition(" :: ")[2]
        for c in package_metadata.get_all("Classifier", [])
        if c[:7] == "License"
    ]
    stated = [
        package_metadata.get("License-Expression"),
        *classified,
        package_metadata.get("License"),
    ]
    for text in filter(None, stated):
        if text in SPDX or len(text) < 80:
            return SPDX.get(text, text)
    sys.exit(f"error: {name} does not say its license; look it up, and add it to KNOWN.")


def list_requirements(requirements: Iterable[str]) -> list[str]:
    """Return the required packages and all their requirements, sorted by name."""
    names: set[str] = set()
    waiting = list(requirements)
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        if name not in names:
            names.add(name)
            needs = [] if name in KNOWN else metadata.requires(name) or []
            waiting += [need for need in needs if _applies(Requirement(need), requirement.extras)]
    return sorted(names)


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def format_table(names: Iterable[str]) -> str:
    """Return the table of the packages."""
    rows = "".join(f"| {name} | {find_license(name)} |\n" for name in names)
    return f"| package | license |\n|---|---|\n{rows}"


def format_page() -> str:
    """Return the whole page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    always = list_requirements(project["project"]["dependencies"])
    dev_extras = [extra for extra in extras if extra not in ("report", "spark", "spark-connect")]
    spark = [*extras["spark"], *extras["spark-connect"]]
    lists = {
        "Always": always,
        "report": [n for n in list_requirements(extras["report"]) if n not in always],
        "spark": [n for n in list_requirements(spark) if n not in always],
        "To build": sorted(map(normalize_name, project["build-system"]["requires"])),
        "To develop": sorted(
            {normalize_name(r) for extra in dev_extras for r in extras[extra]} - {"gainful"}
        ),
    }
    sections = "".join(
        f"\n## {title}\n\n{GROUPS[title]}\n\n{format_table(names)}"
        for title, names in lists.items()
    )
    return HEAD + sections


if __name__ == "__main__":
    PAGE.write_text(format_page(), encoding="utf-8")
