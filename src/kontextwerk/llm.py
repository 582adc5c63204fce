"""Language models by name: `openai:…`, `anthropic:…`, `ollama:…`, any OpenAI-compatible address, a GGUF file.

    openai:gpt-4o-mini       OpenAI; with `model_url` any server that speaks its API (vLLM, llama.cpp, LM Studio)
    anthropic:NAME           Anthropic
    ollama:llama3.2          Ollama on this machine, or at `model_url`
    gguf:/models/x.gguf      in the process (extra `local`)

All stand behind `kontextwerk.prompt.LanguageModel`. `pydantic-ai` speaks to the providers; every error of theirs
becomes a `ModelError` here. It leaves out the answer without a model: see `extract`.
"""

import asyncio
import os
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from contextlib import aclosing, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from kontextwerk.context.errors import MissingExtraError, ModelError, SettingsError
from kontextwerk.prompt import LanguageModel, Prompt
from kontextwerk.settings import Settings

if TYPE_CHECKING:
    from ssl import SSLContext

    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model

CONNECT_SECONDS = 10
SILENCE_SECONDS = 120
"""How long a model may send nothing before it is given up."""
OLLAMA = "http://localhost:11434/v1"
ANSWER_TOKENS = 2000
"""The most tokens of an answer where the prompt does not say, for models that need to be told."""
_FORMS = "extract, openai:NAME, anthropic:NAME, ollama:NAME, gguf:FILE"


def make_model(settings: Settings) -> LanguageModel:
    """Return the language model that the settings name.

    Raises:
        SettingsError: There is no such provider, its key is missing, or the file is no model.
        MissingExtraError: Its package is not installed.
    """
    provider, _, name = settings.model.partition(":")
    maker = _MAKERS.get(provider)
    if maker is None or not name:
        raise SettingsError(f"model {settings.model!r}", "is no model", f"Set it to one of: {_FORMS}")
    return maker(name, settings)


@dataclass(frozen=True, slots=True)
class Hosted:
    """A model behind an API.

    Attributes:
        name: What it is called in settings and messages.
        connect: Opens a client, and closes it at the end; gives the model that speaks through it.
    """

    name: str
    connect: Callable[[], Any]

    def stream(self, prompt: Prompt) -> Iterator[str]:
        """Yield the answer's text as it arrives.

        Raises:
            ModelError: No answer, or one that broke off; what was yielded stays valid.
        """
        begun = False
        with _mapped(self.name, lambda: begun), closing(_on_own_thread(_pieces(self.connect, prompt))) as pieces:
            for piece in pieces:
                begun = True
                yield piece


def _openai(name: str, settings: Settings) -> LanguageModel:
    key = settings.model_api_key or os.environ.get("OPENAI_API_KEY", "")
    if not key and not settings.model_url:
        raise SettingsError("OPENAI_API_KEY", "is not set", "Set it, or model_url to a server of your own")
    return _openai_like(f"openai:{name}", name, settings.model_url or None, key or "none")


def _ollama(name: str, settings: Settings) -> LanguageModel:
    return _openai_like(f"ollama:{name}", name, settings.model_url or OLLAMA, settings.model_api_key or "ollama")


def _openai_like(full_name: str, name: str, url: str | None, key: str) -> LanguageModel:
    try:
        import openai
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider
    except ImportError as error:
        raise MissingExtraError(full_name, "llm") from error

    @asynccontextmanager
    async def connect() -> AsyncIterator["Model"]:
        timeout = openai.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        http = openai.DefaultAsyncHttpxClient(verify=_tls())
        async with openai.AsyncOpenAI(
            base_url=url, api_key=key, timeout=timeout, max_retries=1, http_client=http
        ) as client:
            yield OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client))

    return Hosted(full_name, connect)


@cache  # it takes 17 ms to make, and many answers may be on their way
def _tls() -> "SSLContext":
    import httpx

    return httpx.create_ssl_context()


def _anthropic(name: str, settings: Settings) -> LanguageModel:
    try:
        import anthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider
    except ImportError as error:
        raise MissingExtraError(f"anthropic:{name}", "llm") from error
    key = settings.model_api_key or os.environ.get("ANTHROPIC_API_KEY", "")
    if not key:
        raise SettingsError("ANTHROPIC_API_KEY", "is not set", "Set it, or name another model")

    @asynccontextmanager
    async def connect() -> AsyncIterator["Model"]:
        timeout = anthropic.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
        url = settings.model_url or None
        async with anthropic.AsyncAnthropic(base_url=url, api_key=key, timeout=timeout, max_retries=1) as client:
            yield AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))

    return Hosted(f"anthropic:{name}", connect)


async def _pieces(connect: Callable[[], Any], prompt: Prompt) -> AsyncGenerator[str]:
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.settings import ModelSettings

    wanted = ModelSettings(temperature=0.0, max_tokens=prompt.max_tokens or ANSWER_TOKENS)
    async with connect() as model, model_request_stream(model, _messages(prompt), model_settings=wanted) as stream:
        async for event in stream:
            piece = _text(event)
            if piece:
                yield piece


def _on_own_thread(pieces: AsyncGenerator[str]) -> Generator[str]:
    """Read an asynchronous stream from synchronous code, wherever that runs; closing the generator ends the request."""
    loop = asyncio.new_event_loop()

    async def read(put: Callable[[str], None]) -> None:
        async with aclosing(pieces):
            async for piece in pieces:
                put(piece)

    def produce(put: Callable[[str], None]) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(read(put))
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

    def stop() -> None:
        with suppress(RuntimeError):  # the loop has ended in between
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])

    return _handed_over(produce, stop)


_Item = TypeVar("_Item")


