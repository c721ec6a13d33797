"""Against: two programs on generated deals, without expectations."""

import pytest

from bezique.conformance.against import against
from bezique.conformance.examinee import greeted, meet
from bezique.engine.errors import BadRequestError
from tests.conformance.wrong_engines import WRONG_ENGINES


@pytest.mark.long
def test_program_does_not_differ_from_itself() -> None:
    """The same program twice gives a line that says so."""
    (line,) = against(meet("builtin:"), meet("builtin:"), ["luso"], 1, "1")

    assert not line.differs
    assert str(line).startswith("luso: no difference in 1 deals, ")


def test_difference_is_told_with_its_request() -> None:
    """Where two programs part, both answers and the request are told."""
    wrong = greeted("cmd:wrong", WRONG_ENGINES["need-not-follow"].target())

    (line,) = against(meet("builtin:"), wrong, ["luso"], 1, "1")

    assert line.differs
    assert "luso: differs in deal 1/0: builtin: " in str(line)
    assert '"op":"' in str(line)


def test_profile_that_one_has_not_is_refused() -> None:
    """Programs are compared where both play."""
    with pytest.raises(BadRequestError, match="--profile"):
        list(against(meet("builtin:"), meet("builtin:"), ["palace"], 1, "1"))
