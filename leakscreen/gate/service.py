"""The resident gate: the mail server's connections and the socket of `leakscreen check` -> verdicts, until stopped."""

import asyncio
import fcntl
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.log import ERROR, WARNING, log_event
from core.records import FileRecord, FileRef, Status
from core.settings import Settings
from leakscreen.gate import checking, milter
from leakscreen.gate.held import name_of
from leakscreen.gate.judge import Judge, Judged
from leakscreen.gate.milter import Action, Answer, Mail
from leakscreen.gate.policy import PREFIX, Decision, Policy, decide, is_outside
from leakscreen.gate.results import GateResults
from leakscreen.gate.verdict import verdict_of
from leakscreen.gate.workers import NotJudgedError, Workers
from pipelines.bundle.bundle import load_engines, make_bundle
from pipelines.bundle.inputs import read_inputs
from pipelines.worker_count import worker_count

_MAIL = "mail"  # a mail's name while it is judged: names are screened too, and a queue id says nothing
_RETRY_SECONDS = 30.0
_MEDIA_TYPE = "message/rfc822"


class Gate:
    """Judges mails, one at a time in each worker, and keeps nothing of a mail but its records."""

    def __init__(self, settings: Settings, policies: Sequence[Policy]) -> None:
        self._settings, self._policies = settings, policies
        inputs = read_inputs(settings)
        bundle = make_bundle(inputs)
        self._results = GateResults(settings, inputs, bundle, [PREFIX + policy.id for policy in policies])
        engines = load_engines(self._results.bundle_ref)
        seconds = settings.gate.seconds
        self._workers = Workers(worker_count(settings.gate.workers), lambda: Judge(engines, seconds))
        self._held_since_referral = True  # whatever an earlier run left

    async def run(self) -> None:
        """Logs that it is ready once both sockets answer. Ends on SIGTERM or SIGINT, after everything is written."""
        loop = asyncio.get_running_loop()
        stopped = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stopped.set)
        await self._workers.start()
        path = socket_path(self._settings)
        checks = checking.listen(path)
        server = await _server(self._settings.gate.listen, self._converse)
        tasks = [
            loop.create_task(checking.serve(checks, self._check)),
            loop.create_task(self._write_regularly()),
            loop.create_task(self._refer_regularly()),
        ]
        listen = self._settings.gate.listen
        log_event("gate.started", f"leakscreen gate listens on {listen} (milter) and {path} (check)", listen=listen)
        try:
            await stopped.wait()
        finally:
            server.close()
            for task in tasks:
                task.cancel()
            self._results.flush()
            self._workers.close()
            with suppress(FileNotFoundError):
                path.unlink()
        log_event("gate.stopped")

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await milter.converse(reader, writer, self._settings.gate.max_bytes, self._answer)
        except milter.ProtocolError as error:
            log_event("gate.protocol", f"leakscreen: {error}", level=WARNING)
        except OSError:
            pass  # the server is gone, and so is the mail that it had not accepted
        finally:
            writer.close()

    async def _answer(self, mail: Mail) -> Answer:
        """Decides what happens to a mail. If anything fails here, `gate.on_failure` decides."""
        began = time.perf_counter()
        try:
            judged, decision = await self._decided(mail)
            self._keep(mail, judged, decision)
        except Exception as error:
            log_event("gate.failed", f"leakscreen: a mail has no verdict: {type(error).__name__}", level=ERROR)
            return _failure(self._settings.gate.on_failure, "failure of the gate")
        log_event(
            "gate.mail",
            action=decision.answer.action.value,
            bytes=mail.size,
            milliseconds=round(1000 * (time.perf_counter() - began)),
        )
        return decision.answer

    async def _decided(self, mail: Mail) -> tuple[Judged, Decision]:
        if mail.is_too_large:
            judged = _not_judged(mail, f"mail size limit ({mail.limit:,} bytes)")
        else:
            try:
                descriptor = _sealed(mail.content())
                try:
                    judged = await self._workers.ask(
                        _MAIL, descriptor, self._results.scan_id, self._settings.gate.seconds
                    )
                finally:
                    os.close(descriptor)
            except NotJudgedError as reason:
                judged = _not_judged(mail, str(reason))
                return judged, Decision(_failure(self._settings.gate.on_failure, str(reason)), judged.records)
        outside = is_outside(mail.recipients, self._settings.gate.own_domains)
        return judged, decide(judged.records, self._policies, outside)

    def _keep(self, mail: Mail, judged: Judged, decision: Decision) -> None:
        """Names a mail by time and queue id, because Postfix may use an id again. A held mail also has a path."""
        held = decision.answer.action is Action.HOLD
        uri = name_of(mail.queue_id, datetime.now(UTC))
        queue = os.path.join(self._settings.gate.queue_directory, "hold", mail.queue_id)
        path = os.fsencode(queue if held else uri)
        self._results.add(judged, decision.records, uri, path, mail.sender.rpartition("@")[2])
        if held:
            self._results.secure()
            self._held_since_referral = True

    async def _check(self, uri: str, descriptor: int) -> dict[str, Any]:
        try:
            judged = await self._workers.ask(uri, descriptor, self._results.scan_id, self._settings.gate.seconds)
        except NotJudgedError as reason:
            left = {"uri": uri, "status": Status.FAILED.value, "reason": str(reason)}
            return {**verdict_of(uri, ()), "verdict": "not-examined", "not_examined": [left]}
        return verdict_of(uri, judged.records)

    async def _write_regularly(self) -> None:
        while True:
            await asyncio.sleep(self._settings.gate.flush_seconds)
            try:
                self._results.flush()
            except Exception as error:  # a full disk: the records wait, and mails go on
                log_event("gate.results", f"leakscreen: results cannot be written: {error}", level=ERROR)

    async def _refer_regularly(self) -> None:
        """Runs `leakscreen refer` in a process of its own, so that a slow review database delays no mail."""
        minutes = self._settings.gate.refer_minutes
        while minutes:
            await asyncio.sleep(60 * minutes)
            while self._held_since_referral:
                self._held_since_referral = False
                self._results.flush()
                command = (sys.executable, "-m", "leakscreen", "refer", self._results.folder.uri)
                process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
                if await process.wait():
                    self._held_since_referral = True
                    await asyncio.sleep(_RETRY_SECONDS)


