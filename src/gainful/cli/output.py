"""Printing: results, screens, progress, help in sections, and where a report is."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar

import click

from gainful.errors import SourceError
from gainful.report import FORMATS, escape_controls

if TYPE_CHECKING:  # every command loads this module: what only some need is loaded by these
    from gainful.base import Progress
    from gainful.report import Report, View

Command = TypeVar("Command", bound=Callable[..., Any])


# The format of a file, by the end of its name.
SUFFIXES = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".json": "json",
    ".jsonl": "jsonl",
}


class Output(NamedTuple):
    """The destination of a result, and its format.

    Attributes:
        format: The name of the format.
        path: The file that is written; None for standard output.
        is_chosen: Whether the user chose the format.
    """

    format: str
    path: str | None = None
    is_chosen: bool = False

    def with_default(self, name: str) -> "Output":
        """Return the output in another format, unless the user chose one."""
        return self if self.is_chosen else self._replace(format=name)

    @property
    def is_terminal(self) -> bool:
        """True if people read the result on a terminal."""
        return self.path is None and sys.stdout.isatty()

    def show(self, view: "View") -> None:
        """Print or write a view, with what its format leaves out on standard error."""
        from gainful.report import print_view, render

        notes = view.list_notes(self.format)
        if self.format != "table" or not self.is_terminal:
            self.print(render(view, self.format), notes)
            return
        from rich.console import Console

        # NO_COLOR leaves bold text to rich.
        colors: Any = None if os.environ.get("NO_COLOR") else "auto"
        console = Console(file=sys.stdout, color_system=colors)
        with console.capture() as capture:
            print_view(view, console)
        lines = (line.rstrip() for line in capture.get().split("\n"))
        self.print("", notes, drawing="\n".join(lines))

    def print(self, text: str, notes: Iterable[str] = (), *, drawing: str = "") -> None:
        """Print or write a result, and print its notes on standard error.

        Args:
            text: The result.
            notes: The lines of its notes.
            drawing: A drawing for the terminal, with its colors; it comes after the text.
        """
        if self.path is None:
            say(escape_for(sys.stdout, text) + drawing, escaped=True)
        else:
            from gainful.base import open_atomic

            with open_atomic(self.path) as file:
                file.write((text + drawing).encode("utf-8", "surrogateescape"))
        if lines := list(notes):
            say("\n".join([*lines, ""]), sys.stderr)


def output_options(
    formats: Iterable[str] = FORMATS, *, piped: str = "tsv"
) -> Callable[[Command], Command]:
    """Add ``-f`` and ``-o``; the command takes both as one ``Output``, called ``output``.

    Args:
        formats: The formats that there are.
        piped: The format where standard output is no terminal and none is named.
    """
    names = list(formats)
    default = "table" if piped == "table" else f"table on a terminal, {piped} in a pipe"

    def add(command: Any) -> Any:
        @wraps(command)
        def with_output(
            *arguments: object, format: str | None, output: str | None, **options: Any
        ) -> Any:
            chosen_output = _choose_output(names, format, output, piped, options.values())
            return command(*arguments, output=chosen_output, **options)

        to_file = click.option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the result to FILE, in the format of its name unless -f is given.",
        )(with_output)
        return click.option(
            "-f",
            "--format",
            type=click.Choice(names),
            help=f"Format of the result (default {default}).",
        )(to_file)

    return add


def _choose_output(
    names: Sequence[str],
    name: str | None,
    path: str | None,
    piped: str,
    arguments: Iterable[object],
) -> Output:
    """Return the output that the options name; refuse a file that the command reads."""
    if path is None or path == "-":
        return Output(name or ("table" if sys.stdout.isatty() else piped), None, name is not None)
    from gainful.base import check_writable, is_same_file

    values = [v for value in arguments for v in (value if isinstance(value, tuple) else (value,))]
    if is_same_file(path, [value for value in values if isinstance(value, str)]):
        message = f"-o {path}: is read by the same command. Name another file."
        raise click.UsageError(message)
    suffix_format = name or SUFFIXES.get(os.path.splitext(path)[1].lower(), "")
    if suffix_format not in names:
        message = f"-o {path}: the name tells no format of this command. Pass -f."
        raise click.UsageError(message)
    check_writable(path)
    return Output(suffix_format, path, is_chosen=True)


def print_result(text: str, notes: Iterable[str] = ()) -> None:
    """Print a text, and notes on standard error."""
    Output("table").print(text, notes)


def escape_for(stream: TextIO, text: str) -> str:
    """Return the text as it may be printed: without control characters on a terminal."""
    return escape_controls(text) if stream.isatty() else text


def say(text: str, destination: TextIO | None = None, *, escaped: bool = False) -> None:
    """Print a text; a closed pipe does not change the exit code.

    Args:
        text: What to print.
        destination: The stream; standard output by default.
        escaped: Whether nothing is in the text that a terminal must not obey.
    """
    stream = destination or sys.stdout
    try:
        print(text if escaped else escape_for(stream, text), end="", file=stream)
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            message = f"standard output: {str(error.strerror or error).lower()}."
            raise SourceError(message, code="cannot-write") from error


def get_width() -> int:
    """Return the number of columns of the terminal; 80 without one."""
    import shutil

    return shutil.get_terminal_size().columns


_PATIENCE = 1.0  # seconds


@contextmanager
def progress_bar() -> Iterator["Progress | None"]:
    """Yield a function that shows how much is read; None if standard error is no terminal.

    The bar goes to standard error and vanishes at the end.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """A bar that is called with a file's name, the bytes that are read, and their total."""

    def __init__(self) -> None:
        self._start_time = time.monotonic()
        self._display: Any = None
        self._name: str | None = None
        self._task: Any = None

    def __call__(self, name: str, done: int, n_bytes: int | None) -> None:
        if self._display is None:
            if time.monotonic() - self._start_time < _PATIENCE:
                return
            self._display = _create_display()
            self._display.start()
        if name != self._name:
            if self._task is not None:
                self._display.remove_task(self._task)
            self._name = name
            self._task = self._display.add_task(name, total=n_bytes)
        self._display.update(self._task, completed=done, total=n_bytes)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._display is not None:
            self._display.stop()


