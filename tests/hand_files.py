"""What tests of the readers share: a hand, and the rows of data."""

import io

from advisor.batch import read_rows

HAND = "AATKQJ.AK.QJ.T9"
CARDS = "AS AS TS KS QS JS AH KH QD JD TC 9C"


def rows_of(data, form=None):
    data = data.encode() if isinstance(data, str) else data
    return list(read_rows("-", form=form, stdin=io.BytesIO(data)))


def good(data, form=None):
    """Return id and hand of each row; none may be wrong."""
    rows = rows_of(data, form)
    assert [row.error for row in rows] == [None] * len(rows)
    return [(row.id, row.hand) for row in rows]
