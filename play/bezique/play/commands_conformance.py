"""The commands of conformance: `run`, `identify`, `coverage`, `report`, `compile` and more.

They print what `bezique.conformance` answers; nothing here knows how a program is judged.

Exit codes of `run`: 0 everything is as expected; 1 something differs; 2 what was asked makes
no sense; 3 the program could not be asked.
"""

import sys
from datetime import UTC, datetime
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from bezique.conformance.examinee import Examinee
    from bezique.conformance.known import Comparison
    from bezique.conformance.report import Report
    from bezique.conformance.suite import Check, Result, Selection

DIFFERS = 1
CANNOT_ASK = 3
MOST_SHOWN = 20

conformance = typer.Typer(
    no_args_is_help=True,
    help="Is a program's bezique right, and which bezique is it?",
)

TargetName = Annotated[
    str,
    typer.Option(
        "--target", metavar="TARGET", help="builtin: or cmd:COMMAND, who is asked."
    ),
]
Timeout = Annotated[
    float, typer.Option("--timeout", min=0.05, help="Seconds that a reply may take.")
]
ReportFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write a report: .jsonl, .html, .xml, .md or .json (a badge); may be given again.",
    ),
]


@conformance.command()
def run(
    *,
    target: TargetName = "builtin:",
    level: Annotated[
        int, typer.Option("--level", min=1, max=3, help="How much of the protocol.")
    ] = 3,
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="NAME", help="Else all that it knows."),
    ] = None,
    case: Annotated[
        list[str] | None,
        typer.Option("--case", metavar="ID", help="Only this case."),
    ] = None,
    known_failures: Annotated[
        Path | None,
        typer.Option("--known-failures", metavar="FILE", help="What is known to fail."),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Make the list of known failures say what is.")
    ] = False,
    report: ReportFiles = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="TARGET",
            help="Compare with another program on generated deals; no cases.",
        ),
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", min=1, help="How many, with --against.")
    ] = 20,
    seed: Annotated[str, typer.Option("--seed", help="What they are made from.")] = "1",
    timeout: Timeout = 5.0,
    show: Annotated[
        bool, typer.Option("--show", help="Print what was asked and answered.")
    ] = False,
) -> None:
    """Ask a program every case, and tell what differs from what is expected."""
    from bezique.conformance.suite import Selection

    if fix and known_failures is None:
        message = "it needs --known-failures"
        raise typer.BadParameter(message, param_hint="--fix")
    if known_failures is not None and not (fix or known_failures.exists()):
        raise FileNotFoundError(
            ENOENT, "no list of known failures", str(known_failures)
        )
    selection = Selection(level, tuple(profile or ()), tuple(case or ()))
    _known_names(selection.profiles, selection.cases)
    _check_reports(report)
    examinee = _met(target, timeout)
    try:
        if against is not None:
            _compare(examinee, _met(against, timeout), selection.profiles, deals, seed)
            return
        results, told = _asked(examinee, selection, known_failures)
    finally:
        examinee.close()
    _write_reports(told, report)
    if show:
        _print_exchanges(results)
    found = _listed(known_failures, results, fix=fix)
    _print_results(found, results, target)
    if _given_up(results):
        raise typer.Exit(CANNOT_ASK)
    if not found.clean and not fix:
        raise typer.Exit(DIFFERS)


@conformance.command()
def identify(
    *,
    target: TargetName = "builtin:",
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="NAME", help="Else all that it knows."),
    ] = None,
    timeout: Timeout = 5.0,
) -> None:
    """Say which bezique a program plays, from a dozen or so telling questions."""
    from bezique.conformance.identify import identify as identified
    from bezique.conformance.target import FaultError

    examinee = _met(target, timeout)
    try:
        for name in profile or examinee.profiles:
            for line in identified(examinee, name).lines():
                print(line)
    except FaultError as fault:
        _cannot(target, fault)
    finally:
        examinee.close()


@conformance.command()
def coverage(
    *,
    every: Annotated[
        bool, typer.Option("--every", help="Also what is shown kept and broken.")
    ] = False,
) -> None:
    """Say which statements, readings and clauses the cases show kept and broken.

    Beside them: what of it is proved, and what a player meets on a screen.
    """
    from bezique.conformance.coverage import missing, table
    from bezique.conformance.evidence import proofs_of, screens_of
    from bezique.conformance.files import all_cases, excuses

    cases, reasons = all_cases(), excuses()
    try:
        proofs = proofs_of()
    except ImportError:
        proofs = None
        print("bezique: proofs are not counted without z3-solver", file=sys.stderr)
    told = table(cases, reasons, every=every, proofs=proofs, screens=screens_of())
    for line in told:
        print(line)
    lacking = missing(cases, reasons)
    for want in lacking:
        print(f"bezique: no case {want}", file=sys.stderr)
    if lacking:
        raise typer.Exit(DIFFERS)


