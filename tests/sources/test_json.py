"""JSON files and objects in every shape: what is read, and the error for what is not."""

import gzip
import json

import pytest

from gainful import AlignError, Rules, SourceError, evaluate, read_qrels, read_run

NDCG_OF_SECOND = 0.6309297535714575


@pytest.fixture
def write(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, name="data.json"):
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(data)
        return name

    return write


def qrels_of(path, **options):
    read = read_qrels(path, format="json", **options)
    return {query: read.labels(query) for query in read.queries}


def ndcg(qrels, run, **rules):
    return evaluate(qrels, run, "nDCG", rules=Rules(**rules))["nDCG"]


def test_one_file_of_a_recommender_is_qrels_and_run(write):
    text = '{"recommend_result": ["b", "a"], "relevant_items": {"a": 1}}'
    for shape in (text, f"[{text}]", text + "\n"):
        path = write(shape)
        assert qrels_of(path) == {"1": {"a": 1.0}}
        run = read_run(path, format="json")
        assert ndcg(read_qrels(path, format="json"), run) == NDCG_OF_SECOND


def test_objects_without_an_id_are_numbered_from_1(write):
    line = '{"recommend_result": ["b", "a"], "relevant_items": ["a"]}\n'
    assert qrels_of(write(line * 3)) == {"1": {"a": 1.0}, "2": {"a": 1.0}, "3": {"a": 1.0}}


def test_a_list_of_items_is_what_is_relevant_or_the_ranking(write):
    path = write('{"q": ["b", "a"], "r": []}')
    assert qrels_of(path) == {"q": {"a": 1.0, "b": 1.0}, "r": {}}
    assert ndcg({"q": {"a": 1}}, read_run(path, format="json")) == NDCG_OF_SECOND


def test_rankings_keep_their_order_whatever_orders_a_run(write):
    shapes = ['{"q": ["b", "a"]}', '[{"id": "q", "hits": [{"id": "b"}, {"id": "a"}]}]']
    shapes += ['{"q": [{"doc": "a", "rank": 2}, {"doc": "b", "rank": 1}]}']
    for shape in shapes:
        run = read_run(write(shape), format="json")
        for order in ("score", "rank"):
            assert ndcg({"q": {"a": 1}}, run, order=order) == NDCG_OF_SECOND


def test_lists_of_one_query_follow_each_other(write):
    for shape in ('{"q": ["c", "b"], "q": ["a"]}', '[{"q": ["c", "b"]}, {"q": ["a"]}]'):
        run = read_run(write(shape), format="json")
        assert ndcg({"q": {"a": 1}}, run) == 0.5
        assert ndcg({"q": {"a": 1}}, run, ties="average") == 0.5


def test_a_key_that_stands_twice_is_not_lost(write):
    path = write('{"q": {"a": 1, "b": 0, "a": 2}, "q": {"c": 1}}')
    assert qrels_of(path, duplicates="max") == {"q": {"a": 2.0, "b": 0.0, "c": 1.0}}
    assert qrels_of(path, duplicates="first") == {"q": {"a": 1.0, "b": 0.0, "c": 1.0}}
    with pytest.raises(SourceError) as error:
        qrels_of(path)
    assert str(error.value) == (
        "data.json: query 'q' item 'a' is judged twice (labels 1 and 2). "
        "Pass --duplicates max to keep the higher."
    )


def test_labels_may_be_fractions_booleans_and_words(write):
    assert qrels_of(write('{"q": {"a": 0.5, "b": true, "c": -1e2}}')) == {
        "q": {"a": 0.5, "b": 1.0, "c": -100.0}
    }
    words = write('{"q": {"a": "good", "b": "bad"}}')
    assert qrels_of(words, labels={"good": 2, "bad": 0}) == {"q": {"a": 2.0, "b": 0.0}}


def test_integers_as_ids_keep_all_their_digits(write):
    path = write(f'[{{"qid": {2**63 + 1}, "docno": {10**30}, "rel": 1}}]')
    assert qrels_of(path) == {str(2**63 + 1): {str(10**30): 1.0}}


def test_scores_may_be_infinite_as_python_writes_them(write):
    path = write(json.dumps({"q": {"b": float("inf"), "a": 1, "c": -float("inf")}}))
    assert ndcg({"q": {"a": 1}}, read_run(path, format="json")) == NDCG_OF_SECOND


def test_bytes_that_are_no_text_stay_what_they_are(write):
    assert qrels_of(write(b'{"q\xff": {"\xfe": 1}}')) == {"q\udcff": {"\udcfe": 1.0}}


