"""Options about items: the catalogue that measures of recommendations read."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from gainful.sources import ItemData, read_items

Command = TypeVar("Command", bound=Callable[..., Any])


def item_options(command: Command) -> Command:
    """``--items`` and ``--users``; see ``known_items``."""
    return _options(
        "FILE of the catalogue, a line an item: its id, its popularity, its features; or a "
        "table with a header and an item column."
    )(command)


def titled_item_options(command: Command) -> Command:
    """The same for who shows items as well."""
    return _options(
        "FILE of what items are called: a table with a header, an item column, and title or url; "
        "and of what measures of recommendations read."
    )(command)


def _options(said: str) -> Callable[[Command], Command]:
    users = click.option(
        "--users",
        type=click.IntRange(min=1),
        metavar="N",
        help="N users are those that the popularity of --items counts.",
    )
    items = click.option("--items", metavar="FILE", help=said)
    return lambda command: items(users(command))


def known_items(items: str | None, users: int | None) -> ItemData | None:
    """What the options say of items; an error where they mean nothing together."""
    if users is not None and items is None:
        message = "--users says how many --items counts, got no --items."
        raise click.UsageError(message)
    return None if items is None else read_items(items, n_users=users)
