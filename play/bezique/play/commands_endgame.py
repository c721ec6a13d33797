"""The commands of the endgame: `solve`, `analyse`, `endings`.

They print what `bezique.solver` answers; nothing here knows how it is found.
"""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bezique.engine.library import Library

RulesFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--rules", metavar="FILE", help="A rule file of your own; may be given again."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def solve(
    ending: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-", help="An ending as text or as JSON; - is standard input."
        ),
    ],
    *,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile", metavar="NAME", help="The table, if the text names none."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the table."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Tell nodes, time and method too.")
    ] = False,
    as_json: AsJson = False,
    rules: RulesFiles = None,
) -> None:
    """Say what the last tricks are worth, card by card, and one best line.

    A text has a line for each hand, the player to move first, such as
    "north: K♥ 10♠ 7♦", and lines trump, led and profile.
    """
    from bezique.play.begin import in_order, read_options
    from bezique.solver import compiled
    from bezique.solver.endgame import solve as solved
    from bezique.solver.notation import read_ending
    from bezique.solver.operation import card_rows, line_rows, solution_json

    text = _text(ending)
    library = _library(rules)
    name = profile or in_order(library)[0]
    position = read_ending(text, name, read_options(option or []), library)
    begun = time.perf_counter()
    solution = solved(position)
    spent = time.perf_counter() - begun
    if as_json:
        told = {"nodes": solution.nodes, "method": solution.method} if verbose else {}
        _print_json(solution_json(solution) | told)
        return
    print(f"{position.turn} to move: {solution.margin:+d}")
    print()
    for row in _columns(("cards", "margin", "match"), card_rows(solution)):
        print(row)
    print()
    head = ("trick", *position.rules.seats)
    for row in _columns(head, line_rows(position, solution)):
        print(row)
    if solution.margin_decides is False:
        print()
        print(
            "the winner of the last trick may take the match: more points are not always better"
        )
    if verbose:
        print()
        print(f"{solution.nodes} nodes, {spent * 1e3:.1f} ms, {solution.method}")
        if compiled.failure():
            print(f"no kernel: {compiled.failure()}")


def analyse(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A record, or a game that was kept.")
    ],
    *,
    as_json: AsJson = False,
    rules: RulesFiles = None,
) -> None:
    """Say what each card of the strict tricks gave away."""
    from bezique.play.saved import read_json, read_record
    from bezique.solver.analyse import analyse as analysed
    from bezique.solver.analyse import given_away, judgement_json, judgement_row

    found = read_record(_library(rules), read_json(record))
    judged = analysed(found)
    totals = given_away(judged, found.rules)
    if as_json:
        cards = [judgement_json(item) for item in judged]
        _print_json({"given_away": totals, "cards": cards})
        return
    head = ("hand", "trick", "seat", "card", "margin", "gave away", "better")
    for row in _columns(head, [judgement_row(item) for item in judged]):
        print(row)
    print()
    print(
        "given away: "
        + ", ".join(f"{seat} {points}" for seat, points in totals.items())
    )


endings = typer.Typer(
    no_args_is_help=True, help="Endings with their exact answers, as data."
)


@endings.command()
def build(
    number: Annotated[
        int, typer.Argument(metavar="N", min=1, help="How many endings.")
    ],
    *,
    seed: Annotated[
        int, typer.Option("--seed", help="What the deals are made from.")
    ] = 1,
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME", help="The table.")
    ] = None,
    cards: Annotated[
        int | None,
        typer.Option(
            "--cards", min=1, max=10, help="Cards in a hand; else a whole hand."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Else standard output.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Processes; else one a core.")
    ] = None,
) -> None:
    """Write certified endings, one JSON object a line."""
    from bezique.play.begin import in_order
    from bezique.solver.endings import Plan
    from bezique.solver.endings import build as built

    name = profile or in_order(_library(None))[0]
    lines = built(number, Plan(name, seed, cards), jobs)
    if out is None:
        for line in lines:
            print(line)
    else:
        with out.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)


@endings.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `build` wrote.")],
    *,
    every: Annotated[
        int, typer.Option("--every", min=1, help="Check only each so-manieth ending.")
    ] = 1,
) -> None:
    """Replay the certificates of a file through the reference interpreter."""
    from bezique.solver.endings import check as checked

    with file.open(encoding="utf-8") as lines:
        print(f"{checked(lines, every)} endings accepted")


def _library(files: list[Path] | None) -> "Library":
    from bezique.engine.library import Library

    return Library(files or ())


def _text(place: str) -> str:
    if place == "-":
        return sys.stdin.buffer.read().decode("utf-8")
    return Path(place).read_text(encoding="utf-8")


def _columns(head: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> list[str]:
    """Return rows as lines of text in columns."""
    table = [head, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(head))]
    return [
        "  ".join(
            word.ljust(width) for word, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    ]


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False))
