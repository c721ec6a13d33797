"""Errors: how the web table says no, to people and to programs.

error    a status, a code that programs know, and a message
"""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from bezique.engine.errors import BeziqueError
from bezique.engine.fields import Json
from bezique.play.web.answer import page, spoken, wants_json
from bezique.play.web.desk import ElsewhereError, NoGameError, NotAllowedError
from bezique.play.web.words import t

NOT_FOUND, BAD, FORBIDDEN, CONFLICT, UNREADABLE = 404, 400, 403, 409, 422


def refuse(request: Request, status: int, code: str, message: str) -> Response:
    """Return an error as JSON or as a page."""
    if wants_json(request):
        error = {"error": {"code": code, "message": message}}
        return JSONResponse(error, status)
    return page(request, "error.html", {"error": shown(request, status, code, message)}, status=status)  # fmt: skip


def shown(request: Request, status: int, code: str, message: str) -> Json:
    """Return what a page tells of an error; the message is for programs, in English."""
    detail = message if status in (BAD, UNREADABLE) else None
    text = said(spoken(request), status, code)
    return {"status": status, "code": code, "text": text, "detail": detail}


def said(lang: str, status: int, code: str = "") -> str:
    """Return what went wrong, in a sentence."""
    if code == "cross-site":
        return t(lang, "That came from another site, and was not done.")
    match status:
        case 404:
            return t(lang, "There is nothing here, or it is not yours.")
        case 409:
            return t(lang, "The table had already gone on. Look again.")
        case 403:
            return t(lang, "That is not possible in this game.")
        case 405:
            return t(lang, "That cannot be done at this address.")
        case 411 | 413:
            return t(lang, "That is too long.")
        case 429:
            return t(lang, "Too much at once: wait a moment, then try again.")
        case 500:
            return t(lang, "Something went wrong here. Your games are kept.")
    return t(lang, "That could not be read.")


def install(app: FastAPI) -> None:
    """Let an application answer its errors."""

    @app.exception_handler(NoGameError)
    def no_game(request: Request, _: Exception) -> Response:
        return refuse(request, NOT_FOUND, "no-game", "no such game")

    @app.exception_handler(ElsewhereError)
    def elsewhere(request: Request, _: Exception) -> Response:
        return refuse(request, CONFLICT, "stale", "another server has gone on")

    @app.exception_handler(NotAllowedError)
    def not_allowed(request: Request, _: Exception) -> Response:
        return refuse(request, FORBIDDEN, "not-allowed", "not possible in this game")

    @app.exception_handler(BeziqueError)
    def refused(request: Request, error: Exception) -> Response:
        code = getattr(error, "code", "refused")
        return refuse(request, UNREADABLE, code, str(error))

    @app.exception_handler(RequestValidationError)
    def unreadable(request: Request, error: Exception) -> Response:
        faults: list[Any] = getattr(error, "errors", list)()
        if any(fault["loc"][:1] == ("path",) for fault in faults):
            return refuse(request, NOT_FOUND, "not-found", "no such address")
        told = "; ".join(f"{fault['loc'][-1]}: {fault['msg']}" for fault in faults)
        return refuse(request, UNREADABLE, "unreadable", told[:500])

    @app.exception_handler(HTTPException)
    def plain(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", BAD)
        detail = str(getattr(error, "detail", "refused"))
        code = "not-found" if status == NOT_FOUND else "refused"
        return refuse(request, status, code, detail)
