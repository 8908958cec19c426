"""Results as text, tables, charts and HTML pages. Nothing here computes a value."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        ".": ("tables",),
        "charts.distribution": ("plot_distribution",),
        "charts.one_query": ("plot_contributions", "plot_gains"),
        "html.write": ("Report", "check_report_packages", "write_report"),
        "tables": ("escape_controls", "make_printable"),
        "view": (
            "FORMATS",
            "View",
            "convert_to_pandas",
            "print_view",
            "render",
            "render_html",
            "render_with_notes",
            "to_frame",
        ),
        "views.comparison": ("view_comparison",),
        "views.comparison_plot": ("plot_comparison",),
        "views.dialects": (
            "describe_dialect",
            "list_dialects",
            "list_dialects_tsv",
            "write_dialects_json",
        ),
        "views.explanation": ("view_explanation", "view_moves"),
        "views.findings": ("view_findings",),
        "views.gate": ("describe_evidence", "format_gate_means", "select_checks", "view_gate"),
        "views.power_and_correlation": ("view_correlation", "view_power"),
        "views.reconcile": ("view_reconciliation",),
        "views.reference": (
            "describe_code",
            "describe_measure",
            "list_codes",
            "list_codes_tsv",
            "list_measures",
        ),
        "views.scores": (
            "format_rules",
            "view_runs",
            "view_scores",
            "view_slices",
        ),
        "views.unjudged": ("UNJUDGED_PARTS", "view_unjudged"),
    },
)
