"""Conversations and uploads on disk: what is kept, in which order, and what happens where it cannot be kept."""

import os
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from kontextwerk import InputError, KontextwerkError, RecordsError, SettingsError
from kontextwerk.migrations import upgrade
from kontextwerk.records import METADATA, AbsentError, Records, StoredTurn, open_records
from kontextwerk.settings import Settings

POSTGRES = os.environ.get("KONTEXTWERK_TEST_POSTGRES_URL", "")
NO_SERVER = pytest.mark.skipif(not POSTGRES, reason="KONTEXTWERK_TEST_POSTGRES_URL is not set")
KINDS = ["sqlite", pytest.param("postgresql", marks=[pytest.mark.server, NO_SERVER])]


@pytest.fixture(params=KINDS)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings that name an empty database of each kind; on a server it is one of its own, dropped at the end."""
    made = replace(Settings(), data_dir=tmp_path / "neu" / "data")
    if request.param == "sqlite":
        yield made
        return
    name = f"kontextwerk_{uuid4().hex}"
    server = sa.create_engine(POSTGRES, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    url = sa.make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
    yield replace(made, records_url=url)
    with server.connect() as connection:
        connection.exec_driver_sql(f"DROP DATABASE {name}")
    server.dispose()


@pytest.fixture
def records(settings: Settings) -> Iterator[Records]:
    """Open empty records of each kind."""
    with open_records(settings) as made:
        yield made


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[Records]:
    """Open empty records in a folder."""
    with open_records(replace(Settings(), data_dir=tmp_path)) as made:
        yield made


def ask(records: Records, conversation: str, question: str = "Wann?") -> StoredTurn:
    """Keep a question."""
    return records.ask(conversation, question, model="extract", max_tokens=3000)


def test_a_question_is_the_next_turn(records: Records) -> None:
    """Turns stand in the order in which they were asked, each being answered."""
    conversation = records.begin(language="en", documents=["d1", "d2"])
    asked = [ask(records, conversation.id, question) for question in ("Eins?", "Zwei?", "Drei?")]
    assert records.turns(conversation.id) == asked
    assert [turn.position for turn in asked] == [0, 1, 2]
    assert {turn.state for turn in asked} == {"answering"}
    assert records.conversation(conversation.id).documents == ("d1", "d2")
    assert records.conversation(conversation.id).language == "en"


def test_the_first_question_is_the_title(records: Records) -> None:
    """A conversation is called by its first question on one line, shortened; a title that it has stays."""
    conversation, named = records.begin(), records.begin(title="Eigener Titel")
    for question in ("Wie  läuft\neine Auftragsklärung ab, " + "und dann " * 30, "Und danach?"):
        ask(records, conversation.id, question)
        ask(records, named.id, question)
    title = records.conversation(conversation.id).title
    assert title.startswith("Wie läuft eine Auftragsklärung ab, und dann")
    assert len(title) == 80
    assert records.conversation(named.id).title == "Eigener Titel"


def test_the_latest_conversation_comes_first(records: Records) -> None:
    """Conversations are in the order of their last questions."""
    first, second = records.begin(), records.begin()
    ask(records, first.id)
    assert [one.id for one in records.conversations()] == [first.id, second.id]
    assert [one.id for one in records.conversations(limit=1)] == [first.id]


def test_a_turn_is_changed_column_by_column(records: Records) -> None:
    """What is told of a turn is kept, the rest stays; structures come back as they went in."""
    turn = ask(records, records.begin().id)
    context = {"text": "ä\0\ud800", "sources": [{"number": 1, "score": None}]}
    changed = records.update(turn.id, answer="Im Mai [1].", state="done", context=context, checks=[{"verdict": "x"}])
    assert changed == replace(turn, answer="Im Mai [1].", state="done", context=context, checks=[{"verdict": "x"}])
    assert records.update(turn.id, context=None).context is None


def test_a_conversation_is_changed(records: Records) -> None:
    """Title, language and documents can be changed."""
    conversation = records.begin()
    changed = records.change(conversation.id, title="Neu", language="en", documents=("d",))
    assert (changed.title, changed.language, changed.documents) == ("Neu", "en", ("d",))


def test_deleting_a_conversation_deletes_its_turns(records: Records) -> None:
    """With a conversation its turns go, and those of others stay."""
    gone, stays = records.begin(), records.begin()
    turns = [ask(records, one.id) for one in (gone, stays)]
    records.delete(gone.id)
    assert records.turns(gone.id) == []
    assert records.turns(stays.id) == [turns[1]]
    with pytest.raises(AbsentError, match="is not there"):
        records.turn(turns[0].id)


def test_the_database_itself_keeps_turns_with_their_conversation(records: Records) -> None:
    """No turn is kept without its conversation: one deleted in the database itself takes its turns along."""
    conversation = records.begin()
    turn = ask(records, conversation.id)
    with records._engine.begin() as connection:
        connection.execute(METADATA.tables["conversations"].delete())
        assert connection.execute(sa.select(METADATA.tables["turns"])).all() == []
    with pytest.raises(sa.exc.IntegrityError), records._engine.begin() as connection:
        connection.execute(METADATA.tables["turns"].insert().values(records_row(turn)))


def records_row(turn: StoredTurn) -> dict[str, Any]:
    """Return a turn by column."""
    return {name: getattr(turn, name) for name in METADATA.tables["turns"].columns.keys()}  # noqa: SIM118


def test_what_is_not_there_is_named(records: Records) -> None:
    """Each method says that there is no such thing, as an error for which the caller can be told."""
    for call in (
        lambda: records.conversation("x"),
        lambda: records.change("x", title="y"),
        lambda: records.delete("x"),
        lambda: ask(records, "x"),
        lambda: records.turn("x"),
        lambda: records.update("x", answer="y"),
    ):
        with pytest.raises(AbsentError, match="x: is not there") as caught:
            call()
        assert isinstance(caught.value, InputError)
    assert records.turns("x") == []


def test_uploads_are_kept(records: Records) -> None:
    """An upload waits at first, is changed as it goes on, and can be forgotten; the latest comes first."""
    first = records.add_upload("a.pdf", "/x/1.pdf", 10, id="1")
    second = records.add_upload("b.pdf", "/x/2.pdf", 20, id="2")
    assert records.uploads() == [second, first]
    records.update_upload("1", state="reading", chunks_done=3, chunks_total=7)
    records.delete_upload("2")
    assert records.uploads() == [replace(first, state="reading", chunks_done=3, chunks_total=7)]


def test_records_opened_again_hold_everything(settings: Settings) -> None:
    """What was kept is there after an end of the program, times and structures included."""
    with open_records(settings) as records:
        conversation = records.begin(documents=("d",), title="ß 👩‍👩‍👧")
        turn = records.update(ask(records, conversation.id).id, context={"a": [1, None, "ü"]}, feedback="up")
        upload = records.add_upload("a.pdf", "/x/1.pdf", 10, id="1")
    with open_records(settings) as records:
        assert records.conversation(conversation.id).documents == ("d",)
        assert records.turns(conversation.id) == [turn]
        assert records.uploads() == [upload]
        assert turn.created.utcoffset() is not None


def difference(records: Records) -> list[Any]:
    """Return how the tables differ from those that the code names."""
    with records._engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))


@pytest.mark.parametrize("start", ["", "0001"])
def test_upgrades_lead_to_the_tables_of_the_code(settings: Settings, start: str) -> None:
    """An empty database, and one of each form that there was, gets exactly the tables that the code names."""
    if start:
        with open_records(settings) as records:
            METADATA.drop_all(records._engine)
            with records._engine.begin() as connection:
                connection.exec_driver_sql("DROP TABLE alembic_version")
            upgrade(records._engine, start)
    with open_records(settings) as records:
        assert difference(records) == []
        assert records.conversations() == []


def test_the_first_form_is_taken_back(settings: Settings) -> None:
    """Downgrading drops the tables: every step has its way back."""
    from alembic import command
    from alembic.config import Config

    import kontextwerk.migrations

    config = Config()
    config.set_main_option("script_location", str(Path(kontextwerk.migrations.__file__).parent))
    with open_records(settings) as records:
        with records._engine.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "base")
        assert sa.inspect(records._engine).get_table_names() == ["alembic_version"]


def test_records_of_a_newer_version_are_left_alone(settings: Settings) -> None:
    """A form that is not known here is refused with what to do."""
    with open_records(settings) as records, records._engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(RecordsError, match=r"is of another version .* Install the newest Kontextwerk"):
        open_records(settings)


def test_an_upgrade_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    """Where the disk is full in the middle of making the tables, there are none; with room they are made."""
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'records.sqlite'}")
    limit(engine, pages=5)
    with pytest.raises(sa.exc.OperationalError, match="disk is full"):
        upgrade(engine)
    assert sa.inspect(engine).get_table_names() == []
    engine.dispose()
    with open_records(replace(Settings(), data_dir=tmp_path)) as records:
        assert difference(records) == []


def limit(engine: sa.Engine, pages: int) -> None:
    """Make a database's disk so small."""
    engine.dispose()

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")


