"""Drafts and their versions on disk: the same cases on SQLite and, where there is a server, on PostgreSQL.

It leaves out how records are opened, which `test_records` looks at.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Self

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import kontextwerk.migrations
import kontextwerk.records
import test_records
from kontextwerk import InputError, MissingExtraError, RecordsError, assemble
from kontextwerk.records import (
    METADATA,
    TITLE_CHARS,
    AbsentError,
    DraftEntry,
    Drafts,
    Records,
    StoredDraft,
    StoredVersion,
    open_records,
)
from kontextwerk.settings import Settings
from test_records import ask, difference, limit

settings, records, on_disk = test_records.settings, test_records.records, test_records.on_disk

BRIEF = {"type": "blogartikel", "topic": "Auftragsklärung", "words": 600, "parts": [{"title": "Anfang"}], "tone": None}
HITS = [
    {"id": "a", "score": 0.75, "payload": {"content": "Die Frist beträgt 48 Stunden.", "section": ["A", "B"]}},
    {"id": "b", "score": None, "payload": {"content": "Absagen sind kostenfrei.", "page_first": 3}},
]
ODD, CLEAR = "a\0b \ud800 c\udfff", "a b \ufffd c\ufffd"
"""A text that databases cannot take, and as it is kept."""
LONG = "Ein Satz über die Frist. " * 40_000
"""A million characters."""


@pytest.fixture
def drafts(records: Records) -> Drafts:
    """Empty drafts of each kind of database."""
    return records.drafts


def begin(drafts: Drafts, title: str = "") -> StoredDraft:
    """Begin a draft."""
    return drafts.begin(BRIEF, model="extract", max_tokens=3000, title=title)


def test_a_draft_is_begun_with_its_brief(drafts: Drafts) -> None:
    """A draft holds what is to be written; nothing was searched for, chosen or written yet."""
    draft = begin(drafts, "Mein Artikel")
    assert drafts.draft(draft.id) == draft
    assert draft == StoredDraft(
        draft.id,
        "Mein Artikel",
        brief=BRIEF,
        model="extract",
        max_tokens=3000,
        searches=None,
        hits=None,
        removed=(),
        pinned=(),
        own=[],
        outline="",
        error="",
        created=draft.created,
        updated=draft.created,
    )
    assert draft.created.utcoffset() is not None
    assert drafts.versions(draft.id) == []


def test_a_title_is_cut_off(drafts: Drafts) -> None:
    """A title has an end; none is empty."""
    assert begin(drafts, "x" * 500).title == "x" * TITLE_CHARS
    assert begin(drafts).title == ""


def test_the_latest_draft_comes_first(drafts: Drafts) -> None:
    """Drafts are in the order in which they were last changed, or written on."""
    first, second, third = (begin(drafts, title) for title in "abc")
    drafts.change(second.id, outline="- Anfang")
    drafts.add_version(first.id)
    order = [first.id, second.id, third.id]
    assert [draft.id for draft in drafts.drafts()] == order
    assert [entry.id for entry in drafts.listed()] == order
    assert [draft.id for draft in drafts.drafts(limit=2)] == order[:2]
    assert [entry.id for entry in drafts.listed(limit=2)] == order[:2]


def test_a_list_reads_no_hits(records: Records) -> None:
    """What a list shows is read without what the drafts gathered."""
    draft = begin(records.drafts, "Titel")
    changed = records.drafts.change(draft.id, hits=HITS)
    with statements(records) as seen:
        assert records.drafts.listed() == [DraftEntry(draft.id, "Titel", changed.updated)]
    assert not any("hits" in statement for statement in seen)


class statements(list[str]):  # noqa: N801  used like a function
    """The statements that the database is given meanwhile."""

    def __init__(self, records: Records) -> None:
        super().__init__()
        self._engine = records._engine

    def __enter__(self) -> Self:
        """Begin to listen."""
        sa.event.listen(self._engine, "before_cursor_execute", self._heard)
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more."""
        sa.event.remove(self._engine, "before_cursor_execute", self._heard)

    def _heard(self, _: object, __: object, statement: str, *___: object) -> None:
        self.append(statement)


CHANGES: dict[str, Any] = {
    "title": "Neu",
    "brief": {"topic": "Anderes"},
    "model": "openai:gpt-5",
    "max_tokens": 500,
    "searches": [{"query": "Frist", "covered": True}, {"query": "Honorar", "covered": False}],
    "hits": HITS,
    "removed": ("a",),
    "pinned": ("b", "c"),
    "own": [{"id": "o1", "title": "Notiz", "text": "Eigener Text"}],
    "outline": "# Anfang\n# Ende",
    "error": "index: cannot be read",
}


