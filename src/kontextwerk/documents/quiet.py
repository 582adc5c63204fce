"""One file at a time, and without what the libraries say meanwhile.

Neither PDFium nor Python's switch for warnings is thread-safe. What goes wrong is told by our errors, and what is left
out by our own log.
"""

import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOCK = threading.Lock()
_LOUD = ("bs4", "mammoth", "markitdown", "openpyxl", "pptx", "pypdfium2")  # loggers


@contextmanager
def quietly() -> Iterator[None]:
    """Run the block alone, its libraries' warnings and log messages off."""
    loggers = [logging.getLogger(name) for name in _LOUD]
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        levels = [logger.level for logger in loggers]
        try:
            for logger in loggers:
                logger.setLevel(logging.CRITICAL)
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
