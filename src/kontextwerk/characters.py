"""Texts as models and databases take them, whoever wrote them.

It leaves out the form of a document's text: see `kontextwerk.documents.characters`.
"""

import re

_UNUSABLE = re.compile("[\0\ud800-\udfff]")


def encodable(text: str) -> str:
    r"""Return the text without what models, Qdrant and databases cannot take: NUL is a blank, a lone surrogate U+FFFD.

    Every other character stays where it was.

    >>> encodable("a\0b")
    'a b'
    """
    return _UNUSABLE.sub(lambda match: " " if match[0] == "\0" else "\ufffd", text)
