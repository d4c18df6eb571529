# ruff: noqa: E501  (a file, its bytes and its rows belong on one line)
"""Malformed files of hands: right rows right, wrong rows named by their line, never a traceback."""

import errno
import gzip
import io
import json
import lzma
import os
import socket
import sys
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.batch import RowsError, columns, open_rows, opening, read_rows
from advisor.batch.lines import MAX_LINE
from advisor.batch.rows import FORMS

HAND = "AATKQJ.AK.QJ.T9"
GOOD = "ATKQJ9.A.JJ.KQ9"
MB10 = "x" * 10_000_000
TAIL = f"9,{GOOD},S\n"
HEAD = f"id,hand,trump\n1,{HAND},S\n"
CARDS = ",".join(f"c{n}" for n in range(1, 13))
JSON = f'{{"hand": "{HAND}"}}\n'
LONG = f"expected a line of at most {MAX_LINE:,} characters, found a longer one"
NO_TEXT = "expected UTF-8 text: save the file as UTF-8"
NUL = "expected text, found a zero byte"
LOST = "the compressed data end too soon: what follows is lost"
DAMAGED = "the compressed data are damaged: what follows is lost"
NONE = "expected twelve cards, found none"


def packed(pack, n_rows=20_000):
    return pack("".join(f"{n}\t{HAND}\n" for n in range(1, n_rows + 1)).encode())


def noisy_gzip(n_rows):
    """Return gzip data in which each row has bytes of its own, so that a cut falls among them."""
    rows = (f"{HAND} # {os.urandom(12).hex()}\n" for _ in range(n_rows))
    return gzip.compress("".join(rows).encode())


