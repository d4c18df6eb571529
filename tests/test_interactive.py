"""The conversation without a terminal: lines in, texts out, and what it stands at."""

from __future__ import annotations

import dataclasses
import importlib
import json
import shlex
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from advisor import advise, advise_pass, advise_return
from advisor.advice import BidAdvice
from advisor.cli import app
from advisor.errors import AdvisorError, ExitCode, HandError, OptionError
from advisor.exchange_advice import ExchangeAdvice
from advisor.game.cards import Hand
from advisor.game.notation import parse_hand
from advisor.interactive import Leave, Session
from advisor.interactive_lines import pasted_lines
from advisor.interactive_state import State
from advisor.interactive_words import SAME, WORDS, complete_line
from advisor.report.look import Look
from advisor.terminal import Terminal

HAND = "AATKQJ.AK.QJ.T9"
OTHER = "TKQJ9.A.KQ99.TK"
HELD = "AATTKQJJ.AAK.QJ.T99"
FEW = 24


class Library:
    """Answers with few deals, and counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[State] = []
        self.fail: BaseException | None = None

    def bid(self, state: State) -> BidAdvice:
        if self.fail is not None:
            raise self.fail
        self.asked.append(state)
        assert state.hand is not None
        return advise(
            state.hand,
            rules=state.rules,
            trump=state.trump,
            samples=state.samples or FEW,
            seed=state.seed,
            engine=state.engine,
            auction=state.auction,
            seat=state.seat,
            dealer=state.dealer,
            score=state.score,
            convention=state.convention,
        )

    def exchange(
        self, state: State, hand: Hand, trump: int, received: Hand | None, returning: bool
    ) -> ExchangeAdvice:
        if self.fail is not None:
            raise self.fail
        if returning:
            return advise_return(
                hand, trump, received=received, rules=state.rules, samples=FEW, seed=state.seed
            )
        return advise_pass(hand, trump, rules=state.rules, samples=FEW, seed=state.seed)


@pytest.fixture
def library() -> Library:
    return Library()


@pytest.fixture
def session(library: Library) -> Session:
    return Session(State(samples=FEW), library, lambda scale: Look(scale=scale))


def reproduced(answer: str) -> str:
    """Return what the command at the end of an answer prints."""
    line = next(line for line in answer.splitlines() if line.startswith("reproduce: "))
    result = CliRunner().invoke(app, shlex.split(line.removeprefix("reproduce: "))[1:])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_answers_are_those_of_the_commands(session: Session) -> None:
    for line in (
        HAND,
        "trump h",
        "trump none",
        "auction 250 P 270",
        "score 900 1100",
        "convention meld-jump:80",
        "auction none",
        "rules neuralplay",
        "score 90 110",
        "auction P 25",
        "set pass=3",
        "seed 7",
        "engine policy",
    ):
        answer = session.answer(line)
        assert answer == reproduced(answer), line
        assert json.loads(session.answer("json"))["hand"] == HAND
    assert session.state == State(
        rules=session.state.rules,
        rules_name="neuralplay",
        changes=("pass=3",),
        convention=session.state.convention,
        convention_name="meld-jump:80",
        hand=Hand.parse(HAND),
        auction="P 25",
        score=(900, 1100),
        samples=FEW,
        seed=7,
        engine="policy",
    )


def test_exchange_and_meld_are_those_of_the_commands(session: Session) -> None:
    session.answer(OTHER)
    for line in ("pass d", f"return {HELD}", HELD, "return AH AD TD 9H"):
        if line.startswith("return A"):
            session.answer("trump none")
        if line in (f"return {HELD}", HELD):
            session.answer("trump s")
        # What judges the ways needs its own number of deals, which the session leaves as usual.
        answer = session.answer(line)
        assert f"--samples {FEW}" in answer
        assert answer == reproduced(answer), line
    meld = session.answer(f"meld {HAND}")
    assert meld == CliRunner().invoke(app, ["meld", HAND]).stdout
    assert session.answer(f"meld {HELD}").startswith("Hand   ♠ AATTKQJJ")
    assert json.loads(session.answer("json"))["hand"] == HELD


def test_why_and_bids_are_parts_of_the_screens(session: Session) -> None:
    answer = session.answer(HAND)
    words = [*shlex.split(answer.splitlines()[-1].removeprefix("reproduce: "))[1:]]
    long = CliRunner().invoke(app, [*words, "--explain", "--verbose"]).stdout
    assert session.answer("why").rstrip() in long
    assert session.answer("why").startswith("Why ♠: ")
    assert session.answer("bids").rstrip() in long
    assert session.answer("bids").startswith("bid")
    drawn = CliRunner().invoke(app, [*words, "--plot"]).stdout
    assert session.answer("plot").rstrip() in drawn
    assert session.answer("plot").count("\n") > 10


def test_what_was_said_before_the_hand_counts(session: Session, library: Library) -> None:
    for line in ("auction 250 P 270", "score 0 100", "set heading=trump-leads", "trump h"):
        assert session.answer(line).startswith("Hand    none yet\n")
    assert "auction 250 P 270" in session.answer("show")
    assert "trump ♥" in session.answer("show")
    session.answer(HAND)
    assert library.asked[-1] == session.state
    assert (session.state.auction, session.state.score) == ("250 P 270", (0, 100))


def test_a_further_hand_is_another_deal(session: Session) -> None:
    session.answer("score 0 100")
    session.answer("set pass=3")
    session.answer(HAND)
    session.answer("auction 250 P 270")
    session.answer(OTHER)
    assert session.state.hand == Hand.parse(OTHER)
    assert (session.state.auction, session.state.score) == (None, (0, 100))
    assert session.state.changes == ("pass=3",)
    session.answer("trump h")
    assert session.answer("next") == "Type the next hand.\n"
    assert (session.state.hand, session.state.trump) == (None, None)
    assert session.state.score == (0, 100)
    for word in ("why", "bids", "plot", "json"):
        with pytest.raises(HandError, match=rf"^{word}: expected an? \w+ before it, found none$"):
            session.answer(word)


BAD = [
    ("wy", "wy: neither a word of this prompt nor a hand; did you mean why?"),
    ("trumf h", "trumf: neither a word of this prompt nor a hand; did you mean trump?"),
    ("hello", "hello: neither a word of this prompt (help lists them) nor a hand: "),
    ("AATKQJ.AK.QJ.T", "hand has 11 cards, expected 12: AATKQJ.AK.QJ.T"),
    ("AATKQJ.AK.QJ.T9A", "hand has 13 cards, expected 12"),
    ("trump", "trump: expected more, as in trump h, found nothing"),
    ("trump x", "trump 'x' is not a suit: expected S, H, D, C or a suit's name"),
    ("auction 250 P 2700", "call 3, seat 3: expected pass, pass with help, 260 or 270 (jump)"),
    ("auction", "auction: expected more, as in auction 250 P 270, found nothing"),
    ("seat 5", "seat: expected a whole number from 1 to 4, found 5"),
    ("seat 3", "seat: expected calls of seats 1 and 2 before seat 3 calls"),
    ("dealer you", "dealer: expected me, left, partner or right, found 'you'"),
    ("score 1", "score: expected two numbers as in score 900 1100, found '1'"),
    ("score 1500 0", "score: expected both sides below the target of 1500, found 1500 and 0"),
    ("score a b", "score: expected a whole number from"),
    ("rules pagatt", "rules: expected cardgames, gamerules, pagat, neuralplay, classic or a file"),
    ("rules", "rules: expected more, as in rules pagat, found nothing"),
    ("set pas=3", "pas: unknown rule; did you mean pass?"),
    ("set pass=3 pas=2", "pas: unknown rule; did you mean pass?"),
    ("set pass=5", "pass: expected 0, 2, 3 or 4, found 5"),
    ("set", "set: expected more, as in set pass=3, found nothing"),
    ("set pass", "pass: expected 0, 2, 3 or 4 after pass=, found nothing"),
    ("set pas", "pas: unknown rule; did you mean pass?"),
    ("convention x", "convention: expected none, meld-jump"),
    ("engine lit", "engine: expected policy, lite or exact, found 'lit'; did you mean lite?"),
    ("samples 1e5", "samples: expected a whole number from 1 to 1000000, found '1e5'"),
    ("precision 0", "precision: expected points from 0.05 to 100, found 0.0"),
    ("seed -1", "seed: expected a whole number from 0 to"),
    ("pass", "pass: expected the suit that declarer named as in pass h, found none"),
    ("pass x", "trump 'x' is not a suit"),
    ("return", "return: expected cards as in return AS KS AH JD, found none"),
    ("return AS", "return: expected all 16 cards, or the 4 that came to your hand, found 1"),
    ("return AS AS KD KD", "4x AS: a pinochle deck has 2 of each"),
    ("why so", "why: expected nothing after it, found 'so'"),
    ("meld AS", "hand has 1 card"),
    ("A" * 10_001, "line: expected at most 10,000 characters, found more"),
]


@pytest.mark.parametrize(("line", "message"), BAD, ids=[line[:30] for line, _ in BAD])
def test_an_error_leaves_everything_as_it_was(
    line: str, message: str, session: Session, library: Library
) -> None:
    session.answer(HAND)
    state, shown, asked = session.state, session.answer("json"), len(library.asked)
    with pytest.raises(AdvisorError) as caught:
        session.answer(line)
    assert message in str(caught.value)
    assert "--" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert session.state is state
    assert session.answer("json") == shown
    assert len(library.asked) == asked


@pytest.mark.parametrize(
    "line", [OTHER, "trump h", "pass h", "rules pagat", "samples 30", "seed 3"]
)
def test_what_is_stopped_has_changed_nothing(line: str, session: Session, library: Library) -> None:
    session.answer(HAND)
    state, shown = session.state, session.answer("json")
    library.fail = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        session.answer(line)
    assert session.state is state
    assert session.answer("json") == shown


def test_settings_may_be_written_in_many_ways(session: Session) -> None:
    for line in ("set pass=3", "set pass = 3", "set pass 3", "set PASS=3"):
        session.answer("set none")
        assert session.state.rules.pass_cards == 4
        session.answer(line)
        assert session.state.rules.pass_cards == 3
    session.answer("set pass=2 last_trick = 0")
    assert (session.state.rules.pass_cards, session.state.rules.last_trick) == (2, 0)
    assert len(session.state.changes) == 2
    session.answer("set jump_meaning=aces, or a run")
    assert session.state.rules.jump_meaning == "aces, or a run"
    session.answer("rules classic")
    assert (session.state.changes, session.state.rules.minimum) == ((), 200)
    session.answer("score 1:2")
    assert session.state.score == (10, 20)


def test_own_rules_and_conventions(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for kind, text in (("rules", "pass = 3\n"), ("conventions", "about = 'mine'\n")):
        (tmp_path / "pinochle-advisor" / kind).mkdir(parents=True)
        (tmp_path / "pinochle-advisor" / kind / "ours.toml").write_text(text)
    session.answer("rules ours")
    session.answer("convention ours")
    assert session.state.rules.name == session.state.convention.name == "ours"
    session.answer("set last_trick=0")
    assert (session.state.rules.pass_cards, session.state.rules.last_trick) == (3, 0)
    answer = session.answer(HAND)
    assert answer == reproduced(answer)
    assert complete_line("rules ou") == complete_line("convention ou") == ["ours"]


def test_help_names_every_word_in_80_columns(session: Session) -> None:
    shown = session.answer("help")
    assert all(f"\n{word.usage} " in shown for word in WORDS.values())
    assert max(map(len, shown.splitlines())) <= 80
    assert shown == session.answer("?")
    assert all(hasattr(session, f"_{word}") for word in [*WORDS, *SAME.values()])


@pytest.mark.parametrize("line", ["", "  ", "# a remark"])
def test_nothing_is_answered_with_nothing(line: str, session: Session) -> None:
    assert session.answer(line) == ""


def test_quit_leaves(session: Session) -> None:
    for line in ("quit", "EXIT", "quit now"):
        with pytest.raises(Leave):
            session.answer(line)


def test_completion_of_lines() -> None:
    assert complete_line("") == []
    assert set(complete_line("s")) == {"score", "seat", "set", "samples", "seed", "show"}
    assert complete_line("rules c") == ["cardgames", "classic"]
    assert complete_line("trump ") == ["S", "H", "D", "C", "none"]
    assert complete_line("auction 250 P") == ["P", "PH"]
    assert complete_line("engine e") == ["exact"]
    assert complete_line("set pass=3 dix_saves=t") == ["dix_saves=true"]
    assert complete_line("AATKQJ") == complete_line("why ") == complete_line("nothing s") == []
    assert complete_line("new") == []
    assert complete_line("calls p") == ["P", "PH"]


class Nobody:
    """Works for those who need no answers."""

    def bid(self, state: State) -> BidAdvice:
        raise OptionError("no work")

    def exchange(self, *args: object) -> ExchangeAdvice:
        raise OptionError("no work")


@settings(max_examples=300)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.builds(
                lambda word, rest: f"{word} {rest}",
                st.sampled_from([*WORDS, *SAME]),
                st.one_of(
                    st.text(max_size=30),
                    st.sampled_from(["none", "h", "3", "pass=3", "250 P", "pagat", HAND, "1 2"]),
                ),
            ),
        ),
        max_size=5,
    )
)
def test_no_line_is_a_traceback(lines: list[str]) -> None:
    session = Session(State(), Nobody(), lambda scale: Look(scale=scale))
    for line in lines:
        before = session.state
        try:
            answer = session.answer(line)
        except AdvisorError:
            answer = ""
            after = before
        except Leave:
            return
        else:
            after = session.state
        assert session.state == after
        assert answer == "" or answer.endswith("\n")
        dataclasses.replace(session.state).check()


LINES = f"{HAND}\nmeld\nfoo bar\njson\n"


def test_lines_from_a_pipe() -> None:
    result = CliRunner().invoke(app, ["interactive", "--samples", str(FEW)], input=LINES)
    assert result.exit_code == ExitCode.BAD_LINES
    assert result.stdout.startswith("Hand   ♠ AATKQJ")
    assert "advisor>" not in result.stdout
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert json.loads(result.stdout.splitlines()[-1])["melds"]["S"]["total"] == 190
    fine = CliRunner().invoke(
        app, ["interactive", "-q"], input="meld A.A.A.A\n".replace("meld", "#")
    )
    assert (fine.exit_code, fine.stdout, fine.stderr) == (0, "", "")


def test_a_long_word_is_not_repeated(session: Session) -> None:
    with pytest.raises(HandError) as caught:
        session.answer("A" * 9000 + "x")
    assert len(str(caught.value)) < 200


def test_the_command_shown_at_the_prompt_prints_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("EXPLAIN", "VERBOSE", "RAW"):
        monkeypatch.setenv(f"PINOCHLE_{name}", "yes")
    lines = f"{HAND}\npass h\n"
    said = CliRunner().invoke(app, ["interactive", "-q", "--samples", "40"], input=lines).stdout
    commands = [line for line in said.splitlines() if line.startswith("reproduce: ")]
    assert len(commands) == 2
    for command in commands:
        again = CliRunner().invoke(app, [*shlex.split(command)[2:], "--quiet"])
        assert again.exit_code == 0
        assert again.stdout.strip().removesuffix(command) in said


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n"])
def test_pasted_lines(end: str) -> None:
    lines = [HAND, "trump h", "set pass=3", "trunp", OTHER]
    assert pasted_lines(end.join(lines) + end) == lines
    suits = ["♠ AATKQJ", "♥ AK", "♦ QJ", "♣ T9"]
    assert pasted_lines(end.join(suits)) == [" ".join(suits)]
    assert parse_hand(pasted_lines(end.join(suits))[0], (12,)) == Hand.parse(HAND)
    assert pasted_lines(end) == [""]


@pytest.mark.parametrize(
    ("quiet", "at_terminal", "told"), [(False, True, True), (True, True, False), (False,) * 3]
)
def test_a_slow_start_is_told_once_and_only_at_a_terminal(
    quiet: bool,
    at_terminal: bool,
    told: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    talk = importlib.import_module("advisor.cli.interactive")
    monkeypatch.setattr(talk, "SLOW_SECONDS", 0.1)

    class Slow(talk.WarmUp):  # type: ignore[misc, name-defined]
        def _run(self) -> None:
            time.sleep(0.5)
            self._ready["bid"].set()

    Slow(None).wait("bid", quiet, at_terminal)
    assert capsys.readouterr().err == (f"{talk.PREPARING}\n" if told else "")
    assert len(talk.PREPARING) <= 80


def test_junk_from_a_pipe() -> None:
    result = CliRunner().invoke(app, ["interactive"], input=b"\xff\xfe\x00\n" + b"A" * 100_000)
    assert result.exit_code == ExitCode.BAD_LINES
    assert all(line.startswith("Error: ") for line in result.stderr.splitlines())


def test_options_are_those_of_bid(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app,
        ["interactive", "--rules", "pagat", "--set", "pass=3", "--score", "5", "6"],
        input="show",
    )
    assert result.exit_code != 0
    assert "Error: score: expected points in steps of 10" in result.stderr
    result = CliRunner().invoke(
        app,
        [
            "interactive",
            "--rules",
            "pagat",
            "--set",
            "pass=3",
            "--score",
            "50",
            "60",
            "--seed",
            "3",
        ],
        input="show\n",
    )
    assert result.stdout == (
        "Hand    none yet\nRules   pagat with pass=3\nScore   50 to 60\nOther   seed 3\n\n"
    )


def test_bid_without_a_hand_talks_only_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    there = Terminal(stdin_tty=True, stdout_tty=True)
    result = CliRunner().invoke(app, ["bid", "--seed", "3", "-q"], input="show\n", obj=there)
    assert result.exit_code == 0
    assert "Other   seed 3" in result.stdout
    # What a prompt would not do is done once.
    once = ["--json", "--format=csv", "--html=a.html", "--plot", "--explain", "-v"]
    for words in (["bid", option] for option in once):
        asked = CliRunner().invoke(app, words, input="", obj=there)
        assert asked.exit_code == ExitCode.USAGE
        assert "no hand given" in asked.stderr