@pytest.mark.parametrize("column", CHANGES)
def test_a_draft_is_changed_column_by_column(drafts: Drafts, column: str) -> None:
    """What is told of a draft is kept as it went in, the rest stays, and the draft counts as changed."""
    draft = begin(drafts)
    changed = drafts.change(draft.id, **{column: CHANGES[column]})
    assert changed == replace(draft, **{column: CHANGES[column], "updated": changed.updated})
    assert changed.updated > draft.updated
    assert drafts.draft(draft.id) == changed


def test_a_draft_that_found_nothing_differs_from_one_not_searched(drafts: Drafts) -> None:
    """No hits and no search are two things, in the database too."""
    draft = begin(drafts)
    found_nothing = drafts.change(draft.id, searches=[], hits=[])
    assert (found_nothing.searches, found_nothing.hits) == ([], [])
    again = drafts.change(draft.id, searches=None, hits=None)
    assert (again.searches, again.hits) == (None, None)


def test_none_is_no_value_in_the_database(records: Records) -> None:
    """What is None is NULL, not the JSON of it."""
    draft = begin(records.drafts)
    records.drafts.change(draft.id, hits=None)
    records.drafts.add_version(draft.id)
    drafts, versions = METADATA.tables["drafts"].c, METADATA.tables["versions"].c
    empty = [column.is_(None) for column in (drafts.searches, drafts.hits, versions.context, versions.checks)]
    with records._engine.connect() as connection:
        joined = sa.select(sa.func.count()).where(*empty, versions.draft == drafts.id)
        assert connection.execute(joined).scalar() == 1


def test_deleting_a_draft_deletes_its_versions(drafts: Drafts) -> None:
    """With a draft its versions go, and those of others stay."""
    gone, stays = begin(drafts), begin(drafts)
    versions = [drafts.add_version(draft.id) for draft in (gone, stays)]
    drafts.delete(gone.id)
    assert [draft.id for draft in drafts.drafts()] == [stays.id]
    assert drafts.versions(gone.id) == []
    assert drafts.versions(stays.id) == [versions[1]]
    with pytest.raises(AbsentError, match="is not there"):
        drafts.version(versions[0].id)


def test_the_database_itself_keeps_versions_with_their_draft(records: Records) -> None:
    """No version is kept without its draft: one deleted in the database itself takes its versions along."""
    version = records.drafts.add_version(begin(records.drafts).id)
    table = METADATA.tables["versions"]
    with records._engine.begin() as connection:
        connection.execute(METADATA.tables["drafts"].delete())
        assert connection.execute(sa.select(table)).all() == []
    with pytest.raises(sa.exc.IntegrityError), records._engine.begin() as connection:
        connection.execute(
            table.insert().values({field.name: getattr(version, field.name) for field in fields(version)})
        )


def test_the_database_itself_gives_no_position_twice(records: Records) -> None:
    """Two versions of a draft never stand at one place, whoever writes them."""
    version = records.drafts.add_version(begin(records.drafts).id)
    other = {field.name: getattr(version, field.name) for field in fields(version)} | {"id": "other"}
    with pytest.raises(sa.exc.IntegrityError), records._engine.begin() as connection:
        connection.execute(METADATA.tables["versions"].insert().values(other))


def test_drafts_and_conversations_are_apart(records: Records) -> None:
    """Deleting one kind leaves the other."""
    conversation, draft = records.begin(), begin(records.drafts)
    turn, version = ask(records, conversation.id), records.drafts.add_version(draft.id)
    records.drafts.delete(begin(records.drafts).id)
    records.delete(records.begin().id)
    assert records.turns(conversation.id) == [turn]
    assert records.drafts.versions(draft.id) == [version]


def test_a_version_is_the_next_of_its_draft(drafts: Drafts) -> None:
    """Versions stand in the order in which they were begun, each being written; those of others do not count."""
    draft, other = begin(drafts), begin(drafts)
    drafts.add_version(other.id)
    added = [drafts.add_version(draft.id) for _ in range(3)]
    assert drafts.versions(draft.id) == added
    assert [version.position for version in added] == [0, 1, 2]
    assert added[0] == StoredVersion(
        added[0].id,
        draft.id,
        position=0,
        kind="draft",
        base="",
        section=None,
        action="",
        wish="",
        text="",
        state="answering",
        error="",
        model="",
        context=None,
        checks=None,
        created=added[0].created,
    )
    assert drafts.draft(draft.id).updated == added[-1].created > draft.updated