@pytest.mark.parametrize("same", [True, False])
def test_many_ask_at_once(records: Records, *, same: bool) -> None:
    """Eight threads ask in one conversation, or each in its own, at once: no question is lost, no position twice."""
    conversations = [records.begin().id for _ in range(1 if same else 8)]

    def asks(number: int) -> list[int]:
        return [ask(records, conversations[number % len(conversations)]).position for _ in range(5)]

    with ThreadPoolExecutor(8) as pool:
        positions = sorted(position for found in pool.map(asks, range(8)) for position in found)
    assert positions == sorted(list(range(40 if same else 5)) * (1 if same else 8))


def test_two_programs_ask_at_once(settings: Settings) -> None:
    """Records that are opened twice give positions as records that are opened once."""
    with open_records(settings) as one, open_records(settings) as other, ThreadPoolExecutor(8) as pool:
        conversation = one.begin().id
        calls = [pool.submit(ask, records, conversation) for records in [one, other] * 8]
        assert sorted(call.result().position for call in calls) == list(range(16))


def test_a_program_opens_what_another_is_making(settings: Settings) -> None:
    """Several programs that start at once on an empty folder all find the tables made."""
    if settings.records_url:
        pytest.skip("on a server the first start is made once, by who sets it up")
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(open_records, [settings] * 4))
    for records in opened:
        assert records.conversations() == []
        records.close()


