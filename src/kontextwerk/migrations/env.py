"""How Alembic reaches the database: by the connection that `upgrade` hands over."""

from alembic import context

from kontextwerk.records import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