def socket_path(settings: Settings) -> Path:
    if settings.gate.socket:
        return Path(settings.gate.socket).expanduser()
    return Path.home() / ".local" / "share" / "leakscreen" / "check.sock"


async def _server(listen: str, converse: Any) -> asyncio.Server:
    """`listen` is `host:port` or the path of a Unix socket, whose folder decides which group can reach it."""
    if "/" in listen:
        with suppress(FileNotFoundError):
            os.unlink(listen)
        server = await asyncio.start_unix_server(converse, listen)
        os.chmod(listen, 0o660)
        return server
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal():
        raise SettingsError(f"gate.listen is {listen!r}, but must be HOST:PORT or the path of a socket")
    try:
        return await asyncio.start_server(converse, host, int(port), family=socket.AF_UNSPEC, reuse_address=True)
    except OSError as error:
        raise SettingsError(f"gate.listen: cannot listen on {listen}: {error.strerror}") from None


def _sealed(content: bytes) -> int:
    """Keeps the mail in memory only, sealed against changes."""
    descriptor = os.memfd_create("mail", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
    return descriptor


def _not_judged(mail: Mail, reason: str) -> Judged:
    ref = FileRef(uri=_MAIL, path=_MAIL.encode(), size=mail.size, mtime_ns=time.time_ns())
    record = FileRecord("", ref, _MAIL, None, mail.size, None, _MEDIA_TYPE, Status.FAILED, reason, 0)
    return Judged((record,), (), {})


def _failure(action: str, reason: str) -> Answer:
    return Answer(Action(action), "" if action == Action.TRY_LATER else f"not-examined; {reason}")
