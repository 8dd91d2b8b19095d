"""Data and loaders."""
