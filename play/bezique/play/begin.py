"""Beginning: from the options of the command to a game on the terminal."""

import os
import re
import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from bezique.engine.errors import BadRequestError
from bezique.engine.library import Library
from bezique.engine.rules import Rules, Setting
from bezique.play.saved import FileError, Saved, free_place, new_game, read_saved, write
from bezique.play.screen import QUIET, STRONG, console, indented
from bezique.play.terminal import Game, Leave, ask
from bezique.play.words import Words

LEFT = 0
INTERRUPTED = 130


def play_game(
    library: Library,
    *,
    profile: str | None,
    options: Sequence[str],
    seed: str | None,
    lang: str,
    record: Path | None,
    resume: Path | None,
) -> int:
    """Play, and return the exit code: 0 when the player leaves, 130 after Ctrl-C.

    Raises:
        BeziqueError: Profile, options or the kept game are not such as can be played.
    """
    out = console()
    place: Path | None = None
    saved: Saved | None = None
    try:
        if resume is not None:
            saved = read_saved(library, resume)
            place = record or resume
        else:
            settings = read_options(options)
            name = profile or _chosen_profile(library, lang)
            rules = library.rules(name, settings)
            saved = new_game(rules, seed if seed is not None else secrets.token_hex(4))
            place = record or free_place(f"{name}-{saved.seed}")
        if place.exists() and place != resume:
            message = f"{place}: expected a new file, got one that exists (--resume goes on with it)"
            raise FileError(message)
        write(place, saved)
        Game(saved, place, Words(lang, saved.rules), out).run()
    except Leave:
        code = LEFT
    except KeyboardInterrupt:
        out.print()
        code = INTERRUPTED
    if saved is not None and place is not None and place.exists():
        words = Words(lang, saved.rules)
        out.print(Text(words.say("The game is kept. Go on with:"), style=QUIET))
        # Whoever came by run.py has no `bezique` on the path.
        command = os.environ.get("BEZIQUE_COMMAND", "bezique")
        kept = shlex.quote(str(place))
        out.print(
            Text(f"  {command} play --resume {kept} --lang {lang}"), soft_wrap=True
        )
    return code


def read_options(texts: Sequence[str]) -> dict[str, Setting]:
    """Return options written `name=value`; true, false and whole numbers are told from words.

    Raises:
        BadRequestError: A text has no `=`, or a name stands twice.
    """
    found: dict[str, Setting] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise BadRequestError(where="--option", expected="name=value", got=text)
        if name in found:
            raise BadRequestError(where="--option", expected=f"{name} once", got=text)
        found[name] = _setting(value)
    return found


def in_order(library: Library) -> list[str]:
    """Return the names of all tables in the order of the documents that give them.

    The first of them is the table that is meant where none is named.
    """
    return sorted(library.names, key=lambda name: library.profile(name).source)


def _setting(value: str) -> Setting:
    if value in ("true", "false"):
        return value == "true"
    return int(value) if re.fullmatch(r"-?[0-9]{1,9}", value) else value


def _chosen_profile(library: Library, lang: str) -> str:
    """Return the table that the player chooses.

    Raises:
        Leave: The player does not.
    """
    out = console()
    names = in_order(library)
    out.print()
    for number, name in enumerate(names, 1):
        words = Words(lang, Rules(library.profile(name)))
        line = Text(f"{number:3} ", style="cyan")
        line.append(words.title(), style=STRONG)
        out.print(line)
        if words.differs():
            indented(out, 4, words.differs(), QUIET)
    words = Words(lang, Rules(library.profile(names[0])))
    while True:
        typed = ask(out, f"[1-{len(names)}]")
        if typed.isdecimal() and 1 <= int(typed) <= len(names):
            return names[int(typed) - 1]
        if typed.lower() == "q":
            raise Leave
        out.print(
            words.say(
                "Type a number from 1 to {last}, or one of {keys}.",
                last=len(names),
                keys="q",
            )
        )
