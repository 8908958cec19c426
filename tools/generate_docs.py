"""Write the files that are generated from declarations: pages of docs/, the native core's stub.

With --check, nothing is written, and the files that differ are named.
"""

import inspect
import re
import sys
import textwrap
from pathlib import Path

import click
import nanobind.stubgen

from codes_page import format_codes_page
from gainful.alignment.rules import list_rule_arguments
from gainful.base import _native
from gainful.base.files import InputFile
from gainful.base.limits import LARGEST_WHOLE, LONGEST_LINE
from gainful.base.text import format_count
from gainful.cli import gainful
from gainful.dialects import FAMILIES
from gainful.measures import Measure
from gainful.report.view import FORMATS as OUTPUT_FORMATS
from gainful.report.views.dialects import (
    RecordedValues,
    describe_dialect_markdown,
    read_live_values,
    read_recorded_values,
)
from gainful.report.views.reference import (
    describe_measure_markdown,
    format_default,
    format_values_markdown,
    group_measures,
)
from gainful.sources import FORMATS
from gainful.sources.columns import KNOWN_NAMES, ROLES
from python_page import format_python_page

ROOT = Path(__file__).resolve().parent.parent
GENERATED = (
    "<!-- Written by tools/generate_docs.py; change the declaration, then run make docs. -->"
)


def generate_pages() -> dict[str, str]:
    """Return every generated file, by its path in the project."""
    return {
        "docs/measures.md": format_measures_page(),
        "docs/rules.md": format_rules_page(),
        "docs/dialects.md": format_dialects_page(),
        "docs/formats.md": format_formats_page(),
        "docs/cli.md": format_cli_page(),
        "docs/codes.md": f"{GENERATED}\n{format_codes_page()}",
        "docs/python.md": f"{GENERATED}\n{format_python_page()}",
        "src/gainful/base/_native.pyi": generate_stub(),
    }


def format_measures_page() -> str:
    """Return all measures with formula, settings, range and source."""
    listing = "\n".join(
        f"{title}\n\n"
        + "".join(f"- [{m.name}](#{m.name.lower()}): {m.summary}\n" for m in measures)
        for title, measures in group_measures().items()
    )
    sections = "\n".join(
        f"{describe_measure_markdown(m)}\nSource: {_format_source(m)}\n"
        for measures in group_measures().values()
        for m in measures
    )
    intro = (
        "A measure is written `NAME(setting=value, ...)@cutoff`: `nDCG@10`, `nDCG@5,10,20`, "
        "`nDCG(gain=exp2)@10`, `nDCG(gain={1: 1, 2: 3}, discount=jk(2))`. Names are read in any "
        "case, and trec_eval's names too.\n"
    )
    return f"{GENERATED}\n# Measures\n\n{intro}\n{listing}\n{sections}"


def format_dialects_page() -> str:
    """Return all dialects, with the counts of recorded values that they give."""
    listing = "\n".join(
        f"### {title}\n\n| dialect | tool | checked against | how it differs |\n|---|---|---|---|\n"
        + "".join(
            f"| [{d.name}](#{_format_anchor(d.name)}) | {d.tool} | {d.checked} | {d.summary} |\n"
            for d in family
        )
        for title, family in FAMILIES.items()
    )
    sections = "\n".join(
        describe_dialect_markdown(dialect) for family in FAMILIES.values() for dialect in family
    )
    return (
        f"{GENERATED}\n# Dialects\n\n{_DIALECTS_INTRO}\n## All dialects\n\n{listing}\n"
        f"## Recorded values\n\n{_format_recorded_values()}\n"
        f"## Live values\n\n{_format_live_values()}\n"
        f"## Each dialect\n\n{sections}"
    )


