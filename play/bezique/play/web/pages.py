"""Pages: what each address answers.

The same address answers a page and JSON; a post answers a page with a redirect to the
table, and JSON with the table.
"""

import asyncio
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request, UploadFile
from markupsafe import Markup
from starlette.responses import (
    FileResponse,
    RedirectResponse,
    Response,
)

from bezique.engine.errors import BadOptionError, BadRequestError
from bezique.engine.fields import Json
from bezique.engine.rules import Rules, Setting
from bezique.play.web import asking, history, plots
from bezique.play.web import start as starting
from bezique.play.web.answer import (
    CHOICES,
    LANG,
    LIKES,
    JSONResponse,
    asked_language,
    found,
    keep,
    likes,
    likes_text,
    owner,
    page,
    remembered,
    vars_of,
    wants_json,
)
from bezique.play.web.desk import Desk, ElsewhereError, NoGameError, NotNowError
from bezique.play.web.kept import kept_json
from bezique.play.web.review import Review
from bezique.play.web.sitting import HIGHEST, LOWEST, Sitting
from bezique.play.web.table import Shown
from bezique.play.web.upload import read_upload
from bezique.play.web.words import LANGUAGES, WebWords, messages, t

router = APIRouter(default_response_class=JSONResponse)

Lang = Annotated[str, Path(pattern=f"^({'|'.join(LANGUAGES)})$")]
GameName = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
Seq = Annotated[int, Form(ge=0, le=1_000_000_000)]
Since = Annotated[int | None, Query(ge=0, le=1_000_000_000)]
MOST_MATCHES = 100_000
TrickNumber = Annotated[int, Query(ge=0, le=1000)]
Number = Annotated[int, Path(ge=1, le=MOST_MATCHES)]
SEE_OTHER, CONFLICT = 303, 409
STATIC = files("bezique.play.web").joinpath("static")
ERRORS: dict[int | str, dict[str, Any]] = {
    code: {"description": text}
    for code, text in {
        303: "a page: go to the table", 403: "not allowed", 404: "no such game, or another's",
        409: "the table has gone on; here it is", 413: "too long", 422: "cannot be read",
        429: "too many requests",
    }.items()
}  # fmt: skip


def desk_of(request: Request) -> Desk:
    """Return the server's desk."""
    desk: Desk = request.app.state.desk
    return desk


def shown(request: Request, lang: str, sitting: Sitting) -> Shown:
    """Return what makes the table of a game."""
    words = WebWords(lang, sitting.rules)
    return Shown(sitting, words, likes(request), f"/{lang}/games/{sitting.game}")


def done(request: Request, lang: str, sitting: Sitting, since: int) -> Response:
    """Return the answer to a post that was carried out."""
    if wants_json(request):
        table = shown(request, lang, sitting).table(since=since)
        return remembered(request, JSONResponse(table))
    return RedirectResponse(f"/{lang}/games/{sitting.game}", SEE_OTHER)


async def changed(
    request: Request,
    lang: str,
    game: str,
    seq: int,
    change: Callable[[Desk, Sitting], Awaitable[None]],
) -> Response:
    """Return the answer to a post: the table after the change, or as it is (409)."""
    desk, mine = desk_of(request), owner(request)
    try:
        async with desk.game(mine, game, seq) as sitting:
            try:
                await change(desk, sitting)
            except NotNowError:
                return stale(request, lang, sitting)
            return done(request, lang, sitting, seq)
    except ElsewhereError:  # another server was faster: this is what it wrote
        async with desk.game(mine, game) as sitting:
            return stale(request, lang, sitting)


def stale(request: Request, lang: str, sitting: Sitting) -> Response:
    """Return the answer to a post that came too late: the table as it is."""
    text = t(lang, "The table had already gone on. This is how it stands.")
    table = shown(request, lang, sitting).table(notice={"code": "stale", "text": text})
    if wants_json(request):
        error = {"code": "stale", "message": "the table has gone on"}
        return JSONResponse({"error": error, "table": table}, CONFLICT)
    return page(request, "table.html", {"table": table}, status=CONFLICT)