def test_a_version_holds_how_it_came_about(drafts: Drafts) -> None:
    """All that is told of a version as it is begun is kept."""
    draft = begin(drafts)
    base = drafts.add_version(draft.id, text="# A\n# B", state="done", model="extract")
    made = drafts.add_version(
        draft.id,
        kind="section",
        base=base.id,
        section=0,
        action="shorten",
        wish="Bitte kürzer",
        text="# A",
        model="openai:gpt-5",
        state="stopped",
        context={"text": "Quelle"},
        checks=[{"verdict": "supported"}],
    )
    assert drafts.version(made.id) == made
    assert (made.kind, made.base, made.section, made.action, made.wish) == (
        "section",
        base.id,
        0,
        "shorten",
        "Bitte kürzer",
    )
    assert (made.text, made.model, made.state) == ("# A", "openai:gpt-5", "stopped")
    assert (made.context, made.checks) == ({"text": "Quelle"}, [{"verdict": "supported"}])


def test_a_version_is_changed_column_by_column(drafts: Drafts) -> None:
    """What is told of a version is kept, the rest stays."""
    version = drafts.add_version(begin(drafts).id, text="Anfang")
    context, checks = {"text": "ä", "sources": [{"number": 1, "score": None}]}, [{"verdict": "x", "values": [1, 2.5]}]
    changed = drafts.update_version(version.id, text="Anfang. Ende.", state="done", context=context, checks=checks)
    assert changed == replace(version, text="Anfang. Ende.", state="done", context=context, checks=checks)
    failed = drafts.update_version(version.id, state="failed", error="model: broke off", context=None)
    assert failed == replace(changed, state="failed", error="model: broke off", context=None)
    assert drafts.version(version.id) == failed


def test_entries_of_versions_leave_out_contexts_and_checks(records: Records) -> None:
    """Versions can be listed without the data that are large: all else is there, and these are not read."""
    drafts = records.drafts
    draft = begin(drafts)
    added = [drafts.add_version(draft.id, text=text, context={"text": text}, checks=[{}]) for text in "ab"]
    with statements(records) as seen:
        assert drafts.version_entries(draft.id) == [replace(one, context=None, checks=None) for one in added]
    assert not any("context" in statement or "checks" in statement for statement in seen)


def test_a_version_reads_its_context(drafts: Drafts) -> None:
    """The context comes back as it was; none, or one that this version cannot read, is none."""
    draft = begin(drafts)
    context = assemble(HITS, question="Welche Frist?")
    assert context.sources
    assert drafts.add_version(draft.id, context=context.to_dict()).read_context() == context
    assert [one.read_context() for one in drafts.versions(draft.id)] == [context]
    assert drafts.add_version(draft.id).read_context() is None
    assert drafts.add_version(draft.id, context={"text": "of another version"}).read_context() is None


def calls_on(drafts: Drafts, draft: str, version: str) -> Iterator[Callable[[], object]]:
    """Give each call that names a draft or a version."""
    yield lambda: drafts.draft(draft)
    yield lambda: drafts.change(draft, title="y")
    yield lambda: drafts.delete(draft)
    yield lambda: drafts.add_version(draft)
    yield lambda: drafts.version(version)
    yield lambda: drafts.update_version(version, text="y")


def test_what_is_not_there_is_named(drafts: Drafts) -> None:
    """Each method says that there is no such thing, as an error for which the caller can be told."""
    messages = []
    for call in calls_on(drafts, "x", "x"):
        with pytest.raises(AbsentError) as caught:
            call()
        assert isinstance(caught.value, InputError)
        messages.append(str(caught.value))
    assert messages == ["draft x: is not there. Begin a new one"] * 4 + ["version x: is not there. Write it anew"] * 2
    assert drafts.versions("x") == drafts.version_entries("x") == []
    assert drafts.drafts() == []
    assert drafts.listed() == []


