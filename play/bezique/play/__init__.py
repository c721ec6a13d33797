"""Play: the game at the terminal, and the command `bezique`."""
