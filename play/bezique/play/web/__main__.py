"""`python -m bezique.play.web [PORT [DATABASE]]`: the web table, without the command line."""

import sys

from bezique.play.web.serve import serve

if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    database = sys.argv[2] if len(sys.argv) > 2 else None  # noqa: PLR2004
    serve(host="127.0.0.1", port=port, database=database, workers=1)