def _create_display() -> Any:
    from rich import progress
    from rich.console import Console

    return progress.Progress(
        progress.TextColumn("reading {task.description}", markup=False),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.DownloadColumn(),
        progress.TransferSpeedColumn(),
        progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


OPTIONS = "Options"
RULES = "Rules"
_NAMES_WIDTH = 24  # columns of help; a longer name has a line of its own

OTHER_COMMANDS = {"--dialect": "gainful eval and gainful reconcile have it."}


class SectionOption(click.Option):
    """An option that is listed below a heading of its own."""

    def __init__(self, names: Sequence[str], *, section: str = OPTIONS, **attributes: Any) -> None:
        super().__init__(names, **attributes)
        self.section = section


class SectionedCommand(click.Command):
    """A command whose help has a section for each heading of its options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; name the commands that have an option which this one lacks."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name not in OTHER_COMMANDS:
                raise
            message = f"No such option '{error.option_name}'. {OTHER_COMMANDS[error.option_name]}"
            raise click.UsageError(message, ctx) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            is_option = isinstance(parameter, click.Option)
            if is_option and (record := parameter.get_help_record(ctx)):
                heading = getattr(parameter, "section", OPTIONS)
                sections.setdefault(heading, []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records, col_max=_NAMES_WIDTH)


REPORT = "report.html"


def format_command_line() -> str:
    """Return the command line, quoted so that it can be run again."""
    import shlex

    return shlex.join(["gainful", *sys.argv[1:]])


def check_can_report(option: str, out: str, *paths: str | None) -> None:
    """Refuse a report early that could not be written in the end.

    No input may be overwritten, and the packages that a page needs must be installed.
    """
    from gainful.base import is_same_file
    from gainful.report import check_report_packages

    if is_same_file(out, paths):
        message = f"{option} {out}: is read by the same command. Name another file."
        raise click.UsageError(message)
    check_report_packages()


def check_is_file(option: str, out: str) -> None:
    """Refuse standard output where a file is needed."""
    if out == "-":
        message = f"{option} takes a file, got standard output (-)."
        raise click.UsageError(message)


def print_report_summary(report: "Report") -> None:
    """Print the verdict, and the rules, the notices and the place on standard error.

    If the report itself goes to standard output, all goes to standard error.
    """
    from gainful.diagnostics import format_notice_lines
    from gainful.report import format_rules, make_printable

    verdict = make_printable(report.verdict)
    notes = [
        format_rules(report.experiment.scores),
        *format_notice_lines(report.notices),
        format_location(report),
    ]
    if report.path == "-":
        print_result("", [verdict, *notes[:-1]])
    else:
        print_result(f"{verdict}\n", notes)


def format_location(report: "Report") -> str:
    """Return where a report is, and how large.

    >>> from types import SimpleNamespace
    >>> format_location(SimpleNamespace(path="report.html", n_bytes=1_234_567))
    'report: report.html (1.2 MB); open it in a browser.'
    """
    from gainful.report import make_printable

    size = f"{report.n_bytes / 1e6:.1f} MB"
    return f"report: {make_printable(report.path)} ({size}); open it in a browser."


def open_in_browser(path: str) -> None:
    """Open a file in the browser; print a warning if there is none."""
    import webbrowser
    from pathlib import Path

    if not webbrowser.open(Path(path).resolve().as_uri()):
        say("warning: there is no browser to open the report in.\n", sys.stderr)