# Name of the file, its bytes, and its rows: a line with a hand, or with what is said of it.
ROWS = [
    ("empty.txt", "", []),
    ("empty.csv", "", []),
    ("empty.tsv.gz", gzip.compress(b""), []),
    ("empty.jsonl.xz", lzma.compress(b""), []),
    ("blank.csv", "\n \n\r\n\t\n", []),
    ("notes only.txt", "# a\n# b", []),
    ("notes only.csv", "# a\n# b", []),
    ("note that looks like a header.txt", f"# id, hand\n{HAND}\n", [(2, HAND)]),
    ("note that looks like a header.csv", f"# id,hand\n\nid,hand\n1,{HAND}\n", [(4, HAND)]),
    ("column called #.csv", f"#,hand\n1,{HAND}\n", [(2, HAND)]),
    ("note in place of a header.csv", f"# id,hand\n1,{HAND}\n", RowsError),
    ("header only.csv", "id,hand,trump", []),
    ("header only, bom.csv", "\ufeffid;hand\r\n", []),
    ("bom alone.txt", "\ufeff", []),
    ("bom.csv", "\ufeff" + HEAD, [(2, HAND)]),
    ("bom, quoted header.csv", f'\ufeff"hand","id"\n{HAND},1\n', [(2, HAND)]),
    ("bom in the middle.txt", f"{HAND}\n\ufeff{GOOD}\n", [(1, HAND), (2, GOOD)]),
    ("no line end at the end.txt", f"{HAND}\n{GOOD}", [(1, HAND), (2, GOOD)]),
    ("carriage returns.csv", (HEAD + TAIL).replace("\n", "\r"), [(2, HAND), (3, GOOD)]),
    ("mixed line ends.txt", f"{HAND}\r\n{GOOD}\r{HAND}\n\r\n\r{GOOD}", [(1, HAND), (2, GOOD), (3, HAND), (6, GOOD)]),
    ("line signs within.txt", f"{HAND} # a\u2028b\x0bc\x1cd\x85e\n{GOOD}", [(1, f"{HAND} # a\u2028b\x0bc\x1cd\x85e"), (2, GOOD)]),
    ("nul.txt", f"{HAND}\nAA\0\n{GOOD}\n", [(1, HAND), (2, NUL), (3, GOOD)]),
    ("nul in a cell.csv", HEAD + f"2,{HAND}\0,S\n" + TAIL, [(2, HAND), (3, NUL), (4, GOOD)]),
    ("nul in json.jsonl", JSON + '{"hand": "A\0"}\n' + JSON, [(1, HAND), (2, NUL), (3, HAND)]),
    ("nul written out.jsonl", '{"hand": "A\\u0000"}\n' + JSON, [(1, NUL), (2, HAND)]),
    ("nothing but nul.txt", "\0" * 5000, [(1, NUL)]),
    ("10 MB line.txt", f"{HAND}\n{MB10}\n{GOOD}\n", [(1, HAND), (2, LONG), (3, GOOD)]),
    ("10 MB line.csv", HEAD + MB10 + "\n" + TAIL, [(2, HAND), (3, LONG), (4, GOOD)]),
    ("10 MB cell.csv", HEAD + f'2,"{MB10}",S\n' + TAIL, [(2, HAND), (3, LONG), (4, GOOD)]),
    ("10 MB line.jsonl", JSON + f'{{"a": "{MB10}"}}\n' + JSON, [(1, HAND), (2, LONG), (3, HAND)]),
    ("10 MB last line.txt", f"{HAND}\n{MB10}", [(1, HAND), (2, LONG)]),
    ("10 MB line in gzip.txt.gz", gzip.compress(f"{MB10}\n{HAND}".encode()), [(1, LONG), (2, HAND)]),
    ("longest line.txt", f"{HAND} #".ljust(MAX_LINE, "x") + f"\n{GOOD}\n", [(1, f"{HAND} #".ljust(MAX_LINE, "x")), (2, GOOD)]),
    ("latin-1.txt", f"{HAND}\nJörg\t{HAND}\n{GOOD}\n".encode("latin-1"), [(1, HAND), (2, NO_TEXT), (3, GOOD)]),
    ("latin-1.csv", (HEAD + f"é,{HAND},S\n" + TAIL).encode("latin-1"), [(2, HAND), (3, NO_TEXT), (4, GOOD)]),
    ("cut character.txt", f"{HAND}\n".encode() + "♠".encode()[:2], [(1, HAND), (2, NO_TEXT)]),
    ("surrogates.txt", f"{HAND}\n".encode() + b"\xed\xa0\x80\n", [(1, HAND), (2, NO_TEXT)]),
    ("half a character.jsonl", JSON + '{"hand": "x", "\\ud83c": 1}\n{"hand": "\\ud83c"}\n', [(1, HAND), (2, "half a character"), (3, "half a character")]),
    ("quotes across lines.csv", HEAD + '2,"S AATKQJ\nH AK\nD QJ\nC T9",S\n' + TAIL, [(2, HAND), (3, "S AATKQJ\nH AK\nD QJ\nC T9"), (7, GOOD)]),
    ("quote never closed.csv", HEAD + f'2,"{HAND},S\n' + TAIL + TAIL, [(2, HAND), (3, "a quote that opens here is not closed"), (4, GOOD), (5, GOOD)]),
    ("quote never closed in many lines.csv", HEAD + f'2,"{HAND},S\n' + TAIL * 150, [(2, HAND), (3, "a quote that opens here is not closed within 100 lines"), *((n, GOOD) for n in range(4, 154))]),
    ("quote never closed in long lines.csv", HEAD + f'2,"{HAND},S\n' + f"{'x' * 60_000}\n" * 2 + TAIL, [(2, HAND), (3, "is not closed within 20,000 characters"), (4, "expected 3 cells, found 1"), (5, "expected 3 cells, found 1"), (6, GOOD)]),
    ("quote before a line that is no text.csv", HEAD.encode() + b'2,"AA,S\n\xff\n' + TAIL.encode(), [(2, HAND), (3, "is not closed before line 4, which cannot be read"), (4, NO_TEXT), (5, GOOD)]),
    ("quote closed by a later one.csv", HEAD + f'2,"{HAND},S\n3,"{GOOD}",S\n' + TAIL, [(2, HAND), (3, "a quote inside a cell on line 4: write it twice"), (4, GOOD), (5, GOOD)]),
    ("quote inside a cell.csv", HEAD + f'2,"{HAND}"x,S\n' + TAIL, [(2, HAND), (3, "a quote inside a cell: write it twice"), (4, GOOD)]),
    ("inches.csv", HEAD + f'5" card,{HAND},S\n' + TAIL, [(2, HAND), (3, HAND), (4, GOOD)]),
    ("quote at the very end.csv", HEAD + '"', [(2, HAND), (3, "a quote that opens here is not closed")]),
    ("quote opens in every line.csv", "hand\n" + 'x","""\n' * 300, [(n, "not closed within" if n <= 201 else "not closed") for n in range(2, 302)]),
    ("too few cells.csv", HEAD + f"2,{HAND}\n" + TAIL, [(2, HAND), (3, "expected 3 cells, found 2"), (4, GOOD)]),
    ("too many cells.csv", HEAD + f"2,{HAND},S,4\n" + TAIL, [(2, HAND), (3, "expected 3 cells, found 4"), (4, GOOD)]),
    ("empty cells at the right.csv", HEAD + f"2,{HAND},S,, ,\n,,,,\n" + TAIL, [(2, HAND), (3, HAND), (5, GOOD)]),
    ("commas of a hand unquoted.csv", "hand\nAS,TS,KS\n" + HAND, [(2, "expected 1 cell, found 3"), (3, HAND)]),
    ("other sign in some rows.csv", HEAD + f"2;{HAND};S\n" + TAIL, [(2, HAND), (3, "expected 3 cells, found 1"), (4, GOOD)]),
    ("no hand in a row.csv", HEAD + "2,,S\n" + TAIL, [(2, HAND), (3, NONE), (4, GOOD)]),
    ("10S as a date.csv", HEAD + "2,10-Sep,S\n" + TAIL, [(2, HAND), (3, "hand: '10-Sep' looks like a date: format the column as text"), (4, GOOD)]),
    ("9♠ as a number.csv", f"{CARDS}\n9,{'AS,' * 10}AS\n", [(2, "c1: '9' looks like a number: format the column as text")]),
    ("10D as a number.csv", f"{CARDS}\n{'AS,' * 11}10.0\n", [(2, "c12: '10.0' looks like a number: format the column as text")]),
    ("hand as a big number.csv", HEAD + "2,1.01E+11,S\n" + TAIL, [(2, HAND), (3, "looks like a number"), (4, GOOD)]),
    ("formula gone wrong.csv", HEAD + "2,#NAME?,S\n" + TAIL, [(2, HAND), (3, "looks like a spreadsheet's error"), (4, GOOD)]),
    ("date in json.jsonl", JSON + '{"hand": "2026-09-10T00:00:00"}\n', [(1, HAND), (2, "looks like a date")]),
    ("score of one side.csv", f"hand,score\n{HAND},900\n{HAND},1 2\n", [(2, "score: expected ours and theirs, such as 900 1100, found '900'"), (3, HAND)]),
    ("no json.jsonl", JSON + "AA\n" + JSON, [(1, HAND), (2, "expected a JSON object, found 'AA': broken at column 1"), (3, HAND)]),
    ("cut json.jsonl", JSON + '{"hand": "AAT', [(1, HAND), (2, "expected a JSON object, found '{\"hand\": \"AAT': broken at column 10")]),
    ("two objects in a line.jsonl", JSON.strip() + JSON, [(1, "broken at column 28")]),
    ("arrays and numbers.jsonl", JSON + '[1]\n7\nnull\n"x"\nNaN\n', [(1, HAND), (2, "found a list"), (3, "found 7"), (4, "found none"), (5, "found 'x'"), (6, "found nan")]),
    ("key twice.jsonl", f'{{"hand": "{HAND}", "hand": "x"}}\n' + JSON, [(1, "expected each key once, found 'hand' twice"), (2, HAND)]),
    ("key twice in two spellings.jsonl", f'{{"hand": "{HAND}", "Hand": "x"}}\n' + JSON, [(1, "expected each column once, found 'hand' and 'Hand' twice"), (2, HAND)]),
    ("deep.jsonl", "[" * 50_000 + "\n", RowsError),
    ("deep inside.jsonl", JSON + '{"a":' * 19_000 + "\n" + '{"a": ' + "[" * 90_000 + "\n" + JSON, [(1, HAND), (2, "expected a JSON object"), (3, "expected a JSON object"), (4, HAND)]),
    ("number without end.jsonl", JSON + '{"hand": "x", "n": ' + "9" * 20_000 + "}\n", [(1, HAND), (2, "expected a JSON object")]),
    ("no hand in an object.jsonl", '{"id": 7, "hnd": "x"}\n{}\n' + JSON, [(1, "found id, hnd; did you mean hand?"), (2, "found none"), (3, HAND)]),
    ("hand of other kinds.jsonl", '{"hand": null}\n{"hand": 7}\n{"hand": []}\n{"hand": ""}\n' + JSON, [(1, NONE), (2, "looks like a number"), (3, NONE), (4, NONE), (5, HAND)]),
    ("id without a hand.txt", f"# 17 has none\n18:\n{HAND}", [(2, "expected twelve cards after the id, found none"), (3, HAND)]),
    ("cut archive.txt.gz", packed(gzip.compress)[:-4], [*((n, HAND) for n in range(1, 20_001)), (20_001, LOST)]),
    ("cut archive.txt.xz", packed(lzma.compress)[:-4], [*((n, HAND) for n in range(1, 20_001)), (20_001, LOST)]),
    ("wrong checksum.txt.gz", packed(gzip.compress)[:-8] + b"\0" * 8, [*((n, HAND) for n in range(1, 20_001)), (20_001, DAMAGED)]),
    ("rubbish behind.txt.gz", gzip.compress(f"{HAND}\n".encode()) + b"rubbish", [(1, HAND), (2, DAMAGED)]),
    ("rubbish behind.txt.xz", lzma.compress(f"{HAND}\n".encode()) + b"rubbish", [(1, HAND), (2, DAMAGED)]),
    ("cut second part.txt.gz", gzip.compress(f"{HAND}\n".encode()) + gzip.compress(b"x" * 99)[:12], [(1, HAND), (2, LOST)]),
    ("text by the name of nothing", f"{HAND}\n", [(1, HAND)]),
]  # fmt: skip

