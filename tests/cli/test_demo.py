"""gainful demo: the tour, and the collection that it saves."""

from pathlib import Path


def test_demo_shows_a_tour(run_command):
    out, err, code = run_command("demo")
    assert code == 0
    assert "hybrid    0.5184   0.6947  0.7022  5.4318    1.0000     0.9833  0.7333\n" in out
    assert "Best swap: moving peg-002 from rank 10 to rank 1" in out
    assert "[missing-queries]" in err


def test_demo_saves_the_collection_and_overwrites_nothing(run_command):
    out, _, code = run_command("demo", "--save", "shop")
    assert (out, code) == (
        "7 files are in shop: README.txt, hybrid.run, items.tsv, keyword.run, qrels.txt, "
        "queries.tsv, semantic.run\n",
        0,
    )
    assert run_command("demo", "--save", "shop")[2] == 0  # nothing has changed since
    Path("shop/README.txt").write_text("mine")
    assert run_command("demo", "--save", "shop") == (
        "",
        "error: shop/README.txt: exists already. Pass another --save, or move it away. "
        "[exists-already]\n",
        1,
    )
