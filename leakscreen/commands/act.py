"""`leakscreen act`: referred files -> proposed, approved, carried out, undone; and what has become of them."""

import contextlib
import json
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from core.errors import LeakscreenError, RemediationError
from core.log import WARNING, log_event
from core.settings import load_and_configure_log
from leakscreen.commands.act_setup import Setup, folder_of, looked_at, opened, vault_key
from remediation.action import Action, State
from remediation.actions.swap import copy_id
from remediation.journal import Journal, has_journal
from remediation.register import in_state
from remediation.run import Runner

DONE, FAILED, LEFT = 0, 2, 3
_PAUSE = 5.0  # seconds between two looks at what people asked for
_AS_WANTED = {State.PROPOSED, State.APPROVED, State.REJECTED, State.DONE, State.UNDONE}


def show(state: str, flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    wanted = [entry for entry in State if not state or entry.value == state]
    if not wanted:
        raise RemediationError(f"--state: {state!r} is not one of {', '.join(entry.value for entry in State)}")
    with opened(load_and_configure_log(flags, config), to_change=False) as setup:
        print_actions(in_state(setup.register.actions, *wanted), as_json)
    return DONE


def approve(ids: Sequence[str], everything: bool, flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    """All that are named can be approved, or none is."""
    with opened(load_and_configure_log(flags, config)) as setup:
        register, who = setup.register, setup.who
        if everything:
            proposed = in_state(register.actions, State.PROPOSED)
            chosen = [one for one in proposed if one.proposed_by != who or one.kind.value in register.one_person]
        else:
            chosen = _named(setup, ids)
            for action in chosen:
                register.check_approval(who, action)
        print_actions([register.approve(who, action) for action in chosen], as_json)
    return DONE


def reject(ids: Sequence[str], why: str, flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    with opened(load_and_configure_log(flags, config)) as setup:
        rejected = [setup.register.reject(setup.who, action, why) for action in _named(setup, ids)]
        for action in rejected:
            setup.here.vault.remove(copy_id(action.id))
        print_actions(rejected, as_json)
    return DONE


def run(ids: Sequence[str], dry_run: bool, flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    """What a crash interrupted is finished first; then what cases of the review service ask for is taken up."""
    settings = load_and_configure_log(flags, config)
    with opened(settings, to_change=not dry_run) as setup:
        if dry_run:
            return _dry_run(setup, _chosen(setup, ids), as_json)
        ended = _carried_out(setup, ids)
        print_actions(ended, as_json)
        return _code(ended)


def follow(flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    """Runs until it is stopped; a pass that fails is logged, and the next one comes."""
    settings = load_and_configure_log(flags, config)
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stopping.set())
    log_event("act.following", "carrying out what is approved until Ctrl-C")
    last_fault = ""
    with contextlib.suppress(KeyboardInterrupt):
        while not stopping.is_set():
            try:
                with opened(settings) as setup:
                    ended = _carried_out(setup, ())
                if ended:
                    print_actions(ended, as_json)
                last_fault = ""
            except LeakscreenError as error:
                if str(error) != last_fault:
                    log_event("act.pass_failed", str(error), level=WARNING)
                last_fault = str(error)
            stopping.wait(_PAUSE)
    return DONE


def _carried_out(setup: Setup, ids: Sequence[str]) -> list[Action]:
    from leakscreen.commands.act_cases import take_wishes

    runner = _runner(setup)
    ended = runner.resume()
    finished = {action.id for action in ended}
    if not ids:
        ended += take_wishes(setup)
    chosen = [action for action in _chosen(setup, ids) if action.id not in finished]
    return ended + runner.run(chosen)


def _chosen(setup: Setup, ids: Sequence[str]) -> list[Action]:
    return _named(setup, ids) if ids else in_state(setup.register.actions, State.APPROVED)


def resume(flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    with opened(load_and_configure_log(flags, config)) as setup:
        ended = _runner(setup).resume()
        print_actions(ended, as_json)
        return _code(ended)


def undo(ids: Sequence[str], to: str, flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    with opened(load_and_configure_log(flags, config)) as setup:
        chosen = _named(setup, ids)
        if to and len(chosen) != 1:
            raise RemediationError("--to: names the place of one file; undo one action at a time with it")
        runner = _runner(setup)
        runner.resume()
        ended = runner.undo(setup.register.find(ids), str(Path(to).absolute()) if to else "")
        print_actions(ended, as_json)
        return _code(ended, wanted=State.UNDONE)


def verify(flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    """The chain of the journal, and whether the vault still holds what it should."""
    settings = load_and_configure_log(flags, config)
    if not has_journal(folder_of(settings)):
        raise RemediationError(f"{folder_of(settings)}: no journal here; see act.folder")
    journal = Journal.keyed(folder_of(settings), vault_key(settings))
    faults = [f"entry {fault.number}: {fault.what}" for fault in journal.load()]
    if not faults:
        with opened(settings, to_change=False) as setup:
            faults = [
                f"{action.id}: what the vault holds of it is missing or damaged"
                for action in in_state(setup.register.actions, State.DONE)
                if action.kind in ("quarantine", "replace")
                and setup.here.vault.content_hash(action.id) != action.target.sha256
            ]
    if as_json:
        print(json.dumps({"entries": len(journal.entries), "faults": faults}, indent=2))
    else:
        print("\n".join([*faults, f"{len(journal.entries):,} entries, {len(faults):,} faults"]))
    return FAILED if faults else DONE


def print_actions(actions: Sequence[Action], as_json: bool) -> None:
    if as_json:
        print(json.dumps([action.as_json() for action in actions], indent=2))
        return
    for action in actions:
        print(line_of(action))
    counts = Counter(action.state.value for action in actions)
    print(", ".join(f"{count:,} {state}" for state, count in counts.items()) or "nothing")


def line_of(action: Action) -> str:
    who = f"{action.proposed_by}, {action.approved_by}".removesuffix(", ")
    whole = f" [the whole archive, for {action.target.members:,} referred members]" if action.target.members else ""
    note = f": {action.note}" if action.note else ""
    return f"{action.id}  {action.state:10}  {action.kind:10}  {plain(action.target.uri)}{whole}  ({who}){note}"


def plain(text: str) -> str:
    """Safe on a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _named(setup: Setup, ids: Sequence[str]) -> list[Action]:
    if not ids:
        raise RemediationError("which? Name ids as `leakscreen act list` shows them")
    return setup.register.find(ids)


def _runner(setup: Setup) -> Runner:
    return Runner(setup.register, setup.here, setup.who)


def _code(ended: Iterable[Action], wanted: State | None = None) -> int:
    fine = {wanted} if wanted else _AS_WANTED
    return DONE if all(action.state in fine for action in ended) else LEFT


def _dry_run(setup: Setup, actions: Sequence[Action], as_json: bool) -> int:
    """Changes nothing."""
    shown = [(action, *looked_at(action, setup.here)) for action in actions]
    if as_json:
        print(
            json.dumps(
                [{**action.as_json(), "steps": steps, "left_alone": fault} for action, steps, fault in shown], indent=2
            )
        )
    else:
        for action, steps, fault in shown:
            print(line_of(action))
            print(
                "\n".join(
                    [f"    would {step}" for step in steps] + [f"    would leave it alone: {fault}"] * bool(fault)
                )
            )
        print(f"{len(shown):,} actions looked at; nothing was changed")
    return LEFT if any(fault for _, _, fault in shown) else DONE
