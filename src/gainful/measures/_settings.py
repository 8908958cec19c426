"""Settings shared by several measures, worded once."""

from typing import Annotated

from gainful.base import Setting
from gainful.measures import _discounts, _gains

Cutoff = Annotated[
    int | None,
    Setting(
        "look only at the first N ranks",
        at_least=1,
        phrases={"none": "not cut", "...": "cut at rank {}"},
    ),
]
Rel = Annotated[float, Setting("lowest label that counts as relevant", more_than=0)]
BinaryRel = Annotated[
    float,
    Setting(
        "lowest relevant label, for gain=binary",
        more_than=0,
        phrases={"...": "relevant from label {}"},
    ),
]
Gain = Annotated[
    _gains.Gain,
    Setting(
        "worth of a label",
        phrases={
            "linear": "linear gain",
            "exp2": "exponential gain",
            "presence": "every judged item gains 1",
            "positive": "every label above 0 gains 1",
            "binary": "binary gain",
            "signed_exp2": "signed exponential gain",
            "...": "gains {}",
        },
    ),
]
Discount = Annotated[
    _discounts.Discount,
    Setting(
        "what the gain at a rank is divided by",
        phrases={
            "log2": "discount log2(rank + 1)",
            "ln": "discount ln(rank + 1)",
            "reciprocal": "discount by the rank itself",
            "none": "no discount",
            "...": "discount {}",
        },
    ),
]
Ideal = Annotated[
    str,
    Setting(
        "what the best possible ranking is made of",
        choices={
            "judged": "all judged items of the query, retrieved or not",
            "list": "the retrieved items only, as scikit-learn and LightGBM do",
            "ones": "an item of gain 1 on every rank",
        },
        phrases={
            "judged": "ideal of all judged items",
            "list": "ideal of the retrieved items",
            "ones": "ideal of 1 at every rank",
        },
    ),
]
IdealDepth = Annotated[
    str,
    Setting(
        "how deep the best possible ranking goes",
        choices={
            "cutoff": "to the cutoff",
            "all": "to its end, whatever the cutoff",
            "retrieved": "to the cutoff, but not below the last item that the run returned",
        },
        phrases={
            "cutoff": "ideal cut as the ranking is",
            "all": "ideal not cut",
            "retrieved": "ideal cut where the results end",
        },
        rare=True,
    ),
]
IdealOrder = Annotated[
    str,
    Setting(
        "in which order the best possible ranking has its items",
        choices={
            "best": "the highest gain first, without what would lower the sum",
            "gain": "the highest gain first, all of them",
            "label": "the highest label first, all of them, whatever they gain",
            "given": "as the qrels list them",
        },
        phrases={
            "best": "ideal without what lowers it",
            "gain": "ideal of all gains",
            "label": "ideal ordered by label",
            "given": "ideal ordered as the qrels are",
        },
        rare=True,
    ),
]
AboveOne = Annotated[
    str,
    Setting(
        "how to treat a value above 1",
        choices={"clip": "it is 1, except with ideal=ones", "keep": "it is kept"},
        phrases={"clip": "values above 1 cut to 1", "keep": "values above 1 kept"},
        rare=True,
    ),
]
Rounding = Annotated[
    str,
    Setting(
        "what is rounded",
        choices={
            "none": "nothing",
            "float32_gains": "gains, to single precision",
            "hundredths": "terms below the first rank, and the value, cut to two decimals",
            "decimals5": "the value, to five decimals",
        },
        phrases={
            "none": "nothing rounded on the way",
            "float32_gains": "gains in single precision",
            "hundredths": "terms and value cut to 2 decimals",
            "decimals5": "values rounded to 5 decimals",
        },
        rare=True,
    ),
]
Negatives = Annotated[
    str,
    Setting(
        "what a negative label is worth where the gain does not say",
        choices={
            "zero": "nothing, as trec_eval does",
            "keep": "what the gain's formula gives",
            "error": "it is an error",
        },
        phrases={
            "zero": "negative labels gain 0",
            "keep": "negative labels kept",
            "error": "negative labels refused",
        },
        rare=True,
    ),
]
FixedCutoff = Annotated[int, Setting("look only at the first N ranks", at_least=1)]
Beta = Annotated[
    float, Setting("how many times as much recall counts as precision", at_least=0, at_most=1e6)
]
RecallCount = Annotated[
    str,
    Setting(
        "how many relevant items a share of them is",
        choices={
            "up": "the share plus 0.9, cut to a whole number, as trec_eval 9 does",
            "nearest": "the nearest whole number, halves up, as trec_eval 10 does",
        },
    ),
]
JudgedOf = Annotated[
    str,
    Setting(
        "what the count is divided by",
        choices={
            "returned": "the ranks above the cutoff that hold an item, as ir_measures does",
            "cutoff": "the cutoff, as trec_eval does",
        },
    ),
]
NegativeLabels = Annotated[
    str,
    Setting(
        "what an item with a negative label is",
        choices={
            "judged": "a judged item, as in ir_measures",
            "unjudged": "an item without a judgment, as in trec_eval",
        },
    ),
]
Blend = Annotated[
    float, Setting("how much gain weighs beside precision; 0 for not at all", at_least=0)
]
Gamma = Annotated[
    float,
    Setting(
        "how likely users stop at a relevant item, compared with the relevant one before it",
        at_least=0,
        at_most=1,
    ),
]
MaxLabel = Annotated[
    float, Setting("highest label of the scale: a higher one is an error", more_than=0)
]
Persistence = Annotated[
    float,
    Setting("chance that the user goes on to the next item", more_than=0, less_than=1),
]
UnlessGraded = Annotated[
    float, Setting("lowest label that counts as relevant, unless max_rel is set", more_than=0)
]
MinRel = Annotated[
    float, Setting("label that gains 0, as do all below it; where max_rel is set", at_least=0)
]
MaxRel = Annotated[
    float | None,
    Setting("label that gains 1, those between gaining their share; a higher one is an error"),
]
Target = Annotated[float, Setting("how much the user wants to gain", at_least=1e-6, at_most=1e6)]
PaddedTo = Annotated[
    int | None,
    Setting(
        "cut or fill every ranking to N items; without end if not set", at_least=1, at_most=1e7
    ),
]
Expected = Annotated[
    str,
    Setting(
        "what is expected of the user",
        choices={
            "eu": "gain per item looked at",
            "etu": "gain in all",
            "ed": "how many items are looked at; with a cost of 1 each, what it costs in all",
            "residual_eu": "how much higher eu may be if all that is unjudged gains 1",
            "residual_etu": "the same for etu",
            "residual_ed": "the same for ed; negative where finding more lets the user stop",
        },
    ),
]
Redundancy = Annotated[
    float,
    Setting(
        "what share of its worth a subtopic loses with every item that covers it",
        at_least=0,
        at_most=1,
    ),
]
Patience = Annotated[
    float, Setting("how likely a reader goes on to the next rank", at_least=0, less_than=1)
]
# A table of what every rank could gain is made to this depth.
TabledCutoff = Annotated[int, Setting("look only at the first N ranks", at_least=1, at_most=1e7)]
Undefined = Annotated[
    str,
    Setting(
        "how to treat a group that divides zero by zero",
        choices={
            "query": "its whole query scores 0, as in trec_eval",
            "group": "it adds 0 to the mean of the groups",
        },
    ),
]
