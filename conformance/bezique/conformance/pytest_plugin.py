"""A pytest plugin: every check of the suite as a test of your own program.

    pytest --bezique-target 'cmd:node referee.js' --bezique-level 2

Nothing of the suite is imported unless a target is named.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bezique.conformance.examinee import Examinee
    from bezique.conformance.suite import Check


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("bezique", "conformance of a program that plays bezique")
    group.addoption(
        "--bezique-target",
        metavar="TARGET",
        help="add the conformance suite, asked of builtin: or cmd:COMMAND",
    )
    group.addoption(
        "--bezique-level",
        type=int,
        default=3,
        choices=(1, 2, 3),
        help="how much of the protocol",
    )
    group.addoption(
        "--bezique-profile",
        action="append",
        metavar="NAME",
        help="only this table; may be given again",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each check that is meant for the program."""
    target = config.getoption("--bezique-target")
    if target:
        items += _items(session, config, target)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the program."""
    examinee = config.stash.get(EXAMINEE, None)
    if examinee is not None:
        examinee.close()


EXAMINEE: "pytest.StashKey[Examinee]" = pytest.StashKey()


class BeziqueItem(pytest.Item):
    """A check of the suite, asked of the program."""

    def __init__(self, *, check: "Check", **rest: Any) -> None:  # noqa: ANN401
        super().__init__(**rest)
        self.check = check

    def runtest(self) -> None:
        """Ask, and fail with what differs."""
        from bezique.conformance.suite import run_check  # noqa: PLC0415

        result = run_check(self.check, self.config.stash[EXAMINEE])
        if result.verdict == "skipped":
            pytest.skip(result.problems[0])
        if result.bad:
            said = "\n".join(result.problems)
            pytest.fail(f"{self.check.case.why}\n{said}", pytrace=False)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return what the report calls it."""
        return "bezique", None, self.check.name


def _items(
    session: pytest.Session, config: pytest.Config, target: str
) -> Iterator[BeziqueItem]:
    from bezique.conformance.examinee import meet  # noqa: PLC0415
    from bezique.conformance.files import all_cases  # noqa: PLC0415
    from bezique.conformance.suite import Selection, chosen  # noqa: PLC0415
    from bezique.conformance.target import FaultError  # noqa: PLC0415

    try:
        examinee = meet(target)
    except (FaultError, ValueError) as error:
        message = f"{target}: {error}"
        raise pytest.UsageError(message) from None
    config.stash[EXAMINEE] = examinee
    selection = Selection(
        config.getoption("--bezique-level"),
        tuple(config.getoption("--bezique-profile") or ()),
    )
    for check in chosen(all_cases(), selection, examinee):
        yield BeziqueItem.from_parent(
            session, name=f"bezique::{check.name}", check=check
        )
