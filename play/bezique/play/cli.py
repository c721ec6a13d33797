"""The command `bezique`.

Commands import what they need when they run, so that `bezique --help` is quick and a broken
extra never keeps another command from working.  Whatever the engine or a file refuses ends a
command with one clear message and exit code 2.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from bezique.play import (
    commands_conformance,
    commands_declaring,
    commands_endgame,
    commands_proofs,
)

if TYPE_CHECKING:
    from bezique.engine.library import Library
    from bezique.engine.rules import Rules

BAD = 2
INTERRUPTED = 130


class Careful(TyperGroup):
    """A group of commands that turns refusals into messages."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run a command; a refusal is told on stderr and exits with 2."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise SystemExit(INTERRUPTED) from None
        except BrokenPipeError:
            raise  # the reader has gone: the command line library leaves quietly
        except (ValueError, OSError) as error:
            if not _refused(error):
                raise
            for line in str(error).splitlines() or [repr(error)]:
                print(f"bezique: {line}", file=sys.stderr)
            raise SystemExit(BAD) from None


def _refused(error: Exception) -> bool:
    """Return whether an error is a refusal, and no fault of the program."""
    from bezique.engine.errors import BeziqueError
    from bezique.spec.problem import RulesError

    return isinstance(error, BeziqueError | RulesError | OSError)


app = typer.Typer(
    cls=Careful, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Bezique: a card game whose rules are data. Play it, ask it, prove it.",
)  # fmt: skip
spec_app = typer.Typer(
    cls=Careful,
    no_args_is_help=True,
    help="The rules: check, show, and where they come from.",
)
app.add_typer(spec_app, name="spec")

RulesFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--rules", metavar="FILE", help="A rule file of your own; may be given again."
    ),
]
ProfileName = Annotated[
    str, typer.Option("--profile", metavar="NAME", help="The table to play at.")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the table; may be given again.",
    ),
]
Seed = Annotated[
    str, typer.Option("--seed", metavar="TEXT", help="What the shuffle is made from.")
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang", metavar="es|pt|en|fr", help="The language; else the system's."
    ),
]
Dealer = Annotated[
    str | None,
    typer.Option(
        "--dealer", metavar="SEAT", help="Who deals; else the first seat of the rules."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def main() -> None:
    """Run the command line."""
    app(prog_name="bezique")


@app.callback(invoke_without_command=True)
def version(
    ctx: typer.Context,
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.")
    ] = False,
) -> None:
    """Answer what is asked of no command."""
    if version:
        print(f"bezique {_version()}")
        raise typer.Exit
    del ctx


# --- the game ----------------------------------------------------------------------------


@app.command()
def play(
    *,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            metavar="NAME",
            help="The table to play at; else you are asked.",
        ),
    ] = None,
    option: Options = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="TEXT",
            help="What the shuffles are made from; else chance.",
        ),
    ] = None,
    lang: Lang = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Where to keep the game; else among your data.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume", metavar="FILE", help="Go on with a game that was kept."
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Play here in the terminal.")
    ] = False,
    rules: RulesFiles = None,
) -> None:
    """Play against the machine, in the browser; with options, here in the terminal."""
    if not plain and (profile, option, seed, record, resume) == (None,) * 5:
        from bezique.play.web.serve import serve as serve_web

        serve_web(host="127.0.0.1", rules=tuple(rules or ()), browser=True)
        return

    from bezique.play.begin import play_game

    library = _library(rules)
    if resume is not None and (profile, option, seed) != (None, None, None):
        from bezique.engine.errors import BadRequestError

        expected = "no --profile, --option or --seed beside it, which the game settles"
        raise BadRequestError(where="--resume", expected=expected, got=str(resume))
    raise typer.Exit(
        play_game(
            library, profile=profile, options=option or [], seed=seed, lang=_lang(lang),
            record=record, resume=resume,
        )
    )  # fmt: skip


@app.command()
def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0: a free one.")
    ] = 8000,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="HOST",
            help="A name the server answers to; may be given again.",
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="Where games are kept; else among your data.",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=64, help="Processes that think.")
    ] = 2,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate", min=1, help="Requests a second that one client may make for long."
        ),
    ] = None,
    rules: RulesFiles = None,
) -> None:
    """Serve the table to browsers."""
    from bezique.play.web.serve import serve as serve_web

    serve_web(
        host=host, port=port, names=tuple(name or ()), database=database,
        rules=tuple(rules or ()), workers=workers, rate=rate,
    )  # fmt: skip


