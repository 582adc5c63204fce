"""The HTTP APIs hold to their own OpenAPI document, whatever is sent: no server error, no answer of another shape."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from fastapi.openapi.utils import get_openapi
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from kontextwerk.web import api, openai_api
from web_app import QUESTION, filled_app, settings_in

KNOWN: dict[str, str] = {}
"""Identifiers of a conversation and a turn that there are."""
HOST = {"Host": "localhost"}
EXAMPLES = 15
"""For each operation, and as many that its schema does not allow."""


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Load the document of an application with documents, a conversation and an answer."""
    app, _ = filled_app(settings_in(tmp_path_factory.mktemp("schema")))
    with TestClient(app, base_url="http://localhost") as client:
        name = client.post("/api/v1/conversations", json={}).json()["id"]
        turn = client.post(f"/api/v1/conversations/{name}/answers", json={"question": QUESTION}).json()["id"]
        KNOWN.update(conversation=name, turn=turn)
        yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, headers=HOST)


def operations() -> list[tuple[str, str]]:
    """Return the path and the method of each operation."""
    paths = get_openapi(title="", version="", routes=[*api.router.routes, *openai_api.router.routes])["paths"]
    return [(path, method) for path, methods in paths.items() for method in methods]


@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), operations())
def test_the_document_is_true(schema: Any, path: str, method: str, mode: GenerationMode) -> None:  # noqa: ANN401
    """Each answer is one that the document declares, in its shape; what it does not allow is refused."""

    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(schema[path][method].as_strategy(generation_mode=mode))
    def holds(case: Any) -> None:  # noqa: ANN401  schemathesis makes it
        if mode is GenerationMode.POSITIVE and method != "delete":
            case.path_parameters = {name: KNOWN.get(name, value) for name, value in case.path_parameters.items()}
        # What the schema allows may still be refused: a blank question, a file of an unknown kind.
        case.call_and_validate(headers=HOST, excluded_checks=[positive_data_acceptance])

    with suppress(Unsatisfiable):  # there is nothing to send that could be wrong
        holds()
