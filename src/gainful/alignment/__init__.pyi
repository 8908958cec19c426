# Written by tools/generate_exports.py; run make exports.

from gainful.alignment.from_arrays import INPUTS as INPUTS
from gainful.alignment.from_arrays import RULES as RULES
from gainful.alignment.from_arrays import RankPart as RankPart
from gainful.alignment.from_arrays import Relevant as Relevant
from gainful.alignment.from_arrays import rankings_from_arrays as rankings_from_arrays
from gainful.alignment.grouped_rankings import align_groups as align_groups
from gainful.alignment.item_rankings import ItemRankings as ItemRankings
from gainful.alignment.item_rankings import Items as Items
from gainful.alignment.item_rankings import merge_rankings as merge_rankings
from gainful.alignment.join import CHECKED_ITEMS as CHECKED_ITEMS
from gainful.alignment.join import CHECKED_QUERIES as CHECKED_QUERIES
from gainful.alignment.join import Joined as Joined
from gainful.alignment.join import KEEP_SAMPLE as KEEP_SAMPLE
from gainful.alignment.join import RankedItem as RankedItem
from gainful.alignment.join import TOP_RANKS as TOP_RANKS
from gainful.alignment.join import align_hits as align_hits
from gainful.alignment.join import align_numbered as align_numbered
from gainful.alignment.join import check_query as check_query
from gainful.alignment.join import collect_label_stats as collect_label_stats
from gainful.alignment.join import collect_samples as collect_samples
from gainful.alignment.join import collect_stats as collect_stats
from gainful.alignment.join import join as join
from gainful.alignment.join import list_ranked_items as list_ranked_items
from gainful.alignment.join import select_queries as select_queries
from gainful.alignment.join import select_reading_rules as select_reading_rules
from gainful.alignment.join_stats import AlignedPart as AlignedPart
from gainful.alignment.join_stats import Count as Count
from gainful.alignment.join_stats import GroupStats as GroupStats
from gainful.alignment.join_stats import IdSample as IdSample
from gainful.alignment.join_stats import Ids as Ids
from gainful.alignment.join_stats import ItemStats as ItemStats
from gainful.alignment.join_stats import JoinStats as JoinStats
from gainful.alignment.join_stats import RunRow as RunRow
from gainful.alignment.join_stats import ZERO as ZERO
from gainful.alignment.join_stats import add_stats as add_stats
from gainful.alignment.judgment_types import JUDGMENT_TYPES as JUDGMENT_TYPES
from gainful.alignment.judgment_types import align_kind as align_kind
from gainful.alignment.judgment_types import read_judgments_for as read_judgments_for
from gainful.alignment.label_rules import convert_judgments as convert_judgments
from gainful.alignment.label_rules import has_unjudged_above as has_unjudged_above
from gainful.alignment.label_rules import is_padding as is_padding
from gainful.alignment.label_rules import label_unjudged as label_unjudged
from gainful.alignment.preference_rankings import PreferenceRankings as PreferenceRankings
from gainful.alignment.preference_rankings import align_preferences as align_preferences
from gainful.alignment.rankings import GroupedRankings as GroupedRankings
from gainful.alignment.rankings import JudgedRankings as JudgedRankings
from gainful.alignment.rankings import Rankings as Rankings
from gainful.alignment.rankings import Reach as Reach
from gainful.alignment.rules import RANK_SHIFTING_RULES as RANK_SHIFTING_RULES
from gainful.alignment.rules import Rules as Rules
from gainful.alignment.rules import SINGLE_LABEL_RULES as SINGLE_LABEL_RULES
from gainful.alignment.rules import Ties as Ties
from gainful.alignment.rules import list_rule_arguments as list_rule_arguments
from gainful.alignment.rules import refuse_rules as refuse_rules

__all__ = [
    "AlignedPart",
    "CHECKED_ITEMS",
    "CHECKED_QUERIES",
    "Count",
    "GroupStats",
    "GroupedRankings",
    "INPUTS",
    "IdSample",
    "Ids",
    "ItemRankings",
    "ItemStats",
    "Items",
    "JUDGMENT_TYPES",
    "JoinStats",
    "Joined",
    "JudgedRankings",
    "KEEP_SAMPLE",
    "PreferenceRankings",
    "RANK_SHIFTING_RULES",
    "RULES",
    "RankPart",
    "RankedItem",
    "Rankings",
    "Reach",
    "Relevant",
    "Rules",
    "RunRow",
    "SINGLE_LABEL_RULES",
    "TOP_RANKS",
    "Ties",
    "ZERO",
    "add_stats",
    "align_groups",
    "align_hits",
    "align_kind",
    "align_numbered",
    "align_preferences",
    "check_query",
    "collect_label_stats",
    "collect_samples",
    "collect_stats",
    "convert_judgments",
    "has_unjudged_above",
    "is_padding",
    "join",
    "label_unjudged",
    "list_ranked_items",
    "list_rule_arguments",
    "merge_rankings",
    "rankings_from_arrays",
    "read_judgments_for",
    "refuse_rules",
    "select_queries",
    "select_reading_rules",
]
