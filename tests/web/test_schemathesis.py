"""The HTTP APIs hold to their own OpenAPI document, whatever is sent: no server error, no answer of another shape."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from web_app import QUESTION, filled_app, settings_in

EXAMPLES = 15
"""For each operation."""


@pytest.fixture(scope="module")
def api_schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Load the document of an application with documents, a conversation and an answer."""
    app, _ = filled_app(settings_in(tmp_path_factory.mktemp("schema")))
    with TestClient(app, base_url="http://localhost") as client:
        name = client.post("/api/v1/conversations", json={}).json()["id"]
        client.post(f"/api/v1/conversations/{name}/answers", json={"question": QUESTION})
        yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)


schema = schemathesis.pytest.from_fixture("api_schema")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_document_is_true(case: Any) -> None:  # noqa: ANN401  schemathesis makes it
    """Each answer is one that the document declares, in its shape."""
    case.call_and_validate()
