"""The public names, and the rendered texts that users rely on."""

import inspect
from types import ModuleType

import pytest
from syrupy.assertion import SnapshotAssertion

import kontextwerk
from kontextwerk import Language, assemble
from kontextwerk.chat import build_prompt
from kontextwerk.context import errors
from kontextwerk.generate import build_generation_prompt, content_types

HITS = [
    {
        "score": 0.9,
        "payload": {
            "content": "Die Auftragsklärung erfolgt im Erstgespräch. Sie dauert 60 Minuten.",
            "document_title": "Leitfaden.docx",
            "section": ["Zeitpunkt"],
        },
    },
    {"score": 0.5, "payload": {"content": "Absagen sind bis 48 Stunden vorher kostenfrei.", "page_first": 3}},
    {"score": 0.4, "payload": {"content": None, "document_title": "Leer.pdf"}},
]
QUESTION = "Wann erfolgt die Auftragsklärung?"
LANGUAGES: list[Language] = ["de", "en"]


def test_the_public_names_are_those_listed() -> None:
    """What is listed is there, sorted, and nothing else of ours leaks."""
    assert kontextwerk.__all__ == sorted(kontextwerk.__all__)
    found = {
        name
        for name, value in vars(kontextwerk).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert found == set(kontextwerk.__all__)
    assert len(kontextwerk.__all__) <= 26


def test_the_tree_of_errors_is_the_one_drawn() -> None:
    """Every error derives from the root, and stands in the tree at the head of its module."""
    classes = [value for _, value in inspect.getmembers(errors, inspect.isclass)]
    assert all(issubclass(found, errors.KontextwerkError) for found in classes)
    assert all(found.__name__ in str(errors.__doc__) for found in classes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_context_and_table(language: Language, snapshot: SnapshotAssertion) -> None:
    """The context and the table of decisions read so in each language."""
    context = assemble(HITS, 60, language=language)
    assert f"{context.text}\n=====\n{context.explain()}" == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
def test_chat_prompt(language: Language, snapshot: SnapshotAssertion) -> None:
    """The chat's prompt reads so in each language."""
    prompt = build_prompt(QUESTION, assemble(HITS, 100, question=QUESTION, language=language))
    assert f"{prompt.instructions}\n=====\n{prompt.messages[0].text}" == snapshot


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("content_type", content_types())
def test_generation_prompt(content_type: str, language: Language, snapshot: SnapshotAssertion) -> None:
    """The studio's prompt reads so for each content type in each language."""
    assert build_generation_prompt("Absagen", HITS, 100, content_type, language) == snapshot
