"""Help in sections: what a command takes, then the rules, those that few need last."""

from typing import Any

import click

OPTIONS = "Options"
RULES = "Rules"
RARE_RULES = "Rules that few set, for what other tools do (see gainful dialects)"

ELSEWHERE = {"--dialect": "gainful eval and gainful rosetta have it."}


class SectionOption(click.Option):
    """An option that is listed below a heading of its own."""

    def __init__(self, *declared: Any, section: str = OPTIONS, **attributes: Any) -> None:
        super().__init__(*declared, **attributes)
        self.section = section


class Sectioned(click.Command):
    """A command whose help has a section for each heading of its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; say of an option that other commands have which ones have it."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name not in ELSEWHERE:
                raise
            message = f"No such option '{error.option_name}'. {ELSEWHERE[error.option_name]}"
            raise click.UsageError(message, ctx) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                heading = getattr(parameter, "section", OPTIONS)
                sections.setdefault(heading, []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)
