"""Guards: what every request passes and every answer carries.

cross-site    a post that another site's page made is refused: `Sec-Fetch-Site`, `Origin`
limit         each client address has a bucket of requests that fills again with time
size          a body that is too long is refused before it is read
headers       nothing from elsewhere, nothing inline, no frame, no guessing of types
"""

import json
import time
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bezique.play.web.answer import painted, wants_page
from bezique.play.web.errors import shown

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
ALWAYS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    # A stricter policy would turn the Origin of our own forms into "null".
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"permissions-policy",
        b"camera=(), geolocation=(), microphone=(), payment=()",
    ),
    (b"x-frame-options", b"DENY"),
)
UNKEPT = (
    (b"cache-control", b"no-store"),
    (b"vary", b"Accept, Accept-Language, Cookie"),
)
SAFE = ("GET", "HEAD", "OPTIONS")
LONGEST = 2_000_000
CLIENTS = 10_000
STATIC = "/static/"
TOO_MANY = 429


class Buckets:
    """Token buckets by client.

    Args:
        rate: Tokens a second that come back.
        burst: How many a bucket holds.
        clock: Seconds, for tests.
    """

    def __init__(
        self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._found: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """Return whether a client has a token left, and take it."""
        now = self.clock()
        left, then = self._found.get(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - then) * self.rate)
        allowed = left >= 1
        self._found[client] = (left - 1 if allowed else left, now)
        self._found.move_to_end(client)
        while len(self._found) > CLIENTS:
            self._found.popitem(last=False)
        return allowed


def from_elsewhere(headers: Headers, scheme: str) -> bool:
    """Return whether another site's page has made a request.

    A client that is no browser sends neither header, and no cookie by itself either.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    if origin is None:
        return False
    found = urlsplit(origin)
    return (found.scheme, found.netloc) != (scheme, headers.get("host", ""))


class Guard:
    """Keeps an application.

    Args:
        app: The application.
        buckets: The limit of each client.
    """

    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self.app, self.buckets = app, buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on and add headers to the answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        static = scope["path"].startswith(STATIC)
        begun = False

        async def careful(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                _add_headers(message, static=static)
            await send(message)

        refused = self._refused(scope, static=static)
        if refused is not None:
            await _refuse(careful, scope, *refused)
            return
        try:
            await self.app(scope, receive, careful)
        except Exception:
            if not begun:
                fault = 500, "fault", "something went wrong here"
                await _refuse(careful, scope, *fault)
            raise  # to be written down by the server

    def _refused(self, scope: Scope, *, static: bool) -> tuple[int, str, str] | None:
        headers = Headers(scope=scope)
        if scope["method"] not in SAFE:
            if from_elsewhere(headers, scope["scheme"]):
                return 403, "cross-site", "the request comes from another site"
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > LONGEST:
                return 413, "too-long", f"expected at most {LONGEST} bytes"
            if "transfer-encoding" in headers and "content-length" not in headers:
                return 411, "no-length", "expected a Content-Length"
        client = scope["client"][0] if scope.get("client") else "?"
        if not static and not self.buckets.take(client):
            return TOO_MANY, "too-many", "too many requests at once; wait a moment"
        return None


async def _refuse(send: Send, scope: Scope, status: int, code: str, text: str) -> None:
    request = Request(scope)
    if wants_page(request):
        found = {"error": shown(request, status, code, text)}
        body, kind = (
            painted(request, "error.html", found).encode(),
            b"text/html; charset=utf-8",
        )
    else:
        body = json.dumps({"error": {"code": code, "message": text}}).encode()
        kind = b"application/json"
    headers = [(b"content-type", kind)]
    if status == TOO_MANY:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _add_headers(message: MutableMapping[str, Any], *, static: bool) -> None:
    """Add what an answer does not say itself."""
    said = {name for name, _ in message["headers"]}
    added = ALWAYS if static else (*ALWAYS, *UNKEPT)
    message["headers"] = [*message["headers"], *(h for h in added if h[0] not in said)]