# Files that cannot be read at all, and what is said of them.
REFUSED = [
    ("no hand.csv", "id,trump\n1,S\n", ":1: expected a column hand or twelve columns of cards, found id, trump"),
    ("misspelt.csv", f"id,hnad\n1,{HAND}\n", ":1: expected a column hand or twelve columns of cards, found id, hnad; did you mean hand?"),
    ("no header.csv", f"{HAND}\n{GOOD}\n", ":1: expected a header, such as id,hand, found a hand; or is it text?"),
    ("no header but cells.csv", f"1,{HAND}\n", ":1: expected a header, such as id,hand, found a hand; or is it text?"),
    ("eleven cards.csv", CARDS.replace(",c12", "") + "\n", ":1: expected a column hand or twelve columns of cards, found 11 columns of cards"),
    ("thirteen cards.csv", CARDS + ",c13\n", ":1: expected a column hand or twelve columns of cards, found 13 columns of cards"),
    ("hand twice.csv", "hand,Hand\n", ":1: expected each column once, found 'hand' and 'Hand' twice"),
    ("card twice.csv", CARDS + ",card 1\n", ":1: expected each column once, found 'c1' and 'card 1' twice"),
    ("score twice.csv", "hand,score us,SCORE_US\n", ":1: expected each column once, found 'score us' and 'SCORE_US' twice"),
    ("score and scores.csv", "hand,score,score_us\n", ":1: expected each column once, found 'score' and 'score_us' twice"),
    ("pass twice.csv", "hand,pass,pass_cards\n", ":1: expected each column once, found 'pass' and 'pass_cards' twice"),
    ("colours in a header.csv", "\x1b[31mhand,x\n", ":1: expected a column hand or twelve columns of cards, found '\\x1b[31mhand', x"),
    ("note twice.csv", "hand,note,note\n", ":1: expected each column once, found 'note' twice"),
    ("two without a name.csv", "hand,,,note\n", ":1: expected a name for every column, found two without"),
    ("quote in the header.csv", '"hand,id\n1\n', ":1: a quote that opens here is not closed"),
    ("header of no text.csv", b"hand,\xff\n", f":1: {NO_TEXT}"),
    ("header of 10 MB.csv", MB10, f":1: {LONG}"),
    ("header of nul.csv", "hand\0,id\n", f":1: {NUL}"),
    ("array.json", '[{"hand": "x"}]', ":1: expected a JSON object a line, found an array"),
    ("over lines.json", '{\n "hand": "x"\n}\n', ":1: expected a JSON object a line, found an object over many lines"),
    ("utf-16.csv", (HEAD).encode("utf-16"), ": expected text, found UTF-16 text: save the file as UTF-8"),
    ("utf-16, big end.txt", b"\xfe\xff" + HAND.encode("utf-16-be"), ": expected text, found UTF-16 text"),
    ("utf-16 without mark.txt", HAND.encode("utf-16-le"), ": expected text, found UTF-16 text"),
    ("sheet.csv", b"PK\x03\x04\x14\0", ": expected text, found a spreadsheet or a zip archive: save the sheet as CSV"),
    ("old sheet.txt", b"\xd0\xcf\x11\xe0\xa1\xb1", ": expected text, found a spreadsheet"),
    ("hands.xlsx", b"PK\x03\x04", ": expected a file that ends in .txt, .csv, .tsv, .jsonl or .parquet, or --input-format; found .xlsx"),
    ("hands.csvv", "", ": expected a file that ends in .txt, .csv, .tsv, .jsonl or .parquet, or --input-format; found .csvv; did you mean .csv?"),
    ("hands.zip.gz", b"", "found .zip"),
    ("bzip2.txt", b"BZh91AY", ": expected text, found packed by bzip2: unpack it"),
    ("zstd.txt", b"\x28\xb5\x2f\xfd\0", ": expected text, found packed by zstd: unpack it"),
    ("plain.csv.gz", HEAD, ": expected gzip data, found none"),
    ("plain.csv.xz", HEAD, ": expected xz data, found none"),
    ("empty.csv.gz", b"", ": expected gzip data, found none"),
    ("cut header.txt.gz", gzip.compress(b"x")[:6], f": {LOST}"),
    ("cut header.txt.xz", lzma.compress(b"x")[:10], f": {LOST}"),
    ("damaged.txt.gz", gzip.compress(os.urandom(500))[:10] + b"\xff" * 90, f": {DAMAGED}"),
    ("damaged.txt.xz", lzma.compress(HAND.encode())[:7] + b"\xff" * 90, f": {DAMAGED}"),
    ("too much memory.txt.xz", lzma.compress(HAND.encode(), filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 200 << 20}]), f": {DAMAGED}"),
    ("packed twice.txt.gz", gzip.compress(gzip.compress(HAND.encode())), ": expected text, found it packed twice"),
    ("empty.parquet", b"", ": expected Parquet, found an empty file"),
    ("text.parquet", HEAD, ": expected Parquet, found something else"),
    ("cut.parquet", b"PAR1\x15\x04", ": damaged Parquet: "),
    ("parquet.csv", b"PAR1\x15\x04", ": expected csv, found Parquet: give its form as parquet"),
    ("packed.parquet.gz", gzip.compress(b"PAR1"), ": cannot read Parquet from a compressed file: give the file itself"),
]  # fmt: skip


