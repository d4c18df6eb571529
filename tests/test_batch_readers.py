"""Files of hands in every form give the rows that stand in them."""

import csv
import gzip
import hashlib
import io
import itertools
import json
import lzma
import os
import pickle
import subprocess
import sys
import threading
import tracemalloc
from dataclasses import FrozenInstanceError

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hand_files import CARDS, HAND, good, rows_of
from hypothesis import given
from hypothesis import strategies as st

from advisor import Hand
from advisor.batch import Row, RowsError, columns, open_rows, read_rows
from advisor.batch.ids import split_id
from advisor.batch.opening import fingerprint


def test_text_lines_notes_and_ids():
    text = f"# club night\n\n{HAND}\n  17\t{HAND}  \nn-3: {CARDS}\n   # no hand\n{HAND} # dealer\n"
    rows = rows_of(text)
    assert [(row.line, row.id, row.hand) for row in rows] == [
        (3, None, HAND),
        (4, "17", HAND),
        (5, "n-3", CARDS),
        (7, None, f"{HAND} # dealer"),
    ]
    assert {row.source for row in rows} == {"-"}


@pytest.mark.parametrize(
    ("line", "name", "hand"),
    [
        ("S:AATKQJ H:AK D:QJ C:T9", None, "S:AATKQJ H:AK D:QJ C:T9"),
        ("S: A A T K Q J; H: A K; D: Q J; C: T 9", None, None),
        ("Spades: A A T K Q J | Hearts: A K | Diamonds: Q J | Clubs: T 9", None, None),
        (f"S:{HAND}", None, None),
        (f"N:{HAND}", None, None),
        (f"West: {HAND}", None, None),
        ("HSDC: AK AATKQJ QJ T9", None, None),
        (f"hand: {HAND}", None, None),
        (f"bid: 300; hand: {HAND}", None, None),
        (f"hand={HAND}; bid=?", None, None),
        (f"A: {HAND}", "A", HAND),
        (f"H:{HAND}", "H", HAND),
        (f"Anna: {CARDS}", "Anna", CARDS),
        (f"Bob: {CARDS}", "Bob", CARDS),
        (f"10: {CARDS}", "10", CARDS),
        ("10: S: AATKQJ; H: AK; D: QJ; C: T9", "10", "S: AATKQJ; H: AK; D: QJ; C: T9"),
        (f"club night 4: {HAND}", "club night 4", HAND),
        (f"2026-11-30/7: {HAND}", "2026-11-30/7", HAND),
        (f"9\t{CARDS}", "9", CARDS),
        (f"AS\t{HAND}", "AS", HAND),
        (f"club night 3\t{CARDS}", "club night 3", CARDS),
        ("17\t" + CARDS.replace(" ", "\t"), "17", CARDS.replace(" ", "\t")),
        ("A7\t" + CARDS.replace(" ", "\t"), "A7", CARDS.replace(" ", "\t")),
        (CARDS.replace(" ", "\t"), None, None),
        ("AATKQJ\tAK\tQJ\tT9", None, None),
        ("4\tAATKQJ\tAK\tQJ\tT9", "4", "AATKQJ\tAK\tQJ\tT9"),
        ("S\tAATKQJ\tH\tAK\tD\tQJ\tC\tT9", None, None),
        ("Spades: A A T K Q J\tHearts: A K\tDiamonds: Q J\tClubs: T 9", None, None),
        (json.dumps(CARDS.split()), None, None),
        ('{"S": "AATKQJ", "H": "AK", "D": "QJ", "C": "T9"}', None, None),
        ("17: AATKQJ.AK.QJ.T", "17", "AATKQJ.AK.QJ.T"),
        ("S: AATKQJ H: AK D: QJ C: T", None, None),
    ],
)
def test_an_id_is_told_from_a_hand(line, name, hand):
    assert split_id(line) == (name, line if hand is None else hand)
    [row] = rows_of(line + "\n", "text")
    assert (row.id, row.hand) == (name, line if hand is None else hand)


