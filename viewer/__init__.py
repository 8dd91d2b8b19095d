"""The window: a running or saved town to look at, to understand and to film. Reads run files only."""
