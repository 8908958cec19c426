"""Options, commands, rules, measures and pages that a remedy names exist."""

import inspect
import re

import click
import pytest

import gainful
from end_to_end.pages import ROOT
from gainful import Rules
from gainful.cli import gainful as cli
from gainful.cli.spark import spark_command
from gainful.diagnostics.codes import CODES
from gainful.measures import parse_measures

for_every_page = pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
SPARK_SUBMIT_OPTIONS = {"--archives", "--py-files"}  # of spark-submit


def list_options():
    commands = [*cli.commands.values(), spark_command]
    names = {name for command in commands for option in command.params for name in option.opts}
    return names | {"--install", "-h"} | SPARK_SUBMIT_OPTIONS


KNOWN_OPTIONS = list_options()


@for_every_page
def test_every_option_and_command_exists(code):
    text = f"{code.cause} {code.remedy}"
    options = re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)
    assert [option for option in options if option not in KNOWN_OPTIONS] == []
    commands = re.findall(r"`gainful ([a-z_]+)", text)
    assert [command for command in commands if command not in cli.commands] == []


@for_every_page
def test_every_option_that_has_choices_is_given_one_of_them(code):
    choices = {
        name: set(option.type.choices)
        for subcommand in cli.commands.values()
        for option in subcommand.params
        if isinstance(option.type, click.Choice)
        for name in option.opts
        if subcommand.name == "eval"
    }
    for name, value in re.findall(r"(--[a-z-]+) ([a-z0-9-]+)", f"{code.cause} {code.remedy}"):
        assert name not in choices or value in choices[name], (name, value)


@for_every_page
def test_every_rule_and_measure_is_one(code):
    text = f"{code.cause} {code.remedy}"
    for rules in re.findall(r"`(Rules\([^`]*\))`", text):
        if "..." not in rules:
            assert isinstance(eval(re.sub(r"=N\b", "=10", rules), {"Rules": Rules}), Rules)
    for name in re.findall(r"`(?:-m )?'?((?:nDCG|P|ERR|RBP)(?:\([^`']*\))?@[\d,]+)'?`", text):
        assert parse_measures(name)


@for_every_page
def test_every_page_that_is_named_is_there(code):
    for page in re.findall(r"`((?:docs/)[\w/]+\.md)`", f"{code.cause} {code.remedy}"):
        assert (ROOT / page).exists(), page


@for_every_page
def test_every_argument_in_python_is_one_of_something_public(code):
    public = [getattr(gainful, name) for name in gainful.__all__]
    functions = [value for value in public if inspect.isfunction(value)]
    arguments = {name for function in functions for name in function.__code__.co_varnames}
    for name in re.findall(r"`([a-z_]+)=", code.remedy):
        assert name in arguments | set(Rules.__dataclass_fields__) | OTHER_ARGUMENTS, name


# Arguments of measures, of classes, of methods and of adapters.
OTHER_ARGUMENTS = {
    "gain",
    "group_column",
    "groups",
    "group",
    "qid",
    "group_offsets",
    "items",
    "measure",
}
OTHER_ARGUMENTS |= {
    "n_users",
    "order",
    "partitions",
    "prefix",
    "queries",
    "run_id",
    "shape",
    "spark",
    "to",
}
OTHER_ARGUMENTS |= {"mode", "rounding", "group_sizes", "query_ids", "list_size", "labels", "by"}