def test_a_full_disk_is_named(on_disk: Records) -> None:
    """Where the disk is full, the error says so with the mend; nothing is half-written and what was there stays."""
    conversation = on_disk.begin()
    kept = ask(on_disk, conversation.id)
    before = on_disk.conversation(conversation.id)
    limit(on_disk._engine, pages=1)
    for call in (
        lambda: ask(on_disk, conversation.id, "lang " * 20_000),
        lambda: on_disk.update(kept.id, answer="lang " * 20_000, state="done"),
        lambda: on_disk.begin(title="x" * 80, documents=["d" * 50_000]),
    ):
        with pytest.raises(RecordsError, match=r"records\.sqlite: the disk is full\. Make room and try again"):
            call()
    assert on_disk.turns(conversation.id) == [kept]
    assert on_disk.conversations() == [before]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A folder that cannot be made is named with the mend."""
    (tmp_path / "datei").write_text("keine Ordner hier", encoding="utf-8")
    with pytest.raises(RecordsError, match=r"datei.*Check that it is there and may be written"):
        open_records(replace(Settings(), data_dir=tmp_path / "datei" / "data"))


def test_records_that_may_only_be_read_are_named(tmp_path: Path) -> None:
    """Where nothing may be written, what is there is read, and keeping something fails with the mend."""
    with open_records(replace(Settings(), data_dir=tmp_path)) as records:
        conversation = records.begin()
    file = tmp_path / "records.sqlite"
    engine = sa.create_engine(f"sqlite:///file:{file}?mode=ro&uri=true")
    with Records(engine, str(file)) as records:
        assert records.conversations() == [conversation]
        with pytest.raises(RecordsError, match=r"readonly.*Check that it is there and may be written"):
            ask(records, conversation.id)
        assert records.turns(conversation.id) == []


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    """A damaged file is named, and left as it is."""
    file = tmp_path / "records.sqlite"
    file.write_bytes(b"kein SQLite " * 1000)
    with pytest.raises(RecordsError, match=r"records\.sqlite: cannot be used \(file is not a database\)"):
        open_records(replace(Settings(), data_dir=tmp_path))
    assert file.read_bytes() == b"kein SQLite " * 1000


def test_every_character_is_kept_or_replaced(records: Records) -> None:
    """NUL becomes a blank and a lone surrogate U+FFFD, wherever they stand; all other characters stay."""
    odd = "a\0b \ud800 c\udfff"
    conversation = records.begin(title=odd, documents=[odd])
    turn = records.update(ask(records, conversation.id, odd).id, answer=odd, error=odd, query=odd)
    clear = "a b \ufffd c\ufffd"
    stored = records.turn(turn.id)
    assert (stored.question, stored.answer, stored.error, stored.query) == (clear,) * 4
    assert records.conversation(conversation.id).title == clear
    assert records.add_upload(odd, "/x", 1, id="1").size == 1
    assert records.uploads()[0].name == clear
    fine = "👩‍👩‍👧‍👦 漢字 שלום \u2028 \ufeff ẞ e\u0301 \x01 '; DROP TABLE turns; --"
    assert ask(records, conversation.id, fine) == records.turns(conversation.id)[-1]
    assert records.turns(conversation.id)[-1].question == fine


def test_what_is_kept_is_what_is_given_back(records: Records) -> None:
    """The turn that `ask` gives is the one that is stored, also where characters were replaced."""
    conversation = records.begin(title="\ud800")
    assert records.conversation(conversation.id) == conversation
    assert ask(records, conversation.id, "\ud800?") == records.turns(conversation.id)[0]
    assert records.add_upload("\ud800.pdf", "/x", 1, id="1") == records.uploads()[0]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "is no address of a database"),
        ("postgresql+psycopg://ich:geheim@127.0.0.1:port/db", "is no address of a database"),
        ("oracel://ich:geheim@127.0.0.1/db", "there is no kind of database 'oracel'"),
        ("mysql+aiomysql://ich:geheim@127.0.0.1/db", "the driver for 'mysql\\+aiomysql' is not installed"),
        ("postgresql://ich:geh@eim@127.0.0.1/db", "has two @ before the host"),
    ],
)
def test_an_address_that_is_none_is_named(tmp_path: Path, url: str, reason: str) -> None:
    """An address that cannot be meant is an error of the setting, and no password is shown."""
    with pytest.raises(SettingsError, match=f"records_url: {reason}") as caught:
        open_records(replace(Settings(), data_dir=tmp_path, records_url=url))
    assert "eim" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://ich:geheim@127.0.0.1:1/db",
        "postgres://ich:geheim@127.0.0.1:1/db",
        "postgresql://ich@127.0.0.1:1/db?password=geheim",
        "postgresql+psycopg:///db?host=127.0.0.1&port=1&user=ich&password=geheim",
    ],
)
def test_a_server_out_of_reach_is_named(tmp_path: Path, url: str) -> None:
    """A server that does not answer is named with the reason, in whatever form it is given, without the password."""
    with pytest.raises(RecordsError, match=r"postgresql\+psycopg://.*db: cannot be used .*refused") as caught:
        open_records(replace(Settings(), data_dir=tmp_path, records_url=url))
    assert "geheim" not in str(caught.value)


def test_every_error_of_the_database_is_ours(on_disk: Records) -> None:
    """Once its tables are gone, each method raises our error."""
    METADATA.drop_all(on_disk._engine)
    for call in (
        on_disk.begin,
        on_disk.conversations,
        lambda: on_disk.change("x", nonsense="y"),
        lambda: ask(on_disk, "x"),
        lambda: on_disk.update("x", nonsense="y"),
        lambda: on_disk.turns("x"),
        on_disk.uploads,
        lambda: on_disk.add_upload("a", "b", 1, id="c"),
        lambda: on_disk.update_upload("x", state="done"),
        lambda: on_disk.delete_upload("x"),
    ):
        with pytest.raises(KontextwerkError) as caught:
            call()
        assert isinstance(caught.value, RecordsError)
