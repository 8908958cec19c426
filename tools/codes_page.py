"""The page of all codes: docs/codes.md."""

from gainful.diagnostics import CODES, GROUPS, SEVERITIES
from gainful.report.views.reference import describe_code, describe_code_markdown, format_kind

_EXAMPLE, _WIDTH = "missing-queries", 100
_INTRO = """\
Every error and every notice ends in a code in brackets, except what is said of a command that was
typed wrong (exit code 2). Look it up here, or in the terminal:

{page}
An error stops: one sentence, exit code 1 (2 for `gainful gate`), and nothing is half-written. In
Python it is a `GainfulError` with the code in `error.code`; `str(error)` is the sentence alone, and
a traceback ends in the code. What is odd but no error is a notice: in `scores.notices` in Python,
on standard error or in the JSON on the command line. `gainful check` says what `eval` refuses,
under the same codes, looks for some more, and sorts all by severity:

"""


def format_codes_page() -> str:
    """Return a table of all codes, and a section for each."""
    severities = "".join(f"- {name}: {meaning}\n" for name, meaning in SEVERITIES.items())
    table = "".join(
        f"| [`{code.code}`](#{code.code}) | {format_kind(code)} | {code.summary} |\n"
        for group in GROUPS.values()
        for code in group
    )
    sections = "\n".join(
        f"## {title}\n\n" + "\n".join(map(describe_code_markdown, group))
        for title, group in GROUPS.items()
    )
    page = f"```console\n$ gainful help {_EXAMPLE}\n{describe_code(CODES[_EXAMPLE], _WIDTH)}```\n"
    head = "| code | kind | what it means |\n|---|---|---|\n"
    return f"# Error index\n\n{_INTRO.format(page=page)}{severities}\n{head}{table}\n{sections}"
