"""Everything that touches the world, one file per concern. Workflows import `interface` alone."""