@pytest.mark.parametrize(
    "name", ["", ODD, "'; DROP TABLE drafts; --", "x" * 100_000], ids=["empty", "odd", "sql", "long"]
)
def test_any_text_may_be_asked_for(drafts: Drafts, name: str) -> None:
    """An identifier that cannot be one is not there, whatever stands in it."""
    kept = begin(drafts)
    for call in calls_on(drafts, name, name):
        with pytest.raises(AbsentError, match="is not there"):
            call()
    assert drafts.versions(name) == drafts.version_entries(name) == []
    assert drafts.drafts() == [kept]


def test_a_draft_deleted_meanwhile_is_named(drafts: Drafts) -> None:
    """Who goes on with a draft that another deleted is told so, and leaves nothing behind."""
    draft = begin(drafts)
    version = drafts.add_version(draft.id)
    drafts.delete(draft.id)
    for call in calls_on(drafts, draft.id, version.id):
        with pytest.raises(AbsentError, match="is not there"):
            call()
    assert drafts.versions(draft.id) == []
    assert drafts.drafts() == []


def test_every_character_is_kept_or_replaced(drafts: Drafts) -> None:
    """NUL becomes a blank and a lone surrogate U+FFFD in every text of a draft, however deep it stands."""
    deep, clear = {ODD: [{"text": ODD}, (ODD, 1)]}, {CLEAR: [{"text": CLEAR}, [CLEAR, 1]]}
    draft = drafts.begin(deep, model=ODD, max_tokens=1, title=ODD)
    assert (draft.brief, draft.model, draft.title) == (clear, CLEAR, CLEAR)
    assert drafts.draft(draft.id) == draft
    changed = drafts.change(
        draft.id,
        searches=[{"query": ODD, "covered": False}],
        hits=[{"id": ODD, "score": 0.5, "payload": deep}],
        removed=(ODD,),
        pinned=(ODD,),
        own=[{"id": ODD, "title": ODD, "text": ODD}],
        outline=ODD,
        error=ODD,
    )
    assert changed.searches == [{"query": CLEAR, "covered": False}]
    assert changed.hits == [{"id": CLEAR, "score": 0.5, "payload": clear}]
    assert (changed.removed, changed.pinned) == ((CLEAR,), (CLEAR,))
    assert changed.own == [{"id": CLEAR, "title": CLEAR, "text": CLEAR}]
    assert (changed.outline, changed.error) == (CLEAR, CLEAR)
    version = drafts.add_version(
        draft.id, base=ODD, wish=ODD, text=ODD, model=ODD, context={"text": ODD}, checks=[{ODD: ODD}]
    )
    assert (version.base, version.wish, version.text, version.model) == (CLEAR,) * 4
    assert (version.context, version.checks) == ({"text": CLEAR}, [{CLEAR: CLEAR}])
    assert drafts.version(version.id) == version
    assert drafts.update_version(version.id, error=ODD, checks=[{"a": [ODD]}]).checks == [{"a": [CLEAR]}]


def test_all_other_characters_stay(drafts: Drafts) -> None:
    """Whatever else is written comes back as it was, in texts and in structures."""
    fine = "👩‍👩‍👧‍👦 漢字 שלום \u2028 \ufeff ẞ e\u0301 \x01 \\u0000 \\ud800 '; DROP TABLE drafts; --"
    draft = drafts.begin({fine: fine}, model=fine, max_tokens=1, title=fine[:TITLE_CHARS])
    assert drafts.draft(draft.id).brief == {fine: fine}
    version = drafts.add_version(draft.id, text=fine, wish=fine, context={"text": fine})
    assert drafts.versions(draft.id) == [version]
    assert (version.text, version.wish, version.context) == (fine, fine, {"text": fine})


def test_texts_of_a_million_characters_are_kept(drafts: Drafts) -> None:
    """Neither a long text nor long structures are cut off."""
    draft = drafts.begin({"notes": LONG}, model="extract", max_tokens=1)
    drafts.change(draft.id, own=[{"id": "1", "title": "", "text": LONG}], outline=LONG, removed=("x" * 40,) * 10_000)
    found = drafts.draft(draft.id)
    assert (found.brief["notes"], found.own[0]["text"], found.outline) == (LONG,) * 3
    assert len(found.removed) == 10_000
    version = drafts.add_version(draft.id, text=LONG, wish=LONG, context={"text": LONG})
    assert drafts.version(version.id) == version
    assert version.text == version.wish == LONG


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_a_score_that_is_no_number_is_none(drafts: Drafts, score: float) -> None:
    """What JSON cannot say is kept as none, on every database."""
    changed = drafts.change(begin(drafts).id, hits=[{"id": "a", "score": score, "payload": {"x": [score, 1.5]}}])
    assert changed.hits == [{"id": "a", "score": None, "payload": {"x": [None, 1.5]}}]


