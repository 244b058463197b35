"""Who speaks: persona files by board, their schema and their loader."""
