"""Arithmetic with tokens: the estimate, and searching for what fits with few counts.

Counts do not add up across a join (two texts joined may cost more or less than the sum of their counts), so sums here
only guide; `assemble` keeps the promise by counting the finished text.
"""

from collections.abc import Callable

from kontextwerk.context.errors import InputError

CHARS_PER_TOKEN = 4
"""The specification's estimate. On German prose o200k_base has 4.3 characters a token, cl100k_base 3.6."""


def estimate(text: str) -> int:
    """Count one token for every four characters begun; an estimate, never exact.

    >>> estimate("Hallo")
    2
    """
    return -(-len(text) // CHARS_PER_TOKEN)


def check_tokens(name: str, value: int) -> None:
    """Refuse what is no number of tokens.

    Args:
        name: What is refused, as the caller knows it.
        value: How many tokens it is to have.

    Raises:
        InputError: It is negative or no whole number.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(name, f"{value!r} is no whole number", "Pass a number of tokens")
    if value < 0:
        raise InputError(name, f"{value} is negative", "Pass 0 or more")


def most(limit: int, fits: Callable[[int], bool]) -> int:
    """Return the largest n from 0 to `limit` that fits, 0 taken to fit, in about log2(limit) tries.

    Doubling steps come first, so that a small answer never tries a large text.

    >>> most(1000, lambda n: n * n <= 50)
    7
    """
    low, step = 0, 1
    while low + step <= limit and fits(low + step):
        low, step = low + step, step * 2
    high = min(limit, low + step - 1)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low
