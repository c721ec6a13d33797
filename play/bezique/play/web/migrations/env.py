"""How migrations are run: on the connection that the store gives."""

from alembic import context

from bezique.play.web.store import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata
)
with context.begin_transaction():
    context.run_migrations()