@pytest.mark.parametrize("changes", [{"nonsense": 1}, {"hits": [{1, 2}]}, {"max_tokens": None}, {"brief": None}])
def test_what_cannot_be_kept_is_refused(drafts: Drafts, changes: dict[str, Any]) -> None:
    """A column that there is not, and a value that it cannot hold, are refused; the draft stays."""
    draft = begin(drafts)
    with pytest.raises(RecordsError, match="cannot be used"):
        drafts.change(draft.id, **changes)
    assert drafts.draft(draft.id) == draft


def test_what_was_given_may_be_changed_afterwards(drafts: Drafts) -> None:
    """What is kept is not what the caller goes on with."""
    brief: dict[str, Any] = {"parts": ["a"]}
    draft = drafts.begin(brief, model="extract", max_tokens=1)
    brief["parts"].append("b")
    assert draft.brief == {"parts": ["a"]}


def test_records_opened_again_hold_every_draft(settings: Settings) -> None:
    """What was kept is there after an end of the program, times and structures included."""
    with open_records(settings) as records:
        draft = records.drafts.change(begin(records.drafts, "ß 👩‍👩‍👧").id, **CHANGES)
        version = records.drafts.add_version(draft.id, text="Anfang", context={"a": [1, None, "ü"]})
    with open_records(settings) as records:
        assert records.drafts.drafts() == [replace(draft, updated=version.created)]
        assert records.drafts.versions(draft.id) == [version]


@pytest.mark.parametrize("same", [True, False])
def test_many_add_at_once(drafts: Drafts, *, same: bool) -> None:
    """Eight threads add versions to one draft, or each to its own, at once: none is lost, no position twice."""
    names = [begin(drafts).id for _ in range(1 if same else 8)]

    def adds(number: int) -> list[int]:
        return [drafts.add_version(names[number % len(names)]).position for _ in range(5)]

    with ThreadPoolExecutor(8) as pool:
        positions = sorted(position for found in pool.map(adds, range(8)) for position in found)
    assert positions == sorted(list(range(40 if same else 5)) * (1 if same else 8))
    assert (
        [version.position for name in names for version in drafts.versions(name)] == sorted(positions, key=lambda _: 0)
        if same
        else positions
    )


def test_two_programs_add_at_once(settings: Settings) -> None:
    """Records that are opened twice give positions as records that are opened once."""
    with open_records(settings) as one, open_records(settings) as other, ThreadPoolExecutor(8) as pool:
        draft = begin(one.drafts).id
        calls = [pool.submit(records.drafts.add_version, draft) for records in [one, other] * 8]
        assert sorted(call.result().position for call in calls) == list(range(16))


def first_form(records: Records) -> None:
    """Take a database back to the form that it had before there were drafts, empty."""
    METADATA.drop_all(records._engine)
    with records._engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
    kontextwerk.migrations.upgrade(records._engine, "0001")


def test_conversations_of_the_form_before_stay(settings: Settings) -> None:
    """Records of the form without drafts are brought to this one with all that they hold, and then keep drafts."""
    with open_records(settings) as records:
        first_form(records)
        conversation = records.begin(title="Alt", documents=["d1"])
        asked = ask(records, conversation.id)
        turn = records.update(asked.id, answer="Im Mai [1].", state="done", context={"text": "ä"}, checks=[{"a": 1}])
        upload = records.add_upload("a.pdf", "/x/1.pdf", 10, id="1")
        conversation = records.conversation(conversation.id)
        with pytest.raises(RecordsError, match="drafts"):
            records.drafts.drafts()
    for _ in range(2):  # the second finds nothing to do
        with open_records(settings) as records:
            assert difference(records) == []
            assert records.conversations() == [conversation]
            assert records.turns(conversation.id) == [turn]
            assert records.uploads() == [upload]
    with open_records(settings) as records:
        assert records.drafts.drafts() == []
        draft = begin(records.drafts)
        assert records.drafts.versions(draft.id) == [] == records.drafts.version_entries(draft.id)
        assert ask(records, conversation.id).position == 1