def test_columns_may_be_named(write):
    rows = write('[{"frage": 1, "antwort": 2, "wert": 3}]')
    columns = {"query": "frage", "item": "antwort", "label": "wert"}
    assert qrels_of(rows, columns=columns) == {"1": {"2": 3.0}}
    objects = write('[{"frage": 1, "antworten": [{"antwort": 2, "wert": 3}]}]')
    with pytest.raises(SourceError):
        qrels_of(objects, columns=columns)
    hits = write('[{"frage": 1, "hits": [{"x": 2, "id": 7, "wert": 3}]}]')
    run = read_run(hits, format="json", columns={"query": "frage", "item": "x", "score": "wert"})
    assert ndcg({1: {2: 1}}, run) == 1.0
    objects = write('[{"frage": 1, "antworten": [2]}]')
    assert qrels_of(objects, columns={"query": "frage", "item": "antworten"}) == {"1": {"2": 1.0}}


def test_an_object_of_columns_may_have_other_names(write):
    value = {"frage": [1], "antwort": [2], "wert": [3]}
    columns = {"query": "frage", "item": "antwort", "label": "wert", "score": "wert"}
    assert qrels_of(write(json.dumps(value)), columns=columns) == {"1": {"2": 3.0}}
    assert read_qrels(value, columns=columns).labels("1") == {"2": 3.0}
    assert ndcg({1: {2: 1}}, read_run(value, columns=columns)) == 1.0
    with pytest.raises(SourceError) as error:
        read_qrels(value, columns={"query": "frage", "item": "antwort"})
    assert str(error.value) == (
        "qrels: no column is known as the label; there are 'frage', 'antwort', 'wert'. "
        "Name it with --columns qrels.label=NAME, or columns={'label': NAME} in Python."
    )


def test_a_single_row_is_a_row(write):
    assert qrels_of(write('{"qid": "q", "docno": "a", "rel": 2}\n')) == {"q": {"a": 2.0}}


def test_compressed_files_are_read(write):
    assert qrels_of(write(gzip.compress(b'{"q": {"a": 1}}'))) == {"q": {"a": 1.0}}


def test_queries_that_are_called_like_keys_are_queries():
    assert read_qrels({"items": {"a": 1}, "docs": {"b": 1}}).queries == ("items", "docs")
    assert ndcg({"results": {"a": 1}}, {"results": ["b", "a"]}) == NDCG_OF_SECOND
    assert read_qrels({"q": {"items": 1, "docs": 0}}).labels("q") == {"items": 1.0, "docs": 0.0}


BAD_QRELS = {
    '{"qid": [1, 2], "docno": [2, 3], "rel": [1]}': ": columns must have the same length, "
    "got qid 2, docno 2, rel 1.",
    "": "line 1, column 1: is not JSON: expecting value, got the end.",
    "{": "line 1, column 2: is not JSON: expecting property name enclosed in double quotes, "
    "got the end.",
    '{"q": {"a": 1},\n "r": {"b" 2}}': "line 2, column 12: is not JSON: expecting ':' delimiter, "
    "got '2}}'.",
    '{"id": 1, "items": ["a"]}\n{"id": 2, "items": [}': "line 2, column 21: is not JSON: "
    "expecting value, got '}'.",
    "[" * 200_000: ": cannot be read as JSON; objects are nested too deeply.",
    '{"q": {"a": 1' + "0" * 5000 + "}}": ": cannot be read as JSON; a number has too many digits.",
    "3": ": must hold an object or a list, got 3.",
    "null": ": must hold an object or a list, got None.",
    "[]": ": there are no judgments in it.",
    "{}": ": there are no judgments in it.",
    '["a", "b"]': ", row 1: expected (query, item, label), or fields with names, got 'a'.",
    '[["q", "a"]]': ", row 1: expected (query, item, label), or fields with names, got ['q', 'a'].",
    '{"q": 3}': ": query 'q' must hold items, as a list or as {item: label}, got 3.",
    '{"q": null}': ": query 'q' must hold items, as a list or as {item: label}, got None.",
    '{"q": {"a": null}}': ": query 'q' item 'a': label must be a finite number, got None.",
    '{"q": {"a": NaN}}': ": query 'q' item 'a': label must be a finite number, got nan.",
    '{"q": {"a": -Infinity}}': ": query 'q' item 'a': label must be a finite number, got -inf.",
    '{"q": {"a": "2"}}': ": query 'q' item 'a': label must be a finite number, got '2'.",
    '{"q": {"a": {"b": 1}}}': ": query 'q' item 'a': label must be a finite number, got {'b': 1}.",
    '{"q": {"a": 1' + "0" * 400 + "}}": ": query 'q' item 'a': label must be a finite number, "
    "got 1" + "0" * 59 + ".",
    '{"q": ["a", null]}': ": query 'q': an id must be a string, an integer, bytes or a UUID, "
    "got None.",
    '{"q": [["a", 1], ["b"]]}': ": query 'q', element 2: expected [item, label], got ['b'].",
    '{"q": [["a", 1], "b"]}': ": query 'q', element 2: expected [item, label], got 'b'.",
    '{"q": [{"x": 1}]}': ": query 'q', element 1: no key is known as the item; it may be "
    "'docno', 'item_id', 'doc_id', 'docid', ..., got {'x': 1}.",
    '{"q": [{"id": 1}, {"x": 2}]}': ": query 'q', element 2: is not like the first, which has id, "
    "got {'x': 2}.",
    '{"q": [{"id": 1}, 2]}': ": query 'q', element 2: is not like the first, which has id, got 2.",
    '{"q": [{"id": 1, "id": 2}]}': ": has the key 'id' twice in one object: {'id': 1, 'id': 2}.",
    '[{"qid": 1, "docno": 2, "rel": 3}, {"qid": 1, "docno": 4}]': ", row 2: has no 'rel', "
    "got {'qid': 1, 'docno': 4}.",
    '[{"qid": 1, "docno": 2, "rel": 3}, 4]': ", element 2: must be an object, got 4.",
    '[{"qid": 1, "docno": 2, "rel": 3, "rel": 4}]': ": has the key 'rel' twice in one object: "
    "{'qid': 1, 'docno': 2, 'rel': 3, 'rel': 4}.",
    '[{"qid": 1, "docno": 2, "x": 3}]': ": no column is known as the label; there are 'qid', "
    "'docno', 'x'. Name it with --columns qrels.label=NAME, or columns={'label': NAME} in Python.",
    '[{"qid": 1, "items": [1]}, {"qid": 2}]': ", object 2: holds no list of items; the key may be "
    "'relevant_items', 'relevant_docs', 'relevant_documents', 'relevant_ids', 'relevant', "
    "'qrels', ..., got {'qid': 2}.",
    '[{"qid": [1], "items": [1]}]': ": an id must be a string, an integer, bytes or a UUID, "
    "got [1].",
    '[{"qid": 1.5, "items": [1]}]': ": an id must be a string, an integer, bytes or a UUID, "
    "got 1.5.",
    '[{"qid": 1, "doc_ids": ["a", "b"], "labels": [1]}]': ": query 1 has 2 in 'doc_ids' and 1 in "
    "'labels'; there must be as many.",
}


