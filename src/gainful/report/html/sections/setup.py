"""The setup: rules in words, files and versions, which reproduce the numbers."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from gainful.alignment import Rules, list_rule_arguments
from gainful.base import Argument, format_count, format_setting
from gainful.diagnostics import SEVERITIES, Notice
from gainful.evaluation import Group, Reconciliation, list_shown_groups
from gainful.measures import REGISTRY, Measure
from gainful.report.formulas import format_plain_formulas, split_formulas
from gainful.report.html.model import Experiment
from gainful.report.html.parts import (
    CODE,
    ID,
    TEXT,
    PageCell,
    PageColumn,
    PageSection,
    PageTable,
    isolate_name,
    make_table,
    use_minus_signs,
)
from gainful.report.tables import make_printable
from gainful.report.views.comparison import describe_settings
from gainful.report.views.reconcile import (
    list_reading_notes,
    make_group_row,
    summarize_reconciliation,
)


def build_setup_section(experiment: Experiment, date: str | None) -> PageSection:
    """Return the section on how the numbers were made."""
    setup, rules = experiment.setup, experiment.scores[0].rules
    return PageSection(
        "setup",
        "Setup",
        {
            "rules": make_rules_table(rules),
            "settings": make_settings_table(experiment.measures[0]),
            "files": _make_files_table(experiment),
            "facts": _list_facts(experiment, date),
            "command": setup.command,
        },
    )


def make_rules_table(rules: Rules) -> PageTable:
    """Make a table of every rule, its value and its meaning."""
    rows = [
        [
            name,
            format_setting(value),
            _describe_value(list_rule_arguments(type(rules))[name], value),
        ]
        for name, value in rules.to_dict().items()
        if value is not None
    ]
    columns = [PageColumn("rule", CODE), PageColumn("set to", CODE), PageColumn("in words", TEXT)]
    return make_table("rules-table", "Rules under which the numbers hold", columns, rows)


def make_settings_table(measure: Measure) -> PageTable:
    """Make a table of every setting of a measure."""
    settings = measure.all_settings
    rows = [
        [name, format_setting(settings[name]), _describe_value(argument, settings[name])]
        for name, argument in measure.arguments.items()
        if settings.get(name) is not None
    ]
    columns = [
        PageColumn("setting", CODE),
        PageColumn("set to", CODE),
        PageColumn("in words", TEXT),
    ]
    return make_table("settings-table", f"Settings of {measure}", columns, rows)


def _describe_value(argument: Argument, value: object) -> str:
    meaning = argument.meanings.get(str(value))
    return argument.setting.help if meaning is None else f"{argument.setting.help}: {meaning}"


def _make_files_table(experiment: Experiment) -> PageTable:
    rows = [
        [file.role, file.name, file.sha256 or "none: no file, or read before"]
        for file in experiment.setup.files
    ]
    columns = [PageColumn("read as", TEXT), PageColumn("file", ID), PageColumn("SHA-256", CODE)]
    return make_table("files-table", "What was read", columns, rows)


def _list_facts(experiment: Experiment, date: str | None) -> list[tuple[str, str]]:
    """List counts, versions and seeds, each with its name."""
    setup, rows = experiment.setup, experiment.findings.rows
    facts = [
        ("Queries", f"{setup.n_queries:,}"),
        ("Judgments", f"{setup.n_judgments:,}"),
        (
            "Runs",
            f"{len(experiment.runs):,}, {format_count(sum(rows.values()), 'item', 'items')} in all",
        ),
    ]
    if experiment.comparison:
        facts.append(("Statistics", describe_settings(experiment.comparison)))
    else:
        facts.append(("Seed", f"{setup.seed}"))
    versions = ", ".join(f"{name} {version}" for name, version in setup.versions.items())
    facts.append(("Versions", versions))
    if date is not None:
        facts.append(("Date", date))
    return facts


def build_notices_section(experiment: Experiment) -> PageSection:
    """Return the section of notices."""
    return PageSection("notices", "Notices", {"notices": make_notice_values(experiment.notices)})


def make_notice_values(notices: Iterable[Notice]) -> list[dict[str, str]]:
    """Return severity, sentence and code of every notice once, the most severe first."""
    order = list(SEVERITIES)
    ordered = sorted(notices, key=lambda notice: order.index(notice.severity))
    entries = [(notice.severity, make_printable(str(notice)), notice.code) for notice in ordered]
    return [
        {"severity": severity, "text": text, "code": code}
        for severity, text, code in dict.fromkeys(entries)
    ]


def build_quality_section(experiment: Experiment) -> PageSection:
    """Return the section of findings, counts and the size of every run."""
    result = experiment.findings
    rows = [[run, f"{n:,}"] for run, n in result.rows.items()]
    sizes = make_table(
        "sizes-table", "Items of every run", [PageColumn("run", ID), PageColumn("items")], rows
    )
    values = {
        "summary": result.summary,
        "findings": make_notice_values(result.findings),
        "sizes": sizes,
    }
    return PageSection("quality", "Data quality", values)


_ALWAYS = ("CG", "DCG", "IDCG", "nDCG")
_BANDS = (
    ("1", "no other ranking of the judged items could do better"),
    ("0.9 and above", "nearly ideal: at most small exchanges are left"),
    ("0.7 to 0.9", "good: the best items are near the top, some too low"),
    ("0.5 to 0.7", "fair: much that is relevant stands too low or is missing"),
    ("0.3 to 0.5", "weak: people have to look for what they want"),
    ("below 0.3", "poor: little that is relevant is near the top"),
    ("0", "nothing relevant in the ranks that count, or nothing relevant is known"),
)


def build_glossary_section(experiment: Experiment) -> PageSection:
    """Return the section of measures: those used, those that nDCG is made of, and a reading aid."""
    names = dict.fromkeys([*(m.name for m in experiment.measures), *_ALWAYS])
    entries = [_make_glossary_entry(REGISTRY[name]) for name in names if name in REGISTRY]
    return PageSection("glossary", "Glossary", {"entries": entries, "bands": _make_bands_table()})


def _make_glossary_entry(measure: Measure) -> dict[str, Any]:
    """Return the name of a measure and its documentation by paragraph."""
    summary, *rest = re.split(r"\n\s*\n", measure.documentation.strip())
    paragraphs = [_make_paragraph(text) for text in rest if text.strip()]
    return {"name": measure.name, "summary": _split_text(summary), "paragraphs": paragraphs}


def _make_paragraph(text: str) -> dict[str, Any]:
    stripped = text.strip()
    is_formula = stripped.startswith("$$") and stripped.endswith("$$")
    is_reference = stripped.startswith("Reference")
    kind = "formula" if is_formula else "reference" if is_reference else "text"
    return {"kind": kind, "parts": _split_text(stripped)}


def _split_text(text: str) -> list[tuple[str, bool]]:
    """Split a text into text and formulas, each with whether it is code."""
    result: list[tuple[str, bool]] = []
    for piece in split_formulas(text):
        if hasattr(piece, "__html__"):
            result.append((piece, False))
        else:
            words = re.sub(r"\s+", " ", format_plain_formulas(piece)).split("`")
            result += [(part, i % 2 == 1) for i, part in enumerate(words) if part]
    return result


def _make_bands_table() -> PageTable:
    columns = [PageColumn("nDCG", TEXT), PageColumn("what it often means", TEXT)]
    return make_table(
        "bands-table", "Reading aid for nDCG", columns, [list(band) for band in _BANDS]
    )


_UNFOLDED = 8  # rows, so that a screen holds them
_COLUMNS = (
    PageColumn("dialects", TEXT),
    PageColumn("value"),
    PageColumn("difference"),
    PageColumn("what sets them apart", TEXT),
)


def build_reconcile_section(experiment: Experiment) -> PageSection | None:
    """Return the section of all dialects in groups: the main ones shown, all of them folded.

    None if it was not requested.
    """
    result = experiment.reconciliation
    if result is None and experiment.no_reconciliation is None:
        return None
    values = (
        {"why_not": experiment.no_reconciliation}
        if result is None
        else _make_reconcile_values(result)
    )
    return PageSection("reconcile", "What other tools would say", values)


def _make_reconcile_values(result: Reconciliation) -> dict[str, Any]:
    groups = list_shown_groups(result)
    main = select_main_groups(groups)
    full_caption = f"{result.measure} by every tool's definition"
    main_caption = (
        f"{result.measure} by the definitions that most tools share, the highest and the lowest"
    )
    has_more = len(main) < len(groups)
    return {
        "why_not": "",
        "lead": summarize_reconciliation(result, isolate_name(result.run)),
        "table": _make_groups_table(
            "reconcile-table", main_caption if has_more else full_caption, main
        ),
        "all": _make_groups_table("reconcile-all", full_caption, groups) if has_more else None,
        "n_definitions": sum(len(group.members) for group in groups),
        "note": " ".join(list_reading_notes(result)),
    }


def select_main_groups(groups: Sequence[Group]) -> list[Group]:
    """Select the reference, highest, lowest and largest groups, in order."""
    references = [group for group in groups if group.has_reference]
    with_value = [group for group in groups if not group.refusal]
    largest = sorted(groups, key=lambda group: -len(group.members))
    selected = list(dict.fromkeys([*references, *with_value[:1], *with_value[-1:], *largest]))[
        :_UNFOLDED
    ]
    return [group for group in groups if group in selected]


def _make_groups_table(name: str, caption: str, groups: Sequence[Group]) -> PageTable:
    return make_table(name, caption, _COLUMNS, [_make_group_cells(group) for group in groups])


def _make_group_cells(group: Group) -> list[str | PageCell]:
    value, difference, names, explanation = make_group_row(group)
    mark = "yours" if group.has_reference else ""
    return [PageCell(names, mark), value, difference, use_minus_signs(explanation)]
