"""The `town` command: one module per command group, no logic of its own."""