def _handed_over(produce: Callable[[Callable[[_Item], None]], None], stop: Callable[[], None]) -> Generator[_Item]:
    """Yield what a function puts out on a thread of its own, and raise what it raises.

    Args:
        produce: It is given the function to put items out with.
        stop: Makes it end early; called when the generator is closed before its end.
    """
    items: Queue[tuple[_Item] | BaseException | None] = Queue()

    def run() -> None:
        try:
            produce(lambda item: items.put((item,)))
            items.put(None)
        except BaseException as error:  # noqa: BLE001  handed to the reader's thread
            items.put(error)

    worker = Thread(target=run, daemon=True)
    worker.start()
    try:
        while (item := items.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item[0]
    finally:
        if worker.is_alive():
            stop()
        worker.join()


def _messages(prompt: Prompt) -> list["ModelMessage"]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    turns: list[ModelMessage] = [ModelRequest([SystemPromptPart(prompt.instructions)])]
    for message in prompt.messages:
        if message.role == "user":
            turns.append(ModelRequest([UserPromptPart(message.text)]))
        else:
            turns.append(ModelResponse([TextPart(message.text)]))
    return turns


def _text(event: object) -> str:
    """Return the text that an event of the stream adds to the answer."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


@contextmanager
def _mapped(name: str, begun: Callable[[], bool]) -> Iterator[None]:
    """Turn whatever the layers below raise into one of our errors."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:
        if begun():
            raise ModelError(name, f"broke off its answer ({_cause(error)})", "Ask again") from error
        reason, mend = _explained(error)
        raise ModelError(name, reason, mend) from error


_SERVER_ERROR = 500
_TOO_LONG = re.compile(r"context (?:length|window|size)|too long|too many tokens|n_ctx")
_BY_STATUS: dict[int, tuple[str, str]] = {
    401: ("refuses the key", "Set model_api_key, or the provider's own variable, to a valid key"),
    403: ("refuses the key", "Set model_api_key to a key that may use this model"),
    404: ("is not there", "Name a model that the server has, and check model_url"),
    429: ("takes no more requests for now", "Wait a little, or raise your limit with the provider"),
}


def _explained(error: Exception) -> tuple[str, str]:
    """Return reason and mend of a request that brought no answer."""
    status = getattr(error, "status_code", None)
    text = str(error).casefold()
    if status in {None, 400, 413, 422} and _TOO_LONG.search(text):
        return "finds the prompt too long for its window", "Ask with a smaller --max-tokens"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status is not None:
        mend = "Try again later" if status >= _SERVER_ERROR else "Check its name and model_url"
        return f"answers with an error ({status})", mend
    if "timeout" in type(error).__name__.casefold() or "timed out" in text:
        return f"sent nothing for {SILENCE_SECONDS} seconds", "Try again, or name a faster model"
    if "connect" in type(error).__name__.casefold() or "connection" in text:
        return "cannot be reached", "Check that its server runs, and model_url"
    return f"gives no usable answer ({_cause(error)})", "Try again, or name another model"


def _cause(error: BaseException) -> str:
    """Return an error in one short line."""
    line = " ".join(str(error).split())
    return (line[:120] or type(error).__name__).rstrip(".")


@dataclass(frozen=True, slots=True)
class Gguf:
    """A model in the process, from a GGUF file.

    Attributes:
        path: The file.
    """

    path: str

    @property
    def name(self) -> str:
        """What it is called in settings and messages."""
        return f"gguf:{self.path}"

    def stream(self, prompt: Prompt) -> Iterator[str]:
        """Yield the answer's text as it arrives.

        Raises:
            ModelError: The file cannot be loaded, or the prompt does not fit the model's window.
        """
        begun = False
        with _mapped(self.name, lambda: begun), closing(_completion(_server(self.path), prompt)) as events:
            for event in events:
                for choice in event.get("choices", ()):
                    piece = choice.get("delta", {}).get("content")
                    if piece:
                        begun = True
                        yield piece


def _gguf(name: str, settings: Settings) -> LanguageModel:  # noqa: ARG001  every maker takes the settings
    path = Path(name).expanduser()
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise SettingsError(f"model {path}", error.strerror or "cannot be read", "Name a GGUF file") from error
    if magic != b"GGUF":
        raise SettingsError(f"model {path}", "is no GGUF file", "Name a GGUF file")
    return Gguf(str(path))


@cache  # loading takes seconds, and memory as large as the file
def _server(path: str) -> Any:  # noqa: ANN401  the library has no types
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtraError(f"gguf:{path}", "local") from error
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = 8192
    params.verbosity = 0
    return xllamacpp.Server(params)


def _completion(server: Any, prompt: Prompt) -> Generator[dict[str, Any]]:  # noqa: ANN401
    """Yield the events of a chat completion; the library calls back from its own thread."""
    stopped = Event()
    roles = [{"role": "system", "content": prompt.instructions}]
    roles += [{"role": message.role, "content": message.text} for message in prompt.messages]
    request = {
        "messages": roles,
        "max_tokens": prompt.max_tokens or ANSWER_TOKENS,
        "temperature": 0,
        "stream": True,
    }

    def produce(put: Callable[[dict[str, Any]], None]) -> None:
        def heard(events: Any) -> bool:  # noqa: ANN401  one or a list of them
            for event in events if isinstance(events, list) else [events]:
                put(event)
            return stopped.is_set()  # true ends the generation

        server.handle_chat_completions(request, heard)

    with closing(_handed_over(produce, stopped.set)) as events:
        for event in events:
            if "error" in event:
                raise RuntimeError(str(event["error"].get("message", event["error"])))
            yield event


_MAKERS: dict[str, Callable[[str, Settings], LanguageModel]] = {
    "openai": _openai,
    "ollama": _ollama,
    "anthropic": _anthropic,
    "gguf": _gguf,
}