@pytest.fixture
def save(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return write


def rows_or_refusal(path, **given):
    """Return the rows of a file, or the one line that refuses it."""
    try:
        return list(read_rows(path, **given))
    except RowsError as error:
        return str(error)


def test_there_are_files_enough():
    assert len({name for name, *_ in ROWS + REFUSED}) == len(ROWS) + len(REFUSED) >= 100


@pytest.mark.parametrize(("name", "data", "expected"), ROWS, ids=[name for name, *_ in ROWS])
def test_malformed_files(save, name, data, expected):
    path = save(name, data)
    if expected is RowsError:
        with pytest.raises(RowsError):
            list(read_rows(path))
        return
    rows = list(read_rows(path))
    assert [row.line for row in rows] == [line for line, _ in expected]
    for row, (_, wanted) in zip(rows, expected, strict=True):
        assert row.source == path
        if row.error is None:
            assert row.hand == wanted
        else:
            assert row.hand == ""
            assert wanted in row.error
            assert row.error.isprintable()
            assert len(row.error) < 300


@pytest.mark.parametrize(("name", "data", "message"), REFUSED, ids=[name for name, *_ in REFUSED])
def test_files_that_cannot_be_read(save, name, data, message):
    path = save(name, data)
    with pytest.raises(RowsError) as caught:
        list(read_rows(path))
    assert str(caught.value).startswith(path + (message if message[0] == ":" else ""))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(path) + 300


@pytest.mark.parametrize("cut", range(0, 1000, 37))
@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_an_archive_cut_anywhere_gives_its_whole_rows(save, pack, cut):
    rows = [f"{HAND} # {os.urandom(12).hex()}" for _ in range(100)]
    data = pack("\n".join(rows).encode())
    path = save("cut.txt" + (".gz" if pack is gzip.compress else ".xz"), data[: -cut - 1])
    found = rows_or_refusal(path)
    if isinstance(found, str):
        assert found == f"{path}: {LOST}"
        return
    *whole, last = found
    assert last.error == LOST
    assert last.line == len(found)
    assert [row.hand for row in whole] == rows[: len(whole)]


def test_no_file_at_all(tmp_path):
    for path, message in [
        (tmp_path / "none.csv", "cannot read the file: No such file or directory"),
        (tmp_path, "cannot read the file: it is a directory"),
        ("a\0b.csv", "not the name of a file"),
        ("x" * 5000, "cannot read the file: File name too long"),
        ("", "cannot read the file: No such file or directory"),
        (tmp_path / "none.csv" / "x", "cannot read the file: No such file or directory"),
    ]:
        for call in (columns, lambda name: list(read_rows(name))):
            with pytest.raises(RowsError, match=message):
                call(str(path))


def test_links(tmp_path, save):
    link = tmp_path / "link.txt"
    link.symlink_to(save("hands.txt", HAND))
    assert [row.hand for row in read_rows(str(link))] == [HAND]
    loop = tmp_path / "loop.txt"
    loop.symlink_to(loop)
    with pytest.raises(RowsError, match="Too many levels of symbolic links"):
        open_rows(str(loop))


@pytest.mark.skipif(sys.platform == "win32", reason="no such devices")
def test_devices(tmp_path):
    for path in ("/dev/zero", "/dev/urandom", "/dev/full"):
        with pytest.raises(RowsError, match="it is a device or a socket"):
            open_rows(path)
    assert list(read_rows("/dev/null")) == []
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(path)
        with pytest.raises(RowsError, match="it is a device or a socket"):
            open_rows(path)


def test_a_file_that_may_not_be_read(save, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    path = save("secret.csv", HEAD)
    # The superuser may read everything.
    monkeypatch.setattr(opening, "open", refuse, raising=False)
    with pytest.raises(RowsError, match="cannot read the file: Permission denied"):
        open_rows(path)


def test_unknown_forms():
    with pytest.raises(RowsError, match="found 'cvs'; did you mean csv"):
        open_rows("-", form="cvs", stdin=io.BytesIO())
    with pytest.raises(RowsError, match="cannot read Parquet from standard input"):
        open_rows("-", form="parquet", stdin=io.BytesIO(b"PAR1"))


def test_no_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(RowsError, match="-: expected a standard input, found none"):
        open_rows("-")


class _Breaking(io.RawIOBase):
    """A file whose disk breaks after some bytes."""

    def __init__(self, data):
        self._data = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        size = self._data.readinto(buffer)
        if not size:
            raise OSError(5, "Input/output error")
        return size


def test_a_disk_that_breaks():
    rows = list(read_rows("-", stdin=_Breaking(f"{HAND}\n{GOOD}\n".encode())))
    assert [row.hand for row in rows] == [HAND, GOOD, ""]
    assert (rows[2].line, rows[2].error) == (3, "cannot read on: Input/output error")
    with pytest.raises(RowsError, match="-: cannot read on: Input/output error"):
        open_rows("-", stdin=_Breaking(b""))


def test_a_line_without_end():
    from advisor.batch import lines

    class Zeros(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    found = list(lines.numbered_lines(io.BufferedReader(Zeros(), 1 << 20)))
    assert [error for *_, error in found] == ["a line without end: what follows is lost"]


def test_a_bomb_is_one_row(save):
    # 50 MB of one letter in 50 kB.
    packer = zlib.compressobj(9, wbits=31)
    data = b"".join(packer.compress(b"A" * 1_000_000) for _ in range(50))
    data += packer.compress(f"\n{HAND}\n".encode()) + packer.flush()
    assert len(data) < 100_000
    rows = list(read_rows(save("bomb.txt.gz", data)))
    assert [row.error for row in rows] == [LONG, None]


def test_parquet_rows_that_cannot_be_read(tmp_path):
    bad_text = pa.Array.from_buffers(
        pa.string(), 3, [None, pa.py_buffer(bytes([0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0])), pa.py_buffer(b"a\xffb")]
    )  # fmt: skip
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"hand": [HAND, HAND, GOOD], "note": bad_text}), path)
    rows = list(read_rows(path))
    assert [row.hand for row in rows] == [HAND, "", GOOD]
    assert (rows[1].line, rows[1].error[:27]) == (2, "a value that cannot be read")
    pq.write_table(
        pa.table(
            {
                "hand": pa.array([18515, None, 3], pa.date32()),
                "id": ["x", "y", "z" * 200_000],
            }
        ),
        path,
    )
    errors = [row.error for row in read_rows(path)]
    assert errors[0] == "hand: '2020-09-10' looks like a date: format the column as text"
    assert errors[1] == NONE
    assert errors[2] == "expected a row of at most 100,000 characters, found a longer one"
    for table, message in [
        ({"hnd": [HAND]}, "found hnd; did you mean hand"),
        ({"hand": [HAND], "Hand": [HAND]}, "found 'hand' and 'Hand' twice"),
    ]:
        pq.write_table(pa.table(table), path)
        with pytest.raises(RowsError, match=message):
            open_rows(path)


@pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_damaged_parquet(tmp_path, place):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"hand": [os.urandom(8).hex() for _ in range(5000)]}), path)
    data = bytearray(path.read_bytes())
    start = int(len(data) * place)
    data[start : start + 200] = b"\xff" * len(data[start : start + 200])
    path.write_bytes(data)
    rows = rows_or_refusal(str(path))
    if isinstance(rows, str):
        assert "damaged Parquet" in rows
    else:
        assert all(row.error or row.hand for row in rows)


def read_all(data, form):
    """Return the rows, or None for a file that is refused; nothing else may happen."""
    rows = rows_or_refusal("-", form=form, stdin=io.BytesIO(data))
    if isinstance(rows, str):
        assert rows.startswith("-:")
        assert rows.isprintable()
        return None
    lines = [row.line for row in rows]
    assert lines == sorted(set(lines))
    for row in rows:
        assert (row.error is None) == bool(row.hand)
        assert (row.error or "").isprintable()
        for text in (row.id or "", row.hand, *row.options.values(), *row.extra.values()):
            assert "\0" not in text.encode().decode()
    return rows


PIECES = st.sampled_from(
    [HAND.encode(), b"hand", b"id", b"c1", b",", b";", b"\t", b":", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0",
     b"#", b"{", b"}", b"[", b"]", b'{"hand": "', b'"}', b"\\u0000", b"\\ud800", b"\xff", b"\xef\xbb\xbf", "♠".encode(),
     b"S: A", b"10-Sep", b"\x1b[1m", b"Hand\x1b", b"hnad", b"1e9999", b"sep=;", b"PAR1", b"\x1f\x8b\x08\0", b"\xfd7zXZ\0", b" "]
)  # fmt: skip
BYTES = st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=40).map(b"".join))


