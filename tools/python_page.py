"""The page of all public names: docs/python.md."""

import inspect
import re
import textwrap

import gainful as library
from gainful import spark as spark
from gainful.base.caching import cached_property
from gainful.evaluation.functions import Options
from gainful.measures import REGISTRY

_MAX_WIDTH = 88  # letters of a line of code: so many fit beside the navigation of the site
_SPARK_NAMES = ("evaluate", "evaluate_runs")
_CONSTANTS = {"DIALECTS": "Every dialect by its name; [Dialects](dialects.md) has them all."}


def format_python_page() -> str:
    """Return all public names with their documentation."""
    names = [name for name in library.__all__ if name not in REGISTRY and name != "__version__"]
    functions = [name for name in names if name[0].islower()]
    types = [name for name in names if not name[0].islower() and not name.endswith("Error")]
    objects: dict[str, object] = {name: getattr(library, name) for name in functions}
    objects["Options"] = Options
    objects |= {name: getattr(library, name) for name in types}
    objects |= {f"spark.{name}": getattr(spark, name) for name in _SPARK_NAMES}
    sections = [_format_section(name, thing) for name, thing in objects.items()]
    errors = "".join(_format_error(name) for name in names if name.endswith("Error"))
    errors_intro = (
        "All of them are a `GainfulError`, and have a `code` to look up in the "
        "[error index](codes.md), or with `gainful help CODE`.\n\n"
    )
    intro = (
        "Measures are on [their own page](measures.md).\n\n"
        "```python\n>>> from gainful import *  # for the examples on this page\n```\n"
    )
    return f"# Python\n\n{intro}\n{''.join(sections)}## Errors\n\n{errors_intro}{errors}"


def _format_error(name: str) -> str:
    summary, _, rest = (inspect.getdoc(getattr(library, name)) or "").partition("\n")
    attributes = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", rest, flags=re.M)
    parts = [f"    - `.{attribute}`: {' '.join(text.split())}\n" for attribute, text in attributes]
    return f"- `{name}`: {summary}\n" + "".join(parts)


def _format_section(name: str, thing: object) -> str:
    signature = ""
    if inspect.isfunction(thing):
        parameters = inspect.signature(thing).parameters.values()
        unannotated = [p.replace(annotation=p.empty) for p in parameters]
        signature = (
            f"```pyi\n{_format_stub(name.rpartition('.')[2], inspect.Signature(unannotated))}\n```"
        )
    text = _CONSTANTS.get(name) or _format_docstring(inspect.getdoc(thing) or "")
    parts = [f"## {name}", signature, text]
    if inspect.isclass(thing):
        members = [(n, m) for n, m in vars(thing).items() if _is_public_member(n, m)]
        parts += ["".join(_format_member(*member) for member in members)]
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n\n"


def _format_stub(name: str, signature: inspect.Signature) -> str:
    """Return a signature as in a stub, wrapped to the width of the page."""
    line = f"def {name}{signature}: ..."
    if len(line) <= _MAX_WIDTH:
        return line
    rows = textwrap.wrap(str(signature)[1:-1], _MAX_WIDTH - 4, break_on_hyphens=False)
    return "\n".join([f"def {name}(", *(f"    {row}" for row in rows), "): ..."])


def _format_docstring(text: str) -> str:
    """Return a docstring whose examples are code and whose lists are lists."""
    example = r"((?:^(?:>>>|\.\.\.).*\n?(?:^(?!>>>|\.\.\.|$).*\n?)*)+)"
    text = re.sub(example, _fence_example, text, flags=re.M)
    text = re.sub(r"^Returns:\n((?: {4}.*\n?)+)", _format_returns, text, flags=re.M)
    text = re.sub(
        r"^(Args|Raises|Attributes|Input|Rules|Settings|Dialect):$", r"\n**\1**\n", text, flags=re.M
    )
    text = re.sub(r"^ {4}(\*{0,2}\w[\w, ]*): ", r"- `\1`: ", text, flags=re.M)
    return re.sub(r"^ {8,}(?=\S)", "  ", text, flags=re.M)


def _format_returns(match: re.Match[str]) -> str:
    return f"\n**Returns**\n\n{textwrap.dedent(match[1])}"


def _format_member(name: str, member: object) -> str:
    call = "()" if inspect.isfunction(member) else ""
    summary, _, _ = (inspect.getdoc(member) or "").partition("\n")
    return f"- `.{name}{call}`: {summary}\n"


def _fence_example(match: re.Match[str]) -> str:
    return f"```python\n{match[0].rstrip()}\n```\n"


def _is_public_member(name: str, member: object) -> bool:
    is_member = isinstance(member, property | cached_property) or inspect.isfunction(member)
    return is_member and not name.startswith("_")