def test_every_notation_passes_through_a_text_unchanged(notations):
    for case in notations:
        text = case["text"]
        if "\n" in text or not text or text.startswith("#"):
            continue
        [row] = rows_of(text, "text")
        assert (row.id, row.hand, row.error) == (None, text.strip(), None)


@pytest.fixture(scope="module")
def notations():
    from pathlib import Path

    path = Path(__file__).parent / "data" / "hand_notations.json"
    found = json.loads(path.read_text())
    assert len(found) > 20
    return found


def test_quotes_lines_within_cells_and_their_numbers():
    text = (
        f'id,hand,note\n1,"S AATKQJ\r\nH AK\rD QJ\nC T9","said ""no"", twice"\n2,{HAND},"a\n\nb"\n'
    )
    one, two = rows_of(text)
    assert (one.line, one.hand) == (2, "S AATKQJ\nH AK\nD QJ\nC T9")
    assert one.extra == {"note": 'said "no", twice'}
    assert (two.line, two.hand, two.extra) == (6, HAND, {"note": "a\n\nb"})
    assert str(Hand.parse(one.hand)) == HAND


def test_what_spreadsheets_leave_around_a_table():
    text = f"sep=;\nid;hand;;\n1;{HAND};;\n;;;\n\n2;{HAND}\n3;{HAND};;;;\n"
    assert good(text) == [("1", HAND), ("2", HAND), ("3", HAND)]
    # The index that pandas writes has no name.
    [row] = rows_of(f",hand\n0,{HAND}\n")
    assert row.extra == {"": "0"}


def test_notes_before_a_header():
    assert good(f"# played on Monday\n\nid,hand\n1,{HAND}\n") == [("1", HAND)]
    assert good(f"#,hand\n1,{HAND}\n", "csv") == [(None, HAND)]


@given(
    st.lists(
        st.lists(st.text("ab ,;\"'\n\t|é♠", max_size=6), min_size=3, max_size=3),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_tables_are_read_as_the_csv_module_reads_them(table, sign):
    file = io.StringIO()
    writer = csv.writer(file, delimiter=sign, lineterminator="\n")
    writer.writerow(["hand", "one", "two", "three"])
    writer.writerows([HAND, *row] for row in table)
    rows = rows_of(file.getvalue())
    expected = list(csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=sign))[1:]
    found = [list(row.extra.values()) for row in rows]
    # Blanks before a cell are left out, as `1, "a, b"` is meant as quoted.
    assert [[cell.lstrip(" ") for cell in row] for row in found] == [
        [cell.lstrip(" ") for cell in row[1:]] for row in expected
    ]


@given(
    st.lists(st.sampled_from(["A", "", "#x", "T♠", "x\ty", "\x0b", "\u2028"]), max_size=8),
    st.data(),
)
def test_lines_end_with_any_sign(texts, data):
    ends = st.sampled_from(["\n", "\r\n", "\r"])
    text = "".join(text + data.draw(ends) for text in texts)
    plain = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    expected = [
        number
        for number, line in enumerate(plain, 1)
        if line.strip() and not line.strip().startswith("#")
    ]
    assert [row.line for row in rows_of(text, "text")] == expected


def test_json_lines():
    lines = [
        {"Hand": HAND, "id": 7, "seat": 2, "pass": 3, "Club": {"a": [1, None]}, "trump": None},
        {"hand": CARDS.split(), "score_us": 900.0, "run_extras": True},
        {"hand": {"S": "AATKQJ", "H": "AK", "D": "QJ", "C": "T9"}},
        {"hand": [{"rank": card[0], "suit": card[1]} for card in CARDS.split()]},
        {f"c{n}": card for n, card in enumerate(CARDS.split(), 1)},
    ]
    rows = rows_of("\n\n".join(map(json.dumps, lines)))
    assert [row.error for row in rows] == [None] * 5
    assert [row.line for row in rows] == [1, 3, 5, 7, 9]
    assert (rows[0].id, rows[0].hand) == ("7", HAND)
    assert rows[0].options == {"seat": "2", "pass": "3"}
    assert rows[0].extra == {"Club": '{"a": [1, null]}'}
    assert rows[1].options == {"score_us": "900", "run_extras": "true"}
    assert {str(Hand.parse(row.hand)) for row in rows} == {HAND}


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("a.csv", f"hand\n{HAND}\n", "csv"),
        ("a.CSV", f"hand\n{HAND}\n", "csv"),
        ("a.tsv", f"id\thand\n1\t{HAND}\n", "tsv"),
        ("a.jsonl", f'{{"hand": "{HAND}"}}', "jsonl"),
        ("a.ndjson", f'{{"hand": "{HAND}"}}', "jsonl"),
        ("a.txt", HAND, "text"),
        ("hands", HAND, "text"),
        # A spreadsheet's "text, tabs between cells"; what a pipe brings.
        ("a.txt", f"id\thand\n1\t{HAND}\n", "csv"),
        ("hands", f'{{"hand": "{HAND}"}}', "jsonl"),
    ],
)
@pytest.mark.parametrize("pack", [None, gzip.compress, lzma.compress])
def test_forms_by_suffix_and_look(save, name, text, form, pack):
    data = text.encode()
    if pack:
        name += ".gz" if pack is gzip.compress else ".xz"
        data = pack(data)
    with open_rows(save(name, data)) as reader:
        [row] = reader
        assert (reader.form, row.hand, row.error) == (form, HAND, None)


