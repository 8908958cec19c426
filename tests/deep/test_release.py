"""What a release says of itself, in every place that says it."""

import datetime
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import gainful

ROOT = Path(__file__).parents[2]
NEWEST = re.search(
    r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
)


@pytest.fixture(scope="module")
def citation():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_change_log_begins_with_the_version_of_the_package():
    assert NEWEST is not None
    assert NEWEST[1] == gainful.__version__


def test_the_citation_names_the_version_and_the_day_of_the_change_log(citation):
    assert citation["version"] == gainful.__version__
    assert citation["date-released"] == NEWEST[2]
    assert datetime.date.fromisoformat(citation["date-released"])


# The Citation File Format, 1.2.0: what must be there, what may, and the kinds of values.
def test_the_citation_has_the_keys_of_its_format(citation):
    required = {"cff-version", "message", "title", "authors"}
    optional = {"abstract", "date-released", "keywords", "license", "type", "version"}
    assert required <= citation.keys() <= required | optional
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in ("software", "dataset")
    assert all(isinstance(word, str) for word in citation["keywords"])
    assert len(set(citation["keywords"])) == len(citation["keywords"])


def test_the_citation_has_the_authors_and_the_license_of_the_package(citation, project):
    assert citation["authors"] == project["authors"] == [{"name": "The Gainful authors"}]
    assert citation["license"] == project["license"] == "MIT"


def test_the_package_calls_itself_stable(project):
    assert "Development Status :: 5 - Production/Stable" in project["classifiers"]


def test_notices_of_what_is_linked_into_the_native_core_come_with_the_package(project):
    notices = (ROOT / "THIRD-PARTY.txt").read_text(encoding="utf-8")
    assert project["license-files"] == ["LICENSE", "THIRD-PARTY.txt"]
    assert "Wenzel Jakob" in notices
    assert "Thibaut Goetghebuer-Planchon" in notices
