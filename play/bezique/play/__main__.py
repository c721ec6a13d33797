"""`python -m bezique.play` is the command `bezique`."""

from bezique.play.cli import main

if __name__ == "__main__":
    main()
