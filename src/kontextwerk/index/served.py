"""Embedding on a server with an OpenAI-compatible API.

A busy server is asked again after a short pause. It leaves out prefixes that some models want before a question or a
passage: set the server up to add them.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from kontextwerk.characters import encodable
from kontextwerk.context.errors import MissingExtraError, ModelError, SettingsError
from kontextwerk.index.embedding import RefusedError, Vector, batches

try:
    import httpx
    import numpy as np
except ImportError as missing:
    raise MissingExtraError("httpx, numpy", "index") from missing

REQUEST_TEXTS = 64
"""The most texts of one request to a server."""
PAUSES = (0.5, 1.0, 2.0)
"""Seconds before each further attempt where a server is busy or out of reach."""
LONGEST_PAUSE = 30.0
"""The longest pause, in seconds, that a server may ask for."""
TIMEOUT = 60.0
"""Seconds that a server may take for one request."""
BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes after which a further attempt makes sense."""
REFUSED = frozenset({400, 413, 422})
"""Status codes that mean these texts, not the server: too long, or not as it wants them."""


class Served:
    """A model behind an OpenAI-compatible embeddings API, such as Ollama, vLLM or text-embeddings-inference.

    Args:
        model: The model's name on the server.
        url: The base address, such as `http://localhost:11434/v1`.
        api_key: The key; may be empty.
        client: What sends the requests; None for one of its own.
        pause: Waits so many seconds.

    Raises:
        SettingsError: No address.
    """

    def __init__(
        self,
        model: str,
        url: str,
        api_key: str = "",
        *,
        client: httpx.Client | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if not url:
            raise SettingsError(
                "embedder_url", "is empty", "Set it to the server's address, such as http://localhost:11434/v1"
            )
        self.name = f"openai:{model}"
        self._model = model
        self._url = url.rstrip("/") + "/embeddings"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = client or httpx.Client(timeout=TIMEOUT)
        self._pause = pause
        self._size = 0

    @property
    def size(self) -> int:
        """How many numbers a vector has; asks the server the first time."""
        if not self._size:
            self.query("size")
        return self._size

    def passages(self, texts: Sequence[str]) -> Vector:
        """Embed texts that are to be found."""
        if not texts:
            return np.empty((0, self.size), dtype=np.float32)
        return np.concatenate([self._embed(batch) for batch in batches(texts, REQUEST_TEXTS)])

    def query(self, text: str) -> Vector:
        """Embed what is searched for."""
        return np.asarray(self._embed([text])[0], dtype=np.float32)

    def _embed(self, texts: Sequence[str]) -> Vector:
        response = self._post({"model": self._model, "input": [encodable(text) for text in texts]})
        vectors = self._vectors(response, len(texts))
        self._size = self._size or vectors.shape[1]
        if vectors.shape[1] != self._size:
            raise self._failure(f"sends vectors of {vectors.shape[1]} numbers, not of {self._size} as before")
        return vectors

    def _post(self, body: dict[str, Any]) -> httpx.Response:
        """Send a request, again where the server is busy or out of reach."""
        response = self._try(body)
        for pause in PAUSES:
            if isinstance(response, httpx.Response) and response.status_code not in BUSY:
                break
            self._pause(pause if isinstance(response, httpx.HTTPError) else _asked_pause(response, pause))
            response = self._try(body)
        if isinstance(response, httpx.HTTPError):
            reason = str(response) or type(response).__name__
            raise self._failure(f"cannot be reached ({reason})", "Check embedder_url and that the server runs")
        if response.is_success:
            return response
        reason = f"answers {response.status_code}: {' '.join(response.text.split())[:200]}"
        if response.status_code in REFUSED:
            raise RefusedError(self.name, reason, "Lower chunk_chars where the text is too long for the model")
        raise self._failure(reason, _mend(response.status_code))

    def _try(self, body: dict[str, Any]) -> httpx.Response | httpx.HTTPError:
        try:
            return self._client.post(self._url, json=body, headers=self._headers)
        except httpx.HTTPError as error:
            return error
        except httpx.InvalidURL as error:
            raise SettingsError("embedder_url", f"{self._url} is no address ({error})", "Mend it") from error

    def _vectors(self, response: httpx.Response, count: int) -> Vector:
        """Return the vectors of an answer in the order of the texts."""
        try:
            rows = sorted(response.json()["data"], key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        except (ValueError, KeyError, TypeError) as error:
            raise self._failure("sends what is no list of embeddings", "Check embedder_url") from error
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():  # noqa: PLR2004  rows, numbers
            raise self._failure(f"sends unusable vectors for {count} texts")
        return vectors

    def _failure(self, reason: str, mend: str = "") -> ModelError:
        return ModelError(f"{self.name} at {self._url}", reason, mend)


def _asked_pause(response: httpx.Response, pause: float) -> float:
    """Return the pause that a busy server asks for, in seconds."""
    asked = response.headers.get("retry-after", "")
    return min(float(asked), LONGEST_PAUSE) if asked.isdecimal() else pause


def _mend(status: int) -> str:
    if status in {401, 403}:
        return "Check embedder_api_key"
    if status == 404:  # noqa: PLR2004  the code's meaning is what the mend says
        return "Check embedder_url and the model's name"
    return "Try again later" if status in BUSY else ""
