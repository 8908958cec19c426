"""Write what is read from declarations: pages of docs/ and the stub of the native core.

With --check nothing is written, and what differs is named.
"""

import inspect
import re
import sys
from functools import cached_property
from importlib import import_module
from pathlib import Path

import click
import nanobind.stubgen

import gainful as library
from gainful import _native
from gainful.cli import gainful
from gainful.cli.spark import spread
from gainful.dialects import FAMILIES
from gainful.dialects.recorded_values import Recorded, live_values, recorded_values
from gainful.engines import spark as on_spark
from gainful.measures import REGISTRY, Measure
from gainful.notices import SEVERITIES, Notice
from gainful.options import Options
from gainful.report.declarations import (
    default_text,
    families,
    measure_markdown,
    values_markdown,
)
from gainful.report.dialects import dialect_markdown
from gainful.report.evaluation import OUTPUTS
from gainful.rules import rule_arguments
from gainful.sources import FORMATS
from gainful.sources._roles import ALIASES, ROLES
from gainful.wording import count

ROOT = Path(__file__).resolve().parent.parent
GENERATED = (
    "<!-- Written by tools/generate_docs.py; change the declaration, then run make docs. -->"
)

_ON_SPARK = ("evaluate", "evaluate_each", "SparkScores")
_CONSTANTS = {"DIALECTS": "Every dialect by its name; [Dialects](dialects.md) has them all."}


def pages() -> dict[str, str]:
    """Every generated file, by its path in the project."""
    return {
        "docs/measures.md": measures_page(),
        "docs/rules.md": rules_page(),
        "docs/dialects.md": dialects_page(),
        "docs/formats.md": formats_page(),
        "docs/cli.md": cli_page(),
        "docs/notices.md": notices_page(),
        "docs/python.md": python_page(),
        "src/gainful/_native.pyi": stub(),
    }


def measures_page() -> str:
    """All measures with formula, settings, range and source."""
    listing = "\n".join(
        f"{title}\n\n" + "".join(f"- [{m.name}](#{m.name.lower()}): {m.summary}\n" for m in own)
        for title, own in families().items()
    )
    sections = "\n".join(
        f"{measure_markdown(m)}\nSource: {_source(m)}\n" for own in families().values() for m in own
    )
    intro = (
        "A measure is written `NAME(setting=value, ...)@cutoff`: `nDCG@10`, `nDCG@5,10,20`, "
        "`nDCG(gain=exp2)@10`, `nDCG(gain={1: 1, 2: 3}, discount=jk(2))`. Names are read in any "
        "case, and trec_eval's names too.\n"
    )
    return f"{GENERATED}\n# Measures\n\n{intro}\n{listing}\n{sections}"


def dialects_page() -> str:
    """All dialects: a table, how many recorded values they give, and a section each."""
    listing = "\n".join(
        f"### {title}\n\n| dialect | tool | checked against | how it differs |\n|---|---|---|---|\n"
        + "".join(
            f"| [{d.name}](#{_anchor(d.name)}) | {d.tool} | {d.checked} | {d.summary} |\n"
            for d in family
        )
        for title, family in FAMILIES.items()
    )
    sections = "\n".join(
        dialect_markdown(dialect) for family in FAMILIES.values() for dialect in family
    )
    return (
        f"{GENERATED}\n# Dialects\n\n{_DIALECTS}\n## All dialects\n\n{listing}\n"
        f"## Recorded values\n\n{_recorded()}\n## Live values\n\n{_live()}\n"
        f"## Each dialect\n\n{sections}"
    )


_DIALECTS = """\
A dialect is how one tool defines nDCG: settings of the measure, and rules, by the tool's name. They
are declared as data in `src/gainful/dialects/`, and this page is made of them. [Why tools
disagree](rosetta.md) teaches how to find out which of their choices matter on your data.

```sh
gainful eval qrels.txt bm25.run -m nDCG@10 --dialect lightgbm
gainful dialects                # list them
gainful dialects lightgbm       # explain one
gainful rosetta qrels.txt bm25.run   # what all of them make of a run, and why they differ
```

```py
gainful.evaluate(qrels, run, "nDCG@10", dialect="lightgbm")
gainful.ndcg(labels, scores, k=10, dialect="sklearn@1.1")
gainful.find_dialect("elasticsearch").with_rules(unjudged_label=1)
```

A version may follow the name: `xgboost@1.7`, `trec_eval==9.0.8`. Without one, the newest that is
known holds. Settings that a measure states win over the dialect, and so do rules that are given on
the command line, or by `with_rules`.

Tools that take arrays of labels and scores see the retrieved items only. They are passed as such a
tool would get them: unjudged items with label 0, in the order in which the run lists them, and
without the queries that have no results.
"""


def _recorded() -> str:
    """How many recorded values of each library are given, and why others are not."""
    every = recorded_values()
    matched, total = (
        sum(n) for n in zip(*((row.matched, row.total) for row in every), strict=True)
    )
    return (
        f"The tools were run on small adversarial inputs. Of {total:,} values that they gave, "
        f"{matched:,} come out of their dialects; so do the errors where they raised one.\n\n"
        f"{_counts(every)}"
    )