def test_the_step_is_taken_back(settings: Settings) -> None:
    """Going back drops drafts alone, and forward again makes their tables anew."""
    config = Config()
    config.set_main_option("script_location", str(Path(kontextwerk.migrations.__file__).parent))
    with open_records(settings) as records:
        conversation = records.begin()
        records.drafts.add_version(begin(records.drafts).id)
        with records._engine.begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0001")
        tables = {"alembic_version", "conversations", "turns", "uploads"}
        assert set(sa.inspect(records._engine).get_table_names()) == tables
    with open_records(settings) as records:
        assert difference(records) == []
        assert records.conversations() == [conversation]
        assert records.drafts.drafts() == []


def test_an_upgrade_that_breaks_off_leaves_the_form_before(tmp_path: Path) -> None:
    """Where the disk is full in the middle of the step, the conversations are there as before; with room it is made."""
    place = replace(Settings(), data_dir=tmp_path)
    with open_records(place) as records:
        first_form(records)
        conversation = records.begin()
        with records._engine.connect() as connection:
            connection.exec_driver_sql("VACUUM")
        limit(records._engine, pages=1)
        with pytest.raises(sa.exc.OperationalError, match="disk is full"):
            kontextwerk.migrations.upgrade(records._engine)
        assert "drafts" not in sa.inspect(records._engine).get_table_names()
        assert records.conversations() == [conversation]
    with open_records(place) as records:
        assert difference(records) == []
        assert records.conversations() == [conversation]


def test_a_full_disk_is_named(on_disk: Records) -> None:
    """Where the disk is full, the error says so with the mend; nothing is half-written and what was there stays."""
    drafts = on_disk.drafts
    draft = begin(drafts)
    version = drafts.add_version(draft.id)
    before = drafts.draft(draft.id)
    limit(on_disk._engine, pages=1)
    for call in (
        lambda: drafts.begin({"notes": LONG}, model="extract", max_tokens=1),
        lambda: drafts.change(draft.id, hits=HITS * 5_000),
        lambda: drafts.add_version(draft.id, text=LONG),
        lambda: drafts.update_version(version.id, text=LONG),
    ):
        with pytest.raises(RecordsError, match=r"records\.sqlite: the disk is full\. Make room and try again"):
            call()
    assert drafts.drafts() == [before]
    assert drafts.versions(draft.id) == [version]


def test_drafts_that_may_only_be_read_are_named(tmp_path: Path) -> None:
    """Where nothing may be written, what is there is read, and keeping something fails with the mend."""
    with open_records(replace(Settings(), data_dir=tmp_path)) as records:
        version = records.drafts.add_version(begin(records.drafts).id)
        draft = records.drafts.draft(version.draft)
    file = tmp_path / "records.sqlite"
    with Records(sa.create_engine(f"sqlite:///file:{file}?mode=ro&uri=true"), str(file)) as records:
        for call in (
            lambda: begin(records.drafts),
            lambda: records.drafts.change(draft.id, title="y"),
            lambda: records.drafts.delete(draft.id),
            lambda: records.drafts.add_version(draft.id),
            lambda: records.drafts.update_version(version.id, text="y"),
        ):
            with pytest.raises(RecordsError, match=r"readonly.*Check that it is there and may be written"):
                call()
        assert records.drafts.drafts() == [draft]
        assert records.drafts.versions(draft.id) == [version]


def test_every_error_of_the_database_is_ours(on_disk: Records) -> None:
    """Once its tables are gone, each method raises our error."""
    METADATA.drop_all(on_disk._engine)
    drafts = on_disk.drafts
    calls: list[Callable[[], object]] = [
        lambda: begin(drafts),
        drafts.drafts,
        drafts.listed,
        lambda: drafts.versions("x"),
        lambda: drafts.version_entries("x"),
        *calls_on(drafts, "x", "x"),
    ]
    for call in calls:
        with pytest.raises(RecordsError, match="no such table"):
            call()


def test_everything_public_is_exported() -> None:
    """What others import from the records is listed, sorted, and there."""
    assert set(kontextwerk.records.__all__) >= {"Records", "Drafts", "StoredDraft", "StoredVersion", "DraftEntry"}
    assert all(hasattr(kontextwerk.records, name) for name in kontextwerk.records.__all__)


def test_without_sqlalchemy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SQLAlchemy is not installed, one line says what to install."""
    for name in [name for name in sys.modules if name.startswith("kontextwerk.records")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(MissingExtraError) as raised:
        importlib.import_module("kontextwerk.records")
    assert str(raised.value) == "sqlalchemy: is not installed. Install it with: pip install 'kontextwerk[records]'"
