"""Forms of a report for other programs: JUnit XML, a Markdown summary, a badge.

Each is made from the report alone.
"""

import json
from collections import defaultdict
from xml.etree import ElementTree as ET

from bezique.conformance.report import Json, Report
from bezique.conformance.suite import VERDICTS

MOST_ROWS = 50


def junit(told: Report) -> str:
    """Return a report as JUnit XML: a suite for each profile."""
    root = ET.Element("testsuites", name="bezique conformance")
    groups: dict[str, list[Json]] = defaultdict(list)
    for result in told.results:
        groups[result["profile"]].append(result)
    for profile, results in groups.items():
        count = _count(results)
        suite = ET.SubElement(
            root, "testsuite", name=profile, tests=str(len(results)),
            failures=str(count["failed"]), errors=str(count["fault"]), skipped=str(count["skipped"]),
            time=f"{sum(result['seconds'] for result in results):.3f}",
        )  # fmt: skip
        for result in results:
            case = ET.SubElement(
                suite, "testcase", classname=f"bezique.{profile}", name=result["case"],
                time=f"{result['seconds']:.3f}",
            )  # fmt: skip
            _verdict(case, result)
    root.attrib |= {
        "tests": str(len(told.results)),
        "failures": str(told.counts["failed"]),
        "errors": str(told.counts["fault"]),
    }
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def markdown(told: Report) -> str:
    """Return a summary in Markdown: how many passed where, and what did not."""
    target, counts = told.header["target"], told.counts
    lines = [
        f"# Bezique conformance: {_code(target['name'])}",
        "",
        f"{target['implementation']} {target['version']}, suite {told.header['suite']['digest']}"
        + (f", {told.header['date']}" if told.header["date"] else ""),
        "",
        f"**{summary(counts)}**",
        "",
        "| profile | rules | " + " | ".join(VERDICTS) + " |",
        "| --- | --- | " + " | ".join("---:" for _ in VERDICTS) + " |",
    ]
    for profile, rules in told.header["rules"].items():
        count = _count([item for item in told.results if item["profile"] == profile])
        numbers = " | ".join(str(count[name]) for name in VERDICTS)
        lines.append(
            f"| {profile} | {rules['version']} {rules['digest']} | {numbers} |"
        )
    bad = [item for item in told.results if item["verdict"] in ("failed", "fault")]
    if bad:
        lines += ["", "## What differs", ""]
        for item in bad[:MOST_ROWS]:
            lines.append(f"- {_code(item['case'])} in {item['profile']}: {item['why']}")
            lines += [f"    - {_code(problem)}" for problem in item["problems"]]
            lines.append(f"    - again: {_code(item['repeat'])}")
        if len(bad) > MOST_ROWS:
            lines.append(f"- and {len(bad) - MOST_ROWS} more")
    return "\n".join(lines) + "\n"


def badge(told: Report) -> str:
    """Return the JSON that badge services draw a badge from."""
    counts = told.counts
    asked = counts["passed"] + counts["failed"] + counts["fault"]
    color = "brightgreen" if told.good and asked else "red"
    return (
        json.dumps(
            {
                "schemaVersion": 1,
                "label": "bezique",
                "message": f"{counts['passed']}/{asked}",
                "color": color,
            }
        )
        + "\n"
    )


def summary(counts: dict[str, int]) -> str:
    """Return how many there are of each verdict, in words.

    >>> summary({"passed": 3, "failed": 1, "fault": 0, "skipped": 0})
    '3 passed, 1 failed'
    """
    words = {"fault": "without an answer"}
    return ", ".join(
        f"{counts[name]} {words.get(name, name)}"
        for name in VERDICTS
        if counts[name] or name == "passed"
    )


def _count(results: list[Json]) -> dict[str, int]:
    return {name: sum(item["verdict"] == name for item in results) for name in VERDICTS}


def _verdict(place: ET.Element, result: Json) -> None:
    text = "\n".join(result["problems"])
    match result["verdict"]:
        case "failed":
            item = ET.SubElement(place, "failure", message=result["why"])
            item.text = f"{text}\nagain: {result['repeat']}"
        case "fault":
            item = ET.SubElement(place, "error", type=result["fault"], message=text)
            item.text = f"again: {result['repeat']}"
        case "skipped":
            ET.SubElement(place, "skipped", message=text)


def _code(text: str) -> str:
    """Return a text as Markdown code; what would end it or a table cell is taken out."""
    return "`" + text.replace("`", "'").replace("|", "/").replace("\n", " ") + "`"
