"""Hands in every notation players use: read, and written back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.errors import HandError
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

hands = st.lists(st.integers(0, 2), min_size=N_CARD_TYPES, max_size=N_CARD_TYPES).map(
    lambda counts: Hand(tuple(counts))
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


def test_sizes() -> None:
    assert "expected 12, 15 or 16: " in refusal("AS TS", (12, 15, 16))
    assert len(parse_hand("AS TS", sizes=None)) == 2
    assert len(parse_hand("AATTKKQQ.AAT.KKQQ.-", sizes=(12, 15))) == 15
    assert len(parse_hand("-.-.-.-", sizes=None)) == 0


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


def test_import_is_light() -> None:
    code = "import sys, advisor.game.notation as n; print({'numpy', 'numba'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "set()"
