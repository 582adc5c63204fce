"""What OpenAI's API takes and gives of chat completions, as far as it is answered here.

Fields that are not named here, such as `temperature`, are taken and have no effect: the answer keeps to the sources.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kontextwerk.context.model import Language, Source
from kontextwerk.web.schemas import Clean, Documents, Name, Whole

MOST_MESSAGES = 1000
"""The most messages of a conversation."""
MESSAGE_CHARS = 100_000
"""The longest message of the history; the question is bounded more narrowly."""


class Lenient(BaseModel):
    """A part of a request; fields that are not known are passed over."""

    model_config = ConfigDict(strict=True, extra="ignore")


class ContentPart(Lenient):
    """A part of a message."""

    type: Annotated[str, Field(max_length=100), Clean] = Field(description="`text`; no other is answered.")
    text: Annotated[str, Field(max_length=MESSAGE_CHARS), Clean] = ""


class ChatMessage(Lenient):
    """A message of the conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"] = Field(
        description="`user` and `assistant` count; the others are passed over."
    )
    content: Annotated[str, Field(max_length=MESSAGE_CHARS), Clean] | list[ContentPart] | None = None


class StreamOptions(Lenient):
    """What else is streamed."""

    include_usage: bool | None = None


class ChatRequest(Lenient):
    """A chat completion that is asked for."""

    model: Name = Field(description="One of `GET /v1/models`.")
    messages: list[ChatMessage] = Field(min_length=1, max_length=MOST_MESSAGES)
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: Whole | None = Field(None, ge=1, description="The most tokens of the answer.")
    max_completion_tokens: Whole | None = Field(None, ge=1, description="The same, by its newer name.")
    n: Whole | None = Field(None, ge=1, le=1, description="There is one answer.")
    documents: Documents | None = Field(None, description="Of ours: identifiers of the documents that are asked.")
    language: Language | None = Field(None, description="Of ours: the language of the answer.")


class UrlCitation(BaseModel):
    """Where a citation stands in the answer, and what it names."""

    url: str
    title: str
    start_index: int
    end_index: int


class Annotation(BaseModel):
    """A citation in the answer."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class Answer(BaseModel):
    """The answer as a message."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    annotations: list[Annotation]
    sources: list[Source] = Field(description="Of ours: the sources that the model read, by number.")


class Choice(BaseModel):
    """The one answer."""

    index: Literal[0] = 0
    message: Answer
    logprobs: None = None
    finish_reason: Literal["stop"] = "stop"


class Usage(BaseModel):
    """Tokens, by the settings' counter; the prompt's are those of instructions, history, sources and question."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Completion(BaseModel):
    """A chat completion."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage


class Model(BaseModel):
    """A model that may be asked."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "kontextwerk"


class Models(BaseModel):
    """The models that may be asked, the usual one first."""

    object: Literal["list"] = "list"
    data: list[Model]


class OpenAIFailure(BaseModel):
    """Why a request failed."""

    error: dict[str, Any]