@settings(max_examples=300, deadline=None)
@given(BYTES, st.sampled_from([None, "text", "csv", "tsv", "jsonl"]), st.booleans())
def test_any_bytes_are_rows_or_one_error(data, form, is_table):
    if is_table:
        data = b"id,hand,note,seat\n" + data
    read_all(data, form)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from([gzip.compress, lzma.compress]))
def test_any_damage_to_packed_data_is_rows_or_one_error(data, pack):
    packed = bytearray(pack(f"{HAND}\n".encode() * 20) + pack(f"{GOOD}\n".encode()))
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(packed) - 1))
        packed[place] = data.draw(st.integers(0, 255))
    found = read_all(bytes(packed[: data.draw(st.integers(0, len(packed)))]), "text")
    assert found is None or len(found) <= 30


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_any_json_is_a_row_or_an_error(value):
    for item in (value, {"hand": value}, {"hand": HAND, "x": value, "seat": value}):
        found = read_all(json.dumps(item).encode(), "jsonl")
        assert found is None or len(found) == 1


def test_nesting_at_the_edge_of_what_python_reads():
    for depth in range(850, 1000):
        nested = "[" * depth + "]" * depth
        for value in (f'{{"hand": "{HAND}", "x": {nested}}}', f'{{"hand": {nested}}}'):
            assert len(read_all(value.encode(), "jsonl")) == 1


def test_every_form_was_tortured():
    assert set(FORMS) == {"text", "csv", "tsv", "jsonl", "parquet"}
