"""Guards: every answer carries its headers, and what comes from elsewhere is refused."""

import html
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bezique.play.web.app import create_app
from bezique.play.web.errors import said
from bezique.play.web.guard import Buckets
from bezique.play.web.settings import LOCAL
from bezique.play.web.words import LANGUAGES
from tests.play.web.conftest import settings
from tests.play.web.player import JSON, Player

NOBODYS = "/es/games/" + "0" * 32


@pytest.mark.parametrize(
    "path",
    ["/", "/es/", "/es/settings", "/static/icon.svg", "/healthz", NOBODYS, "/xx/", "/nothing/at/all"],
)  # fmt: skip
def test_every_answer_keeps_foreign_and_inline_content_out(
    client: TestClient, path: str
) -> None:
    """Pages, pictures and errors alike."""
    headers = client.get(path).headers
    policy = headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_tables_are_never_kept_by_a_cache(client: TestClient) -> None:
    """Back and forward ask again; the faces of cards may be kept."""
    player = Player(client)

    assert client.get(player.url).headers["cache-control"] == "no-store"
    assert "no-store" not in client.get("/static/icon.svg").headers.get(
        "cache-control", ""
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://testserver"},
        {"origin": "http://testserver:81"},
        {"sec-fetch-site": "same-origin", "origin": "http://evil.example"},
    ],
)
def test_post_of_another_site_is_refused(
    client: TestClient, headers: dict[str, str]
) -> None:
    """Other sites, sister sites and other ports; nothing has been done."""
    player = Player(client)
    form = {"seq": player.table["seq"], "depth": "9"}

    answer = client.post(f"{player.url}/deal", data=form, headers={**JSON, **headers})

    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "cross-site"
    assert player.get()["seq"] == player.table["seq"]


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "same-origin", "origin": "http://testserver"}, {"sec-fetch-site": "none"}, {}],
)  # fmt: skip
def test_post_of_our_own_page_is_taken(
    client: TestClient, headers: dict[str, str]
) -> None:
    """So is one of a program, which sends neither header."""
    form = {"profile": "streak"}

    assert client.post("/es/games", data=form, headers=headers).status_code == 303


def test_get_from_another_site_is_answered(client: TestClient) -> None:
    """A link on another page leads here."""
    answer = client.get("/es/", headers={"sec-fetch-site": "cross-site"})

    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", ""])
def test_foreign_host_is_refused(client: TestClient, host: str) -> None:
    """A name that somebody else points at this machine gets nothing."""
    assert client.get("/es/", headers={"host": host}).status_code == 400


def test_long_body_is_refused_before_it_is_read(client: TestClient) -> None:
    """Two million bytes are more than any form has."""
    answer = client.post("/es/games", content=b"x" * 2_000_001)

    assert answer.status_code == 413


def test_body_without_length_is_refused(client: TestClient) -> None:
    """Its end would not be known."""
    answer = client.post("/es/games", content=iter([b"profile=streak"]))

    assert answer.status_code == 411


def test_client_that_asks_too_much_waits(tmp_path: Path) -> None:
    """After the burst it is told to; static files do not count."""
    app = create_app(settings(tmp_path, rate=0.001, burst=3))
    with TestClient(app) as client:
        answers = [client.get("/healthz") for _ in range(4)]

        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert answers[-1].headers["retry-after"] == "1"
        assert client.get("/static/icon.svg").status_code == 200


def test_bucket_fills_again_with_time() -> None:
    """Two a second, at most three: one second brings back two."""
    now = [0.0]
    buckets = Buckets(2, 3, lambda: now[0])

    begun = [buckets.take("a") for _ in range(4)]
    other = buckets.take("b")
    now[0] = 1.0
    later = [buckets.take("a") for _ in range(3)]

    assert begun == [True, True, True, False]
    assert other
    assert later == [True, True, False]


def test_cookie_is_opaque_and_out_of_reach_of_scripts(client: TestClient) -> None:
    """HttpOnly, SameSite=Lax, the whole site, a long time; 256 bits."""
    cookie = client.get("/es/").headers["set-cookie"]

    name, _, rest = cookie.partition("=")
    value = rest.partition(";")[0]
    assert name == "bezique"
    assert len(value) == 43
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "Path=/" in cookie
    assert "Secure" not in cookie


def test_cookie_over_tls_is_secure(tmp_path: Path) -> None:
    """A server behind TLS says so."""
    with TestClient(create_app(settings(tmp_path, secure=True))) as client:
        assert "Secure" in client.get("/es/").headers["set-cookie"]


def test_cookie_that_is_not_ours_is_replaced(client: TestClient) -> None:
    """Whatever somebody wrote there is no name for games."""
    answer = client.get("/es/", headers={"cookie": "bezique=short"})

    assert "bezique=" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "localhost"]
)
def test_this_machine_is_answered_by_its_names(tmp_path: Path, host: str) -> None:
    """Whatever the port; the names of tests are not among them."""
    with TestClient(create_app(settings(tmp_path, hosts=LOCAL))) as client:
        assert client.get("/healthz", headers={"host": host}).status_code == 200
        assert client.get("/healthz").status_code == 400


def test_fault_carries_the_headers_and_tells_nothing(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What went wrong is for the server's log; the game is read again and goes on."""
    player = Player(client)

    def failing(*_: object) -> None:
        message = "the secret pack"
        raise RuntimeError(message)

    monkeypatch.setattr(app.state.desk.store, "append", failing)
    form = {"seq": player.table["seq"], "depth": "9"}
    with pytest.raises(RuntimeError):
        client.post(f"{player.url}/deal", data=form, headers=JSON)
    quiet = TestClient(app, raise_server_exceptions=False, cookies=dict(client.cookies))
    quiet.portal = client.portal
    answer = quiet.post(f"{player.url}/deal", data=form, headers=JSON)
    monkeypatch.undo()

    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert player.get()["seq"] == player.table["seq"]
    assert player.step()["phase"] == "lead"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("status", "code", "headers"),
    [
        (403, "cross-site", {"origin": "https://evil.example"}),
        (413, "too-long", {"content-length": "9999999"}),
    ],
)
def test_browser_that_is_refused_gets_a_page(
    client: TestClient, lang: str, status: int, code: str, headers: dict[str, str]
) -> None:
    """In its language and with the headers of every page; programs get JSON."""
    asked = {"accept": "text/html", "accept-language": lang, **headers}

    page = client.post(f"/{lang}/games", headers=asked)
    told = client.post(f"/{lang}/games", headers={**asked, "accept": "*/*"})

    assert page.status_code == told.status_code == status
    assert page.headers["content-type"].startswith("text/html")
    assert said(lang, status, code) in html.unescape(page.text)
    assert f'<html lang="{lang}"' in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert told.json()["error"]["code"] == code


def test_page_of_an_error_says_in_english_what_programs_are_told(
    client: TestClient,
) -> None:
    """The sentence is in the page's language; the detail stands apart and says so."""
    page = client.post("/es/games", data={"profile": "whist"})

    assert page.status_code == 422
    assert "Eso no se ha podido leer." in page.text
    assert '<p class="detail" lang="en">profile: expected one of' in page.text
