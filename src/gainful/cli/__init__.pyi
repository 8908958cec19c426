# Written by tools/generate_exports.py; run make exports.

from gainful.cli.output import say as say
from gainful.cli.main import gainful as gainful
from gainful.cli.main import main as main
from gainful.cli.main import run as run

__all__ = [
    "gainful",
    "main",
    "run",
    "say",
]
