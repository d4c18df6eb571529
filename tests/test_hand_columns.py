"""What the columns of a file of hands mean."""

import itertools
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hand_files import CARDS, HAND, good, rows_of

from advisor.batch import RowsError, columns, open_rows, read_rows
from advisor.batch.damaged import damage
from advisor.batch.hand_columns import HandColumns


@pytest.fixture(scope="module")
def notations():
    from pathlib import Path

    path = Path(__file__).parent / "data" / "hand_notations.json"
    found = json.loads(path.read_text())
    assert len(found) > 20
    return found


def test_a_column_cards_is_the_hand_where_none_is_called_so():
    text = f"Nr,Cards\n7,{HAND}\n"
    [row] = rows_of(text)
    assert (row.id, row.hand, row.extra) == (None, HAND, {"Nr": "7"})
    [row] = rows_of(json.dumps({"id": "a", "cards": CARDS.split()}), form="jsonl")
    assert (row.id, row.hand) == ("a", CARDS)
    # Beside a hand it means nothing, beside single cards it is none of them.
    [row] = rows_of(f"hand,cards\n{HAND},x\n")
    assert (row.hand, row.extra) == (HAND, {"cards": "x"})
    numbered = ",".join(f"card{i}" for i in range(1, 13))
    [row] = rows_of(f"{numbered},cards\n{CARDS.replace(' ', ',')},12\n")
    assert (row.hand, row.extra) == (CARDS, {"cards": "12"})
    with pytest.raises(RowsError, match="expected a column hand"):
        rows_of("cards,Cards\nx,y\n", form="csv")


@pytest.mark.parametrize(("names", "known"), [("hand,Auction", True), ("hand,auctions", False)])
def test_a_column_of_calls_is_known_before_the_first_row(save, names, known):
    rows = {"x.csv": f"{names}\n{HAND},\n", "x.jsonl": json.dumps(dict.fromkeys(names.split(",")))}
    for name, text in rows.items():
        with open_rows(save(name, text)) as reader:
            assert reader.has_auction == known


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_csv_columns_are_found_by_name(sign):
    header = ["Nr", " ID ", "Hand", "TRUMP", "Score-Us", "score them", "Pass", "Run_Extras", "nr"]
    values = ["x", "7", HAND, "S", "-120", "300", "3", "yes", " y "]
    [row] = rows_of(sign.join(header) + "\n" + sign.join(values) + "\n")
    assert (row.line, row.id, row.hand) == (2, "7", HAND)
    assert row.options == {
        **{"trump": "S", "score_us": "-120", "score_them": "300", "pass": "3"},
        "run_extras": "yes",
    }
    assert list(row.extra.items()) == [("Nr", "x"), ("nr", " y ")]


ID_NAMES = ["hand id", "name", "player", "label", "number", "no", "board"]


@pytest.mark.parametrize("name", [*ID_NAMES, "Hand_ID", "hand-id", "NAME", " Player "])
def test_what_stands_for_the_id(name, tmp_path):
    """In every form alike; the column is not carried through as well."""
    values = {name: "7", "hand": HAND, "club": "north"}
    path = tmp_path / "hands.parquet"
    pq.write_table(pa.table({key: [value] for key, value in values.items()}), path)
    for rows in (
        rows_of(f"{name},hand,club\n7,{HAND},north\n", "csv"),
        rows_of(f"{name}\thand\tclub\n7\t{HAND}\tnorth\n", "tsv"),
        rows_of(json.dumps(values) + "\n", "jsonl"),
        rows_of(json.dumps({**values, name: 7}) + "\n", "jsonl"),
        read_rows(str(path)),
    ):
        [row] = rows
        assert (row.id, row.hand, row.error) == ("7", HAND, None)
        assert dict(row.extra) == {"club": "north"}


def test_the_first_that_stands_for_the_id_is_taken():
    for place, first in enumerate(ID_NAMES):
        # Whatever the order of the columns; those that are left are carried through.
        rest = ID_NAMES[place + 1 :]
        found = HandColumns.of([*reversed(rest), "hand", first])
        assert found.id == len(rest) + 1
        assert set(found.carried) == set(rest)
    found = HandColumns.of(["name", "hand", "ID"])
    assert (found.id, found.carried) == (2, ("name",))
    # An empty id is not made up from another column.
    assert good(f"id,name,hand\n,bo,{HAND}\n7,ann,{HAND}\n") == [(None, HAND), ("7", HAND)]
    with pytest.raises(RowsError, match="expected each column once, found 'name' twice"):
        HandColumns.of(["name", "hand", "name"])