def test_the_form_asked_for_wins(save):
    path = save("a.csv", f"{HAND}\n")
    assert [row.hand for row in read_rows(path, form="text")] == [HAND]
    header, _ = read_rows(save("b.txt", f"id,hand\n1,{HAND}"), form="text")
    assert header.hand == "id,hand"


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_packed_data_in_pieces_and_without_a_suffix(save, pack):
    data = pack(f"{HAND}\n".encode()) + pack(b"") + pack(f"2\t{HAND}\n".encode())
    assert good(data) == [(None, HAND), ("2", HAND)]
    # Archives on tape end in zero bytes.
    assert good(data + b"\0" * 1024) == [(None, HAND), ("2", HAND)]
    assert [row.hand for row in read_rows(save("hands.txt", data))] == [HAND, HAND]


def test_byte_order_marks(save):
    mark = "\ufeff"
    assert good(f"{mark}hand\n{HAND}\n") == [(None, HAND)]
    assert good(f'{mark}{{"hand": "{HAND}"}}\n{mark}{{"hand": "{HAND}"}}\n') == [(None, HAND)] * 2
    assert good(f"{mark}{HAND}\n{mark}{HAND}\n") == [(None, HAND)] * 2


def parquet(table, path):
    pq.write_table(pa.table(table), path, row_group_size=2)
    return str(path)


def test_parquet(tmp_path):
    path = parquet(
        {
            "Hand": [HAND, CARDS, HAND],
            "id": pa.array([7, 8, None], pa.int64()),
            "seat": [1.0, None, 3.0],
            "pass": pa.array([3, 4, 3], pa.int8()),
            "club": pa.array(["A", "B", None]).dictionary_encode(),
            "day": pa.array([0, 1, 2], pa.timestamp("ns")),
        },
        tmp_path / "a.parquet",
    )
    assert columns(path) == ("club", "day")
    rows = list(read_rows(path))
    assert [(row.line, row.id, row.hand) for row in rows] == [
        (1, "7", HAND),
        (2, "8", CARDS),
        (3, None, HAND),
    ]
    assert [row.options.get("seat") for row in rows] == ["1", None, "3"]
    assert rows[0].extra == {"club": "A", "day": "1970-01-01 00:00:00.000000000"}
    assert rows[2].extra["club"] == ""


def test_parquet_lists_and_columns_of_cards(tmp_path):
    [row] = read_rows(parquet({"hand": [CARDS.split()]}, tmp_path / "a.parquet"))
    assert row.hand == CARDS
    cards = {f"c{n}": [card] for n, card in enumerate(CARDS.split(), 1)}
    [row] = read_rows(parquet(cards, tmp_path / "b.pq"))
    assert row.hand == CARDS


