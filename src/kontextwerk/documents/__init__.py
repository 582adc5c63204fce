"""Files into text with pages and headings, and text into chunks.

Read `model` first, then `read` and `split`. Nothing here embeds, stores or searches.
"""

from kontextwerk.documents.model import Document, Heading
from kontextwerk.documents.read import SUFFIXES, read
from kontextwerk.documents.split import split

__all__ = ["SUFFIXES", "Document", "Heading", "read", "split"]
