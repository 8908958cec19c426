"""Code: the page of one error or notice."""

from dataclasses import dataclass

from gainful.notices import Notice


@dataclass(frozen=True, kw_only=True)
class Code:
    """What a code means, what brings it about, and what to do.

    Attributes:
        code: The word in brackets at the end of a message.
        summary: What it means, in a sentence.
        cause: What brings it about.
        remedy: What to do, by the flag and by the argument in Python.
        example: A message that has it.
        raised: The exceptions that carry it; none for notices.
        severity: That of a notice, or "error" for what is raised.
    """

    code: str
    summary: str
    cause: str
    remedy: str
    example: str
    raised: tuple[str, ...] = ()
    severity: str = "error"


def error(code: str, raised: str, summary: str, *, cause: str, remedy: str, example: str) -> Code:
    """The page of an error; ``raised`` names its exceptions, with spaces between."""
    said = {"summary": summary, "cause": cause, "remedy": remedy, "example": example}
    return Code(code=code, raised=tuple(raised.split()), **said)


def notice(example: Notice, *, cause: str, remedy: str) -> Code:
    """The page of a notice; code, severity and meaning are those of its class."""
    return Code(
        code=example.code,
        summary=(type(example).__doc__ or "").replace("``", "`"),
        cause=cause,
        remedy=remedy,
        example=str(example),
        severity=example.severity,
    )
