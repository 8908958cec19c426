"""The setup: rules in words, files, versions: what it takes to have the numbers again."""

from gainful.comparison.view import how
from gainful.experiment.result import Experiment
from gainful.measures import Measure
from gainful.report.page.parts import CODE, ID, TEXT, Column, Section, Table, table
from gainful.rules import Rules, rule_arguments
from gainful.settings import Argument, text_of
from gainful.wording import count


def section(experiment: Experiment, date: str | None) -> Section:
    """How the numbers were made."""
    setup, rules = experiment.setup, experiment.scores[0].rules
    return Section(
        "setup",
        "Setup",
        {
            "rules": rules_table(rules),
            "settings": settings_table(experiment.measures[0]),
            "files": _files(experiment),
            "facts": _facts(experiment, date),
            "command": setup.command,
        },
    )


def rules_table(rules: Rules) -> Table:
    """Every rule, what it is set to, and what that means."""
    rows = [
        [name, text_of(value), _meaning(rule_arguments()[name], value)]
        for name, value in rules.to_dict().items()
        if value is not None
    ]
    columns = [Column("rule", CODE), Column("set to", CODE), Column("in words", TEXT)]
    return table("rules-table", "Rules under which the numbers hold", columns, rows)


def settings_table(measure: Measure) -> Table:
    """Every setting of a measure."""
    held = measure.all_settings
    rows = [
        [name, text_of(held[name]), _meaning(argument, held[name])]
        for name, argument in measure.arguments.items()
        if held.get(name) is not None
    ]
    columns = [Column("setting", CODE), Column("set to", CODE), Column("in words", TEXT)]
    return table("settings-table", f"Settings of {measure}", columns, rows)


def _meaning(argument: Argument, value: object) -> str:
    meaning = argument.meanings.get(str(value))
    return argument.setting.help if meaning is None else f"{argument.setting.help}: {meaning}"


def _files(experiment: Experiment) -> Table:
    rows = [
        [file.role, file.name, file.sha256 or "none: no file, or read before"]
        for file in experiment.setup.files
    ]
    columns = [Column("read as", TEXT), Column("file", ID), Column("SHA-256", CODE)]
    return table("files-table", "What was read", columns, rows)


def _facts(experiment: Experiment, date: str | None) -> list[tuple[str, str]]:
    """Counts, versions and seeds, each with its name."""
    setup, rows = experiment.setup, experiment.findings.rows
    facts = [
        ("Queries", f"{setup.n_queries:,}"),
        ("Judgments", f"{setup.n_judgments:,}"),
        ("Runs", f"{len(experiment.runs):,}, {count(sum(rows.values()), 'item', 'items')} in all"),
    ]
    if experiment.comparison:
        facts.append(("Statistics", how(experiment.comparison)))
    else:
        facts.append(("Seed", f"{setup.seed}"))
    versions = ", ".join(f"{name} {version}" for name, version in setup.versions.items())
    facts.append(("Versions", versions))
    if date is not None:
        facts.append(("Date", date))
    return facts
