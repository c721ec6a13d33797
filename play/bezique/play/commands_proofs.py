"""The commands that put rules to Z3: `prove`, `diff` and `mutants`.

The logic lies in `bezique.solver.proof`; here are arguments, progress and words.  Without Z3
they say what to install.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bezique.engine.rules import Rules

RuleFiles = Annotated[
    list[Path] | None,
    typer.Option("--rules", help="A rule file of your own; may be given again."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON instead of words.")]
MISSING = "this command needs z3: pip install 'bezique[proofs]'"


def needs_z3() -> None:
    """End the program with what to install, where Z3 is missing."""
    from importlib.util import find_spec

    if find_spec("z3") is None:
        typer.echo(MISSING, err=True)
        raise typer.Exit(2)


def prove(
    profiles: Annotated[list[str] | None, typer.Argument()] = None,
    *,
    rules: RuleFiles = None,
    as_json: AsJson = False,
    processes: Annotated[int | None, typer.Option(help="How many at once.")] = None,
) -> None:
    """Prove what must hold of every table, and what the documents claim of it."""
    needs_z3()
    from rich.console import Console
    from rich.progress import Progress

    from bezique.engine.library import Library
    from bezique.solver.proof.prove import prove as run
    from bezique.solver.proof.prove import result_json

    files = tuple(rules or ())
    library = Library(files)
    names = tuple(profiles or library.names)
    for name in names:
        library.profile(name)
    results = []
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=as_json) as progress:
        bar = progress.add_task("proving", total=None)
        for done, total, found in run(files, names, processes=processes):
            progress.update(bar, total=total, completed=done)
            results += found
    failed = [result for result in results if not result.holds]
    if as_json:
        typer.echo(json.dumps([result_json(item) for item in results], indent=1))
    else:
        for name in names:
            mine = [result for result in results if result.profile == name]
            good = sum(result.holds for result in mine)
            typer.echo(f"{name}: {good} of {len(mine)} proved")
        for result in failed:
            where = f"{result.profile} {result.options or ''}".strip()
            typer.echo(f"{where}: {result.name} {result.verdict}: {result.detail}")
            if result.counterexample is not None:
                typer.echo(f"  {json.dumps(result.counterexample)}")
    raise typer.Exit(1 if failed else 0)


def diff(
    one: Annotated[
        str,
        typer.Argument(
            help="A profile or a rule file, with options: NAME:option=value,option=value"
        ),
    ],
    two: Annotated[str, typer.Argument(help="Another one.")],
    *,
    rules: RuleFiles = None,
    as_json: AsJson = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page with the cards drawn.")
    ] = None,
) -> None:
    """Show where two tables part, each difference with a smallest situation."""
    needs_z3()
    from bezique.solver.proof.difference import Comparison
    from bezique.solver.proof.show import (
        difference_json,
        difference_text,
        page,
        settled,
    )

    tables = [_table(text, list(rules or ())) for text in (one, two)]
    differences = list(Comparison(tables[0], tables[1]).differences())
    static = settled(tables[0], tables[1])
    if html is not None:
        html.write_text(page(tables[0], tables[1], static, differences), "utf-8")
        typer.echo(f"wrote {html}")
    elif as_json:
        found = {
            "values": static,
            "differences": [difference_json(item) for item in differences],
        }
        typer.echo(json.dumps(found, indent=1))
    else:
        for line in static:
            typer.echo(line)
        for item in differences:
            typer.echo(difference_text(item, one, two))


def _table(text: str, files: list[Path]) -> "Rules":
    """Return the rules that `NAME:option=value,…` or `FILE:option=value,…` names."""
    from bezique.engine.library import Library
    from bezique.spec.load import load_file

    name, _, tail = text.partition(":")
    if name.endswith((".yaml", ".yml")):
        files = [*files, Path(name)]
        name = load_file(Path(name)).name
    options: dict[str, bool | int | str] = {}
    for pair in filter(None, tail.split(",")):
        key, _, value = pair.partition("=")
        words: dict[str, bool] = {"true": True, "false": False}
        options[key] = words.get(value, int(value) if value.isdecimal() else value)
    return Library(files).rules(name, options)


def mutants(
    profiles: Annotated[list[str] | None, typer.Argument()] = None,
    *,
    most: Annotated[int, typer.Option(help="How many mutants in all.")] = 600,
    as_json: AsJson = False,
) -> None:
    """Make wrong rules by small changes and decide whether each can be told."""
    needs_z3()
    from rich.console import Console
    from rich.progress import Progress

    from bezique.engine.library import Library
    from bezique.solver.proof.hunt import hunt, tally

    library = Library()
    names = tuple(profiles or library.names)
    for name in names:
        library.profile(name)
    found = []
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as bar:
        task = bar.add_task("deciding", total=None)
        for done, total, some in hunt(names, most):
            bar.update(task, total=total, completed=done)
            found += some
    if as_json:
        typer.echo(json.dumps(found, indent=1))
        return
    for name, counts in tally(found).items():
        typer.echo(f"{name}: " + ", ".join(f"{n} {what}" for what, n in counts.items()))


def add_to(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command()(prove)
    app.command()(diff)
    app.command()(mutants)