# --- the start page --------------------------------------------------------------------------


@router.get("/healthz")
def health() -> Json:
    """Say that the server is there."""
    return {"ok": True}


@router.get("/favicon.ico", include_in_schema=False)
def icon() -> Response:
    """Give the icon to browsers that ask for it without looking."""
    return FileResponse(str(STATIC.joinpath("icon.svg")), media_type="image/svg+xml")


@router.get("/", status_code=SEE_OTHER, response_model=None)
def root(request: Request) -> Response:
    """Lead to the start page in the client's language."""
    return RedirectResponse(f"/{asked_language(request)}/", SEE_OTHER)


@router.get("/{lang}/", response_model=None, responses=ERRORS)
async def start(request: Request, lang: Lang) -> Response:
    """Show the tables to choose from, and the games to go on with."""
    desk = desk_of(request)
    games = await starting.games(desk, owner(request), lang)
    given = {
        "profiles": starting.profiles(desk.library, lang),
        "games": games,
        "notice": None,
    }
    return found(request, "start.html", {"start": given})


@router.get("/{lang}/strings.json", response_model=None, responses=ERRORS)
def strings(lang: Lang) -> Response:
    """Return what the script says, in a language."""
    return JSONResponse(messages(lang))


@router.post("/{lang}/games", response_model=None, responses=ERRORS)
async def begin(
    request: Request,
    lang: Lang,
    profile: Annotated[str, Form(max_length=80)],
    mode: Annotated[str, Form(pattern="^(series|practice)$")] = "series",
    level: Annotated[int | None, Form(ge=LOWEST, le=HIGHEST)] = None,
) -> Response:
    """Begin a game at a table, or go on with the series there."""
    desk = desk_of(request)
    form = await request.form()
    plain = desk.library.rules(profile)
    options = {
        name.removeprefix("option."): _setting(
            plain, name.removeprefix("option."), value
        )
        for name, value in form.items()
        if name.startswith("option.") and isinstance(value, str)
    }
    rules = desk.library.rules(profile, options)
    game = await desk.begin(
        owner(request), rules, practice=mode == "practice", level=level
    )
    async with desk.game(owner(request), game) as sitting:
        return remembered(request, done(request, lang, sitting, 0))


def _setting(rules: Rules, name: str, text: str) -> Setting:
    """Return an option's value as the form writes it."""
    option = next((o for o in rules.profile.options if o.name == name), None)
    if option is None:
        raise BadOptionError(rules.profile.name, name, text, "an option of the table")
    for value in option.values or ():
        if str(value).lower() == text.lower():
            return value
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else text  # noqa: PLR2004


# --- the table ---------------------------------------------------------------------------------


@router.get("/{lang}/games/{game}", response_model=None, responses=ERRORS)
async def table(
    request: Request, lang: Lang, game: GameName, since: Since = None
) -> Response:
    """Show the table."""
    async with desk_of(request).game(owner(request), game) as sitting:
        given = shown(request, lang, sitting).table(since=since)
    if wants_json(request):
        return JSONResponse(given)
    return page(request, "table.html", {"table": given})


@router.post("/{lang}/games/{game}/moves", response_model=None, responses=ERRORS)
async def move(
    request: Request,
    lang: Lang,
    game: GameName,
    seq: Seq,
    move: Annotated[str, Form(max_length=200)],
) -> Response:
    """Do what the player chose."""
    return await changed(
        request, lang, game, seq, lambda desk, sitting: desk.act(sitting, seq, move)
    )


@router.post("/{lang}/games/{game}/cut", response_model=None, responses=ERRORS)
async def cut(
    request: Request,
    lang: Lang,
    game: GameName,
    seq: Seq,
    depth: Annotated[int, Form()],
) -> Response:
    """Cut for the first deal."""
    return await changed(
        request, lang, game, seq, lambda desk, sitting: desk.cut(sitting, seq, depth)
    )


