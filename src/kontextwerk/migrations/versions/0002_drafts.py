"""Drafts and their versions."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "drafts",
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
    op.create_table(
        "versions",
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


def downgrade() -> None:
    """Drop them."""
    for table in ("versions", "drafts"):
        op.drop_table(table)
