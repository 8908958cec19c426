"""A notice says what it was given, and is compared by it."""

import pickle

from gainful.diagnostics.notices import CommentLines, NoJudgedItems


def test_a_notice_has_its_sentence_and_what_it_is_about():
    assert CommentLines("bm25.run", 2).to_dict() == {
        "code": "comment-lines",
        "severity": "info",
        "text": "bm25.run: 2 lines that begin with # skipped as comments.",
        "source": "bm25.run",
        "n_lines": 2,
    }
    assert NoJudgedItems("bm25", "d1", qrels_item="7").data == {
        "run": "bm25",
        "run_item": "d1",
        "qrels_item": "7",
    }


def test_notices_of_the_same_content_are_one():
    first, second = CommentLines("run", 1), pickle.loads(pickle.dumps(CommentLines("run", 1)))
    assert {first, second} == {CommentLines("run", n_lines=1)}
    assert first != CommentLines("run", 2)