@router.post("/{lang}/games/{game}/deal", response_model=None, responses=ERRORS)
async def deal(
    request: Request,
    lang: Lang,
    game: GameName,
    seq: Seq,
    depth: Annotated[int | None, Form()] = None,
) -> Response:
    """Deal the next hand, the pack cut where the player says."""
    return await changed(
        request, lang, game, seq, lambda desk, sitting: desk.deal(sitting, seq, depth)
    )


@router.post("/{lang}/games/{game}/next", response_model=None, responses=ERRORS)
async def another(request: Request, lang: Lang, game: GameName, seq: Seq) -> Response:
    """Begin another match."""
    return await changed(
        request, lang, game, seq, lambda desk, sitting: desk.next(sitting, seq)
    )


@router.get("/{lang}/games/{game}/resign", response_model=None, responses=ERRORS)
async def ask_resign(request: Request, lang: Lang, game: GameName) -> Response:
    """Ask whether the match is to be given up."""
    async with desk_of(request).game(owner(request), game) as sitting:
        if not sitting.resignable:
            return stale(request, lang, sitting)
        table = shown(request, lang, sitting).table()
    return found(request, "resign.html", {"table": table})


@router.post("/{lang}/games/{game}/resign", response_model=None, responses=ERRORS)
async def resign(request: Request, lang: Lang, game: GameName, seq: Seq) -> Response:
    """Give the match up: it is lost."""
    return await changed(
        request, lang, game, seq, lambda desk, sitting: desk.resign(sitting, seq)
    )


@router.post("/{lang}/games/{game}/undo", response_model=None, responses=ERRORS)
async def undo(request: Request, lang: Lang, game: GameName, seq: Seq) -> Response:
    """Take the player's last choice back, in practice."""
    return await changed(
        request, lang, game, seq, lambda desk, sitting: desk.undo(sitting, seq)
    )


@router.get(
    "/{lang}/games/{game}/commitments/{match}/{hand}",
    response_model=None,
    responses=ERRORS,
)
async def commitment(
    request: Request,
    lang: Lang,
    game: GameName,
    match: Number,
    hand: Annotated[int, Path(ge=0, le=MOST_MATCHES)],
) -> Response:
    """Return what binds a pack, opened once its hand is over."""
    async with desk_of(request).game(owner(request), game) as sitting:
        given = binding(sitting, match, hand)
        table = None if wants_json(request) else shown(request, lang, sitting).table()
    if given is None:
        raise NoGameError(game)
    if table is None:
        return JSONResponse(given)
    return page(request, "commitment.html", {"commitment": given, "table": table})


def binding(sitting: Sitting, match: int, hand: int) -> Json | None:
    """Return what binds a pack, and once its hand is over what was bound."""
    bound, lots = sitting.now.packs.get((match, hand)), sitting.now.lots
    if lots is not None and (lots.match, lots.hand) == (match, hand):
        bound = lots
    if bound is None:
        return None
    opened = bound is not lots and sitting.opened(match, hand)
    return {
        "match": match, "hand": hand, "hash": bound.hash, "opened": opened,
        "salt": bound.salt if opened else None,
        "pack": [str(card) for card in bound.pack] if opened else None,
        "text": bound.text if opened else None, "depth": bound.depth,
    }  # fmt: skip


# --- asking --------------------------------------------------------------------------------------


@router.get("/{lang}/games/{game}/hint", response_model=None, responses=ERRORS)
async def hint(request: Request, lang: Lang, game: GameName) -> Response:
    """Say what the strongest opponent would do in the player's place, and why."""
    desk = desk_of(request)
    async with desk.game(owner(request), game) as sitting:
        made = shown(request, lang, sitting)
        given = await asking.hint(desk.thinkers, sitting, made)
        if given is None:
            return stale(request, lang, sitting)
        table = made.table()
    if wants_json(request):
        return JSONResponse({"hint": given})
    return page(request, "hint.html", {"table": table, "hint": given})


@router.get("/{lang}/games/{game}/why", response_model=None, responses=ERRORS)
async def why(
    request: Request,
    lang: Lang,
    game: GameName,
    meld: Annotated[str, Query(max_length=80)] = "",
) -> Response:
    """Say why a meld cannot be declared: the clause, and what its cards have scored."""
    async with desk_of(request).game(owner(request), game) as sitting:
        made = shown(request, lang, sitting)
        given = asking.why(made, meld)
        table = made.table()
    if wants_json(request):
        return JSONResponse({"why": given})
    return page(request, "why.html", {"table": table, "why": given})