def test_parquet_needs_its_extra(tmp_path, monkeypatch):
    path = parquet({"hand": [HAND]}, tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        RowsError, match=r"needs pyarrow: pip install 'pinochle-advisor\[parquet\]'"
    ):
        open_rows(path)


def test_json_numbers_and_dates_in_place_of_a_hand():
    rows = rows_of('{"hand": 45910}\n{"hand": true}\n{"hand": "10-Sep"}\n{"hand": null}\n')
    assert [row.error for row in rows] == [
        "hand: '45910' looks like a number: format the column as text",
        "hand: 'true' looks like a truth value: format the column as text",
        "hand: '10-Sep' looks like a date: format the column as text",
        "expected twelve cards, found none",
    ]


def test_rows_are_values():
    row = Row("a.csv", 2, None, HAND)
    assert (row.options, row.extra, row.error) == ({}, {}, None)
    with pytest.raises(FrozenInstanceError):
        row.hand = "x"
    other = Row("a.csv", 2, "x", HAND, {"seat": "1"}, {"b": ""}, "no")
    assert pickle.loads(pickle.dumps(other)) == other != row


def test_fingerprint(save):
    data = os.urandom(200_000)
    assert fingerprint(save("a.txt", data)) == hashlib.sha256(data).hexdigest()


def test_a_pipe_is_read_as_it_comes(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    with pytest.raises(RowsError, match="found a pipe"):
        fingerprint(path)
    asked = threading.Event()

    def write():
        with open(path, "wb", buffering=0) as pipe:
            pipe.write(f"1\t{HAND}\n".encode())
            assert asked.wait(20)
            pipe.write(f"2\t{HAND}\n".encode())

    thread = threading.Thread(target=write)
    thread.start()
    with open_rows(path) as reader:
        rows = iter(reader)
        # The first row is there before the second is written.
        assert next(rows).id == "1"
        asked.set()
        assert next(rows).id == "2"
        assert next(rows, None) is None
    thread.join()


class _Endless(io.RawIOBase):
    """A file without end, which counts what was taken from it."""

    def __init__(self, piece):
        self._piece = piece
        self.taken = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        size = min(len(buffer), len(self._piece))
        buffer[:size] = self._piece[:size]
        self.taken += size
        return size


@pytest.mark.parametrize(
    "line", [f"{HAND}\n", f"x: {HAND}\n", f'{{"hand": "{HAND}"}}\n', '"never closed\n', '"a",""b\n']
)
@pytest.mark.parametrize("form", ["text", "csv", "jsonl"])
def test_memory_does_not_grow_with_the_rows(line, form):
    header = "hand\n" if form == "csv" else ""
    file = _Endless((line * 300).encode())
    stream = io.BytesIO(header.encode())
    stream.readinto = lambda buffer: io.BytesIO.readinto(stream, buffer) or file.readinto(buffer)
    stream.readinto1 = stream.readinto
    rows = read_rows("-", form=form, stdin=stream)
    next(rows)
    tracemalloc.start()
    try:
        n_rows = sum(1 for _ in itertools.islice(rows, 4_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert n_rows == 4_000
    assert peak < 1_000_000
    # Read ahead by no more than a buffer and a record.
    assert file.taken < 4_000 * len(line) + 2_000_000


def test_reading_needs_neither_numpy_nor_numba(save):
    path = save("a.csv", f"id,hand,trump,pass\n1,{HAND},S,3\n2\n")
    code = (
        "import sys; from advisor.batch import read_rows; "
        f"rows = list(read_rows({path!r})); "
        "print(len(rows), *(name for name in ('numpy', 'numba', 'pyarrow') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n"


@pytest.mark.parametrize("order", list(itertools.permutations("SHDC")))
@pytest.mark.parametrize("sign", [":", "\t", ": ", ":\t"])
def test_no_suit_of_a_hand_is_an_id(order, sign):
    held = dict(zip("SHDC", HAND.split("."), strict=True))
    text = " ".join(f"{suit}{sign}{held[suit]}" for suit in order)
    [row] = rows_of(text, "text")
    assert (row.id, str(Hand.parse(row.hand))) == (None, HAND)