@app.command()
def referee(rules: RulesFiles = None) -> None:
    """Answer requests, one JSON object a line, on standard input and output."""
    from bezique.engine.referee import Operation, Referee
    from bezique.solver.operation import solve_request

    more: dict[str, Operation] = {"solve": solve_request}
    Referee(_library(rules), _version(), more).serve(
        sys.stdin.buffer, sys.stdout.buffer
    )


@app.command()
def deal(
    profile: ProfileName,
    *,
    seed: Seed = "1",
    dealer: Dealer = None,
    option: Options = None,
    lang: Lang = None,
    as_json: AsJson = False,
    rules: RulesFiles = None,
) -> None:
    """Show the deal that a seed makes.

    A game's own deals have the seeds SEED/MATCH/HAND, such as 7/1/1.
    """
    from bezique.engine.codec import action_json
    from bezique.engine.dealing import deal as deal_pack
    from bezique.engine.dealing import shuffled
    from bezique.engine.position import start
    from bezique.play.show import deal_shown

    table = _rules(rules, profile, option)
    position = start(table, _seat(table, dealer))
    action = deal_pack(position, shuffled(table, seed))
    if as_json:
        _print_json(action_json(table, action))
    else:
        deal_shown(position, action, _lang(lang))


@app.command()
def replay(
    record: Annotated[
        Path,
        typer.Argument(metavar="RECORD", help="A record, or a game that was kept."),
    ],
    *,
    lang: Lang = None,
    as_json: AsJson = False,
    rules: RulesFiles = None,
) -> None:
    """Tell a recorded match step by step."""
    from bezique.play.saved import read_json, read_record
    from bezique.play.show import replay_json, replay_shown

    found = read_record(_library(rules), read_json(record))
    if as_json:
        for line in replay_json(found):
            _print_json(line)
    else:
        replay_shown(found, _lang(lang))


@app.command()
def perft(
    profile: ProfileName,
    *,
    depth: Annotated[int, typer.Option("--depth", min=0, help="How many actions.")] = 3,
    seed: Seed = "1",
    dealer: Dealer = None,
    option: Options = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Count for each first action.")
    ] = False,
    rules: RulesFiles = None,
) -> None:
    """Count the sequences of actions from a deal, every choice of physical cards."""
    from bezique.engine.position import start
    from bezique.engine.record import Record
    from bezique.engine.series import new_series
    from bezique.play import perft as counting
    from bezique.play.saved import Saved

    table = _rules(rules, profile, option)
    seat = _seat(table, dealer)
    game = Saved(Record(table, seat), seed, new_series(table))
    position = start(table, seat)
    if divide and depth > 0:
        parts = counting.divide(position, depth, game)
        for action, number in parts.items():
            print(f"{action}: {number}")
        print(f"all: {sum(parts.values())}")
        return
    for reached in range(1, depth + 1):
        print(f"{reached}: {counting.perft(position, reached, game)}")


@app.command()
def why(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help="JSON, a file of it, or - for standard input."
        ),
    ],
    action: Annotated[
        str, typer.Argument(metavar="ACTION", help="JSON, or a file of it.")
    ],
    *,
    lang: Lang = None,
    as_json: AsJson = False,
    rules: RulesFiles = None,
) -> None:
    """Say which clause, statement and reading allow or forbid an action."""
    from bezique.engine.codec import read_action, read_position
    from bezique.engine.status import checked
    from bezique.play.reasons import verdict
    from bezique.play.show import verdict_json, verdict_shown

    found = checked(read_position(_library(rules), _json(position)))
    tried = read_action(found, _json(action))
    judged = verdict(found, tried, _lang(lang))
    if as_json:
        _print_json(verdict_json(judged))
    else:
        verdict_shown(found, tried, judged, _lang(lang))


app.command()(commands_endgame.solve)
app.command()(commands_endgame.analyse)
app.command()(commands_declaring.plan)
app.add_typer(commands_endgame.endings, name="endings", cls=Careful)
app.command()(commands_proofs.prove)
app.command()(commands_proofs.diff)
app.command()(commands_proofs.mutants)
app.add_typer(commands_conformance.conformance, name="conformance", cls=Careful)


