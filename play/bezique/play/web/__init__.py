"""The web table: the game in a browser, served from this machine.

settings    what a server is told when it starts
app         the application: guards, addresses, errors
pages       what each address answers
desk        games at hand: takes moves, lets the opponent think, keeps everything
sitting     a game as the fold of its entries
table       what a player sees of a game, as JSON
store       entries in a database, only ever added
thinking    opponents in processes of their own
honest      packs that are bound before they are dealt
"""
