"""Texts that are no hand, or could be two, are refused with the reason, in one line and at once."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import HandError, OptionError
from advisor.game.notation import parse_hand, parse_trump

ROWS = json.loads(
    Path(__file__).with_name("data").joinpath("hand_notations.json").read_text("utf8")
)
REJECTED = {
    "11 cards": "hand has 11 cards, expected 12: ATKQJ9.A.JJ.KQ",
    "three copies": "3x AS: a pinochle deck has 2 of each",
    "rank 8": "column 16: '8S': '8' is not a rank; use A T K Q J 9 (10 = T)",
    "unknown suit X": "column 34: '9X': 'X' is not a suit; use S H D C",
    "same, suit+X": "'X' is not a rank",
    "'1' is ambiguous": "column 1: '1S': '1' may be the ten or the ace",
    "not an exact hand": "column 7: 'legs': not an exact hand",
    "empty line": "empty hand",
}

REFUSED = [
    ("   ", "empty hand"),
    ("\n\n", "empty hand"),
    ("# only a note", "empty hand"),
    ("hand=; bid=?", "empty hand"),
    ("bid=300", "empty hand"),
    ("AATKQJ.AK.QJ.T", "hand has 11 cards, expected 12: AATKQJ.AK.QJ.T"),
    ("AS TS KS QS JS 9S AH JD JD KC QC 9C 9C", "hand has 13 cards, expected 12"),
    ("3 JD AS TS KS QS JS 9S AH KC QC", "3x JD: a pinochle deck has 2"),
    ("JDx3 AS TS KS QS JS 9S AH KC QC", "3x JD"),
    ("AAAS TS", "3x AS"),
    ("four aces of spades", "4x AS"),
    ("AS AS xxxxx", "column 7: 'xxxxx'"),
    ("AAxxxxx", "'X' is not a rank"),
    ("AKxx AQx Jxx Kx", "spot card"),
    ("A A Q", "no suits in 'A A Q'"),
    ("A 10 K Q J 9 A J J K Q 9", "found 12"),
    ("ATKQJ9AJJKQ9", "no suits"),
    ("♠A10KQJ9 A JJ ♣KQ9", "column 10: 'A'"),
    ("A♠ 10♠ K♠ Q♠ J♠ 9♠ A J J K♣ Q♣ 9♣", "column 20: 'A'"),
    ("♠AT9 AK QJJ ♣KQJT", "column 6: 'A'"),
    ("♠ A ♠ 10 ♠ K Q J 9 A J J ♣ K ♣ Q ♣ 9", "no suit"),
    ("S ATKQJ9\nH A\nJJ\nC KQ9", "line 3 column 1: 'J'"),
    ("S: ATKQJ9 A JJ KQ9", "column 11: 'A'"),
    ("ATKQJ9.A.JJ", "expected 4 suits as S.H.D.C, found 3"),
    ("ATKQJ9.A.JJ.KQ9.A", "found 5"),
    ("N:AT.K.Q.J AT.K.Q.J AT.K.Q.J AT.K.Q.J", "found 13"),
    ("ATKQJ9 A JJ", "found 3"),
    ("ATKQJ8.A.JJ.KQ9", "'8' is not a rank"),
    ("S ATKQJ8 H A D JJ C KQ9", "column 3: 'ATKQJ8': '8'"),
    ("7S", "'7' is not a rank"),
    ("8 S", "'8' is not a rank"),
    ("S: A 2 K Q J 9", "column 6: '2'"),
    ("AS TS 9Z", "column 7: '9Z': 'Z' is not a suit"),
    ("A T K Q J 9 of Z", "'Z' is not a suit"),
    ("AS 1S KS QS JS 9S AH JD JD KC QC 9C", "column 4: '1S': '1' may be the ten or the ace"),
    ("AS 11S KS QS JS 9S AH JD JD KC QC 9C", "column 4: '11S'"),
    ("S 1TKQJ9 H A D JJ C KQ9", "ten or the ace"),
    ("11KQJ9 1 JJ KQ9", "ten or the ace"),
    ("AT0KQJ9 A JJ KQ", "'0' beside another ten"),
    ("AS TS KS QS JS 9S AH JD2 KC QC 9C", "JDx2"),
    ("royal marriage, A T J 9 of spades, AH, JJ of diamonds, KC QC 9C", "'marriage': no suit"),
    ("run, AH AD AC, JD JD, KC QC 9C", "'run': no suit"),
    ("aces around and a run", "column 19: 'run'"),
    ("run in trump, AH, both JD, KC QC 9C 9H", "'trump'"),
    ("dix, AS TS KS QS JS AH JD JD KC QC 9C", "'dix': no suit"),
    ("run in spades, nine, ace of hearts, both JD, KC QC 9C", "column 16: 'nine'"),
    ("half a pinochle", "not an exact hand"),
    ("two pinochle parts", "not an exact hand"),
    ("both red aces", "not an exact hand"),
    ("four aces and three kings", "no suits in"),
    ("no ace of hearts", "'no'"),
    ("hearts void, AH, run in spades, 9S JD JD KC QC 9C", "hearts are void and hold cards"),
    ("A ten of spades", "the ace or the article?"),
    ("a 9 of clubs", "the ace or the article?"),
    ("AS, TS, 9, AH, KS QS JS JD JD KC QC 9C", "column 9: '9'"),
    ("AS T K Q J 9 AH JD J KC Q 9", "column 4: 'T'"),
    ("spades: A T K, 9 of hearts", "suit before or after"),
    ("aces: S, jacks: D", "expected a suit before it"),
    ("AS TS KS QS JS 9S AH JD JD KC QC C", "'C': no rank beside the suit"),
    ("AS TS KS QS JS 9S AH JD JD KC QC 9", "column 34: '9': no suit"),
    ("king and queen of clubs and hearts", "'hearts': no rank"),
    ("AT,KQ J9,A TK,QJ 9", "can be read as AT.KQJ9.ATK.QJ9 or as ATKQ.AJ9.TKQJ.9"),
    ("AS or TS", "column 4: 'or'"),
    ("AS TS bid 300", "'bid'"),
    ("Joker AS", "'Joker'"),
    ("🂬 AS", "column 1: '🂬'"),
    ("SAS", "each rank needs one suit"),
    ("SHDC", "each rank needs one suit"),
    ("two aces, TKQJ9S AH JJD KQ9C", "'aces': no suit"),
    ("two, AS", "the card to be counted is missing"),
    ("two", "the card to be counted is missing"),
    ("2 AKS", "it may count one card or several"),
    ("AK of spades x2", "it may repeat one card or several"),
    ("x2 AS", "no card stands before it"),
    ("around", "expected a rank before it"),
    ("80 aces", "not the meld of aces around"),
    ("of", "no card in"),
    ("?", "column 1: '?'"),
    ("\x00\x01", "column 1: '\\x00'"),
    ("AS \x1b[31m", "column 4: '\\x1b'"),
    ("\ud800", "'\\ud800'"),
    (" " * 2001, "2,001 characters"),
    (
        "2 10s, ace of hearts; KS KS QS QS AC TC KC AD TD",
        "as TTKKQQ.A.AT.ATK or as KKQQ",
    ),
    (
        "as as ks ks qs qs; 2 10s, ace of hearts; ac tc kc",
        "as AATTKKQQ.A.-.ATK or as AAK",
    ),
    ("KS KS QS QS; two 9s and both 10s and ace of hearts; AC TC KC", "can be read as"),
    ("2 Ks and an ace of hearts; AS TS AD TD AC TC KC QC 9C", "can be read as"),
    ("♠ A K, Q, J J, ♣ A 10 10 Q J 9 9", "column 8: 'Q': no suit for it; is one missing"),
    ("♠ A K / Q / J J / ♣ A 10 10 Q J 9 9", "column 9: 'Q': no suit for it"),
    ("♠ A J  10 10  9 9  ♣ A 10 10 J 9 9", "column 8: '10': no suit for it"),
    ("♠ A K | Q | J J ♣ A 10 10 Q J 9 9", "column 9: 'Q': no suit for it"),
    ("♠ A K. Q. J J ♣ A 10 10 Q J 9 9", "column 8: 'Q': no suit for it"),
    ("♠ A-K Q J-J ♣ A-10-10-Q-J-9-9", "no suit for it"),
    ("♠10/K / K/Q/J / J/9/9 / ♣A/K/J/9", "no suit for it"),
    ("♠: A K	Q	J J	♣: A 10 10 K Q 9 9", "no suit for it"),
    ("A K♠ Q, J J, A 10 10 Q J 9 9♣", "no suit for it"),
    ("S ATKQJ9 H A D JJ D KQ9", "column 19: 'D': diamonds are named twice"),
    ("S: ATKQJ9; H: A; H: JJ; C: KQ9", "column 18: 'H': hearts are named twice"),
    ("SATKQJ9 HA DJJ DKQ9", "diamonds are named twice"),
    ("♠ATKQJ9 ♥A ♦JJ ♦KQ9", "diamonds are named twice"),
    ("ATKQJ9S AH JJD KQ9D", "diamonds are named twice"),
    (
        "Spades: ATKQJ9\nHearts: A\nDiamonds: J J\nDiamonds: K Q 9",
        "line 4 column 1: 'Diamonds': ",
    ),
    ("spades ATKQJ9 hearts A clubs JJ clubs KQ9", "clubs are named twice"),
    ("S: ATKQJ9 H: H: A D: JJ C: KQ9", "hearts are named twice"),
    ("AS TS KS QS JS 9S AH JD 2x KC QC 9C", "as ATKQJ9.A.J.KKQ9 or as ATKQJ9.A.JJ.KQ9"),
    ("AS TS KS QS JS 9S AH 2x JD KC QC 9C", "as ATKQJ9.A.JJ.KQ9 or as ATKQJ9.AA.J.KQ9"),
    ("ATKQJ9S AH 2x JD KQ9C", "can be read as"),
    ("AS TS KS QS JS 9S AH J♦ 2* K♣ Q♣ 9♣", "can be read as"),
    ("ace of spades 2x king of hearts, AD AD AC AC TC TC KC KC QC", "can be read as"),
    ("AATKQJ.AK.QJ.T9 extra", "column 17: 'extra': no card follows it"),
    ("AATKQJ.AK.QJ.T9 another", "'another'"),
    ("AATKQJ.AK.QJ.T9 royal", "'royal'"),
    ("AATKQJ.AK.QJ.T9 also", "'also': no card follows it"),
    ("AATKQJ.AK.QJ.T9 and", "'and': no card follows it"),
    ("AATKQJ.AK extra.QJ.T9", "'extra'"),
    ("AATKQJ.my AK.QJ.T9", "column 8: 'my': expected ranks only"),
    ("AS TS KS hand QS JS 9S AH JD JD KC QC 9C", "column 10: 'hand': expected a card"),
    ("AS TS KS QS JS 9S AH JD JD KC QC 9C suit", "'suit'"),
    ("AATKQJ.AK.QJ.T9 please", "'please'"),
    ("AKQJ9 11 JJ KQ9", "numbers and letters are mixed"),
    ("S 11 H AQQ D QJ C AAKQQ9", "numbers and letters are mixed"),
    ("ATKQJ9 12 JJ KQ9", "numbers and letters are mixed"),
    ("A1KQJ9 11 TT KQ", "ten or the ace"),
    ("♥ A run in spades, 9S, JD JD, KC QC 9C", "the ace or the article?"),
    ("TKQJ99 A none KQ99", "11 cards"),
    ("two jacks x2 of diamonds", "counted already"),
    ("marriages in spades x2", "counted already"),
    ("N ATKQJ.A.JJ.KQ9", "hand has 11 cards, expected 12: ATKQJ.A.JJ.KQ9"),
    ("1. JS 3. JC 2. AS", "'3' is not a rank"),
    ("2. JS 3. JC", "'2' is not a rank"),
    ('[{"rank":"A","suit":"S","color":"black"}]', "a card here has one rank and one suit"),
    ('[{"rank":"A","suit":"S"},{"rank":"T"}]', "a card here has one rank"),
    ('[{"rank":"A","suit":"Z"}]', "'Z' is not a suit"),
    ("hand #3", "empty hand"),
    ("AATKQJ.A8.QJ.T9", "column 8: 'A8': '8' is not a rank; use A T K Q J 9"),
    ("AATKQJ.AK.QJ.T8", "column 14: 'T8': '8' is not a rank"),
    ("AATKQJ AK QJ T7", "'7' is not a rank"),
    ("AATKQJ.AZ.QJ.T9", "'Z' is not a rank"),
    ("S ATKQJ9 H A8 D JJ C KQ", "column 12: 'A8': '8' is not a rank"),
    ("H A8", "column 3: 'A8': '8' is not a rank"),
    ("H: AZ; S: ATKQJ9", "'Z' is not a rank"),
    ("A7", "'7' is not a rank"),
]

TOKENS = (
    "A T K Q J 9 1 0 10 11 8 x S H D C ♠ ♥ AS ASKS SA JDx2 2xJD x2 2 (2) _1 AS0 . , ; : = / | - -- "
    "+ # \n ace tens jacks of in and a an the two both pair run marriage pinochle aces around no "
    "void spades spade heart hearts: hand= bid= royal 'S [ ] \" 🂡 ️ ９ \0 twice 80 hundred"
)


def words(text: str) -> list[str]:
    return text.split(" ")


def refusal(text: str, sizes: tuple[int, ...] | None = (12,)) -> str:
    """Return the message of a refused text, after checking its form."""
    with pytest.raises(HandError) as caught:
        parse_hand(text, sizes)
    message = str(caught.value)
    assert message.isprintable(), message
    assert len(message) < 250
    return message


@pytest.mark.parametrize("row", [row for row in ROWS if "expect" not in row], ids=str)
def test_collected_mistakes_are_refused(row: dict[str, str]) -> None:
    [expected] = [text for key, text in REJECTED.items() if row["expect_error"].startswith(key)]
    assert expected in refusal(row["text"])


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_refused(text: str, reason: str) -> None:
    assert reason in refusal(text)


def test_lone_x_is_a_void_only_if_no_size_counts_it_as_a_card() -> None:
    text = "AATTKK x AAJJQ K"
    assert str(parse_hand(text, (12,))) == "AATTKK.-.AAQJJ.K"
    assert "may be a void or a spot card" in refusal(text, (12, 13))
    assert "may be a void or a spot card" in refusal(text, None)


def test_melds_that_may_share_a_card() -> None:
    assert "may share QS" in refusal("run in spades, pinochle", None)
    assert "may share QS" in refusal("run in spades, pinochle", (6, 7))
    assert str(parse_hand("run in spades, pinochle", (7,))) == "ATKQQJ.-.J.-"


def test_two_readings_are_both_named() -> None:
    message = refusal("AT,K Q J,9 A,T", None)
    assert "can be read as " in message
    assert " or as " in message


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    read_or_refuse(text)


@given(st.lists(st.sampled_from(words(TOKENS)), max_size=14), st.sampled_from(["", " "]))
def test_any_mixture_of_words_is_read_or_refused_in_one_line(mixture: list[str], gap: str) -> None:
    read_or_refuse(gap.join(mixture))


def read_or_refuse(text: str) -> None:
    for sizes in (None, (12,), (1, 2, 3)):
        message = ""
        try:
            hand = parse_hand(text, sizes)
        except HandError as error:
            message = str(error)
        if message:
            assert message.isprintable()
        else:
            assert sizes is None or len(hand) in sizes
            assert parse_hand(str(hand), sizes) == hand


@pytest.mark.parametrize(
    "text",
    ["AS " * 3_500_000, "#" * 10_000_000, "\0" * 10_000_000, " " * 10_000_000],
    ids=["cards", "comment", "binary", "blanks"],
)
def test_a_huge_line_is_refused_at_once(text: str) -> None:
    start = time.process_time()
    assert "expected at most 2,000" in refusal(text)
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize(
    "piece",
    [
        "A",
        "S",
        "AS",
        "S:",
        "S ",
        "A ",
        "A,",
        "-",
        "x",
        "(2",
        "2 ",
        "run ",
        "a ",
        "hand=",
        "#\n",
        "'S",
        "٣",
        "ﷺ",
        "A♠",
        "no ",
        "no S ",
        "of ",
        "S:A ",
        "HAND",
        "HAND_",
        "80 ",
        "10s ",
        "two 9s, ",
        "2 9s and ",
        "AS 2x ",
        "1. ",
        "hand #1 ",
        "{'rank':'A','suit':'S'} ",
        "extra ",
        "the ",
        "- ",
    ],
)
def test_no_text_is_slow(piece: str) -> None:
    text = (piece * 2000)[:2000]
    taken = []
    for _ in range(3):
        start = time.process_time()
        refusal(text, None)
        taken.append(time.process_time() - start)
    # A reading that tries all ways to cut a text takes minutes.
    assert min(taken) < 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("spdaes", "did you mean spades?"),
        ("harts", "did you mean hearts?"),
        *[(text, "expected S, H, D, C") for text in ("x", "", "trump", "S" * 10_000_000)],
        ("\n", "'\\n'"),
    ],
)
def test_trump_refused(text: str, reason: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse_trump(text)
    assert reason in str(caught.value)
    assert str(caught.value).isprintable()
