"""Kontextwerk: from what a vector search found to what a language model should read, and what a person can check.

from kontextwerk import assemble, parse
from kontextwerk.chat import build_context
from kontextwerk.generate import build_generation_prompt
"""

from kontextwerk.context.context import Context
from kontextwerk.context.errors import (
    BudgetError,
    DocumentError,
    IndexingError,
    InputError,
    KontextwerkError,
    MissingExtraError,
    ModelError,
    RecordsError,
    SettingsError,
)
from kontextwerk.context.labels import Labels
from kontextwerk.context.model import Chunk, Counter, Decision, Language, Outcome, Passage, Similarity, Source
from kontextwerk.context.options import Options
from kontextwerk.context.rendering import parse
from kontextwerk.context.window import Budget, Turn
from kontextwerk.counters import counter
from kontextwerk.hits import Fields, assemble

__all__ = [
    "Budget",
    "BudgetError",
    "Chunk",
    "Context",
    "Counter",
    "Decision",
    "DocumentError",
    "Fields",
    "IndexingError",
    "InputError",
    "KontextwerkError",
    "Labels",
    "Language",
    "MissingExtraError",
    "ModelError",
    "Options",
    "Outcome",
    "Passage",
    "RecordsError",
    "SettingsError",
    "Similarity",
    "Source",
    "Turn",
    "assemble",
    "counter",
    "parse",
]
__version__ = "0.1.0"