@router.get("/{lang}/games/{game}/melds", response_model=None, responses=ERRORS)
async def melds(request: Request, lang: Lang, game: GameName) -> Response:
    """Show all melds of the table."""
    async with desk_of(request).game(owner(request), game) as sitting:
        made = shown(request, lang, sitting)
        given = asking.melds(made)
        table = made.table()
    if wants_json(request):
        return JSONResponse({"melds": given})
    return page(request, "melds.html", {"table": table, "melds": given})


@router.get("/{lang}/games/{game}/rules", response_model=None, responses=ERRORS)
async def rules(request: Request, lang: Lang, game: GameName) -> Response:
    """Show the rules of the table."""
    async with desk_of(request).game(owner(request), game) as sitting:
        made = shown(request, lang, sitting)
        given, table = asking.rules_html(made), made.table()
    if wants_json(request):
        return JSONResponse({"html": given})
    return page(request, "rules.html", {"table": table, "html": Markup(given)})  # noqa: S704 - our own rules


# --- finished hands --------------------------------------------------------------------------------


@router.get(
    "/{lang}/games/{game}/review/{match}/{hand}", response_model=None, responses=ERRORS
)
async def review(
    request: Request,
    lang: Lang,
    game: GameName,
    match: Number,
    hand: Number,
    trick: TrickNumber = 1,
) -> Response:
    """Show a finished hand trick by trick."""
    desk = desk_of(request)
    async with desk.game(owner(request), game) as sitting:
        kept, me = sitting.record(match), sitting.me
        bound = binding(sitting, match, hand)
        table = None if wants_json(request) else shown(request, lang, sitting).table()
    if kept is None or bound is None or hand > kept.hands():
        raise NoGameError(game)
    judged = await desk.verdict(f"{game}/{match}", kept.record, hand)
    words = WebWords(lang, kept.record.rules)
    given = await asyncio.to_thread(Review(kept, hand, me, words, judged).shown, match)
    url = f"/{lang}/games/{game}"
    bound |= {"url": f"{url}/commitments/{match}/{hand}"}
    given |= {"url": f"{url}/review/{match}", "back": url, "commitment": bound}
    if table is None:
        return remembered(request, JSONResponse({"review": given}))
    at = at_trick(given, trick)
    return page(request, "review.html", {"review": given, "table": table, "at": at})


@router.get("/{lang}/games/{game}/record.json", response_model=None, responses=ERRORS)
async def record(
    request: Request,
    lang: Lang,
    game: GameName,
    match: Annotated[int | None, Query(ge=1, le=MOST_MATCHES)] = None,
) -> Response:
    """Give the record of a match, as far as its hands are finished, as a file."""
    del lang
    async with desk_of(request).game(owner(request), game) as sitting:
        kept = sitting.record(match)
        number = match or sitting.now.match
    if kept is None:
        raise NoGameError(game)
    name = f"{kept.record.rules.profile.name}-{game[:8]}-{number}.json"
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return JSONResponse(kept_json(kept), headers=disposition)


@router.post("/{lang}/records", response_model=None, responses=ERRORS)
async def load(request: Request, lang: Lang, record: UploadFile) -> Response:
    """Keep a record to be reviewed."""
    desk = desk_of(request)
    kept = await asyncio.to_thread(read_upload, desk.library, await record.read())
    if kept.hands() == 0:
        raise BadRequestError(where="record", expected="a finished hand", got="none")
    name = await desk.keep_record(owner(request), kept)
    url = f"/{lang}/records/{name}/review/1"
    if wants_json(request):
        return remembered(request, JSONResponse({"record": name, "review": url}))
    return remembered(request, RedirectResponse(url, SEE_OTHER))


