"""Options, commands, rules, measures and pages that a remedy names exist."""

import inspect
import re

import click
import pytest

import gainful
from end_to_end.pages import ROOT
from gainful import Rules
from gainful.cli import gainful as command
from gainful.cli.spark import spark_command
from gainful.diagnostics.codes import CODES
from gainful.measures import parse_measures

PAGES = pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
OF_OTHERS = {"--archives", "--py-files"}  # of spark-submit


def options():
    every = [*command.commands.values(), spark_command]
    named = {name for one in every for option in one.params for name in option.opts}
    return named | {"--install", "-h"} | OF_OTHERS


KNOWN = options()


@PAGES
def test_every_option_and_command_exists(code):
    said = f"{code.cause} {code.remedy}"
    assert [one for one in re.findall(r"(?<![\w-])--[a-z][a-z-]*", said) if one not in KNOWN] == []
    called = re.findall(r"`gainful ([a-z_]+)", said)
    assert [one for one in called if one not in command.commands] == []


@PAGES
def test_every_option_that_has_choices_is_given_one_of_them(code):
    choices = {
        name: set(option.type.choices)
        for one in command.commands.values()
        for option in one.params
        if isinstance(option.type, click.Choice)
        for name in option.opts
        if one.name == "eval"
    }
    for name, value in re.findall(r"(--[a-z-]+) ([a-z0-9-]+)", f"{code.cause} {code.remedy}"):
        assert name not in choices or value in choices[name], (name, value)


@PAGES
def test_every_rule_and_measure_is_one(code):
    said = f"{code.cause} {code.remedy}"
    for rules in re.findall(r"`(Rules\([^`]*\))`", said):
        if "..." not in rules:
            assert isinstance(eval(re.sub(r"=N\b", "=10", rules), {"Rules": Rules}), Rules)
    for text in re.findall(r"`(?:-m )?'?((?:nDCG|P|ERR|RBP)(?:\([^`']*\))?@[\d,]+)'?`", said):
        assert parse_measures(text)


@PAGES
def test_every_page_that_is_named_is_there(code):
    for page in re.findall(r"`((?:docs/)[\w/]+\.md)`", f"{code.cause} {code.remedy}"):
        assert (ROOT / page).exists(), page


@PAGES
def test_every_argument_in_python_is_one_of_something_public(code):
    public = [getattr(gainful, name) for name in gainful.__all__]
    held = {name for one in public if inspect.isfunction(one) for name in one.__code__.co_varnames}
    for name in re.findall(r"`([a-z_]+)=", code.remedy):
        assert name in held | set(Rules.__dataclass_fields__) | ALSO, name


# Arguments of measures, of classes, of methods and of adapters.
ALSO = {"gain", "group_column", "groups", "group", "qid", "group_offsets", "items", "measure"}
ALSO |= {"n_users", "order", "partitions", "prefix", "queries", "run_id", "shape", "spark", "to"}
ALSO |= {"mode", "arithmetic", "group_sizes", "query_ids", "list_size", "labels", "by"}
