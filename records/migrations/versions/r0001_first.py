"""The first schema."""

from alembic import op

from records.schema import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    raise NotImplementedError("a store is never taken back to an older schema: restore a backup instead")