def _live() -> str:
    """The same of values that libraries were asked for anew."""
    return (
        "`make test-dialects` installs the libraries that take long to install, and asks them for "
        "the values of 300 random lists of 2 to 60 items, half of them with tied scores. The tests "
        "do so with scikit-learn, LightGBM, XGBoost, trec_eval, ir_measures and implicit.\n\n"
        f"{_counts(live_values())}"
    )


def _counts(every: tuple[Recorded, ...]) -> str:
    rows = "".join(
        f"| {row.library} | {row.version} | {', '.join(f'`{name}`' for name in row.dialects)} "
        f"| {row.matched:,} / {row.total:,} | {row.within} |\n"
        for row in every
    )
    reasons = "".join(
        f"- {row.library}: {count(number, 'value', 'values')}: {reason}\n"
        for row in every
        for reason, number in row.unmatched.items()
    )
    return (
        "| library | version | dialects | matched / total | within |\n|---|---|---|---|---|\n"
        f"{rows}\nWhat does not:\n\n{reasons}"
    )


def _anchor(heading: str) -> str:
    """What GitHub makes of a heading that is linked to."""
    return re.sub(r"[^\w-]", "", heading.lower())


def rules_page() -> str:
    """All rules with their values."""
    intro = (
        "Rules are the choices beside the formula that decide what a number is. They are set with "
        "`Rules(...)` in Python and with options of the same name on the command line, and they "
        "are printed with every result.\n"
    )
    few = (
        "Few need to set these. They are for what other tools do, and a [dialect](dialects.md) "
        "sets them by the name of the tool. Rules that cannot hold together are refused, with a "
        "sentence that says why.\n"
    )
    return (
        f"{GENERATED}\n# Rules\n\n{intro}\n{_rules(rare=False)}\n"
        f"## Rules of other tools\n\n{few}\n{_rules(rare=True)}"
    )


def _rules(*, rare: bool) -> str:
    rows = "".join(
        f"| `{a.name}` | {a.setting.help} | {values_markdown(a)} | {default_text(a)} |\n"
        for a in rule_arguments().values()
        if a.setting.rare is rare
    )
    return f"| rule | what it decides | values | default |\n|---|---|---|---|\n{rows}"


def formats_page() -> str:
    """All formats of input and output."""
    rows = "".join(
        f"| `{f.name}` | {f.holds} | {f.summary} | {' '.join(f'`{c}`' for c in f.columns)} |\n"
        for f in sorted(FORMATS.values(), key=lambda f: not f.is_file)
    )
    names = "".join(
        f"| {role} | {' '.join(f'`{name}`' for name in ALIASES[role])} |\n" for role in ROLES
    )
    outputs = "".join(f"| `{o.name}` | {o.summary} |\n" for o in OUTPUTS.values())
    return (
        f"{GENERATED}\n# Formats\n\n## Input\n\n| format | holds | what it looks like | columns |\n"
        f"|---|---|---|---|\n{rows}\n"
        "[Bring your data](data.md) shows them with examples. The format of a file of qrels or of "
        "a run is told by its content, then by its name; `--qrels-format` and `--run-format` name "
        "it. Files may be compressed with gzip, bzip2, xz or Zstandard; `-` is standard input.\n\n"
        "## Columns\n\nColumns are found by these names, the first that is there; only letters and "
        "digits are compared, in any case. `--columns` gives others.\n\n"
        f"| column | names |\n|---|---|\n{names}\n"
        "Qrels of two columns, query and item, list what is relevant: label 1.\n\n"
        "## TREC files\n\nLines that begin with `#` and blank lines are skipped. Lines may end in "
        "CRLF, and ids may be any bytes without white space. The columns `iteration`, `Q0` and "
        "`tag` are not used; `rank` orders if a rule asks for it, and is compared with the scores. "
        "What a file of judgments is read as depends on the measures that are asked for: each says "
        "what it is made of (`gainful measures NAME`). For example:\n\n"
        "```\nq1 0 d7 2             qrels: query q1, item d7, label 2\n"
        "q1 Q0 d7 1 12.5 bm25   run: query q1, item d7, rank 1, score 12.5\n"
        "q1 price d7 1          subtopics: item d7 has label 1 for the subtopic price of q1\n"
        "q1 anna 0 d7 2         preferences: of the group anna, subgroup 0; d7 has level 2\n"
        "d7 120 0.1 -0.3        items: d7 was had by 120 users and has two features\n```\n\n"
        "All but the id of an item may be left out, on all lines alike; items may also come as a "
        "table with a header.\n\n"
        '## Ids\n\nIn Python ids are strings, integers, bytes or UUIDs; `1` and `"1"` are the same '
        "id, as they are in files. Floats, booleans and None are refused.\n\n"
        f"## Output of `gainful eval`\n\n| format | what it is for |\n|---|---|\n{outputs}"
    )


