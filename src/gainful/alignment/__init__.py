"""Judgments and a run, joined and ranked under rules."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "from_arrays": ("INPUTS", "RULES", "RankPart", "Relevant", "rankings_from_arrays"),
        "grouped_rankings": ("align_groups",),
        "item_rankings": ("ItemRankings", "Items", "merge_rankings"),
        "join": (
            "CHECKED_ITEMS",
            "CHECKED_QUERIES",
            "Joined",
            "KEEP_SAMPLE",
            "RankedItem",
            "TOP_RANKS",
            "align_hits",
            "align_numbered",
            "check_query",
            "collect_label_stats",
            "collect_samples",
            "collect_stats",
            "join",
            "list_ranked_items",
            "select_queries",
            "select_reading_rules",
        ),
        "join_stats": (
            "AlignedPart",
            "Count",
            "GroupStats",
            "IdSample",
            "Ids",
            "ItemStats",
            "JoinStats",
            "RunRow",
            "ZERO",
            "add_stats",
        ),
        "judgment_types": ("JUDGMENT_TYPES", "align_kind", "read_judgments_for"),
        "label_rules": ("convert_judgments", "has_unjudged_above", "is_padding", "label_unjudged"),
        "preference_rankings": ("PreferenceRankings", "align_preferences"),
        "rankings": ("GroupedRankings", "JudgedRankings", "Rankings", "Reach"),
        "rules": (
            "RANK_SHIFTING_RULES",
            "Rules",
            "SINGLE_LABEL_RULES",
            "Ties",
            "refuse_rules",
            "list_rule_arguments",
        ),
    },
)
