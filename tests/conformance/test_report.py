"""Reports: the lines are the source, a truncated file is refused, other forms agree."""

import json
import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from bezique.conformance.examinee import greeted
from bezique.conformance.files import all_cases
from bezique.conformance.report import Report, Run, lines_of, read_lines, report
from bezique.conformance.report_forms import badge, junit, markdown
from bezique.conformance.report_html import drawn, html
from bezique.conformance.suite import Selection, chosen, run_suite
from bezique.engine.errors import BadRequestError
from tests.conformance.wrong_engines import WRONG_ENGINES

CASES = all_cases()
IDS = (
    "new-king-renews-no-marriage",
    "new-queen-renews-no-marriage",
    "royal-marriage-scores-40",
    "count-two-leads",
    "turned-seven-pays-the-dealer",
    "view-hides-the-other-hand",
    "solve-last-ace",
)


def made(name: str) -> Report:
    """Return the report of a wrong engine and a few cases at two tables."""
    examinee = greeted("cmd:wrong <&>", WRONG_ENGINES[name].target())
    selection = Selection(profiles=("luso", "cady"), cases=IDS)
    results = run_suite(chosen(CASES, selection, examinee), examinee)
    return report(Run(examinee, selection, results, CASES, "2026-01-01"))


@pytest.fixture(scope="module")
def told() -> Report:
    """Return a report in which two of fourteen checks fail."""
    return made("cross-marriages")


def test_lines_are_read_as_they_were_written(told: Report) -> None:
    """Header, results and footer come back."""
    assert read_lines(lines_of(told)) == told


def test_header_tells_rules_and_digests(told: Report) -> None:
    """A report says which suite and which rules it was made with."""
    header = told.header

    assert set(header["rules"]) == {"luso", "cady"}
    assert all(
        re.fullmatch(r"[0-9a-f]{12}", item["digest"])
        for item in header["rules"].values()
    )
    assert header["suite"]["cases"] == len(CASES)
    assert header["target"]["name"] == "cmd:wrong <&>"


def without_the_last(text: str) -> str:
    """Leave out the last line."""
    return "".join(text.splitlines(keepends=True)[:-1])


def without_a_result(text: str) -> str:
    """Leave out a line in the middle."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[:3] + lines[4:])


def half_a_line(text: str) -> str:
    """Stop in the middle of a line."""
    return text[: len(text) // 2]


def another_verdict(text: str) -> str:
    """Let a failure pass."""
    return text.replace('"verdict":"failed"', '"verdict":"passed"', 1)


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (without_the_last, "a footer: it was cut short"),
        (without_a_result, "expected 14 results, got 13"),
        (half_a_line, "expected JSON"),
        (another_verdict, "lines of digest"),
        (lambda _: "", "expected a header, got 'nothing'"),
        (lambda text: text.splitlines()[0], "a footer"),
    ],
)
def test_spoilt_report_is_refused(
    told: Report, spoil: Callable[[str], str], expected: str
) -> None:
    """A report that was cut short or changed is never read as a good run."""
    with pytest.raises(BadRequestError, match=expected):
        read_lines(spoil(lines_of(told)))


def test_failures_carry_what_was_asked_and_how_to_repeat_it(told: Report) -> None:
    """Bad results have their exchanges and a command; good ones have neither."""
    for result in told.results:
        bad = result["verdict"] == "failed"
        assert ("exchanges" in result) is ("repeat" in result) is bad


def test_junit_counts_what_the_report_counts(told: Report) -> None:
    """A suite for each profile, a case for each check, a failure for each that differs."""
    root = ET.fromstring(junit(told))  # noqa: S314  (we wrote it)

    assert {suite.get("name") for suite in root} == {"luso", "cady"}
    assert len(root.findall("testsuite/testcase")) == 14
    assert len(root.findall("testsuite/testcase/failure")) == 2
    assert (root.get("tests"), root.get("failures")) == ("14", "2")


def test_markdown_tells_what_differs(told: Report) -> None:
    """The summary has a row for each table and names each failure."""
    text = markdown(told)

    assert "**12 passed, 2 failed**" in text
    assert "| cady | 1.0.0" in text
    assert "- `new-queen-renews-no-marriage` in luso: the king has served" in text


def test_badge_is_green_only_when_all_passed(told: Report) -> None:
    """What passed of what was asked, and a colour."""
    bad, good = json.loads(badge(told)), json.loads(badge(made("last-trick-20")))

    assert (bad["message"], bad["color"]) == ("12/14", "red")
    assert good["message"].endswith("/14")


def test_page_needs_no_network(told: Report) -> None:
    """The page names no other file and no host, and escapes what it is given."""
    page = html(told)

    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert not re.search(r"https?://|@import|url\(", page)
    assert "cmd:wrong &lt;&amp;&gt;" in page


def test_page_shows_each_case_and_what_it_is_about(told: Report) -> None:
    """Cards, statement, clause and what was got stand in the page."""
    page = html(told)

    for case in IDS:
        assert f'id="{case}"' in page
    assert "king of diamonds" in page
    assert "A new partner does not make a used card fresh again." in page
    assert "expected a refusal, got south 40 royal-marriage" in page
    assert "declare/reuse in luso: 1 of 3 passed" in page
    assert "declare/reuse in cady: 3 of 3 passed" in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("play KH", '<span class="c red">K♥</span>'),
        ("TS2", '<span class="c black">10♠<sub>2</sub></span>'),
        ("<b>", "&lt;b&gt;"),
    ],
)
def test_cards_of_a_text_are_drawn(text: str, shown: str) -> None:
    """A card is drawn with its suit, its copy if it is not the first; the rest is escaped."""
    assert shown in drawn(text)
