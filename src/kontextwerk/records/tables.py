"""The tables, as the code wants them; `migrations` brings every database to this form.

    conversations 1 ──▶ n turns        uploads        drafts 1 ──▶ n versions

It leaves out what the columns mean: see `rows` and `draft_rows`.
"""

import sqlalchemy as sa

METADATA = sa.MetaData()
CONVERSATIONS = sa.Table(
    "conversations",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("language", sa.String(2), nullable=False),
    sa.Column("documents", sa.JSON, nullable=False),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    sa.Column("updated", sa.DateTime(timezone=True), nullable=False, index=True),
)
TURNS = sa.Table(
    "turns",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("conversation", sa.String(36), sa.ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("max_tokens", sa.Integer, nullable=False),
    sa.Column("context", sa.JSON(none_as_null=True)),
    sa.Column("checks", sa.JSON(none_as_null=True)),
    sa.Column("feedback", sa.String(4), nullable=False),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    sa.UniqueConstraint("conversation", "position", name="one_turn_a_position"),
)
UPLOADS = sa.Table(
    "uploads",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("chunks_done", sa.Integer, nullable=False),
    sa.Column("chunks_total", sa.Integer, nullable=False),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
)
DRAFTS = sa.Table(
    "drafts",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("brief", sa.JSON(none_as_null=True), nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("max_tokens", sa.Integer, nullable=False),
    sa.Column("searches", sa.JSON(none_as_null=True)),
    sa.Column("hits", sa.JSON(none_as_null=True)),
    sa.Column("removed", sa.JSON(none_as_null=True), nullable=False),
    sa.Column("pinned", sa.JSON(none_as_null=True), nullable=False),
    sa.Column("own", sa.JSON(none_as_null=True), nullable=False),
    sa.Column("outline", sa.Text, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    sa.Column("updated", sa.DateTime(timezone=True), nullable=False, index=True),
)
VERSIONS = sa.Table(
    "versions",
    METADATA,
    sa.Column("id", sa.String(36), primary_key=True),
    sa.Column("draft", sa.String(36), sa.ForeignKey("drafts.id", ondelete="CASCADE"), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("base", sa.String(36), nullable=False),
    sa.Column("section", sa.Integer),
    sa.Column("action", sa.String(20), nullable=False),
    sa.Column("wish", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("context", sa.JSON(none_as_null=True)),
    sa.Column("checks", sa.JSON(none_as_null=True)),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
    sa.UniqueConstraint("draft", "position", name="one_version_a_position"),
)
