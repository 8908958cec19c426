"""Output: a way to write results, declared once for the command line and the documentation."""

from collections.abc import Callable
from dataclasses import dataclass

from gainful.records import Record


@dataclass(eq=False, repr=False)
class Output(Record):
    """A way to write results.

    Attributes:
        name: How users name it.
        summary: What it is for, in one sentence.
        complete: Whether rules and notices are part of it.
        write: Results, and what is wanted of them, to text.
    """

    name: str
    summary: str
    complete: bool
    write: Callable[..., str]


class Outputs(dict[str, Output]):
    """Every way to write some kind of results, by name."""

    def declare(
        self, name: str, *, complete: bool = False
    ) -> Callable[[Callable[..., str]], Output]:
        """Declare the decorated function as one of them; its docstring is the summary."""

        def declared(write: Callable[..., str]) -> Output:
            self[name] = Output(name, str(write.__doc__), complete, write)
            return self[name]

        return declared
