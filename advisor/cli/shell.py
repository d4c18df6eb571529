"""How commands behave: one-line errors, exit codes, plain help, hands that begin with a void.

Typer's own boxes need rich, which doubles the time of ``--help``; plain text is also what a pipe
and the README want. Everything is done in the classes of the commands, so it holds for the
installed program and under a test runner alike.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Sequence
from typing import Any, Final

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from advisor.cli.defaults import settle
from advisor.cli.split_words import check_split
from advisor.errors import AdvisorError, ExitCode
from advisor.game.settings import nearest
from advisor.terminal import Terminal, drop_stdout, flush, write_err

# A dash, a separator, and nothing that could be the letter of an option.
_VOID_FIRST: Final = re.compile(r"-[\s.,;:|/_-]*[\s.,;:|/_]")
MAX_MESSAGE: Final = 400
# Typer's own hints are wilder: --no-such would suggest --no-color.
_NEAR: Final = 0.74


class _EndOfData(Exception):
    """Stands for an EOFError on its way through Typer, which takes that for Ctrl-D."""


def one_line(message: str) -> str:
    r"""Return a message on one line without control characters, whatever text is quoted in it.

    >>> one_line("expected 12\ncards,  found \x1b[1m")
    'expected 12 cards, found \\x1b[1m'
    """
    text = " ".join(message.split())
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
    return shown if len(shown) <= MAX_MESSAGE else shown[:MAX_MESSAGE] + "..."


def _usage_message(error: Any) -> str:
    """Return the text of one of Typer's usage errors in this program's style."""
    possibilities = getattr(error, "possibilities", None)
    if possibilities is not None:
        typed = error.option_name.lstrip("-")
        # Without the dashes, which make any two options look alike.
        hint = nearest(typed, (name.lstrip("-") for name in possibilities), _NEAR)
        hint = hint.replace("did you mean ", "did you mean --")
        return f"no such option: {error.option_name}{hint}"
    text = str(error.format_message()).rstrip(".")
    return text[:1].lower() + text[1:]


def describe(error: BaseException) -> tuple[str, ExitCode]:
    """Return the one line for an error, and the exit code that goes with it.

    >>> describe(AdvisorError("pass: expected 0, 2, 3 or 4, found 5"))
    ('pass: expected 0, 2, 3 or 4, found 5', <ExitCode.USAGE: 2>)
    """
    if isinstance(error, _EndOfData) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, AdvisorError):
        return str(error), ExitCode.USAGE
    if isinstance(error, typer.TyperException):
        return _usage_message(error), ExitCode.USAGE
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}", ExitCode.FAILURE
    found = f"{type(error).__name__}: {error}".rstrip(": ")
    advice = "run again with --debug for the traceback"
    return f"unexpected {one_line(found)[:200]}; {advice}", ExitCode.FAILURE


class _TextOption(TyperOption):
    """An option that stays the text it was given as.

    Typer's conversion of values imports pydantic, which takes as long as Typer itself; commands
    read their text anyway, to say in one line what they expected.
    """

    def process_value(self, ctx: Any, value: Any) -> Any:
        if not _is_text(value):
            return super().process_value(ctx, value)
        return value if self.callback is None else self.callback(ctx, self, value)


class _TextArgument(TyperArgument):
    """An argument that stays the text it was given as."""

    def process_value(self, ctx: Any, value: Any) -> Any:
        missing = value is None and self.required
        return value if _is_text(value) and not missing else super().process_value(ctx, value)


def _is_text(value: Any) -> bool:
    """Return whether a value, or the lack of one, needs no conversion."""
    return value is None or isinstance(value, str | list | tuple)


class _Plain:
    """Plain help, with options in their groups; parameters that stay text."""

    help: str | None

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        # Typer has no setting for the classes of its parameters.
        for param in params:
            if type(param) is TyperOption:
                param.__class__ = _TextOption
            elif type(param) is TyperArgument:
                param.__class__ = _TextArgument
        return params

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        if self.help:
            lines = self.help.splitlines()
            formatter.write("\n" + "".join(f"  {line}".rstrip() + "\n" for line in lines))

    def _format_parameters(self, params: Sequence[Any], ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in params:
            record = param.get_help_record(ctx)
            if record is not None:
                name = getattr(param, "rich_help_panel", None) or "Options"
                if param.param_type_name == "argument":
                    # The type of an argument says nothing to a player.
                    name, record = "Arguments", (record[0].partition(" <")[0], record[1])
                groups.setdefault(name, []).append(record)
        # The odds and ends (--help) come last.
        for name in sorted(groups, key=lambda name: name == "Options"):
            with formatter.section(name):
                formatter.write_dl(groups[name])


class Command(_Plain, TyperCommand):
    """A command of the program, all of whose options are texts or switches."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, over the settings of files and environment."""
        if not ctx.resilient_parsing:
            check_split({name for param in self.params for name in param.opts}, args)
        rest: list[str] = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            settle(ctx)
        return rest

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, group by group."""
        self._format_parameters(self.get_params(ctx), ctx, formatter)


class HandCommand(Command):
    """A command that takes a hand, whose first suit may be void: ``-.QJ9.AKQJ.TTKJ9``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; a leading space makes a hand of what looks like an option."""
        return super().parse_args(
            ctx, [f" {arg}" if _VOID_FIRST.match(arg) else arg for arg in args]
        )


class Group(_Plain, TyperGroup):
    """A group of commands; the outermost one turns errors into one line and an exit code."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands first, then the options."""
        self.format_commands(ctx, formatter)
        self._format_parameters(self.get_params(ctx), ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; data that end too soon are an error, not somebody who leaves."""
        try:
            return super().invoke(ctx)
        except EOFError as error:
            raise _EndOfData from error

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command; the hint of an unknown one names the nearest, or ``bid`` for a hand."""
        try:
            return super().resolve_command(ctx, args)
        except Exception as error:
            if "bid" in self.commands and _is_hand(args):
                raise AdvisorError(
                    f"no such command: {args[0]}; did you mean {ctx.command_path} bid {args[0]}?"
                ) from error
            raise

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and leave with its exit code."""
        given = sys.argv[1:] if args is None else list(args)
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
            if not standalone_mode:
                return code
            flush(sys.stdout)
        except BrokenPipeError:
            drop_stdout()
            code = ExitCode.FAILURE
        except (KeyboardInterrupt, typer.Abort):
            code = ExitCode.INTERRUPTED
        except Exception as error:
            if not standalone_mode:
                if isinstance(error, _EndOfData) and error.__cause__ is not None:
                    raise error.__cause__ from None
                raise
            if "--debug" in given:
                write_err(traceback.format_exc())
            message, code = describe(error)
            write_err(f"Error: {one_line(message)}")
            if isinstance(error, OSError):
                drop_stdout()
        if code == ExitCode.INTERRUPTED:
            write_err("Interrupted.")
        sys.exit(code or 0)


def _is_hand(args: list[str]) -> bool:
    from advisor.game.notation import parse_hand

    try:
        parse_hand(" ".join(arg for arg in args if not arg.startswith("--")))
    except AdvisorError:
        return False
    return True


def terminal_of(ctx: typer.Context) -> Terminal:
    """Return the terminal that the caller put into the context, or that of this process."""
    return ctx.find_object(Terminal) or Terminal.detect()
