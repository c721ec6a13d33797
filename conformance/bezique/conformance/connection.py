"""Connections: a target that is another program, asked line by line.

The program is started at the first request and again after each fault: a fault costs one
request, and the run goes on.

Terms
    patience   how long a reply may take
    grace      how much longer is waited after that, to tell a slow program from one that hangs
    start-up   the first reply of a program may take longer: it has to load first
"""

import contextlib
import json
import queue
import shlex
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import IO, Any

from bezique.conformance.target import FaultError, Json

PATIENCE = 5.0
START_UP = 20.0
LONGEST_SHOWN = 160
CODES = ("bad-request", "unknown-profile")


class Connection:
    """A program asked over its standard input and output.

    Args:
        command: Its command line, as a shell would split it; no shell runs it.
        patience: How many seconds a reply may take.
        start_up: How many seconds the first reply may take.
    """

    def __init__(
        self, command: str, patience: float = PATIENCE, start_up: float = START_UP
    ) -> None:
        self.command, self.patience = command, patience
        self.start_up = max(start_up, patience)
        self.starts = 0
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._errors: IO[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._answered = False

    def ask(self, request: Json) -> Json:
        """Return the reply to a request.

        Raises:
            FaultError: There is none that can be judged; the next request starts the program anew.
        """
        try:
            return self._asked(request)
        except FaultError as fault:
            self.close()
            if fault.kind in ("crash", "cannot-start") or self._answered:
                raise
            raise FaultError(fault.kind, f"{fault.detail} (its first reply)") from None

    def close(self) -> None:
        """End the program, politely first."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None  # noqa: S101  (it was opened as a pipe)
        assert process.stdout is not None  # noqa: S101  (it was opened as a pipe)
        with contextlib.suppress(OSError):
            process.stdin.close()
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(0.5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._reader is not None:
            self._reader.join(1)
        process.stdout.close()
        if self._errors is not None:
            self._errors.close()

    def _asked(self, request: Json) -> Json:
        process = self._running()
        self._number += 1
        line = json.dumps({**request, "id": self._number}, separators=(",", ":"))
        assert process.stdin is not None  # noqa: S101  (it was opened as a pipe)
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise FaultError(kind="crash", detail=self._last_words()) from None
        reply = self._reply(self._line(), self._number)
        self._answered = True
        return reply

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None:
            return self._process
        self._lines, self._answered = queue.Queue(), False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as the program)
        try:
            self._process = subprocess.Popen(  # noqa: S603  (running it is what was asked)
                shlex.split(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
        except (OSError, ValueError) as error:
            self._errors.close()
            raise FaultError(kind="cannot-start", detail=str(error)) from None
        self.starts += 1
        assert self._process.stdout is not None  # noqa: S101  (it was opened as a pipe)
        self._reader = threading.Thread(
            target=_read, args=(self._process.stdout, self._lines), daemon=True
        )
        self._reader.start()
        return self._process

    def _line(self) -> bytes:
        """Return the next line; tell apart the one that is late, never comes, and cannot come."""
        patience = self.patience if self._answered else self.start_up
        begun = time.monotonic()
        try:
            line = self._lines.get(timeout=patience)
        except queue.Empty:
            self._late(begun, patience)
            line = None
        if line is None:
            raise FaultError(kind="crash", detail=self._last_words())
        return line

    def _late(self, begun: float, patience: float) -> None:
        try:
            line = self._lines.get(timeout=patience)
        except queue.Empty:
            raise FaultError(
                kind="hang", detail=f"nothing in {2 * patience:g} s"
            ) from None
        if line is not None:
            late = time.monotonic() - begun
            raise FaultError(
                kind="timeout", detail=f"{late:.2g} s, allowed are {patience:g} s"
            ) from None

    def _last_words(self) -> str:
        """Return how a program ended and the last line it wrote on standard error."""
        assert self._process is not None  # noqa: S101  (it is asked)
        assert self._errors is not None  # noqa: S101  (it is asked)
        try:
            code = self._process.wait(1)
            ended = f"exit code {code}" if code >= 0 else f"signal {-code}"
        except subprocess.TimeoutExpired:
            ended = "closed its output"
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        return f"{ended}: {_shortened(last)}" if last else ended

    @staticmethod
    def _reply(line: bytes, number: int) -> Json:
        try:
            reply: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise FaultError(kind="garbage", detail=_shortened(repr(line))) from None
        shape = _shape(reply)
        if shape is not None:
            raise FaultError(
                kind="garbage", detail=f"expected {shape}, got {_shortened(line)}"
            )
        if reply.pop("id", None) != number:
            raise FaultError(
                kind="wrong-id", detail=f"expected {number}, got {_shortened(line)}"
            )
        answer: Json = reply
        return answer


def _shape(reply: Any) -> str | None:  # noqa: ANN401
    """Return what a reply lacks to be one."""
    if not isinstance(reply, dict):
        return "an object"
    if isinstance(reply.get("ok"), dict):
        return None
    error = reply.get("error")
    if not isinstance(error, dict):
        return "ok or error, an object"
    return None if isinstance(error.get("code"), str) else "an error with its code"


def _shortened(text: object) -> str:
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    shown = shown.strip()
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[: LONGEST_SHOWN - 3]}..."


def _read(stream: IO[bytes], lines: "queue.Queue[bytes | None]") -> None:
    for line in _until_closed(stream):
        lines.put(line)
    lines.put(None)


def _until_closed(stream: IO[bytes]) -> Iterator[bytes]:
    with contextlib.suppress(ValueError, OSError):  # closed while it was read
        yield from stream
