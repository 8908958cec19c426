"""Run: the rankings of one system, read when they are evaluated."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gainful.sources.detect import is_path
from gainful.sources.formats import Format


@dataclass(frozen=True, eq=False)
class Run:
    """A run that is yet to be read.

    Attributes:
        name: What notices and tables call it.
        source: The path or object it is read from.
        form: The format it is read as; None for a file whose content is to tell.
        columns: The names of its columns, by role, where the user gave them.
    """

    name: str
    source: Any
    form: Format | None
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Its name in errors: the path, or "run" and its name."""
        return os.fspath(self.source) if is_path(self.source) else f"run {self.name!r}"

    def __repr__(self) -> str:
        return f"<Run {self.name!r}: {self.form.name if self.form else self.place}>"
