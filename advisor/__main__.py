"""Run the command line: ``advisor``, and ``python -m advisor``.

This module is light, so that Ctrl-C is felt while the rest is still being imported.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import suppress

INTERRUPTED = 130
# New objects before the collector looks, and how often it looks further: by default 700, 10, 10.
RUBBISH = (100_000, 20, 20)


def _leave(*_: object) -> None:
    # An exception could be lost: those of callbacks in the import system are printed and dropped.
    os.write(2, b"Interrupted.\n")
    os._exit(INTERRUPTED)


def main() -> None:
    """Run the command line of this process."""
    try:
        # Where Ctrl-C is ignored, as under nohup, it stays so.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)
        # What is imported stays: looking through it for rubbish, time and again, costs 0.1 s.
        gc.set_threshold(*RUBBISH)
        from advisor.cli import main as run

        run()
    except KeyboardInterrupt:
        _leave()
    except SystemExit as done:
        # Taking numba's compiler down in good order costs 0.15 s and changes nothing.
        for stream in (sys.stdout, sys.stderr):
            # None where the caller closed it.
            with suppress(OSError, ValueError):
                if stream is not None:
                    stream.flush()
        os._exit(done.code if isinstance(done.code, int) else int(done.code is not None))


if __name__ == "__main__":
    main()
