"""The store: schema, migrations, reads and writes, the ledger of calls."""
