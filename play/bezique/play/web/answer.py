"""Answers: pages from templates, JSON for the script, cookies.

Terms
    likes    the preferences of a player: a cookie of names and values, checked when read
"""

import re
import secrets
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, urlencode

import jinja2
import orjson
from fastapi import Request
from starlette import responses
from starlette.responses import HTMLResponse, Response

from bezique.engine.fields import Json
from bezique.play.web.desk import owner_of
from bezique.play.web.table import Preferences
from bezique.play.web.words import LANGUAGES, language_of, messages, nt, t
from bezique.spec.language import language

COOKIE, LIKES, LANG = "bezique", "bezique-likes", "bezique-lang"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
LONG = 400 * 24 * 3600
CHOICES = {
    "speed": ("slow", "normal", "fast"),
    "sort": ("suit", "rank", "own"),
    "deck": ("two", "four"),
    "index": ("auto", "normal", "large"),
    "scheme": ("system", "light", "dark"),
}


class JSONResponse(responses.JSONResponse):
    """An answer in JSON, quickly written: a table is most of the work of a move."""

    def render(self, content: object) -> bytes:
        """Return the bytes of an answer."""
        return orjson.dumps(content)


@cache
def templates() -> jinja2.Environment:
    """Return the templates; a name that is not given is an error, not an empty text."""
    folder = str(files("bezique.play.web").joinpath("templates"))
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined,
    )  # fmt: skip


@cache
def _version() -> str:
    try:
        return version("bezique")
    except PackageNotFoundError:
        return "0"


def wants_json(request: Request) -> bool:
    """Return whether a request asks for JSON rather than a page."""
    accept = request.headers.get("accept", "")
    return "application/json" in accept and "text/html" not in accept


def wants_page(request: Request) -> bool:
    """Return whether a request is a browser's, made to be looked at."""
    return "text/html" in request.headers.get("accept", "")


def spoken(request: Request) -> str:
    """Return the language of an address; one without any speaks the client's.

    The address is read itself: what is refused at the door has not been routed.
    """
    asked = request.url.path.removeprefix("/").partition("/")[0]
    return asked if asked in LANGUAGES else asked_language(request)


def page(
    request: Request, template: str, fields: Json, *, status: int = 200
) -> Response:
    """Return a page."""
    html = painted(request, template, fields)
    return remembered(request, HTMLResponse(html, status))


def painted(request: Request, template: str, fields: Json) -> str:
    """Return a page as HTML."""
    lang = spoken(request)
    known = {
        "lang": lang,
        "languages": [{"code": c, "name": language(c).name} for c in LANGUAGES],
        "path": _seen_at(request, lang),
        "t": partial(t, lang),
        "nt": partial(nt, lang),
        "settings": vars_of(likes(request)) | {"lang": lang},
        "strings": messages(lang),
        "version": _version(),
    }
    return templates().get_template(template).render(known | fields)


def _seen_at(request: Request, lang: str) -> str:
    """Return where a page is seen again, in any language: what was posted has its own page."""
    if request.method in ("GET", "HEAD"):
        return request.url.path.removeprefix(f"/{lang}") or "/"
    game = request.path_params.get("game")
    return f"/games/{game}" if game else "/"


def found(
    request: Request, template: str, fields: Json, *, status: int = 200
) -> Response:
    """Return fields as JSON, or as a page."""
    if wants_json(request):
        return remembered(request, JSONResponse(fields, status))
    return page(request, template, fields, status=status)


# --- cookies -----------------------------------------------------------------------------------


def owner(request: Request) -> str:
    """Return whose request it is; a client without a cookie gets one with the answer."""
    token = request.cookies.get(COOKIE, "")
    if not TOKEN.fullmatch(token):
        token = getattr(request.state, "token", None) or secrets.token_urlsafe(32)
        request.state.token = token
    return owner_of(token)


def remembered(request: Request, response: Response) -> Response:
    """Return an answer with the cookie that a new client is to keep."""
    owner(request)
    token = getattr(request.state, "token", None)
    if token is not None:
        keep(request, response, COOKIE, token)
    return response


def keep(request: Request, response: Response, name: str, value: str) -> None:
    """Let a client keep a cookie that no script and no other site gets."""
    response.set_cookie(
        name, value, max_age=LONG, path="/", httponly=True, samesite="lax",
        secure=request.app.state.settings.secure,
    )  # fmt: skip


def likes(request: Request) -> Preferences:
    """Return the preferences of a client; what is not known is as usual."""
    given = dict(parse_qsl(request.cookies.get(LIKES, "")))
    kept = {n: given[n] for n, known in CHOICES.items() if given.get(n) in known}
    return Preferences(lang=spoken(request), **kept)


def vars_of(preferences: Preferences) -> dict[str, Any]:
    """Return preferences by name."""
    return {name: getattr(preferences, name) for name in CHOICES}


def likes_text(preferences: dict[str, str]) -> str:
    """Return preferences as the text of their cookie."""
    return urlencode(preferences)


def asked_language(request: Request) -> str:
    """Return the language that a client's cookie or browser asks for."""
    return language_of(
        request.cookies.get(LANG), request.headers.get("accept-language")
    )
