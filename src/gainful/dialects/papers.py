"""Papers, and code that is copied rather than installed."""

from dataclasses import replace

from gainful.dialects.dialect import LABEL_LIST_RULES, LABEL_LIST_SETTINGS, Dialect

_GIST = Dialect(
    name="kaggle",
    tool="rank_metrics.py",
    function="ndcg_at_k(method=0)",
    summary="Ranks 1 and 2 count alike, and only the items passed in make the ideal.",
    settings={**LABEL_LIST_SETTINGS, "discount": "jk(2)", "negatives": "keep"},
    rules=LABEL_LIST_RULES,
    checked="gist 3726239",
    exact="float64",
    edges={"averaging": "It scores one ranking; whoever calls it averages."},
    defects=(
        "The first two ranks weigh the same, so that it cannot tell their order.",
        "Relevant items that were not retrieved do not lower the value: they are not in the ideal.",
    ),
    source="gist.github.com/bwhite/3726239",
    also=("bwhite", "kaggle-method-0", "rank_metrics"),
    options={"method=1": "dialect kaggle-method-1"},
    measures=("nDCG", "DCG"),
)
_JK = Dialect(
    name="jarvelin-kekalainen",
    tool="Järvelin and Kekäläinen 2002",
    function="nDCG, base 2",
    summary="The first nDCG: linear gain, and no discount before the rank that is the base.",
    settings={"discount": "jk(2)"},
    checked="the paper",
    exact="formula",
    edges={"ties": "The paper has none.", "unjudged": "The paper knows none."},
    source="Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, "
    "ACM TOIS 20(4), 2002",
    also=("jk", "jk2", "järvelin-kekäläinen", "jarvelin-kekalainen-2"),
    options={"base b": "discount=jk(b)"},
    measures=("nDCG", "DCG", "CG"),
)
_WIKIPEDIA = Dialect(
    name="wikipedia",
    tool="Wikipedia",
    function="nDCG",
    summary="Linear gain over log2(rank + 1), and an ideal of all judged items.",
    checked="its worked example",
    exact="formula",
    edges={"ties": "The page has none."},
    defects=("It shows two formulas, of linear and of exponential gain, by one name.",),
    source="en.wikipedia.org/wiki/Discounted_cumulative_gain",
    also=("textbook",),
    measures=("nDCG", "DCG", "CG"),
)

DIALECTS = (
    _JK,
    replace(
        _JK,
        name="jarvelin-kekalainen-10",
        function="nDCG, base 10",
        summary="As jarvelin-kekalainen, where the first ten ranks are not discounted.",
        settings={"discount": "jk(10)"},
        also=("jk10",),
    ),
    Dialect(
        name="burges",
        tool="Burges et al. 2005",
        function="NDCG",
        summary="Exponential gain over log2(rank + 1), and an ideal of all judged items.",
        settings={"gain": "exp2"},
        checked="the paper",
        exact="formula",
        edges={"ties": "The paper has none."},
        source="Burges et al., Learning to rank using gradient descent, ICML 2005",
        also=("exponential", "wikipedia-exp"),
        measures=("nDCG", "DCG"),
    ),
    _WIKIPEDIA,
    _GIST,
    replace(
        _GIST,
        name="kaggle-method-1",
        function="ndcg_at_k(method=1)",
        summary="Linear gain over log2(rank + 1); only the items passed in make the ideal.",
        settings={**LABEL_LIST_SETTINGS, "negatives": "keep"},
        defects=_GIST.defects[1:],
        also=("bwhite-method-1", "kaggle-1"),
        options={"method=0": "dialect kaggle"},
    ),
)