@conformance.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to.")],
) -> None:
    """Write the suite as plain JSON files, with their schema and a readme."""
    from bezique.conformance.export import export as exported
    from bezique.conformance.files import all_cases

    suite = exported(all_cases(), folder)
    for part, counts in suite["checks"].items():
        print(f"{folder / part}: {sum(counts.values())} checks")


@conformance.command("report")
def convert(
    source: Annotated[
        Path, typer.Argument(metavar="REPORT", help="A report in JSON lines.")
    ],
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES", help="What to make: .html, .xml, .md, .json."),
    ],
) -> None:
    """Make other forms of a report."""
    from bezique.conformance.report import read_report

    _check_reports(files)
    _write_reports(read_report(source), files)


@conformance.command("compile")
def compile_cases(
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; compare with what there is.")
    ] = False,
) -> None:
    """Make the cases that come from the rules themselves; it takes some minutes."""
    from bezique.conformance.compile import compiled_cases, stale, write
    from bezique.play.commands_proofs import needs_z3

    def seen(done: int, of: int) -> None:
        print(f"{done} of {of}", file=sys.stderr)

    needs_z3()
    files, lacks = compiled_cases(seen=seen)
    for line in lacks:
        print(f"no case: {line}")
    for topic, file in files.items():
        print(f"{topic}: {len(file.cases)} cases")
    if not check:
        write(files, lacks)
        return
    unlike = stale(files)
    for name in unlike:
        print(f"bezique: {name} comes out otherwise", file=sys.stderr)
    if unlike:
        raise typer.Exit(DIFFERS)


@conformance.command()
def adequacy(
    *,
    most: Annotated[
        int | None, typer.Option("--most", min=1, help="How many mutants; else all.")
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", metavar="NAME", help="Else all."),
    ] = None,
    add: Annotated[
        bool, typer.Option("--add", help="Add the proposed cases to the suite.")
    ] = False,
) -> None:
    """Put wrong rules to the suite; fail where it does not find one out."""
    from bezique.conformance.adequacy import add_proposed, all_adequacy, proposal, tally
    from bezique.play.commands_proofs import needs_z3
    from bezique.spec.load import names

    needs_z3()
    _known_names(profile or (), ())
    fates = []
    for done, of, found in all_adequacy(profile or names(), most):
        fates += found
        print(f"{done} of {of}: so far {tally(fates)}", file=sys.stderr)
    survivors = [fate for fate in fates if fate.verdict == "survives"]
    for fate in survivors:
        print(f"survives: {fate.profile}: {fate.mutant}")
        print(proposal(fate))
    for verdict in ("equivalent", "undecided"):
        print(f"{verdict}: {sum(fate.verdict == verdict for fate in fates)}")
    print(tally(fates))
    if add:
        print(f"added: {add_proposed(survivors)} cases")
    elif survivors:
        raise typer.Exit(DIFFERS)


# --- asking ------------------------------------------------------------------------------


def _met(target: str, timeout: float) -> "Examinee":
    from bezique.conformance.examinee import meet
    from bezique.conformance.target import FaultError

    try:
        return meet(target, timeout)
    except FaultError as fault:
        _cannot(target, fault)


def _cannot(target: str, fault: Exception) -> NoReturn:
    print(f"bezique: {target}: {fault}", file=sys.stderr)
    raise typer.Exit(CANNOT_ASK) from None


def _known_names(profiles: "Sequence[str]", cases: "Sequence[str]") -> None:
    """Refuse names that no check has: a misspelt one would pass for want of any."""
    from bezique.conformance.files import all_cases
    from bezique.engine.errors import BadRequestError, UnknownProfileError
    from bezique.spec.load import names

    for name in profiles:
        if name not in names():
            raise UnknownProfileError(name, names())
    known = {case.id for case in all_cases()}
    for name in cases:
        if name not in known:
            raise BadRequestError(where="--case", expected="the id of a case", got=name)


