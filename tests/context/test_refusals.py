"""What a caller cannot have meant is refused by one error with a mend."""

from collections.abc import Callable

import pytest

from kontextwerk import InputError, Labels, Options, assemble, parse

HITS = [{"score": 1, "payload": {"content": "Die Frist beträgt zwei Wochen. Danach verfällt der Anspruch. " * 9}}]


def misjudged(answer: list[float]) -> object:
    """Assemble with a similarity that answers this."""
    return assemble(HITS, 40, question="Wie lang ist die Frist?", options=Options(similarity=lambda *_: answer))


@pytest.mark.parametrize(
    ("thing", "call"),
    [
        ("text", lambda: parse("Ohne Kopf.")),
        ("text", lambda: parse("[Quelle 1: A]\nText\n\n---\n\nohne Kopf")),
        ("label", lambda: Labels("Quelle 1", "?")),
        ("label", lambda: Labels("", "?")),
        ("label", lambda: Labels("x" * 41, "?")),
        ("label", lambda: Labels("Quelle", " ")),
        ("language", lambda: assemble(HITS, language="fr")),  # type: ignore[arg-type]  # the fault under test
        ("similarity", lambda: misjudged([0.5])),
        ("similarity", lambda: misjudged([float("nan")] * 18)),
    ],
)
def test_it_is_named(thing: str, call: Callable[[], object]) -> None:
    """The error names the thing and the mend."""
    with pytest.raises(InputError) as caught:
        call()
    assert thing in caught.value.thing
    assert caught.value.mend


def test_an_empty_text_has_no_passages() -> None:
    """The text of an empty context is one too."""
    assert parse("") == ()
