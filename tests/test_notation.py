"""Hands in every notation players use: read, refused, and written back."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.errors import HandError, OptionError
from advisor.game.cards import (
    N_CARD_TYPES,
    SUIT_LETTERS,
    SUIT_SYMBOLS,
    SUITS,
    Hand,
    card_name,
    parse_card,
)
from advisor.game.notation import format_hand, parse_hand, parse_trump

ROWS = json.loads(
    Path(__file__).with_name("data").joinpath("hand_notations.json").read_text("utf8")
)
ACCEPTED = [row for row in ROWS if "expect" in row]
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

# All of these are the hand ATKQJ9.A.JJ.KQ9.
SAME_HAND = [
    "SA ST SK SQ SJ S9 HA DJ DJ CK CQ C9",
    "SASTSKSQSJS9HADJDJCKCQC9",
    "sa st sk sq sj s9 ha dj dj ck cq c9",
    "♠A ♠10 ♠K ♠Q ♠J ♠9 ♥A ♦J ♦J ♣K ♣Q ♣9",
    "♠A,10,K,Q,J,9 ♥A ♦J,J ♣K,Q,9",
    "♠ATKQJ9♥A♦JJ♣KQ9",
    "♠: AKQJ109 ♥: A ♦: JJ ♣: KQ9",
    "S AKQJT9 H A D JJ C KQ9",
    "a s, 10 s, k s, q s, j s, 9 s, a h, j d, j d, k c, q c, 9 c",
    "as,ts,ks,qs,js,ns,ah,jd,jd,kc,qc,nc",
    "AS0 TS0 KS0 QS0 JS0 9S0 AH0 JD0 JD1 KC0 QC0 9C1",
    "AS1 10S1 KS2 QS1 JS1 9S1 AH1 JD1 JD2 KC1 QC1 9C1",
    "1S,10S,13S,12S,11S,9S,1H,11D,11D,13C,12C,9C",
    "1s 10s 13s 12s 11s 9s 1h 11d 11d 13c 12c 9c",
    "S 1 10 13 12 11 9 H 1 D 11 11 C 13 12 9",
    "1♠ 10♠ 13♠ 12♠ 11♠ 9♠ 1♥ 11♦ 11♦ 13♣ 12♣ 9♣",
    "1-10-13-12-11-9 1 11-11 13-12-9",
    "AS TS KS QS JS 9S AH JDx2 KC QC 9C",
    "AS TS KS QS JS 9S AH JD x2 KC QC 9C",
    "AS TS KS QS JS 9S AH JD*2 KC QC 9C",
    "AS TS KS QS JS 9S AH JD×2 KC QC 9C",
    "AS TS KS QS JS 9S AH, 2x JD, KC QC 9C",
    "AS TS KS QS JS 9S AH 2 x JD KC QC 9C",
    "AS TS KS QS JS 9S AH 2 JD KC QC 9C",
    "AS TS KS QS JS 9S AH JD (2) KC QC 9C",
    "AS TS KS QS JS 9S AH JD(x2) KC QC 9C",
    "AS TS KS QS JS 9S AH both JD KC QC 9C",
    "AS TS KS QS JS 9S AH pair of JD KC QC 9C",
    "AS TS KS QS JS 9S AH double JD KC QC 9C",
    "AS TS KS QS JS 9S AH two JD, KC QC 9C",
    "AS-TS_KS/QS|JS;9S,ah - jD JD . kc, QC  9c",
    "hand=AS TS KS QS JS 9S AH JD JD KC QC 9C; bid=?",
    "hand=ATKQJ9.A.JJ.KQ9; bid=?",
    "bid=?; hand=S:ATKQJ9 H:A D:JJ C:KQ9",
    "id=7, hand=ATKQJ9.A.JJ.KQ9, trump=S",
    "hand: AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "My hand is: AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "I have AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "hand=ATKQJ9.A.JJ.KQ9;bid=?",
    '{"hand": "ATKQJ9.A.JJ.KQ9", "bid": null}',
    '{"S":"ATKQJ9","H":"A","D":"JJ","C":"KQ9"}',
    '["ATKQJ9","A","JJ","KQ9"]',
    "['AS', 'TS', 'KS', 'QS', 'JS', '9S', 'AH', 'JD', 'JD', 'KC', 'QC', '9C']",
    "N:ATKQJ9.A.JJ.KQ9",
    "South: ATKQJ9.A.JJ.KQ9",
    "atkqj9.a.jj.kq9",
    "A10KQJ9.A.JJ.KQ9",
    "A0KQJ9.A.JJ.KQ9",
    "A1KQJ9.A.JJ.KQ9",
    "ATKQJ9 . A . JJ . KQ9",
    "S ATKQJ9.A.JJ.KQ9",
    "ATKQJ9 A JJ KQ9",
    "ATKQJ9/A/JJ/KQ9",
    "ATKQJ9 | A | JJ | KQ9",
    "| ATKQJ9 | A | JJ | KQ9 |",
    "ATKQJ9, A, JJ, KQ9",
    "ATKQJ9; A; JJ; KQ9",
    "ATKQJ9\nA\nJJ\nKQ9",
    "ATKQJ9-A-JJ-KQ9",
    "A T K Q J 9 / A / J J / K Q 9",
    "A T K Q J 9\nA\nJ J\nK Q 9",
    "A-10-K-Q-J-9 A J-J K-Q-9",
    "ATKQJ9:A:JJ:KQ9",
    "ATKQJ9_A_JJ_KQ9",
    "A,T,K,Q,J,9 A J,J K,Q,9",
    "HSDC: A ATKQJ9 JJ KQ9",
    "H: A S: ATKQJ9 C: KQ9 D: JJ",
    "clubs KQ9, diamonds JJ, hearts A, spades ATKQJ9",
    "Sp ATKQJ9 He A Dia JJ Cl KQ9",
    "Spade: ATKQJ9; Heart: A; Diamond: JJ; Club: KQ9",
    "S=ATKQJ9 H=A D=JJ C=KQ9",
    "S-ATKQJ9 H-A D-JJ C-KQ9",
    "S - ATKQJ9, H - A, D - JJ, C - KQ9",
    "S)ATKQJ9 H)A D)JJ C)KQ9",
    "(S) ATKQJ9 (H) A (D) JJ (C) KQ9",
    "S: A, T, K, Q, J, 9; H: A; D: J, J; C: K, Q, 9",
    "S A0KQJ9 H A D JJ C KQ9",
    "S A1KQJ9 H A D JJ C KQ9",
    "A T K Q J 9 S, A H, J J D, K Q 9 C",
    "ATKQJ9S AH JJD KQ9C",
    "ATKQJ9♠ A♥ JJ♦ KQ9♣",
    "A T K Q J 9♠, A♥, J J♦, K Q 9♣",
    "AKQJ109 of spades, A of hearts, JJ of diamonds, KQ9 of clubs",
    "Ａ♠ １０♠ Ｋ♠ Ｑ♠ Ｊ♠ ９♠ Ａ♥ Ｊ♦ Ｊ♦ Ｋ♣ Ｑ♣ ９♣",
    "ＡＳ ＴＳ ＫＳ ＱＳ ＪＳ ９Ｓ ＡＨ ＪＤ ＪＤ ＫＣ ＱＣ ９Ｃ",
    "🂡🂪🂮🂭🂫🂩🂱🃋🃋🃞🃝🃙",
    "🂡 🂪 🂮 🂭 🂫 🂩 🂱 🃋 🃋 🃞 🃝 🃙",
    "A♠ 🔟♠ K♠ Q♠ J♠ 9♠ A❤️ J♦ J♦ K♣ Q♣ 9♣",
    "♠️A10KQJ9 ♥️A ♦️JJ ♣️KQ9",
    (
        "ace-ten-king-queen-jack-nine of spades, ace of hearts, both jacks of diamonds, "
        "king-queen-nine of clubs"
    ),
    "A-10-K-Q-J-9 of spades, A of hearts, J-J of diamonds, K-Q-9 of clubs",
    (
        "Spades: ace, ten, king, queen, jack, nine. Hearts: ace. Diamonds: two jacks. "
        "Clubs: king, queen, nine."
    ),
    "spades ace ten king queen jack nine hearts ace diamonds jack jack clubs king queen nine",
    (
        "I hold the ace, ten, king, queen, jack and nine of spades, the ace of hearts, a "
        "pair of jacks of diamonds, and the king, queen and nine of clubs."
    ),
    (
        "ace of spades, a ten of spades, a king of spades, a queen of spades, a jack of "
        "spades, a nine of spades, an ace of hearts, two jacks of diamonds, a king of "
        "clubs, a queen of clubs and a nine of clubs"
    ),
    (
        "Ace of Spades\nTen of Spades\nKing of Spades\nQueen of Spades\nJack of Spades\n"
        "Nine of Spades\nAce of Hearts\n2 Jacks of Diamonds\nKing of Clubs\nQueen of "
        "Clubs\nNine of Clubs"
    ),
    (
        "ace of ♠, ten of ♠, king of ♠, queen of ♠, jack of ♠, nine of ♠, ace of ♥, 2 "
        "jacks of ♦, king of ♣, queen of ♣, nine of ♣"
    ),
    (
        "a run in spades, the nine of spades, the ace of hearts, two jacks of diamonds, a "
        "marriage in clubs and the nine of clubs"
    ),
    "run of spades and 9, AH, jack of diamonds x2, club marriage and 9C",
    "run in ♠ + 9♠ + A♥ + both J♦ + marriage in ♣ + 9♣",
    "Spades: run + 9; hearts: A; diamonds: JJ; clubs: marriage + 9",
    "royal marriage in spades, A T J 9 of spades, AH, JJ of diamonds, marriage in clubs, 9C",
    "♠ run, 9♠, A♥, J♦ J♦, K♣ Q♣ 9♣",
    "flush in spades, dix of spades, AH, JD JD, KC QC 9C",
    "AS TS KS JS 9S AH pinochle JD KC QC 9C",
    "two J's of diamonds, AS TS KS QS JS 9S AH KC QC 9C",
    "two Js of diamonds, AS TS KS QS JS 9S AH KC QC 9C",
    "# c\n\nATKQJ9.A.JJ.KQ9 # x",
    (
        "A(spade) 10(spade) K(spade) Q(spade) J(spade) 9(spade) A(heart) J(diamond) "
        "J(diamond) K(club) Q(club) 9(club)"
    ),
    "S A T K Q J 9\tH A\tD J J\tC K Q 9",
    "[AS, TS, KS, QS, JS, 9S, AH, JD, JD, KC, QC, 9C]",
    "AS & TS & KS & QS & JS & 9S & AH & JD & JD & KC & QC & 9C",
    "“AS TS KS QS JS 9S AH JD JD KC QC 9C”",
    "AS–TS–KS–QS–JS–9S–AH–JD–JD–KC–QC–9C",
    "SA TS SK QS SJ 9S HA JD DJ CK QC C9",
    "ATKQJ9♠ A♥, 2xJ♦, KQ9♣",
    "S: A T K Q J 9 H: A D: J(2) C: K Q 9",
    "S: A T K Q J 9 H: A D: Jx2 C: K Q 9",
    (
        "10 of spades, ace of spades, king of spades, queen of spades, jack of spades, 9 "
        "of spades, ace of hearts, both jacks of diamonds, king of clubs, queen of clubs, "
        "9 of clubs"
    ),
    "9C QC KC JD JD AH 9S JS QS KS TS AS",
    "JACK OF DIAMONDS, JACK OF DIAMONDS, AS TS KS QS JS 9S AH KC QC 9C",
    "S:ATKQJ9 H:A D:JJ C:KQ9",
    "S:ATKQJ9,H:A,D:JJ,C:KQ9",
    "SATKQJ9 HA DJJ CKQ9",
    "SATKQJ9HADJJCKQ9",
    "run in spades with extra nine, AH, both JD, KC QC 9C",
    "1 ace of hearts, 2 jacks of diamonds, run in spades, 9S, KC QC 9C",
    '[Deal "S:ATKQJ9.A.JJ.KQ9"]',
    "A/10/K/Q/J/9 of spades; A of hearts; J/J of diamonds; K/Q/9 of clubs",
    "S ATKQJ9 AH JD JD KC QC 9C",
    "Hand 3: AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "Spades - A 10 K Q J 9\nHearts - A\nDiamonds - J J\nClubs - K Q 9",
    "A-S T-S K-S Q-S J-S 9-S A-H J-D J-D K-C Q-C 9-C",
    "AS10SKSQSJS9SAHJDJDKCQC9C",
    "S10SASKSQSJS9HADJDJCKCQC9",
    "spade run, spade nine, heart ace, two diamond jacks, club king, club queen, club nine",
    ("ace of hearts, 2 diamond jacks, marriage in clubs and the nine, run in spades and the nine"),
    "0S AS KS QS JS 9S AH JD JD KC QC 9C",
    "The hand is A♠, 10♠, K♠, Q♠, J♠, 9♠, A♥, J♦, J♦, K♣, Q♣ and 9♣.",
    "hand=[AS TS KS QS JS 9S AH JD JD KC QC 9C]; bid=?",
    "Spades - run + 9; Hearts - A; Diamonds - J J; Clubs - marriage, 9",
    "Suit S: ATKQJ9 suit H: A suit D: JJ suit C: KQ9",
    "ace in the spade suit, TS KS QS JS 9S AH JD JD KC QC and 9 of the club suit",
    "ATKQJ9 - A - JJ - KQ9",
    "AS TS KS QS JS 9S AH JD 2x, KC QC 9C",
    "I was dealt AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "I was dealt ATKQJ9 A JJ KQ9",
    "My hand is AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "holding AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "I'm holding ATKQJ9.A.JJ.KQ9",
    "I’ve got ATKQJ9 A JJ KQ9",
    "Here's my hand: ATKQJ9 A JJ KQ9",
    "These are my cards: S ATKQJ9 H A D JJ C KQ9",
    "AS TS KS QS JS 9S AH JD JD KC QC 9C are my cards",
    "ATKQJ9.A.JJ.KQ9 is my hand",
    "W ATKQJ9.A.JJ.KQ9",
    "N ATKQJ9.A.JJ.KQ9",
    "E ATKQJ9.A.JJ.KQ9",
    "n atkqj9.a.jj.kq9",
    "W ATKQJ9 . A . JJ . KQ9",
    "North ATKQJ9.A.JJ.KQ9",
    "West AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "hand #3: AS TS KS QS JS 9S AH JD JD KC QC 9C",
    "Hand #3 ATKQJ9.A.JJ.KQ9",
    "Board #12: ATKQJ9 A JJ KQ9 # dealer south",
    "hand no. 4: S ATKQJ9 H A D JJ C KQ9",
    "# first hand #2\nhand # 12 - ATKQJ9.A.JJ.KQ9 # hand #3: next",
    "1. AS 2. TS 3. KS 4. QS 5. JS 6. 9S 7. AH 8. JD 9. JD 10. KC 11. QC 12. 9C",
    "1) AS\n2) 10S\n3) KS\n4) QS\n5) JS\n6) 9S\n7) AH\n8) JD\n9) JD\n10) KC\n11) QC\n12) 9C",
    "1. S ATKQJ9\n2. H A\n3. D JJ\n4. C KQ9",
    "1. ATKQJ9\n2. A\n3. JJ\n4. KQ9",
    "1. run in spades 2. 9S 3. AH 4. 2 jacks of diamonds 5. KC 6. QC 7. 9C",
    "a spade run and the nine, ace of hearts, two jacks of diamonds, marriage in clubs plus the 9",
    "spades: a run and the nine; hearts: A; diamonds: J J; clubs: a marriage, 9",
]

# All of these are the hand ATKQJ9.-.AJJ.KQ9.
WITH_VOID = [
    "A1KQJ9 - AJJ KQ9",
    "A1KQJ9 -- AJJ KQ9",
    "A1KQJ9 void AJJ KQ9",
    "A1KQJ9 x AJJ KQ9",
    "ATKQJ9..AJJ.KQ9",
    "ATKQJ9.-.AJJ.KQ9",
    "ATKQJ9 / / AJJ / KQ9",
    "ATKQJ9 — AJJ KQ9",
    "S ATKQJ9 H - D AJJ C KQ9",
    "S: ATKQJ9 H: D: AJJ C: KQ9",
    "S ATKQJ9 H D AJJ C KQ9",
    "S ATKQJ9 D AJJ C KQ9",
    "Spades ATKQJ9, hearts none, diamonds AJJ, clubs KQ9",
    "Spades: ATKQJ9; hearts: void; diamonds: AJJ; clubs: KQ9",
    "ATKQJ9 of spades, no hearts, AJJ of diamonds, KQ9 of clubs",
    (
        "run in spades and the nine, void in hearts, ace and two jacks of diamonds, "
        "marriage in clubs plus the 9"
    ),
    "S ATKQJ9 H -- D AJJ C KQ9",
    "♠ ATKQJ9 ♥ — ♦ AJJ ♣ KQ9",
    "♠ ATKQJ9  ♥ -  ♦ AJJ  ♣ KQ9",
    '["ATKQJ9","","AJJ","KQ9"]',
    "ATKQJ9|-|AJJ|KQ9",
    "S:ATKQJ9.void.AJJ.KQ9",
    "S:ATKQJ9..AJJ.KQ9",
    "Spades - A T K Q J 9\nHearts - void\nDiamonds - A J J\nClubs - K Q 9",
    "Spades - A T K Q J 9, Hearts - none, Diamonds - A J J, Clubs - K Q 9",
    "S - ATKQJ9; H - void; D - AJJ; C - KQ9",
    "♠ – ATKQJ9 ♥ – none ♦ – AJJ ♣ – KQ9",
    "ATKQJ9, -, AJJ, KQ9",
    "ATKQJ9, --, AJJ, KQ9",
    "ATKQJ9  --  AJJ  KQ9",
    "ATKQJ9--AJJ-KQ9",
    "W ATKQJ9.-.AJJ.KQ9",
    "N ATKQJ9..AJJ.KQ9",
]

OTHER_HANDS = [
    ("double pinochle, aces around, KS KH KD KC", "AKQQ.AK.AKJJ.AK"),
    ("QS QS JD JD AS AH AD AC KS KH KD KC", "AKQQ.AK.AKJJ.AK"),
    ("aces around, kings around, double pinochle", "AKQQ.AK.AKJJ.AK"),
    ("hundred aces, 80 kings, double pinochle", "AKQQ.AK.AKJJ.AK"),
    ("double run in hearts, QS JD", "Q.AATTKKQQJJ.J.-"),
    ("run in spades and the nine, ace of hearts, pinochle, A K of diamonds, 9C", "ATKQQJ9.A.AKJ.9"),
    ("roundhouse, aces around", "AKQ.AKQ.AKQ.AKQ"),
    (
        "two marriages in hearts, two aces of spades, two aces of clubs, both tens of clubs, 9D 9D",
        "AA.KKQQ.99.AATT",
    ),
    ("AATT KKQQ AAJ 9", "AATT.KKQQ.AAJ.9"),
    ("AA00.KK.QQ.JJ99", "AATT.KK.QQ.JJ99"),
    ("S AA1010KK H QQ D JJ C 99", "AATTKK.QQ.JJ.99"),
    ("AA11KK QQ JJ 99", "AATTKK.QQ.JJ.99"),
    ("4 aces around, kings around, double pinochle", "AKQQ.AK.AKJJ.AK"),
    ("AATTKKQQJJ99 - - -", "AATTKKQQJJ99.-.-.-"),
    ("AATTKKQQJJ99 of spades", "AATTKKQQJJ99.-.-.-"),
    ("aces around, run in spades, 9S, both JD", "AATKQJ9.A.AJJ.A"),
    ("KS KS QS QS; 2 10s, ace and 2 9s of hearts; AC TC KC", "KKQQ.ATT99.-.ATK"),
    (
        "diamonds: ace, 10, 2 queens, 2 9s; spades: 2 aces, 2 queens; hearts: 2 queens",
        "AAQQ.QQ.ATQQ99.-",
    ),
    ("ace, two 9s and two 10s of hearts, AC TC KC QC JC 9C, AD", "-.ATT99.A.ATKQJ9"),
    ("hearts: both 10s, both aces; clubs: A T K Q J 9; diamonds: A K", "-.AATT.AK.ATKQJ9"),
    ("HEARTS: BOTH 10S, BOTH ACES; CLUBS: A T K Q J 9; DIAMONDS: A K", "-.AATT.AK.ATKQJ9"),
    ("Hearts: 2 10s, 2 9s; Spades: A T K Q J 9; Clubs: A A", "ATKQJ9.TT99.-.AA"),
    ("hearts: ace, 10s, 9s; clubs: A T K Q J 9; spades: A", "A.ATT99.-.ATKQJ9"),
    ("spades: 2 9s, ace; hearts: both tens, 2 9s; diamonds: A; clubs: A T K Q", "A99.TT99.A.ATKQ"),
    ("pair of 10s and two 9s of clubs, AS TS KS QS JS 9S AH AD", "ATKQJ9.A.A.TT99"),
    (
        "both 10s of hearts; both aces of diamonds; two 10s and jack of clubs, run in spades",
        "ATKQJ.TT.AA.TTJ",
    ),
    ("TWO 9S AND TWO 10S OF HEARTS, AC TC KC QC JC 9C, AD KD", "-.TT99.AK.ATKQJ9"),
    ("as 2 10s ks qs js 9s ah jd jd kc qc", "ATTKQJ9.A.JJ.KQ"),
    ("AS, 2 9S, KS, AH, AC TC KC QC JC 9C AD", "AK99.A.A.ATKQJ9"),
    ("both 9s, as ks, ah, ac tc kc qc jc 9c ad", "AK99.A.A.ATKQJ9"),
    ("AS TS KS QS JS 9S AH JD JD 2x KC 9C", "ATKQJ9.A.JJ.KK9"),
    ("2x AS 2x TS 2x KS 2x QS 2x JS 2x 9S", "AATTKKQQJJ99.-.-.-"),
    ("AS 2x, TS 2x, KS 2x, QS 2x, JS 2x, 9S 2x", "AATTKKQQJJ99.-.-.-"),
    ("A1KQJ9 11 JJ KQ", "ATKQJ9.TT.JJ.KQ"),
    ("S A1KQJ9 H 11 D JJ C KQ", "ATKQJ9.TT.JJ.KQ"),
    ("A1KQJ9.11.JJ.KQ", "ATKQJ9.TT.JJ.KQ"),
    ("11 A1KQJ9 JJ KQ", "TT.ATKQJ9.JJ.KQ"),
    ("A1KQJ9S 11H JJD KQC", "ATKQJ9.TT.JJ.KQ"),
    ("SA1KQJ9 H11 DJJ CKQ", "ATKQJ9.TT.JJ.KQ"),
    ("S KQJ9 H AN D QJJ C KQ9", "KQJ9.A9.QJJ.KQ9"),
    ("KQJ9 AN QJJ KQ9", "KQJ9.A9.QJJ.KQ9"),
    ("KQJ9.AN.QJJ.KQ9", "KQJ9.A9.QJJ.KQ9"),
    ("s kqj9 h an d qjj c kqn", "KQJ9.A9.QJJ.KQ9"),
    ("KQJ9 QJJ KQ9 AN", "KQJ9.QJJ.KQ9.A9"),
    (
        "an ace of hearts, an AS, TS KS QS JS 9S, KC QC 9C and an extra nine of clubs, AD",
        "ATKQJ9.A.A.KQ99",
    ),
    ("--, ATKJ9, -, AATTKK9", "-.ATKJ9.-.AATTKK9"),
    ("-; ATKJ9; --; AATTKK9", "-.ATKJ9.-.AATTKK9"),
    ("--  ATKJ9  -  AATTKK9", "-.ATKJ9.-.AATTKK9"),
    ("-- ATKJ9 - AATTKK9", "-.ATKJ9.-.AATTKK9"),
    ("- / ATKJ9 / -- / AATTKK9", "-.ATKJ9.-.AATTKK9"),
    ("spade marriage x2, AH AD AC TC KC QC JC 9C", "KKQQ.A.A.ATKQJ9"),
    ("clubs marriage twice, AH AD AS TS KS QS JS 9S", "ATKQJ9.A.A.KKQQ"),
    ("marriage in spades (2), AC AC TC TC KC KC QC QC", "KKQQ.-.-.AATTKKQQ"),
    ("pinochle x2, AS AH AD AC KS KH KD KC", "AKQQ.AK.AKJJ.AK"),
    ("aces around x2, QS JD KS TS", "AATKQ.AA.AAJ.AA"),
    ("heart ace x2, run in spades x2", "AATTKKQQJJ.AA.-.-"),
    ("♠ A, K, Q, J, J ♣ A, 10, 10, K, Q, 9, 9", "AKQJJ.-.-.ATTKQ99"),
    ("S: A K Q, J J H: A 10 D: A A C: A K 9", "AKQJJ.AT.AA.AK9"),
    ("S A S T S K S Q S J S 9 H A D J D J C K C Q C 9", "ATKQJ9.A.JJ.KQ9"),
    ("S TKQJ99 H A both JD KC QC 9C", "TKQJ99.A.JJ.KQ9"),
    ("N A T K Q J 9.A.JJ.KQ", "ATKQJ99.A.JJ.KQ"),
    ("spades: marriage x2; clubs: A T K Q J 9; hearts: A, A", "KKQQ.AA.-.ATKQJ9"),
]

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

hands = st.lists(st.integers(0, 2), min_size=N_CARD_TYPES, max_size=N_CARD_TYPES).map(
    lambda counts: Hand(tuple(counts))
)
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


@pytest.mark.parametrize("row", ACCEPTED, ids=lambda row: row["text"][:40])
def test_collected_notations_are_read(row: dict[str, list[str]]) -> None:
    assert parse_hand(str(row["text"])) == Hand.from_cards(map(parse_card, row["expect"]))


@pytest.mark.parametrize("row", [row for row in ROWS if "expect" not in row], ids=str)
def test_collected_mistakes_are_refused(row: dict[str, str]) -> None:
    [expected] = [text for key, text in REJECTED.items() if row["expect_error"].startswith(key)]
    assert expected in refusal(row["text"])


@pytest.mark.parametrize("text", SAME_HAND)
def test_same_hand(text: str) -> None:
    assert str(parse_hand(text)) == "ATKQJ9.A.JJ.KQ9"


@pytest.mark.parametrize("text", WITH_VOID)
def test_hand_with_a_void(text: str) -> None:
    assert str(parse_hand(text)) == "ATKQJ9.-.AJJ.KQ9"


@pytest.mark.parametrize(
    ("rank", "suit", "form"),
    [
        ("AtKQJ9", "SHDC", '{"rank":"%s","suit":"%s"}'),
        ("AtKQJ9", "♠♥♦♣", '{"suit": "%s", "rank": "%s"}'),
        (("ace", "ten", "king", "queen", "jack", "nine"), "shdc", "{'value': '%s', 'suit': '%s'}"),
        (
            (1, 10, 13, 12, 11, 9),
            ("Spades", "Hearts", "Diamonds", "Clubs"),
            '{"rank":%s,"suit":"%s"}',
        ),
    ],
)
def test_objects(rank: Any, suit: Any, form: str) -> None:
    cards = ["00", "01", "02", "03", "04", "05", "10", "24", "24", "32", "33", "35"]
    pairs = [(rank[int(r)], suit[int(s)]) for s, r in cards]
    objects = [form % (pair[::-1] if form.startswith('{"suit') else pair) for pair in pairs]
    for text in (f"[{','.join(objects)}]", '{"hand": [' + ", ".join(objects) + '], "bid": null}'):
        assert str(parse_hand(text)) == "ATKQJ9.A.JJ.KQ9"


@pytest.mark.parametrize(("text", "hand"), OTHER_HANDS)
def test_other_hands(text: str, hand: str) -> None:
    assert str(parse_hand(text)) == hand


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_refused(text: str, reason: str) -> None:
    assert reason in refusal(text)


def test_sizes() -> None:
    assert "expected 12, 15 or 16: " in refusal("AS TS", (12, 15, 16))
    assert len(parse_hand("AS TS", sizes=None)) == 2
    assert len(parse_hand("AATTKKQQ.AAT.KKQQ.-", sizes=(12, 15))) == 15
    assert len(parse_hand("-.-.-.-", sizes=None)) == 0


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


@given(hands, st.sampled_from(["canonical", "symbols", "ascii"]))
def test_formats_are_read_back(hand: Hand, style: Any) -> None:
    text = format_hand(hand, style=style)
    assert parse_hand(text, sizes=None) == hand
    assert parse_hand(text.lower(), sizes=None) == hand


@given(
    hands,
    st.sampled_from([" ", ", ", ",", ";", "/", "|", "\n", ""]),
    st.randoms(use_true_random=False),
)
def test_lists_are_read_back(hand: Hand, separator: str, random: Random) -> None:
    assume(len(hand) > 0)
    names = [card_name(card) for card in hand]
    random.shuffle(names)
    symbols = [
        name[0].replace("T", "10") + SUIT_SYMBOLS[SUIT_LETTERS.index(name[1])] for name in names
    ]
    suit_first = [name[::-1] for name in names]
    for cards in (names, symbols, suit_first):
        assert parse_hand(separator.join(cards), sizes=None) == hand
        assert parse_hand(separator.join(cards).lower(), sizes=None) == hand


@given(hands, st.permutations(SUITS), st.sampled_from(["\n", "; ", " | ", ", ", " "]))
def test_diagrams_are_read_back(hand: Hand, order: list[int], separator: str) -> None:
    lines = [f"{SUIT_LETTERS[suit]}: {' '.join(hand.suit_text(suit))}" for suit in order]
    assert parse_hand(separator.join(lines), sizes=None) == hand


@given(hands)
def test_spelled_cards_are_read_back(hand: Hand) -> None:
    assume(len(hand) > 0)
    spelled = words("ace king queen jack ten nine spades hearts diamonds clubs")
    name = dict(zip("AKQJT9SHDC", spelled, strict=True))
    names = [card_name(card) for card in hand]
    assert parse_hand(", ".join(f"{name[r]} of {name[s]}" for r, s in names), sizes=None) == hand


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
    ("text", "suit"),
    [
        *[(text, 0) for text in ("S", "Spade", "Ｓ")],
        *[(text, 1) for text in ("h", "♥️", "HEARTS")],
        *[(text, 2) for text in ("♦", "diamonds", "Dia")],
        *[(text, 3) for text in ("♧", " club ")],
    ],
)
def test_trump(text: str, suit: int) -> None:
    assert parse_trump(text) == suit


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


def test_import_is_light() -> None:
    code = "import sys, advisor.game.notation as n; print({'numpy', 'numba'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "set()"
