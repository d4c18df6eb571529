"""What an unfinished run has found so far: a folder beside the output, from which it goes on.

The folder ``OUT.parts`` holds a manifest (what was asked, of which input, by which version), a
lock, and a file with the answers of each finished block of rows. Files are written beside their
place, synced, and put there by a rename, so that after a crash each is whole or absent.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from advisor.batch.answers import Answer
from advisor.batch.locks import PartsError, hold
from advisor.batch.rows import Row
from advisor.errors import named
from advisor.game.settings import show

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
LOCK: Final = "lock"
OUTPUT: Final = "output"
REPLACING: Final = "replacing"
# What runs leave in the folder, but for the lock; files of others stay.
_BLOCKS: Final = "block-[0-9][0-9][0-9][0-9][0-9][0-9]*.jsonl"
_UNFINISHED: Final = (f"{MANIFEST}.new", f"{REPLACING}.new", f"{OUTPUT}.new", f"{_BLOCKS}.new")


def parts_folder(output: Path) -> Path:
    """Return the folder of an output's unfinished work.

    >>> parts_folder(Path("out.csv")).name
    'out.csv.parts'
    """
    return output.with_name(output.name + ".parts")


class Parts:
    """The folder of a run, held by it alone until it is closed.

    Parameters
    ----------
    output : Path
        Where the results go in the end.
    manifest : mapping
        What decides the results, as JSON holds it.
    block : int
        Rows of a block.
    resume, force : bool
        Whether to go on with what is there; whether it, and an output, may be replaced.

    Raises
    ------
    PartsError
        If another run holds it, or what is there cannot be gone on with; the message says why.
    OSError
        If it cannot be written.
    """

    def __init__(
        self, output: Path, manifest: Mapping[str, Any], block: int, resume: bool, force: bool
    ) -> None:
        self.output = output
        self.folder = parts_folder(output)
        self._block = block
        self._manifest = json.loads(json.dumps({"format": FORMAT, "block": block, **manifest}))
        self._loaded: tuple[int, tuple[str, list[Any]] | None] = (-1, None)
        # Of all rows of a block so far, and by row as far as they are not answered: what tells the
        # rows up to there from others.
        self._digest = hashlib.sha256()
        self._digests: dict[int, str] = {}
        # Number of the row, what was found, and what tells the rows up to there from others: in
        # one piece, for Ctrl-C may come between any two.
        self._found: list[tuple[int, list[Any] | str | None, str]] = []
        # Whether rows were met that kept answers go beyond, so that they are not yet told apart.
        self._more_kept = False
        self.resumed = 0
        self.is_placed = False
        existed = self.folder.is_dir()
        if output.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(output))
        if not existed and output.exists() and not force:
            raise _in_the_way(output, resume)
        if self.folder.is_symlink():
            # The output could not be put into its place from another disk.
            raise PartsError(f"{self.folder}: expected a folder, found a link")
        try:
            self.folder.mkdir(exist_ok=True)
        except FileExistsError:
            raise PartsError(f"{self.folder}: expected a folder, found a file") from None
        except OSError as error:
            raise named(error, output) from None
        try:
            self._lock = hold(self.folder / LOCK, f"{output}: another run writes it")
        except OSError as error:
            if not existed:
                with suppress(OSError):
                    (self.folder / LOCK).unlink(missing_ok=True)
                    self.folder.rmdir()
            raise named(error, self.folder / LOCK) from None
        try:
            if not (self.folder / MANIFEST).exists():
                # Left by a run that was killed while it cleared up: answers to who knows what.
                self._clear()
            self._begin(resume, force)
        except BaseException:
            if not (self.folder / MANIFEST).exists():
                self.remove()
            self.close()
            raise

    def _begin(self, resume: bool, force: bool) -> None:
        path = self.folder / MANIFEST
        if path.exists():
            if resume:
                self._check(path)
            elif force:
                self._clear()
            else:
                raise PartsError(
                    f"{self.folder}: an unfinished run is there; expected --resume to go on with "
                    "it, or --force to begin anew"
                )
        elif self.output.exists() and not force:
            raise _in_the_way(self.output, resume)
        self._unlink(*_UNFINISHED)
        if not path.exists():
            self._manifest["replaces"] = self.output.exists()
            self.put(MANIFEST, json.dumps(self._manifest, indent=1) + "\n")

    def _check(self, path: Path) -> None:
        """Raise `PartsError` unless the work found was begun with the same question."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise PartsError(f"{path}: expected the manifest of a run; --force begins anew")
        replaces = found.pop("replaces", False)
        if found != self._manifest:
            raise PartsError(
                f"{self.folder}: cannot go on: {difference(found, self._manifest)}; --force "
                "begins anew"
            )
        if self.output.exists() and not (replaces or (self.folder / REPLACING).exists()):
            raise PartsError(
                f"{self.output}: expected no such file yet, as the run to go on with did; --force "
                "begins anew"
            )

    def _clear(self) -> None:
        """Remove what runs leave here, but for the lock; files of others stay."""
        self._unlink(MANIFEST, REPLACING, _BLOCKS, *_UNFINISHED)

    def _unlink(self, *patterns: str) -> None:
        for pattern in patterns:
            for path in self.folder.glob(pattern):
                path.unlink()

    def known(self, index: int, row: Row) -> Answer | str | None:
        """Return the answer to a row by its number from 0, or its error, where they were kept.

        Raises
        ------
        PartsError
            If the row is another one than that which was answered.
        """
        number, place = divmod(index, self._block)
        if place == 0:
            self._digest = hashlib.sha256()
        self._digest.update(_identity(row))
        self._digests[index] = self._digest.hexdigest()
        if number != self._loaded[0]:
            self._loaded = (number, self._load(number))
        kept = self._loaded[1]
        if kept is None or place >= len(kept[1]):
            return None
        self._more_kept = place < len(kept[1]) - 1
        if not self._more_kept and self._digests[index] != kept[0]:
            raise PartsError(
                f"{self.folder}: cannot go on: the rows up to {row.source}:{row.line} are not "
                "those that were answered; --force begins anew"
            )
        self.resumed += 1
        value = kept[1][place]
        return value if isinstance(value, str) else Answer.from_list(value)

    def check_end(self) -> None:
        """Raise `PartsError` if the rows end before those that were answered.

        Then they may be others: what tells them apart stands behind the last.
        """
        if self._more_kept:
            raise PartsError(
                f"{self.folder}: cannot go on: the rows end before those that were answered; "
                "--force begins anew"
            )

    def _load(self, number: int) -> tuple[str, list[Any]] | None:
        """Return digest and answers of a block; None where it is not there, or damaged."""
        try:
            head, *lines = self._path(number).read_text(encoding="utf-8").splitlines()
            stored = json.loads(head)
            answers = [json.loads(line) for line in lines]
            # A disk that lost what it had said was written.
            whole = len(answers) == stored["rows"] and _digest_of(lines) == stored["answers"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return (stored["digest"], answers) if whole else None

    def _path(self, number: int) -> Path:
        return self.folder / f"block-{number:06d}.jsonl"

    def keep(self, index: int, found: Answer | str | None) -> None:
        """Keep the answer to a row, or its error; None where there will be another one.

        Raises
        ------
        OSError
            If a block that is finished by it cannot be written.
        """
        value = found.as_list() if isinstance(found, Answer) else found
        self._found.append((index, value, self._digests.pop(index)))
        if (index + 1) % self._block == 0:
            self._save(index // self._block)

    def keep_last(self) -> None:
        """Keep what was found after the last whole block."""
        if self._found:
            self._save(self._found[0][0] // self._block)

    def _save(self, number: int) -> None:
        found, self._found = self._found, []
        values = [value for _, value, _ in found]
        whole = [index for index, _, _ in found] == [
            number * self._block + place for place in range(len(found))
        ]
        path = self._path(number)
        kept = self._load(number) if path.exists() else None
        if None in values or not whole or (kept is not None and len(kept[1]) >= len(found)):
            return
        lines = [json.dumps(value, ensure_ascii=False) for value in values]
        head = {"rows": len(lines), "digest": found[-1][2], "answers": _digest_of(lines)}
        self.put(path.name, "\n".join([json.dumps(head), *lines]) + "\n")

    def put(self, name: str, text: str) -> None:
        """Write a file of the folder: beside its place, synced, and put there by a rename.

        Raises
        ------
        OSError
            If that does not work.
        """
        path = self.folder / name
        beside = self.folder / f"{name}.new"
        try:
            with beside.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            # Before there is a manifest nothing can be gone on with.
            begun = (self.folder / MANIFEST).exists()
            raise (resumable if begun else named)(error, path) from None
        sync_folder(self.folder)

    def open_output(self) -> BinaryIO:
        """Return the file that becomes the output."""
        path = self.folder / f"{OUTPUT}.new"
        try:
            return path.open("wb")
        except OSError as error:
            raise resumable(error, path) from None

    def finish(self) -> None:
        """Put the output, which has been written and closed, into its place; remove the rest.

        Raises
        ------
        OSError
            If that does not work; then the folder stays.
        """
        path = self.folder / f"{OUTPUT}.new"
        try:
            with path.open("rb+") as file:
                os.fsync(file.fileno())
            # From here on an output that is in place is ours.
            self.put(REPLACING, "")
            if self.output.exists():
                with suppress(OSError):
                    os.chmod(path, stat.S_IMODE(self.output.stat().st_mode))
            os.replace(path, self.output)
            self.is_placed = True
        except OSError as error:
            raise resumable(error, self.output) from None
        sync_folder(self.output.parent)
        self.remove()

    def remove(self) -> None:
        """Remove the folder, unless files of others are in it."""
        with suppress(OSError):
            self._clear()
            if sys.platform == "win32":
                # An open file cannot be removed there.
                self._lock.close()
            (self.folder / LOCK).unlink()
            self.folder.rmdir()

    def close(self) -> None:
        """Let go of the folder."""
        self._lock.close()


def _in_the_way(output: Path, resume: bool) -> PartsError:
    if resume:
        return PartsError(
            f"{output}: nothing to go on with: it is there, and no unfinished run beside it; "
            "--force begins anew"
        )
    return PartsError(f"{output}: expected no such file yet, or --force to replace it")


def _identity(row: Row) -> bytes:
    """Return what tells a row from others."""
    parts = (row.line, row.id, row.hand, [*row.options.items()], [*row.extra.items()], row.error)
    return repr(parts).encode("utf-8", "surrogatepass")


def _digest_of(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def resumable(error: OSError, path: str | Path | None) -> OSError:
    """Return an error, of a file or not, with a word on how to go on."""
    return named(error, path, "; what was found is kept, --resume goes on")


def sync_folder(folder: Path) -> None:
    """Make renames in a folder last, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Return in what two manifests differ first: what was found, and what is wanted now.

    >>> difference({"asked": {"seed": 1}}, {"asked": {"seed": 2}})
    'it was begun with seed 1, not 2'
    """
    for key in [*wanted, *found]:
        there, here = found.get(key), wanted.get(key)
        if there == here:
            continue
        if key == "inputs":
            return _changed_inputs(there, here)
        if isinstance(there, dict) and isinstance(here, dict):
            return difference(there, here)
        if key == "kernels":
            return "it was begun with other kernels, Python or numba"
        return f"it was begun with {key} {show(there)}, not {show(here)}"
    return "it was begun otherwise"


def _changed_inputs(there: Any, here: Any) -> str:
    try:
        names = [[item["name"] for item in files] for files in (there, here)]
    except (TypeError, KeyError):
        return "it was begun with other files"
    if names[0] != names[1]:
        return f"it was begun with {', '.join(names[0])}, not {', '.join(names[1])}"
    changed = next(new["name"] for old, new in zip(there, here, strict=True) if old != new)
    return f"{changed} has changed since it was begun"
