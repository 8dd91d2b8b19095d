"""The panels of the window: sheets of words and small pictures, shown by pygame-gui."""