def _asked(
    examinee: "Examinee", selection: "Selection", known: Path | None
) -> "tuple[tuple[Result, ...], Report]":
    from bezique.conformance.files import all_cases
    from bezique.conformance.known import read_known
    from bezique.conformance.report import Run
    from bezique.conformance.report import report as reported
    from bezique.conformance.suite import chosen, run_suite

    cases = all_cases()
    asked = chosen(cases, selection, examinee)
    if not asked:
        told = ", ".join(examinee.profiles) or "none"
        print(
            f"bezique: nothing to ask: the program's profiles are {told}",
            file=sys.stderr,
        )
        raise typer.Exit(CANNOT_ASK)
    listed = read_known(known) if known is not None and known.exists() else {}
    with _progress(asked) as seen:
        results = run_suite(asked, examinee, seen)
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    run = Run(examinee, selection, results, cases, date, frozenset(listed))
    return results, reported(run)


def _progress(
    asked: "Sequence[Check]",
) -> "AbstractContextManager[Callable[[Result], None]]":
    """Return a context with what to call for each result: it moves a bar on a terminal."""
    from contextlib import contextmanager

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    @contextmanager
    def shown() -> "Iterator[Callable[[Result], None]]":
        console = Console(stderr=True)
        bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[bad]} differ"),
            console=console, transient=True, disable=not console.is_terminal,
        )  # fmt: skip
        with bar:
            task = bar.add_task("asking", total=len(asked), bad=0)
            bad = 0

            def seen(result: "Result") -> None:
                nonlocal bad
                bad += result.bad
                bar.update(task, advance=1, bad=bad)

            yield seen

    return shown()


def _compare(
    one: "Examinee",
    two: "Examinee",
    profiles: "Sequence[str]",
    deals: int,
    seed: str,
) -> None:
    from bezique.conformance.against import against
    from bezique.conformance.target import FaultError

    differs = 0
    try:
        for line in against(one, two, profiles, deals, seed):
            print(line)
            differs += line.differs
    except FaultError as fault:
        _cannot(f"{one.name} against {two.name}", fault)
    finally:
        two.close()
    if differs:
        raise typer.Exit(DIFFERS)


# --- telling -----------------------------------------------------------------------------


def _listed(
    path: Path | None, results: "Sequence[Result]", *, fix: bool
) -> "Comparison":
    from bezique.conformance.files import all_cases
    from bezique.conformance.known import compare, fixed, read_known
    from bezique.conformance.suite import checks

    listed = read_known(path) if path is not None and path.exists() else {}
    found = compare(listed, results, checks(all_cases()))
    if fix and path is not None:
        path.write_text(fixed(listed, found), encoding="utf-8")
    return found


def _print_results(
    found: "Comparison", results: "Sequence[Result]", target: str
) -> None:
    from bezique.conformance.report_forms import summary
    from bezique.conformance.suite import VERDICTS, repeat_command

    for result in found.new[:MOST_SHOWN]:
        word = result.fault or result.verdict
        print(f"{word}: {result.check.name}: {result.check.case.why}")
        for problem in result.problems:
            print(f"    {problem}")
        print(f"    again: {repeat_command(result, target)}")
    if len(found.new) > MOST_SHOWN:
        print(f"... and {len(found.new) - MOST_SHOWN} more")
    for case, profile in found.passing:
        print(f"passes now, and is listed as failing: {case} {profile}")
    for case, profile in found.gone:
        print(f"is listed as failing, and is no check: {case} {profile}")
    counts = {
        name: sum(result.verdict == name for result in results) for name in VERDICTS
    }
    known = f" ({len(found.known)} of them known)" if found.known else ""
    print(f"{summary(counts)}{known}")


def _print_exchanges(results: "Sequence[Result]") -> None:
    import json

    for result in results:
        for asked, answered in result.exchanges:
            print(f"> {json.dumps(asked, ensure_ascii=False)}")
            print(f"< {json.dumps(answered, ensure_ascii=False)}")


def _given_up(results: "Sequence[Result]") -> bool:
    from bezique.conformance.suite import GIVEN_UP

    return any(GIVEN_UP in problem for item in results for problem in item.problems)


def _check_reports(files: "Sequence[Path] | None") -> None:
    from bezique.engine.errors import BadRequestError

    known = (".jsonl", ".html", ".xml", ".md", ".json")
    for file in files or ():
        if file.suffix not in known:
            expected = f"a name that ends in {', '.join(known)}"
            raise BadRequestError(where="report", expected=expected, got=str(file))


def _write_reports(told: "Report", files: "Sequence[Path] | None") -> None:
    from bezique.conformance import report_forms
    from bezique.conformance.report import lines_of

    def html(report: "Report") -> str:
        from bezique.conformance.report_html import html as page

        return page(report)

    forms = {
        ".jsonl": lines_of,
        ".html": html,
        ".xml": report_forms.junit,
        ".md": report_forms.markdown,
        ".json": report_forms.badge,
    }
    for file in files or ():
        file.write_text(forms[file.suffix](told), encoding="utf-8")
