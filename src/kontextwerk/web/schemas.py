"""What the HTTP API takes and gives, as types: the OpenAPI document is made from them.

Texts are bounded, and freed of what databases and models cannot take. It leaves out OpenAI's API: see
`openai_schemas`.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from kontextwerk.characters import encodable
from kontextwerk.chat import QUESTION_CHARS
from kontextwerk.context.context import Context
from kontextwerk.context.model import FormatName, Language
from kontextwerk.records import TITLE_CHARS, Feedback, State, UploadState

NAME_CHARS = 200
"""The longest identifier."""
MOST_DOCUMENTS = 500
"""The most documents that a conversation or a search may be limited to."""
MOST_HITS = 1000
"""The most hits of a search, and of a context."""
MOST_TOKENS = 1_000_000
"""The largest budget."""


def clean(value: Any) -> Any:  # noqa: ANN401  whatever stands in a request
    """Return a text without NUL and lone surrogates, also those in a list or a mapping; anything else as it is."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return value


def whole(value: Any) -> Any:  # noqa: ANN401
    """Return a number without a fraction as an integer, which it is in JSON; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Clean = BeforeValidator(clean)
Whole = Annotated[int, BeforeValidator(whole)]
"""An integer."""
Name = Annotated[str, Field(max_length=NAME_CHARS), Clean]
"""An identifier."""
PathName = Annotated[str, Field(max_length=NAME_CHARS), AfterValidator(encodable)]
"""An identifier in an address."""
Question = Annotated[str, Field(min_length=1, max_length=QUESTION_CHARS), Clean]
"""A question."""
Documents = Annotated[list[Name], Field(max_length=MOST_DOCUMENTS)]
"""Identifiers of documents; none for all."""
Tokens = Annotated[Whole, Field(ge=1, le=MOST_TOKENS)]
"""A budget of a context."""


class Asked(BaseModel):
    """What a request holds: exactly the fields of its schema, in their types."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Failure(BaseModel):
    """Why a request failed.

    Attributes:
        detail: The thing, the reason and the mend, in one line.
        thing: What it is about.
        reason: Why it failed.
        mend: What can be done about it; may be empty.
    """

    detail: str
    thing: str = ""
    reason: str = ""
    mend: str = ""


class Health(BaseModel):
    """That the program runs."""

    status: Literal["ok"] = "ok"
    version: str


class Document(BaseModel):
    """What the index holds of a document."""

    model_config = ConfigDict(from_attributes=True)

    id: str = Field(validation_alias="document_id")
    title: str
    path: str
    pages: int = Field(description="The last page that holds text, from 1; 0 for formats without pages.")
    chunks: int = Field(description="How many of its chunks are stored.")
    complete: bool = Field(description="Whether exactly the chunks of one version of the file are stored.")


class UploadedFile(BaseModel):
    """A file that was given to us, and how far it is."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    size: int = Field(description="Its bytes.")
    state: UploadState
    error: str = Field(description="Why it was not read; empty where it was.")
    chunks_done: int
    chunks_total: int = Field(description="0 while that is not known.")
    created: datetime


class Refused(Failure):
    """A file that was not taken, and why."""

    name: str


class Taken(BaseModel):
    """What became of uploaded files."""

    uploads: list[UploadedFile] = Field(description="Those that were stored and will be read.")
    refused: list[Refused]


class SearchRequest(Asked):
    """What is searched for."""

    question: Question
    limit: Whole | None = Field(None, ge=1, le=MOST_HITS, description="The most hits; by the settings where absent.")
    documents: Documents = Field(default_factory=list, description="Search in these only; none for all.")


class Hit(BaseModel):
    """A chunk that was found, as Qdrant's REST API shapes it."""

    id: str | int
    score: float
    payload: dict[str, Any]


class ContextRequest(Asked):
    """What a context is made from: hits of any vector search, or a question that is searched for."""

    question: Question | None = Field(None, description="Sentences that answer it are chosen where not all fits.")
    hits: Annotated[list[dict[str, Any]], Field(max_length=MOST_HITS), Clean] | None = Field(
        None, description="Hits as Qdrant or another search gives them; the question is searched for where absent."
    )
    max_tokens: Whole | None = Field(None, ge=0, le=MOST_TOKENS, description="By the settings where absent.")
    language: Language | None = Field(None, description="By the settings where absent.")
    format: FormatName = "text"
    documents: Documents = Field(default_factory=list, description="Search in these only; none for all.")


class ConversationRequest(Asked):
    """A conversation that is to be begun."""

    title: Annotated[str, Field(max_length=TITLE_CHARS), Clean] = ""
    language: Language | None = Field(None, description="By the settings where absent.")
    documents: Documents = Field(default_factory=list, description="It asks these only; none for all.")


class ConversationChange(Asked):
    """What is to change of a conversation; what is absent stays."""

    title: Annotated[str, Field(max_length=TITLE_CHARS), Clean] | None = None
    language: Language | None = None
    documents: Documents | None = None


class Conversation(BaseModel):
    """Questions and answers that belong together."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    title: str
    language: Language
    documents: list[str]
    created: datetime
    updated: datetime


class Place(BaseModel):
    """A sentence of a source that supports one of the answer."""

    source: int
    span: tuple[int, int]


class CheckReason(BaseModel):
    """Why a sentence is not supported as it stands."""

    kind: str
    claimed: list[str]
    found: list[str]
    sources: list[int]


class SentenceCheck(BaseModel):
    """What was found of a sentence of the answer."""

    span: tuple[int, int] = Field(description="Where it stands in the answer, in characters.")
    verdict: str
    score: float
    evidence: list[Place]
    reasons: list[CheckReason]


class Turn(BaseModel):
    """A question and its answer."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    conversation: str
    position: int
    question: str
    query: str = Field(description="What was searched for: the question, made to stand by itself.")
    answer: str
    state: State
    error: str = Field(description="Why it failed, in one line; empty where it did not.")
    model: str
    max_tokens: int
    context: Context | None
    checks: list[SentenceCheck] | None
    feedback: Feedback
    created: datetime


class ConversationWithTurns(Conversation):
    """A conversation with its turns, oldest first."""

    turns: list[Turn]


class AnswerRequest(Asked):
    """A question of a conversation."""

    question: Question
    model: Name | None = Field(None, description="One of the models of the settings; the usual one where absent.")
    max_tokens: Tokens | None = Field(None, description="The budget of the context; by the settings where absent.")
    stream: bool = Field(default=False, description="Whether the answer comes as events, while it is written.")


class RetryRequest(Asked):
    """How an answer is to come anew."""

    stream: bool = False


class FeedbackRequest(Asked):
    """What the person thinks of an answer."""

    feedback: Feedback
