# Written by tools/generate_exports.py; run make exports.

from gainful.report import tables as tables
from gainful.report.charts.distribution import plot_distribution as plot_distribution
from gainful.report.charts.one_query import plot_contributions as plot_contributions
from gainful.report.charts.one_query import plot_gains as plot_gains
from gainful.report.html.write import Report as Report
from gainful.report.html.write import check_report_packages as check_report_packages
from gainful.report.html.write import write_report as write_report
from gainful.report.tables import escape_controls as escape_controls
from gainful.report.tables import make_printable as make_printable
from gainful.report.view import FORMATS as FORMATS
from gainful.report.view import View as View
from gainful.report.view import convert_to_pandas as convert_to_pandas
from gainful.report.view import print_view as print_view
from gainful.report.view import render as render
from gainful.report.view import render_html as render_html
from gainful.report.view import render_with_notes as render_with_notes
from gainful.report.view import to_frame as to_frame
from gainful.report.views.comparison import view_comparison as view_comparison
from gainful.report.views.comparison_plot import plot_comparison as plot_comparison
from gainful.report.views.dialects import describe_dialect as describe_dialect
from gainful.report.views.dialects import list_dialects as list_dialects
from gainful.report.views.dialects import list_dialects_tsv as list_dialects_tsv
from gainful.report.views.dialects import write_dialects_json as write_dialects_json
from gainful.report.views.explanation import view_explanation as view_explanation
from gainful.report.views.explanation import view_moves as view_moves
from gainful.report.views.findings import view_findings as view_findings
from gainful.report.views.gate import describe_evidence as describe_evidence
from gainful.report.views.gate import format_gate_means as format_gate_means
from gainful.report.views.gate import select_checks as select_checks
from gainful.report.views.gate import view_gate as view_gate
from gainful.report.views.power_and_correlation import view_correlation as view_correlation
from gainful.report.views.power_and_correlation import view_power as view_power
from gainful.report.views.reconcile import view_reconciliation as view_reconciliation
from gainful.report.views.reference import describe_code as describe_code
from gainful.report.views.reference import describe_measure as describe_measure
from gainful.report.views.reference import list_codes as list_codes
from gainful.report.views.reference import list_codes_tsv as list_codes_tsv
from gainful.report.views.reference import list_measures as list_measures
from gainful.report.views.scores import format_rules as format_rules
from gainful.report.views.scores import view_runs as view_runs
from gainful.report.views.scores import view_scores as view_scores
from gainful.report.views.scores import view_slices as view_slices
from gainful.report.views.unjudged import UNJUDGED_PARTS as UNJUDGED_PARTS
from gainful.report.views.unjudged import view_unjudged as view_unjudged

__all__ = [
    "FORMATS",
    "Report",
    "UNJUDGED_PARTS",
    "View",
    "check_report_packages",
    "convert_to_pandas",
    "describe_code",
    "describe_dialect",
    "describe_evidence",
    "describe_measure",
    "escape_controls",
    "format_gate_means",
    "format_rules",
    "list_codes",
    "list_codes_tsv",
    "list_dialects",
    "list_dialects_tsv",
    "list_measures",
    "make_printable",
    "plot_comparison",
    "plot_contributions",
    "plot_distribution",
    "plot_gains",
    "print_view",
    "render",
    "render_html",
    "render_with_notes",
    "select_checks",
    "tables",
    "to_frame",
    "view_comparison",
    "view_correlation",
    "view_explanation",
    "view_findings",
    "view_gate",
    "view_moves",
    "view_power",
    "view_reconciliation",
    "view_runs",
    "view_scores",
    "view_slices",
    "view_unjudged",
    "write_dialects_json",
    "write_report",
]
