"""The HTML report in a real browser: no fault that axe-core finds, no network, a filter that filters."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from bezique.conformance.examinee import greeted
from bezique.conformance.files import all_cases
from bezique.conformance.report import Run, report
from bezique.conformance.report_html import html
from bezique.conformance.suite import Selection, chosen, run_suite
from tests.conformance.wrong_engines import WRONG_ENGINES

pytestmark = pytest.mark.long

CHROMIUM = "/usr/bin/chromium"
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
CASES = all_cases()[::3]
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return Debian's own browser, without a window."""
    assert Path(CHROMIUM).exists(), f"{CHROMIUM} is missing: apt-get install chromium"
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield found
        found.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a program that is wrong in the strict tricks."""
    examinee = greeted("cmd:wrong", WRONG_ENGINES["need-not-follow"].target())
    selection = Selection(profiles=("luso", "cady"))
    results = run_suite(chosen(CASES, selection, examinee), examinee)
    told = report(Run(examinee, selection, results, CASES, "2026-01-01"))
    file = tmp_path_factory.mktemp("report") / "run.html"
    file.write_text(html(told), encoding="utf-8")
    return file


def opened(
    browser: Browser, file: Path, width: int, scheme: Scheme
) -> tuple[Page, list[str]]:
    """Return the page, and what was wrong or fetched while it opened."""
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("request", lambda request: wrong.append(request.url))
    page.goto(file.as_uri())
    wrong.remove(file.as_uri())
    return page, wrong


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_page_has_no_fault(
    browser: Browser, page_file: Path, width: int, scheme: Scheme
) -> None:
    """With cases open, wide and narrow, light and dark: axe-core finds nothing, and no sideways scroll."""
    page, wrong = opened(browser, page_file, width, scheme)
    page.evaluate(
        "document.querySelectorAll('details.case').forEach((item, at) => { if (at < 25) item.open = true; })"
    )
    page.evaluate(AXE)

    found = page.evaluate("() => axe.run(document)")

    assert [
        f"{item['id']}: {item['nodes'][0]['html'][:200]}"
        for item in found["violations"]
    ] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert wrong == []
    page.close()


def test_filter_shows_what_is_asked_for(browser: Browser, page_file: Path) -> None:
    """Words, verdict and the numbers of the matrix choose the cases; a reset shows all."""
    page, wrong = opened(browser, page_file, 1280, "light")
    shown = page.locator("details.case:visible")
    everything = shown.count()

    page.select_option("#verdict", "failed")
    failed = shown.count()
    page.click("text=Show all")
    page.fill("#words", "strict/follows")
    about = shown.count()
    page.click("text=Show all")
    page.wait_for_function("document.querySelector('#words').value === ''")
    page.locator(".matrix td.bad a").first.click()
    clicked = shown.count()

    assert 0 < failed < everything
    assert 0 < about < everything
    assert 0 < clicked < everything
    assert wrong == []
    page.close()


def test_theme_can_be_changed(browser: Browser, page_file: Path) -> None:
    """The button turns a light page dark."""
    page, _ = opened(browser, page_file, 1280, "light")
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.click("#theme")

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    page.close()
