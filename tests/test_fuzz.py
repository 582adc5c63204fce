"""The first examples of the fuzz, in every run of the tests; `make fuzz` runs a million."""

import pytest

from fuzz import report

BATCH = 500


@pytest.mark.parametrize("start", range(0, 2000, BATCH))
def test_no_example_breaks_a_promise(start: int) -> None:
    """Every promise of the core holds for these examples; a broken one is named with its number."""
    assert not [found for number in range(start, start + BATCH) if (found := report(number))]