def cli_page() -> str:
    """All commands with their arguments and options."""
    named = [(f"gainful {command.name}", command) for command in gainful.commands.values()]
    commands = "\n".join(_command(*one) for one in [*named, (str(spread.name), spread)])
    return f"{GENERATED}\n# Command line\n\n{commands}"


def notices_page() -> str:
    """All notices with their codes."""
    for some in ("metadata_notices", "comparison_notices", "report_notices"):
        import_module(f"gainful.{some}")
    rows = "".join(
        f"| `{notice.code}` | {notice.severity} | {inspect.cleandoc(notice.__doc__ or '')} |\n"
        for notice in sorted(Notice.__subclasses__(), key=lambda notice: notice.code)
    )
    intro = (
        "What is odd about the data but no error is a notice: in `scores.notices` in Python, on "
        "standard error or in the JSON on the command line. Each has a code to filter by. "
        "`gainful check` says what `eval` refuses, too, looks for some more, and sorts them by "
        "severity:\n\n"
    )
    intro += "".join(f"- {severity}: {meaning}\n" for severity, meaning in SEVERITIES.items())
    header = "| code | severity | what it means |\n|---|---|---|\n"
    return f"{GENERATED}\n# Notices\n\n{intro}\n{header}{rows}"


def python_page() -> str:
    """All public names with their documentation."""
    own = [name for name in library.__all__ if name not in REGISTRY and name != "__version__"]
    calls = [name for name in own if name[0].islower()]
    types = [name for name in own if not name[0].islower() and not name.endswith("Error")]
    things: dict[str, object] = {name: getattr(library, name) for name in calls}
    things["Options"] = Options
    things |= {name: getattr(library, name) for name in types}
    things |= {f"engines.spark.{name}": getattr(on_spark, name) for name in _ON_SPARK}
    sections = [_documented(name, thing) for name, thing in things.items()]
    errors = "".join(
        f"- `{n}`: {getattr(library, n).__doc__}\n" for n in own if n.endswith("Error")
    )
    intro = (
        "Measures are on [their own page](measures.md).\n\n"
        "```python\n>>> from gainful import *  # for the examples on this page\n```\n"
    )
    return f"{GENERATED}\n# Python\n\n{intro}\n{''.join(sections)}## Errors\n\n{errors}"


def _documented(name: str, thing: object) -> str:
    signature = ""
    if inspect.isfunction(thing):
        parameters = inspect.signature(thing).parameters.values()
        plain = [p.replace(annotation=p.empty) for p in parameters]
        signature = f"```py\n{name.rpartition('.')[2]}{inspect.Signature(plain)}\n```"
    said = _CONSTANTS.get(name) or _as_markdown(inspect.getdoc(thing) or "")
    parts = [f"## {name}", signature, said]
    if inspect.isclass(thing):
        parts += ["".join(_member(n, m) for n, m in vars(thing).items() if _is_own(n, m))]
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n\n"


def _as_markdown(text: str) -> str:
    """A docstring: its examples become code, its lists become lists."""
    example = r"((?:^(?:>>>|\.\.\.).*\n?(?:^(?!>>>|\.\.\.|$).*\n?)*)+)"
    text = re.sub(example, _fenced, text, flags=re.M)
    text = re.sub(
        r"^(Args|Attributes|Input|Rules|Settings|Dialect):$", r"\n**\1**\n", text, flags=re.M
    )
    text = re.sub(r"^ {4}(\*{0,2}\w[\w, ]*): ", r"- `\1`: ", text, flags=re.M)
    return re.sub(r"^ {8,}(?=\S)", "  ", text, flags=re.M)


def _member(name: str, member: object) -> str:
    call = "()" if inspect.isfunction(member) else ""
    summary, _, _ = (inspect.getdoc(member) or "").partition("\n")
    return f"- `.{name}{call}`: {summary}\n"


def _fenced(match: re.Match[str]) -> str:
    return f"```python\n{match[0].rstrip()}\n```\n"


def _is_own(name: str, member: object) -> bool:
    kinds = isinstance(member, property | cached_property) or inspect.isfunction(member)
    return kinds and not name.startswith("_")


def stub() -> str:
    """The types of the native core."""
    generator = nanobind.stubgen.StubGen(_native)
    generator.put(_native)
    return str(generator.get())


def _command(name: str, command: click.Command) -> str:
    arguments = [_usage(p) for p in command.params if isinstance(p, click.Argument)]
    usage = " ".join([name, *arguments])
    text = inspect.cleandoc(command.help or "").replace("\b\nExamples:", "```").rstrip()
    rows = "".join(
        f"| {', '.join(f'`{o}`' for o in p.opts)} | {_values(p)} | {p.help} |\n"
        for p in command.params
        if isinstance(p, click.Option)
    )
    options = f"\n| option | takes | meaning |\n|---|---|---|\n{rows}" if rows else ""
    return f"## {name}\n\n`{usage}`\n\n{text}\n```\n{options}"


def _values(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return " ".join(f"`{choice}`" for choice in option.type.choices)
    return "" if option.is_flag else str(option.metavar)


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