def test_every_rule_may_be_a_column():
    from advisor.game.rules import SETTINGS

    for setting in SETTINGS:
        carried = HandColumns.of(["hand", setting.key.upper()]).carried
        # Names of players and clubs are no rules: one stands for the id, the other is carried.
        assert carried == (("SOURCE",) if setting.key == "source" else ())
    assert HandColumns.of(["hand", "pass cards"]).options == (("pass", 1),)


def test_empty_cells_and_decimals_of_options():
    [one, two] = rows_of(f"hand,seat,trump,score\n{HAND},2.0,,\n{HAND},, ♠ ,900 1100\n")
    assert one.options == {"seat": "2"}
    assert two.options == {"trump": "♠", "score_us": "900", "score_them": "1100"}


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("900 1100", ("900", "1100")),
        ("900-1100", ("900", "1100")),
        ("900 - 1100", ("900", "1100")),
        ("-50 / 20", ("-50", "20")),
        ("900 -20", ("900", "-20")),
        ("900--20", ("900", "-20")),
        ("0:0", ("0", "0")),
    ],
)
def test_both_scores_in_one_column(text, both):
    [row] = rows_of(f"hand,score\n{HAND},{text}\n")
    assert (row.options["score_us"], row.options["score_them"]) == both


@pytest.mark.parametrize(
    "names",
    [
        [f"c{n}" for n in range(1, 13)],
        [f"Card {n:02}" for n in range(1, 13)],
        [f"CARD_{n}" for n in range(1, 13)],
        [f"card {word}" for word in "abcdefghijkl"],
    ],
)
def test_twelve_columns_of_cards(names):
    cards = CARDS.split()
    text = ",".join(["id", *names, "card_points"]) + "\n" + ",".join(["1", *cards, "10-10-5-5"])
    [row] = rows_of(text)
    assert (row.id, row.hand, row.extra) == ("1", CARDS, {})
    assert row.options == {"card_points": "10-10-5-5"}


def test_numbered_cards_in_any_order_of_columns():
    names = [f"c{n}" for n in range(12, 0, -1)]
    [row] = rows_of(",".join(names) + "\n" + ",".join(reversed(CARDS.split())))
    assert row.hand == CARDS


def test_a_hand_beside_columns_of_cards():
    names = ",".join(f"c{n}" for n in range(1, 13))
    [row] = rows_of(f"hand,{names}\n{HAND}" + ",AS" * 12)
    assert (row.hand, len(row.extra)) == (HAND, 12)


def test_columns_are_known_before_the_rows(save):
    assert columns(save("a.csv", "Club,hand,Night\n")) == ("Club", "Night")
    assert columns(save("a.txt", HAND)) == ()
    path = save("a.jsonl", f'broken\n{{"x": 1, "hand": "{HAND}", "y": 2}}\n')
    with open_rows(path) as reader:
        assert (reader.form, reader.columns) == ("jsonl", ("x", "y"))
        assert [row.line for row in reader] == [1, 2]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("10-Sep", "a date"),
        ("10. Sep", "a date"),
        ("Sep-10", "a date"),
        ("9/10/2026", "a date"),
        ("10.09.26", "a date"),
        ("2026-09-10 00:00:00", "a date"),
        ("2026-09-10T00:00:00Z", "a date"),
        ("10-Sep-2026", "a date"),
        ("09-Okt", "a date"),
        ("09:10", "a time"),
        ("9:10:00 AM", "a time"),
        ("45910", "a number"),
        ("9", "a number"),
        ("10.0", "a number"),
        ("1E+10", "a number"),
        ("9,00E+09", "a number"),
        ("90%", "a number"),
        ("TRUE", "a truth value"),
        ("#NAME?", "a spreadsheet's error"),
        ("########", "a spreadsheet's error"),
    ],
)
def test_what_spreadsheets_make_of_cards_is_named(cell, kind):
    assert damage(cell) == kind
    [row] = rows_of(f'hand,id\n"{cell}",7\n')
    assert (row.hand, row.id) == ("", "7")
    assert row.error == f"hand: {cell!r} looks like {kind}: format the column as text"


def test_no_card_and_no_hand_looks_damaged(notations):
    ranks = ["A", "T", "10", "K", "Q", "J", "9", "ace", "ten", "nine", "jack"]
    suits = ["S", "H", "D", "C", "s", "h", "d", "c", "♠", "♥", "♦", "♣"]
    words = [" of spades", " of hearts", " of diamonds", " of clubs", " spades", " diamonds"]
    for rank, suit in itertools.product(ranks, suits + words):
        for card in (rank + suit, suit + rank, f"{rank} {suit}", f"{suit}-{rank}"):
            assert damage(card) is None
    for case in notations:
        if "expect" in case:
            assert damage(case["text"]) is None
