"""The one desk behind every door: each function is one or two calls to Temporal or the store, with errors people can act on."""