_DIALECTS_INTRO = """\
A dialect is how one tool defines nDCG: settings of the measure, and rules, by the tool's name. They
are declared as data in `src/gainful/dialects/`, and this page is made of them. [Why tools
disagree](reconcile.md) teaches how to find out which of their choices matter on your data.

```sh
gainful eval qrels.txt bm25.run -m nDCG@10 --dialect lightgbm
gainful dialects                # list them
gainful dialects lightgbm       # explain one
gainful reconcile qrels.txt bm25.run   # what all of them make of a run, and why they differ
```

```python
>>> import gainful
>>> labels, scores = [1, 3, 0], [0.9, 0.8, 0.7]
>>> [round(gainful.ndcg(labels, scores, dialect=name), 4) for name in ("sklearn@1.1", "lightgbm")]
[0.7967, 0.7098]
>>> files = "shop/qrels.txt", "shop/hybrid.run"
>>> elasticsearch = gainful.find_dialect("elasticsearch")
>>> for dialect in (elasticsearch, elasticsearch.with_rules(unjudged_label=1)):
...     print(round(gainful.evaluate(*files, "nDCG@10", dialect=dialect)["nDCG@10"], 4))
0.6456
0.6487
```

A version may follow the name: `xgboost@1.7`, `trec_eval==9.0.8`. Without one, the newest that is
known holds. Settings that a measure states win over the dialect, and so do rules that are given on
the command line, or by `with_rules`.

Tools that take arrays of labels and scores see the retrieved items only. They are passed as such a
tool would get them: unjudged items with label 0, in the order in which the run lists them, and
without the queries that have no results.
"""


def _format_recorded_values() -> str:
    """Return the counts of recorded values that dialects give, and the reasons for the rest."""
    libraries = read_recorded_values()
    matched, total = (
        sum(n) for n in zip(*((row.matched, row.total) for row in libraries), strict=True)
    )
    return (
        f"The tools were run on small adversarial inputs. Of {total:,} values that they gave, "
        f"{matched:,} come out of their dialects; so do the errors where they raised one.\n\n"
        f"{_format_counts(libraries)}"
    )


def _format_live_values() -> str:
    """Return the counts of values that libraries give on random lists."""
    return (
        "`make test-dialects` installs the libraries that take long to install, and asks them for "
        "the values of 300 random lists of 2 to 60 items, half of them with tied scores. The tests "
        "do so with scikit-learn, LightGBM, XGBoost, trec_eval, ir_measures and implicit.\n\n"
        f"{_format_counts(read_live_values())}"
    )


def _format_counts(libraries: tuple[RecordedValues, ...]) -> str:
    rows = "".join(
        f"| {row.library} | {row.version} | {', '.join(f'`{name}`' for name in row.dialects)} "
        f"| {row.matched:,} / {row.total:,} | {row.within} |\n"
        for row in libraries
    )
    reasons = "".join(
        f"- {row.library}: {format_count(number, 'value', 'values')}: {reason}\n"
        for row in libraries
        for reason, number in row.unmatched.items()
    )
    return (
        "| library | version | dialects | matched / total | within |\n|---|---|---|---|---|\n"
        f"{rows}\nWhat does not:\n\n{reasons}"
    )


def _format_anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w-]", "", heading.lower())


def format_rules_page() -> str:
    """Return all rules with their values."""
    intro = (
        "Rules are the choices beside the formula that decide what a number is. They are set with "
        "`Rules(...)` in Python and with options of the same name on the command line, and they "
        "are printed with every result.\n"
    )
    dialect_intro = (
        "Other tools have rules that these do not: a [dialect](dialects.md) sets them by the name "
        "of the tool, and its page says which. Rules that cannot hold together are refused, with "
        "a sentence that says why.\n"
    )
    rows = "".join(
        f"| `{a.name}` | {a.setting.help} | {format_values_markdown(a)} | {format_default(a)} |\n"
        for a in list_rule_arguments().values()
    )
    head = "| rule | what it decides | values | default |\n|---|---|---|---|\n"
    return f"{GENERATED}\n# Rules\n\n{intro}\n{head}{rows}\n{dialect_intro}"


