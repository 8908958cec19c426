"""The page of all public names: docs/python.md."""

import inspect
import re
import textwrap

import gainful as library
from gainful import spark as on_spark
from gainful.base.records import cached_property
from gainful.evaluation.functions import Options
from gainful.measures import REGISTRY

_WIDEST = 88  # letters of a line of code: so many fit beside the navigation of the site
_ON_SPARK = ("evaluate", "evaluate_runs", "SparkScores")
_CONSTANTS = {"DIALECTS": "Every dialect by its name; [Dialects](dialects.md) has them all."}


def format_python_page() -> str:
    """Return all public names with their documentation."""
    own = [name for name in library.__all__ if name not in REGISTRY and name != "__version__"]
    calls = [name for name in own if name[0].islower()]
    types = [name for name in own if not name[0].islower() and not name.endswith("Error")]
    things: dict[str, object] = {name: getattr(library, name) for name in calls}
    things["Options"] = Options
    things |= {name: getattr(library, name) for name in types}
    things |= {f"spark.{name}": getattr(on_spark, name) for name in _ON_SPARK}
    sections = [_format_section(name, thing) for name, thing in things.items()]
    errors = "".join(_format_error(name) for name in own if name.endswith("Error"))
    about = (
        "All of them are a `GainfulError`, and have a `code` to look up in the "
        "[error index](codes.md), or with `gainful help CODE`.\n\n"
    )
    intro = (
        "Measures are on [their own page](measures.md).\n\n"
        "```python\n>>> from gainful import *  # for the examples on this page\n```\n"
    )
    return f"# Python\n\n{intro}\n{''.join(sections)}## Errors\n\n{about}{errors}"


def _format_error(name: str) -> str:
    summary, _, rest = (inspect.getdoc(getattr(library, name)) or "").partition("\n")
    held = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", rest, flags=re.M)
    parts = [f"    - `.{attribute}`: {' '.join(text.split())}\n" for attribute, text in held]
    return f"- `{name}`: {summary}\n" + "".join(parts)


def _format_section(name: str, thing: object) -> str:
    signature = ""
    if inspect.isfunction(thing):
        parameters = inspect.signature(thing).parameters.values()
        plain = [p.replace(annotation=p.empty) for p in parameters]
        signature = (
            f"```pyi\n{_format_stub(name.rpartition('.')[2], inspect.Signature(plain))}\n```"
        )
    said = _CONSTANTS.get(name) or _format_docstring(inspect.getdoc(thing) or "")
    parts = [f"## {name}", signature, said]
    if inspect.isclass(thing):
        parts += ["".join(_format_member(n, m) for n, m in vars(thing).items() if _is_own(n, m))]
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n\n"


def _format_stub(name: str, signature: inspect.Signature) -> str:
    """Return a signature as a stub has it, on as many lines as it takes."""
    line = f"def {name}{signature}: ..."
    if len(line) <= _WIDEST:
        return line
    inside = textwrap.wrap(str(signature)[1:-1], _WIDEST - 4, break_on_hyphens=False)
    return "\n".join([f"def {name}(", *(f"    {one}" for one in inside), "): ..."])


def _format_docstring(text: str) -> str:
    """Return a docstring whose examples are code and whose lists are lists."""
    example = r"((?:^(?:>>>|\.\.\.).*\n?(?:^(?!>>>|\.\.\.|$).*\n?)*)+)"
    text = re.sub(example, _fence_example, text, flags=re.M)
    text = re.sub(
        r"^(Args|Raises|Attributes|Input|Rules|Settings|Dialect):$", r"\n**\1**\n", text, flags=re.M
    )
    text = re.sub(r"^ {4}(\*{0,2}\w[\w, ]*): ", r"- `\1`: ", text, flags=re.M)
    return re.sub(r"^ {8,}(?=\S)", "  ", text, flags=re.M)


def _format_member(name: str, member: object) -> str:
    call = "()" if inspect.isfunction(member) else ""
    summary, _, _ = (inspect.getdoc(member) or "").partition("\n")
    return f"- `.{name}{call}`: {summary}\n"


def _fence_example(match: re.Match[str]) -> str:
    return f"```python\n{match[0].rstrip()}\n```\n"


def _is_own(name: str, member: object) -> bool:
    kinds = isinstance(member, property | cached_property) or inspect.isfunction(member)
    return kinds and not name.startswith("_")
