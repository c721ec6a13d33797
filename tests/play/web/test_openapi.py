"""The OpenAPI document: whatever is sent to an address it names, no answer is a fault."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, given, settings
from schemathesis.core.result import Ok
from starlette.testclient import TestClient

from bezique.play.web.app import create_app
from tests.play.web.conftest import settings as server_settings

FAULT = 500
EXAMPLES = 60
PAGE = Path(__file__).parents[3] / "docs" / "web.md"


def test_document_names_the_addresses_of_the_page(client: TestClient) -> None:
    """docs/web.md tells each of them; nothing of it is fetched from elsewhere."""
    paths = client.get("/openapi.json").json()["paths"]
    page = PAGE.read_text(encoding="utf-8")

    shortened = {path.removeprefix("/{lang}/games/{game}") for path in paths}

    assert len(paths) > 20
    assert [path for path in shortened if path not in page] == []
    assert client.get("/docs/").status_code == 404


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Return the address of a server in a thread."""
    config = uvicorn.Config(create_app(server_settings(tmp_path)), log_level="error")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.mark.long
def test_no_request_makes_the_server_fail(address: str) -> None:
    """Requests made from the document, good and bad, many of them in a game under play."""
    with httpx2.Client(base_url=address) as browser:
        begun = browser.post(
            "/es/games", data={"profile": "streak", "mode": "practice"}
        )
        url = begun.headers["location"]
        table = browser.get(url, headers={"accept": "application/json"}).json()
        browser.post(f"{url}/deal", data={"seq": table["seq"], "depth": ""})
        cookie = {"bezique": browser.cookies["bezique"]}
    known = {"lang": "es", "game": table["game"]}
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    asked = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, derandomize=True,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def ask(case: schemathesis.Case[Any]) -> None:
            for name, value in known.items():
                if name in case.path_parameters:
                    case.path_parameters[name] = value
            answer = case.call(cookies=cookie)
            assert answer.status_code < FAULT, (case.as_curl_command(), answer.text)

        ask()
        asked += 1
    assert asked > 20
