"""Every dependency is listed with a license that lets people use Gainful as they like."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "licenses.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PERMISSIVE = {
    *("MIT", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "ISC", "PSF-2.0", "Zlib"),
    *("CC0-1.0", "Unlicense", "HPND", "MIT-CMU", "Python-2.0"),
}
WITH_TERMS_FOR_ITS_OWN_FILES = {"MPL-2.0"}  # a tool may have them, the package may not


def listed(section):
    """The licenses of the packages in a section."""
    body = re.split(rf"^## {section}$", PAGE, flags=re.MULTILINE)[1].split("\n## ")[0]
    return dict(re.findall(r"^\| ([a-z0-9-]+) \| (.+) \|$", body, re.MULTILINE)[1:])


def names(requirements):
    return {canonicalize_name(Requirement(requirement).name) for requirement in requirements} - {
        "gainful"
    }


def parts(license):
    return set(re.split(r" (?:AND|OR|WITH) ", license))


EXTRAS = PROJECT["project"]["optional-dependencies"]
SHIPPED = {
    "Always": PROJECT["project"]["dependencies"],
    "report": EXTRAS["report"],
    "spark": [*EXTRAS["spark"], *EXTRAS["spark-connect"]],
    "To build": PROJECT["build-system"]["requires"],
}
DEVELOPED = [
    requirement
    for extra, requirements in EXTRAS.items()
    if extra not in SHIPPED
    for requirement in requirements
]


def test_every_dependency_is_listed():
    for section, requirements in SHIPPED.items():
        assert names(requirements) <= listed(section).keys(), section
    assert names(DEVELOPED) - names(SHIPPED["spark"]) <= listed("To develop").keys()


def test_all_that_is_installed_with_the_package_is_permissive():
    for section in SHIPPED:
        for name, license in listed(section).items():
            assert parts(license) <= PERMISSIVE, name


def test_what_is_used_to_develop_has_a_known_license():
    for name, license in listed("To develop").items():
        assert parts(license) <= PERMISSIVE | WITH_TERMS_FOR_ITS_OWN_FILES, name


def test_what_is_inside_the_package_and_its_pages_is_listed():
    for name in ("nanobind", "robin-map", "Vega", "D3"):
        assert f"[{name}](" in PAGE
