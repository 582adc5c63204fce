"""What can go wrong, as a tree; each error names the thing, the reason and the mend.

    KontextwerkError
    ├── InputError        an argument that cannot be meant: a negative budget, an unknown counter (also a ValueError)
    ├── BudgetError       a window that leaves nothing for the context
    ├── DocumentError     a file that cannot be read
    ├── IndexingError     the index: not there, locked by another process, filled by another embedder
    ├── ModelError        the language or embedding model: no answer, a refusal, an interruption
    ├── RecordsError      conversations on disk: out of reach, the disk full
    ├── SettingsError     a setting that cannot be used
    └── MissingExtraError a part that is not installed

Errors of the libraries below are turned into one of these where they are called.
"""


class KontextwerkError(Exception):
    """The root: catch it to catch everything that this project raises on purpose.

    Args:
        thing: What it is about, such as a file, a setting or an argument.
        reason: Why it failed, in a few words.
        mend: What the caller can do about it, as an imperative; may be empty where nothing helps.
    """

    def __init__(self, thing: str, reason: str, mend: str = "") -> None:
        self.thing = thing
        self.reason = reason
        self.mend = mend
        super().__init__(f"{thing}: {reason}" + (f". {mend}" if mend else ""))


class InputError(KontextwerkError, ValueError):
    """An argument that cannot be meant."""


class BudgetError(KontextwerkError):
    """A window whose other parts leave nothing for the context."""


class DocumentError(KontextwerkError):
    """A file that cannot be read as a document."""


class IndexingError(KontextwerkError):
    """The index cannot be opened, written or searched."""


class ModelError(KontextwerkError):
    """The language model or the embedding model failed."""


class RecordsError(KontextwerkError):
    """Conversations and uploads cannot be read or kept."""


class SettingsError(KontextwerkError):
    """A setting that cannot be used."""


class MissingExtraError(KontextwerkError, ImportError):
    """A part that is not installed."""

    def __init__(self, thing: str, extra: str) -> None:
        self.extra = extra
        super().__init__(thing, "is not installed", f"Install it with: pip install 'kontextwerk[{extra}]'")
