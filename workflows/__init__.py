"""The durable procedure. Imports pure rooms and the activities' names and types, nothing that touches the world."""
