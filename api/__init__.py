"""The HTTP API of source document 000: thin. Authenticate, validate, one call to the clerk, answer."""
