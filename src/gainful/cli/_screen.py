"""What standard output is shown on."""

import os
import sys

from gainful.report.terminal.screen import Screen

_BLOCKS = "▏▎▍▌▋▊▉█▒░▔▀▁▂▃▄▅▆▇─━│├┤●…"


def screen() -> Screen:
    """The terminal that it is shown on; if it is none, a sheet of paper: 80 columns, no colours."""
    import shutil  # what only who draws needs is loaded by it

    width, blocks = shutil.get_terminal_size().columns, _shows_blocks()
    if not sys.stdout.isatty():
        return Screen(width, None, blocks)
    from rich.console import Console

    console = Console(file=sys.stdout)
    plain = console.no_color or console.legacy_windows
    return Screen(width, None if plain else console.color_system, blocks)


def _shows_blocks() -> bool:
    """Whether the characters of bars are known to whoever reads what is printed."""
    if os.environ.get("TERM") == "linux":  # a console whose font lacks them
        return False
    import locale

    try:
        # Not the encoding of standard output, which is UTF-8 whatever the terminal.
        _BLOCKS.encode("utf-8" if os.name == "nt" else locale.getencoding())
    except (UnicodeEncodeError, LookupError):
        return False
    return True
