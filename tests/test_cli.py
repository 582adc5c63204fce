"""The command `kontextwerk`, run in the process on real files and a real index."""

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner, Result

from kontextwerk.cli import app, run

EXAMPLES = Path(__file__).parent.parent / "examples" / "library"
Command = Callable[..., Result]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command with a data directory of its own and an instant embedder."""
    monkeypatch.setenv("KONTEXTWERK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("KONTEXTWERK_EMBEDDER", "hashing")
    monkeypatch.setenv("HOME", str(tmp_path))

    def call(*arguments: str, text: str | None = None) -> Result:
        return CliRunner().invoke(app, arguments, input=text)

    return call


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Make a folder with two documents and one that cannot be read."""
    folder = tmp_path / "Bibliothek"
    folder.mkdir()
    (folder / "Leitfaden.md").write_text(
        "# Leitfaden\n\nDie Auftragsklärung erfolgt im Erstgespräch. Sie dauert 60 Minuten.\n\n"
        "## Absagen\n\nTermine können bis 48 Stunden vorher abgesagt werden.\n",
        encoding="utf-8",
    )
    (folder / "Team.txt").write_bytes("Ein Team hat fünf bis neun Personen.\n".encode("cp1252"))
    (folder / "kaputt.pdf").write_bytes(b"")
    return folder


@pytest.fixture
def indexed(command: Command, library: Path) -> Command:
    """Return the command with the folder ingested."""
    command("ingest", str(library))
    return command


def output(result: Result) -> Any:  # noqa: ANN401  whatever the command printed
    """Read the one JSON value on standard output."""
    return json.loads(result.stdout)


def test_ingest_names_what_it_could_not_read(command: Command, library: Path) -> None:
    """The rest is indexed, the broken file is named with its reason, and the exit code says so."""
    result = command("ingest", str(library))
    assert result.exit_code == 3
    assert "2 added" in result.stdout
    assert "kaputt.pdf" in result.stderr
    assert "is empty" in result.stderr


def test_bad_files_are_read_rightly_or_named(command: Command, tmp_path: Path) -> None:
    """Of a folder of bad files each is read rightly or named with a reason, and nothing stops the rest."""
    folder = tmp_path / "schlecht"
    (folder / "x.pdf").mkdir(parents=True)
    (folder / "x.pdf" / "darin.txt").write_text("In einem Ordner namens x.pdf.", encoding="utf-8")
    (folder / "leer.docx").write_bytes(b"")
    (folder / "abgeschnitten.pdf").write_bytes((EXAMPLES / "AGB 2025.pdf").read_bytes()[:3000])
    with ZipFile(folder / "archiv.docx", "w") as archive:
        archive.writestr("notiz.txt", "kein Word")
    (folder / "haengt.txt").symlink_to("/nicht/da.txt")
    (folder / "latin1.txt").write_bytes("Größe: schön".encode("latin-1"))
    (folder / "utf16.txt").write_bytes("Größe: schön\nund für alle".encode("utf-16-le"))
    report = output(command("ingest", str(folder), "--json"))
    assert {Path(path).name for path in report["added"]} == {"darin.txt", "latin1.txt", "utf16.txt"}
    reasons = {Path(failure["path"]).name: failure["reason"] for failure in report["failed"]}
    assert set(reasons) == {"leer.docx", "abgeschnitten.pdf", "archiv.docx", "haengt.txt"}
    assert reasons["haengt.txt"] == "is a link to nothing"
    found = [hit["payload"]["content"] for hit in output(command("search", "Größe", "--json"))]
    assert "Größe: schön" in found


def test_ingest_again_changes_nothing(indexed: Command, library: Path) -> None:
    """A second run embeds nothing."""
    report = output(indexed("ingest", str(library), "--json"))
    assert (report["added"], report["chunks_embedded"], len(report["unchanged"])) == ([], 0, 2)


def test_ask_answers_with_a_source(indexed: Command) -> None:
    """The answer is quoted with its citation, and the cited source alone is listed below it."""
    result = indexed("ask", "Wann erfolgt die Auftragsklärung?")
    assert result.exit_code == 0
    assert "Die Auftragsklärung erfolgt im Erstgespräch.“ [Quelle 1]" in result.stdout
    assert "[1] Leitfaden.md" in result.stdout


def test_ask_explains_its_context(indexed: Command) -> None:
    """With --explain the context's bar and tables stand on standard error; standard output is the same."""
    result = indexed("ask", "Wann erfolgt die Auftragsklärung?", "--explain")
    assert result.stdout == indexed("ask", "Wann erfolgt die Auftragsklärung?").stdout
    assert "Anteil" in result.stderr