@pytest.mark.parametrize("text", BAD_QRELS, ids=range(len(BAD_QRELS)))
def test_qrels_that_cannot_be_read_say_why(write, text):
    path = write(text)
    with pytest.raises(SourceError) as error:
        qrels_of(path)
    sentence = BAD_QRELS[text]
    start = "data.json, " if sentence.startswith("line") else "data.json"
    assert str(error.value) == start + sentence


NO_SCORES = (
    ": no column is known as the score or the rank. Name it with --columns score=NAME, or "
    "columns={'score': NAME} in Python, or pass --order file where the items of each query stand "
    "in order."
)
BAD_RUNS = {
    '{"q": {"a": null}}': ": query 'q' item 'a': score must be a number, got None.",
    '{"q": {"a": NaN}}': ": query 'q' item 'a': score must be a number that can be ordered, "
    "got NaN.",
    '{"q": {"a": [1]}}': ": query 'q' item 'a': score must be a number, got [1].",
    '{"q": [{"id": "a", "rank": 1.5}]}': ": rank must be an integer to order by it, got 1.5.",
    '[{"qid": 1, "docno": 2}]': NO_SCORES,
    '{"qid": [1], "docno": [2]}': NO_SCORES,
    '{"q": ["a", "a"]}': ": query 'q' item 'a' is retrieved twice. "
    "Pass --duplicates first, last or max to keep one.",
}


@pytest.mark.parametrize("text", BAD_RUNS)
def test_runs_that_cannot_be_read_say_why(write, text):
    with pytest.raises(SourceError) as error:
        evaluate({"q": {"a": 1}}, read_run(write(text), format="json"))
    assert str(error.value) == "data.json" + BAD_RUNS[text]


def test_a_run_of_scores_has_no_ranks(write):
    run = read_run(write('{"q": {"a": 1.0}, "r": ["a"]}'), format="json")
    with pytest.raises(AlignError) as error:
        ndcg({"q": {"a": 1}}, run, order="rank")
    assert str(error.value) == (
        "data.json has no rank column, got order=rank. Pass a run file that has one."
    )


@pytest.mark.parametrize("labels", [{1: 0, 2: 3}, {"1": 0, "2": 3}])
@pytest.mark.parametrize("text", ['{"q": {"a": 1, "b": 2}}', '{"q": {"a": "1", "b": "2"}}'])
def test_an_integer_and_its_text_are_the_same_word(write, text, labels):
    assert read_qrels(write(text), labels=labels).labels("q") == {"a": 0.0, "b": 3.0}