@router.get(
    "/{lang}/records/{record}/review/{hand}", response_model=None, responses=ERRORS
)
async def review_record(
    request: Request,
    lang: Lang,
    record: GameName,
    hand: Number,
    trick: TrickNumber = 1,
) -> Response:
    """Show a hand of a loaded record trick by trick."""
    desk = desk_of(request)
    kept = await desk.record(owner(request), record)
    if hand > kept.hands():
        raise NoGameError(record)
    rules = kept.record.rules
    judged = await desk.verdict(record, kept.record, hand)
    words, me = WebWords(lang, rules), rules.profile.series.player
    given = await asyncio.to_thread(Review(kept, hand, me, words, judged).shown, 1)
    given |= {
        "url": f"/{lang}/records/{record}/review",
        "back": f"/{lang}/",
        "commitment": None,
    }
    if wants_json(request):
        return remembered(request, JSONResponse({"review": given}))
    return page(request, "review.html", {"review": given, "at": at_trick(given, trick)})


def at_trick(review: Json, trick: int) -> int:
    """Return which trick of a review is shown: 0 is the deal, past the last the last."""
    return min(trick, len(review["tricks"]))


@router.get("/{lang}/history", response_model=None, responses=ERRORS)
async def show_history(request: Request, lang: Lang) -> Response:
    """Show the client's finished matches and what they come to."""
    played = await history.matches(desk_of(request), owner(request), lang)
    return found(request, "history.html", {"history": history.summary(played, lang)})


@router.get("/{lang}/plots/{profile}/{plot}.svg", response_model=None, responses=ERRORS)
async def plot(
    request: Request,
    lang: Lang,
    profile: Annotated[str, Path(max_length=80)],
    plot: Annotated[str, Path(pattern="^(margins|score)$")],
) -> Response:
    """Draw a plot of the client's matches at a table."""
    played = await history.matches(desk_of(request), owner(request), lang)
    mine = [item for item in played if item.profile == profile]
    draw = plots.margins if plot == "margins" else plots.score
    return Response(draw(mine, lang), media_type="image/svg+xml")


# --- settings ----------------------------------------------------------------------------------


@router.get("/{lang}/settings", response_model=None, responses=ERRORS)
def settings(
    request: Request, lang: Lang, back: Annotated[str, Query(max_length=200)] = "/"
) -> Response:
    """Show the settings."""
    mine = vars_of(likes(request))
    labels = starting.labels(lang)
    choices = [
        {"name": name, "label": labels[name],
         "values": [{"value": v, "text": labels[f"{name} {v}"], "on": mine[name] == v} for v in values]}
        for name, values in CHOICES.items()
    ]  # fmt: skip
    return found(request, "settings.html", {"choices": choices, "back": _inside(back)})


@router.post("/{lang}/settings", response_model=None, responses=ERRORS)
async def change_settings(
    request: Request,
    lang: Lang,
    back: Annotated[str, Form(max_length=200)] = "/",
    language: Annotated[
        str | None, Form(alias="lang", pattern=f"^({'|'.join(LANGUAGES)})$")
    ] = None,
) -> Response:
    """Keep the settings that are given."""
    form = await request.form()
    kept = vars_of(likes(request))
    for name, known in CHOICES.items():
        value = form.get(name)
        if isinstance(value, str) and value in known:
            kept[name] = value
    spoken = language or lang
    answer: Response
    if wants_json(request):
        answer = JSONResponse({**kept, "lang": spoken})
    else:
        answer = RedirectResponse(f"/{spoken}{_inside(back)}", SEE_OTHER)
    keep(request, answer, LIKES, likes_text(kept))
    if language:
        keep(request, answer, LANG, spoken)
    return remembered(request, answer)


def _inside(path: str) -> str:
    """Return a path of this server without its language; anything else is the start."""
    plain = path if path.startswith("/") else "/"
    for lang in LANGUAGES:
        if plain == f"/{lang}" or plain.startswith(f"/{lang}/"):
            plain = plain.removeprefix(f"/{lang}") or "/"
    safe = all(c.isalnum() or c in "/-_.?=&" for c in plain) and plain.isascii()
    return plain if safe and not plain.startswith("//") else "/"