def test_ask_says_when_nothing_answers(indexed: Command) -> None:
    """A question about something else is answered by a plain sentence and its own exit code."""
    result = indexed("ask", "Hauptstadt Australiens?")
    assert (result.exit_code, result.stdout.strip()) == (4, "Das steht nicht in den Quellen.")


def test_ask_as_json(indexed: Command) -> None:
    """With --json the answer, the context, its sources and its decisions are one value."""
    answer = output(indexed("ask", "Wann erfolgt die Auftragsklärung?", "--json", "--language", "en"))
    assert answer["text"].startswith("[Source 1: Leitfaden.md]")
    assert {"answer", "sources", "decisions", "tokens"} <= set(answer)


def test_search_shows_every_hit(indexed: Command) -> None:
    """Each hit has its own entry, neighbours too, in the order of the JSON."""
    hits = output(indexed("search", "Absagen im Coaching", "--json"))
    lines = indexed("search", "Absagen im Coaching").stdout.splitlines()
    numbered = [line for line in lines if line[:1].isdigit()]
    assert len(numbered) == len(hits)
    for number, (line, hit) in enumerate(zip(numbered, hits, strict=True), 1):
        assert line.startswith(f"{number}. {hit['payload']['document_title']}")


def test_search_feeds_context(indexed: Command, tmp_path: Path) -> None:
    """What `search --json` prints is what `context` reads, from a file or from standard input."""
    hits = indexed("search", "Auftragsklärung", "--json").stdout
    file = tmp_path / "hits.json"
    file.write_text(hits, encoding="utf-8")
    from_file = indexed("context", str(file), "--max-tokens", "100")
    from_input = indexed("context", "--max-tokens", "100", text=hits)
    assert from_file.exit_code == from_input.exit_code == 0
    assert from_file.stdout == from_input.stdout
    assert from_file.stdout.startswith("[Quelle 1: Leitfaden.md]")


def test_context_explains_each_hit(indexed: Command) -> None:
    """With --explain a bar and tables say on standard error what each source costs and what was left out."""
    hits = indexed("search", "Auftragsklärung", "--json").stdout
    result = indexed("context", "--explain", "--max-tokens", "30", text=hits)
    assert "█ 1 █" in result.stderr
    assert "kein Platz" in result.stderr
    assert "von 30 Token" in result.stderr


HIT = '[{"score": 1, "payload": {"content": "Text <b>eins</b>."}}]'


def test_context_writes_a_page(command: Command, tmp_path: Path) -> None:
    """With --html the page is written beside the context, and a page of before is replaced; nothing else remains."""
    file = tmp_path / "seite.html"
    for content in ("eins", "zwei"):
        result = command("context", "--html", str(file), text=HIT.replace("eins", content))
        assert (result.exit_code, result.stdout.strip()) == (0, f"[Quelle 1: Unbekannt]\nText <b>{content}</b>.")
        assert f"Text &lt;b&gt;{content}&lt;/b&gt;." in file.read_text(encoding="utf-8")
    assert list(tmp_path.glob("*seite*")) == [file]


def test_an_empty_context_has_its_page(command: Command, tmp_path: Path) -> None:
    """The page is written where nothing fits, too: it says why."""
    file = tmp_path / "seite.html"
    assert command("context", "--max-tokens", "1", "--html", str(file), text=HIT).exit_code == 4
    assert "kein Platz" in file.read_text(encoding="utf-8")


def test_a_page_replaces_nothing_else(command: Command, tmp_path: Path) -> None:
    """A file that is no page of ours stays as it is, and the error names it; so does a folder that is not there."""
    file = tmp_path / "treffer.json"
    file.write_text(HIT, encoding="utf-8")
    result = command("context", str(file), "--html", str(file))
    assert "is no page of a context" in str(result.exception)
    assert file.read_text(encoding="utf-8") == HIT
    result = command("context", str(file), "--html", str(tmp_path / "nicht" / "da.html"))
    assert "No such file or directory" in str(result.exception)
    result = command("context", str(file), "--html", str(tmp_path))
    assert "is no page of a context" in str(result.exception)


