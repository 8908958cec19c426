"""Write what is read from declarations: pages of docs/ and the stub of the native core.

With --check nothing is written, and what differs is named.
"""

import inspect
import sys
from pathlib import Path

import click
import nanobind.stubgen

from gainful import _native
from gainful.cli import gainful
from gainful.measures import REGISTRY, Measure
from gainful.report.declarations import default_text, measure_markdown, values_markdown
from gainful.report.evaluation import OUTPUTS
from gainful.rules import rule_arguments
from gainful.sources import FORMATS

ROOT = Path(__file__).resolve().parent.parent
GENERATED = (
    "<!-- Written by tools/generate_docs.py; change the declaration, then run make docs. -->"
)


def pages() -> dict[str, str]:
    """Every generated file, by its path in the project."""
    return {
        "docs/measures.md": measures_page(),
        "docs/rules.md": rules_page(),
        "docs/formats.md": formats_page(),
        "docs/cli.md": cli_page(),
        "src/gainful/_native.pyi": stub(),
    }


def measures_page() -> str:
    """All measures with formula, settings, range and source."""
    own = [m for m in REGISTRY.values() if m.compute.__module__.startswith("gainful.")]
    listing = "".join(f"- [{m.name}](#{m.name.lower()}): {m.summary}\n" for m in own)
    sections = "\n".join(f"{measure_markdown(m)}\nSource: {_source(m)}\n" for m in own)
    intro = (
        "A measure is written `NAME(setting=value, ...)@cutoff`: `nDCG@10`, `nDCG@5,10,20`, "
        "`nDCG(gain=exp2)@10`, `nDCG(gain={1: 1, 2: 3}, discount=jk(2))`. Names are read in any "
        "case, and trec_eval's names too.\n"
    )
    return f"{GENERATED}\n# Measures\n\n{intro}\n{listing}\n{sections}"


def rules_page() -> str:
    """All rules with their values."""
    rows = "".join(
        f"| `{a.name}` | {a.setting.help} | {values_markdown(a)} | {default_text(a)} |\n"
        for a in rule_arguments().values()
    )
    intro = (
        "Rules are the choices beside the formula that decide what a number is. They are set with "
        "`Rules(...)` in Python and with options of the same name on the command line, and they "
        "are printed with every result.\n"
    )
    head = "| rule | what it decides | values | default |\n|---|---|---|---|\n"
    return f"{GENERATED}\n# Rules\n\n{intro}\n{head}{rows}"


def formats_page() -> str:
    """All formats of input and output."""
    rows = "".join(
        f"| `{f.name}` | {f.holds} | {f.summary} | {' '.join(f'`{c}`' for c in f.columns)} |\n"
        for f in FORMATS.values()
    )
    outputs = "".join(f"| `{o.name}` | {o.summary} |\n" for o in OUTPUTS.values())
    return (
        f"{GENERATED}\n# Formats\n\n## Input\n\n| format | holds | what it looks like | columns |\n"
        f"|---|---|---|---|\n{rows}\n"
        "Files may be compressed (`.gz`, `.bz2`, `.xz`); `-` is standard input. Lines that begin "
        "with `#` and blank lines are skipped. Lines may end in CRLF, and ids may be any bytes "
        "without white space.\n\n"
        f"## Output of `gainful eval`\n\n| format | what it is for |\n|---|---|\n{outputs}"
    )


def cli_page() -> str:
    """All commands with their arguments and options."""
    commands = "\n".join(_command(command) for command in gainful.commands.values())
    return f"{GENERATED}\n# Command line\n\n{commands}"


def stub() -> str:
    """The types of the native core."""
    generator = nanobind.stubgen.StubGen(_native)
    generator.put(_native)
    return str(generator.get())


def _command(command: click.Command) -> str:
    arguments = [_usage(p) for p in command.params if isinstance(p, click.Argument)]
    usage = " ".join(["gainful", str(command.name), *arguments])
    text = inspect.cleandoc(command.help or "").replace("\b\nExamples:", "```").rstrip()
    rows = "".join(
        f"| {', '.join(f'`{o}`' for o in p.opts)} | {p.help} |\n"
        for p in command.params
        if isinstance(p, click.Option)
    )
    options = f"\n| option | meaning |\n|---|---|\n{rows}" if rows else ""
    return f"## gainful {command.name}\n\n`{usage}`\n\n{text}\n```\n{options}"


def _usage(argument: click.Argument) -> str:
    name = argument.metavar or str(argument.name).upper()
    return name if argument.required else f"[{name}]"


def _source(measure: Measure) -> str:
    path = Path(inspect.getsourcefile(measure.compute) or "").resolve().relative_to(ROOT)
    line = inspect.getsourcelines(measure.compute)[1]
    return f"[{path.name}](../{path.as_posix()}#L{line})"


def main() -> int:
    """Write the files, or with --check say which differ."""
    stale = []
    for name, text in pages().items():
        path = ROOT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv and stale:
        print(f"{', '.join(stale)}: differ from the declarations. Run make docs.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
