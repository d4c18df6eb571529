"""The line on stderr that moves while something runs."""

from __future__ import annotations

import re
import time

from advisor.progress import ticking


def test_seconds_are_told_and_the_line_is_taken_away(capsys):
    with ticking(True, lambda seconds: f"{seconds:.1f} s"):
        time.sleep(2.2)
    shown = capsys.readouterr().err
    told = re.findall(r"\r(\d\.\d) s *(?=\r)", shown)
    assert len(told) == 2
    assert 1.0 <= float(told[0]) < float(told[1])
    assert shown.endswith("\r     \r")


def test_nobody_is_told_where_nobody_watches(capsys):
    with ticking(False, lambda seconds: f"{seconds:.1f} s"):
        time.sleep(1.2)
    assert capsys.readouterr().err == ""