def test_a_page_is_whole_or_not_there(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where writing breaks off, the page of before stays and no part of the new one remains."""
    file = tmp_path / "seite.html"
    command("context", "--html", str(file), text=HIT)
    before = file.read_text(encoding="utf-8")

    def full(self: Path, text: str, encoding: str) -> None:
        self.write_bytes(text.encode(encoding)[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    result = command("context", "--html", str(file), text=HIT.replace("eins", "zwei"))
    assert "No space left on device" in str(result.exception)
    assert file.read_text(encoding="utf-8") == before
    assert list(tmp_path.glob("*seite*")) == [file]


def test_context_without_room_has_its_exit_code(command: Command) -> None:
    """An empty context is no success."""
    assert command("context", "--max-tokens", "1", text='[{"score": 1, "payload": {"content": "Text"}}]').exit_code == 4


def test_generate_prints_the_prompt(indexed: Command) -> None:
    """Without a model the prompt for one is printed, sources listed."""
    result = indexed("generate", "Absagen im Coaching", "--type", "faq")
    assert result.exit_code == 0
    assert "[Quelle 1" in result.stdout
    assert "Absagen im Coaching" in result.stdout


def test_documents_lists_what_is_indexed(indexed: Command) -> None:
    """Each document stands with its chunks."""
    listed = output(indexed("documents", "--json"))
    assert {document["title"] for document in listed} == {"Leitfaden.md", "Team.txt"}
    assert all(document["complete"] for document in listed)
    assert "Team.txt" in indexed("documents").stdout


def test_config_hides_keys(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings in force are shown, a key is not."""
    monkeypatch.setenv("KONTEXTWERK_MODEL_API_KEY", "geheim")
    result = command("config")
    assert "embedder = hashing" in result.stdout
    assert "geheim" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["ask", "Frage?"], "there is no index"),
        (["context", "/nicht/da.json"], "/nicht/da.json"),
        (["generate", "x", "--type", "roman"], "roman"),
        (["ask", "x", "--model", "gpt"], "is no model"),
        (["search", "x", "--language", "fr"], "'fr' is unknown"),
        (["config", "--config", "/nicht/da.toml"], "/nicht/da.toml"),
    ],
)
def test_an_error_is_one_line(
    command: Command,
    arguments: list[str],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A failure ends with exit code 1 and one line that names thing, reason and mend; never a traceback."""
    assert command is not None
    monkeypatch.setattr("sys.argv", ["kontextwerk", *arguments])
    with pytest.raises(SystemExit) as ended:
        run()
    message = capsys.readouterr().err.strip()
    assert ended.value.code == 1
    assert message.count("\n") == 0
    assert message.startswith("kontextwerk:")
    assert reason in message


def test_chat_answers_line_by_line_and_goes_on_later(indexed: Command) -> None:
    """Each question gets an answer with its sources below; the conversation can be gone on with."""
    result = indexed("chat", text="Wann erfolgt die Auftragsklärung?\nBis wann können Termine abgesagt werden?\n\n")
    assert result.exit_code == 0
    assert "Die Auftragsklärung erfolgt im Erstgespräch." in result.stdout
    assert "Termine können bis 48 Stunden vorher abgesagt werden." in result.stdout
    assert "[1] Leitfaden.md" in result.stdout
    _, _, name = result.stderr.rpartition("--conversation ")
    later = indexed("chat", "--conversation", name.strip(), text="Wie viele Personen hat ein Team?\n")
    assert "fünf bis neun Personen" in later.stdout


def test_chat_without_a_question_leaves_nothing(indexed: Command) -> None:
    """An empty line ends it; no empty conversation is kept."""
    result = indexed("chat", text="\n")
    assert result.exit_code == 0
    assert "--conversation" not in result.stderr


@pytest.mark.usefixtures("indexed")
def test_chat_names_a_conversation_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The thing, the reason and the mend, in one line."""
    monkeypatch.setattr("sys.argv", ["kontextwerk", "chat", "--conversation", "nie"])
    with pytest.raises(SystemExit):
        run()
    assert "conversation nie: is not there" in capsys.readouterr().err


@pytest.mark.usefixtures("command")
def test_serve_refuses_an_address_of_others_without_a_token(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only this machine is served unless a token is set."""
    monkeypatch.setattr("sys.argv", ["kontextwerk", "serve", "--host", "0.0.0.0"])  # noqa: S104  that is refused
    with pytest.raises(SystemExit):
        run()
    assert "Set a token" in capsys.readouterr().err


@pytest.mark.usefixtures("indexed")
def test_serve_answers_until_it_is_interrupted(tmp_path: Path) -> None:
    """The command serves page and API, and an interruption ends it in order."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kontextwerk", "serve", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        assert f":{port}" in process.stdout.readline()
        address = f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(f"{address}/api/v1/documents", timeout=10) as answer:  # noqa: S310
            assert {document["title"] for document in json.load(answer)} == {"Leitfaden.md", "Team.txt"}
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert "Was möchtest du wissen?" in answer.read().decode()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert "Traceback" not in errors
    assert (tmp_path / "data" / "records.sqlite").exists()


def test_config_shows_no_secret(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, the token and the password in an address are not shown."""
    monkeypatch.setenv("KONTEXTWERK_TOKEN", "ein-langes-geheimnis")
    monkeypatch.setenv("KONTEXTWERK_RECORDS_URL", "postgresql+psycopg://nutzer:geheim@db/kw")
    shown = command("config").stdout
    assert "geheim" not in shown
    assert "nutzer:***@db" in shown