def format_formats_page() -> str:
    """Return all formats of input and output."""
    rows = "".join(
        f"| `{f.name}` | {f.holds} | {f.summary} | {' '.join(f'`{c}`' for c in f.columns)} |\n"
        for f in sorted(FORMATS.values(), key=lambda f: not f.is_file)
    )
    names = "".join(
        f"| {role} | {' '.join(f'`{name}`' for name in KNOWN_NAMES[role])} |\n" for role in ROLES
    )
    outputs = "".join(f"| `{name}` | {o.summary} |\n" for name, o in OUTPUT_FORMATS.items())
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
        "```text\nq1 0 d7 2             qrels: query q1, item d7, label 2\n"
        "q1 Q0 d7 1 12.5 bm25   run: query q1, item d7, rank 1, score 12.5\n"
        "q1 price d7 1          subtopics: item d7 has label 1 for the subtopic price of q1\n"
        "q1 anna 0 d7 2         preferences: of the group anna, subgroup 0; d7 has level 2\n"
        "d7 120 0.1 -0.3        items: d7 was had by 120 users and has two features\n```\n\n"
        "All but the id of an item may be left out, on all lines alike; items may also come as a "
        "table with a header.\n\n"
        f"## Limits\n\n{_format_limits()}\n"
        '## Ids\n\nIn Python ids are strings, integers, bytes or UUIDs; `1` and `"1"` are the same '
        "id, as they are in files. Floats, booleans and None are refused.\n\n"
        "## Output\n\n`-f` of every command that prints a result takes these. Some commands have "
        "one of their own, such as `-f tidy` of `gainful eval`: comma-separated, a line for every "
        "run, query and measure, where the query of a mean is `all`.\n\n"
        f"| format | what it is for |\n|---|---|\n{outputs}"
    )


def _format_limits() -> str:
    """Return the limits on the parts of files that are held in memory."""
    return (
        "| what | may have | memory |\n|---|---|---|\n"
        f"| a line of text, or a record of CSV that goes on for lines | {LONGEST_LINE:,} bytes "
        "| no more is held of it; a longer one is refused by its number |\n"
        f"| the header of CSV and TSV | {InputFile.START:,} bytes | |\n"
        "| a file that is read as a whole: JSON, items without a header, and Parquet and Arrow "
        "that are compressed or come through a pipe "
        f"| {LARGEST_WHOLE:,} bytes, unpacked | in proportion to the file: 6 to 11 times its "
        "size for JSON of rankings; at worst, if it is all empty objects, 110 times |\n"
        "| an xz or Zstandard file | a dictionary of 256 MB, a window of 128 MB | as much |\n"
        "| rows of one query, and ids | 4,294,967,294 | [a formula](reliability.md#limits) |\n"
    )


def format_cli_page() -> str:
    """Return all commands with their arguments and options."""
    commands = "\n".join(
        _format_command(f"gainful {command.name}", command) for command in gainful.commands.values()
    )
    return f"{GENERATED}\n# Command line\n\n{commands}"


def generate_stub() -> str:
    """Return the types of the native core."""
    generator = nanobind.stubgen.StubGen(_native)
    generator.put(_native)
    return str(generator.get())


def _format_command(name: str, command: click.Command) -> str:
    arguments = [_format_usage(p) for p in command.params if isinstance(p, click.Argument)]
    usage = " ".join([name, *arguments])
    text, _, lines = inspect.cleandoc(command.help or "").partition("\b\nExamples:\n")
    examples = f"```sh\n{textwrap.dedent(lines).rstrip()}\n```"
    rows = "".join(
        f"| {', '.join(f'`{o}`' for o in p.opts)} | {_format_values(p)} | {p.help} |\n"
        for p in command.params
        if isinstance(p, click.Option)
    )
    options = f"\n| option | takes | meaning |\n|---|---|---|\n{rows}" if rows else ""
    return f"## {name}\n\n`{usage}`\n\n{text}{examples}\n{options}"


def _format_values(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return " ".join(f"`{choice}`" for choice in option.type.choices)
    return "" if option.is_flag else str(option.metavar)


def _format_usage(argument: click.Argument) -> str:
    name = argument.metavar or str(argument.name).upper()
    return name if argument.required else f"[{name}]"


def _format_source(measure: Measure) -> str:
    path = Path(inspect.getsourcefile(measure.compute) or "").resolve().relative_to(ROOT)
    line = inspect.getsourcelines(measure.compute)[1]
    return f"[{path.name}](../{path.as_posix()}#L{line})"


def main() -> int:
    """Write the files, or with --check name those that differ."""
    stale = []
    for name, text in generate_pages().items():
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
