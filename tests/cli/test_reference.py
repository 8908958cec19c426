"""gainful measures: the list, and the description of a measure."""

import gainful


def test_measures_lists_and_explains(run_command):
    out, _, _ = run_command("measures")
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    assert listed == list(gainful.measures.REGISTRY)
    out, _, _ = run_command("measures", "ndcg_cut_10")
    assert out.startswith("nDCG@10: DCG as a share of the DCG of the best possible ranking.\n")
    assert "nDCG@k = DCG@k / IDCG@k" in out
    assert "\\" not in out