@app.command("compile")
def compile_(
    profile: Annotated[str, typer.Argument(metavar="PROFILE")],
    *,
    option: Options = None,
    rules: RulesFiles = None,
) -> None:
    """Print the Python code that a table's rules become: a function a clause."""
    from bezique.engine.compiler.compiled import Compiled

    print(Compiled(_rules(rules, profile, option)).source, end="")


# --- the rules ---------------------------------------------------------------------------


@spec_app.command()
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILES", help="Rule files; without any, the built-in ones."
        ),
    ] = None,
    *,
    rules: RulesFiles = None,
) -> None:
    """Check rule files; every problem is told with its place."""
    from bezique.spec.load import load, load_file, names
    from bezique.spec.problem import RulesError

    given = [*(files or []), *(rules or [])]
    problems = 0
    for item in given or names():
        try:
            profile = load_file(item, given) if isinstance(item, Path) else load(item)
        except RulesError as error:
            problems += len(error.problems)
            print(error, file=sys.stderr)
        else:
            print(f"{item}: {profile.name} {profile.version} {profile.digest}")
    if problems:
        print(
            f"bezique: {problems} problem{'s' if problems > 1 else ''}", file=sys.stderr
        )
        raise typer.Exit(BAD)


@spec_app.command()
def show(
    profile: Annotated[str, typer.Argument(metavar="PROFILE")],
    *,
    prose: Annotated[
        bool, typer.Option("--prose", help="As a page that people read.")
    ] = False,
    lang: Lang = None,
    option: Options = None,
    rules: RulesFiles = None,
) -> None:
    """Print the whole rules of a table, overlays laid flat."""
    table = _rules(rules, profile, option)
    if prose:
        from bezique.spec.prose import prose as page

        print(page(table.profile, _lang(lang), table.options), end="")
    else:
        from bezique.spec.show import show_profile

        print(show_profile(table.profile), end="")


@spec_app.command()
def schema(rules: RulesFiles = None) -> None:
    """Print the JSON Schema of rule files, for completion in an editor."""
    del rules
    from bezique.spec.schema import rule_file_schema

    _print_json(rule_file_schema(), indent=2)


@spec_app.command()
def sources(rules: RulesFiles = None) -> None:
    """Print which clauses carry out each statement; fail if a rule has none."""
    from bezique.spec.register import matrix_lines, register

    _library(rules)
    found = register()
    for line in matrix_lines(found):
        print(line)
    problems = found.problems()
    for problem in problems:
        print(f"bezique: {problem}", file=sys.stderr)
    if problems:
        raise typer.Exit(1)


# --- what commands share -----------------------------------------------------------------


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("bezique")
    except PackageNotFoundError:
        return "0+checkout"


def _library(files: list[Path] | None) -> "Library":
    from bezique.engine.library import Library

    return Library(files or ())


def _rules(
    files: list[Path] | None, profile: str, options: list[str] | None
) -> "Rules":
    from bezique.play.begin import read_options

    return _library(files).rules(profile, read_options(options or []))


def _seat(rules: "Rules", seat: str | None) -> str:
    from bezique.engine.errors import BadRequestError

    if seat is None:
        return rules.seats[0]
    if seat not in rules.seats:
        raise BadRequestError(
            where="--dealer", expected=f"one of {', '.join(rules.seats)}", got=seat
        )
    return seat


def _lang(asked: str | None) -> str:
    from bezique.engine.errors import BadRequestError
    from bezique.play.words import LANGUAGES, spoken

    lang = spoken(asked)
    if lang not in LANGUAGES:
        raise BadRequestError(
            where="--lang", expected=f"one of {', '.join(LANGUAGES)}", got=lang
        )
    return lang


def _json(text: str) -> Any:  # noqa: ANN401
    """Return JSON given as a text, or as the name of a file that holds it."""
    import json

    from bezique.engine.errors import BadRequestError
    from bezique.play.saved import read_json

    if not text.lstrip().startswith(("{", "[")):
        return read_json(text)
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadRequestError(
            where="argument", expected=f"JSON ({error})"[:120], got=text[:60]
        ) from None


def _print_json(value: object, indent: int | None = None) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False, indent=indent))
