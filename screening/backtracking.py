"""Patterns -> those that `re` can be led to backtrack in for ever, found by attacks in a limited child process."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from re import _parser as regex_parser  # type: ignore[attr-defined]
from typing import Any

LONGEST_ATTACK = 600
SECONDS_AN_ATTACK = 0.25  # an honest pattern takes a thousandth of it
SECONDS_IN_ALL = 120.0
_TASTES = ("0aA -.", "aA0 -.", "Aa0 .-", " -.aA0")
_END = "\x01"


def slow_patterns(patterns: Mapping[str, tuple[str, int]]) -> dict[str, str]:
    """Id -> what was wrong, for patterns (with their flags) that an attack of a few hundred characters keeps busy."""
    slow: dict[str, str] = {}
    left = dict(patterns)
    while left:
        answered, complete = _ask_child(left)
        slow.update({name: fault for name, fault in answered.items() if fault})
        if complete:
            return slow
        waiting = [name for name in left if name not in answered]
        slow[waiting[0]] = "it backtracks for ever: the process that tried it had to be ended"
        left = {name: left[name] for name in waiting[1:]}
    return slow


def _ask_child(patterns: Mapping[str, tuple[str, int]]) -> tuple[dict[str, str], bool]:
    command = [sys.executable, "-c", "from screening.backtracking import child; child()"]
    answer = subprocess.run(
        command, input=json.dumps(patterns), capture_output=True, text=True, timeout=SECONDS_IN_ALL + 60, check=False
    )
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    return dict(lines), answer.returncode == 0


def child() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS_IN_ALL), int(SECONDS_IN_ALL)))
    resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))
    signal.signal(signal.SIGVTALRM, _stop)
    for name, (pattern, flags) in json.load(sys.stdin).items():
        print(json.dumps([name, _attacked(pattern, flags)]), flush=True)


class _TooSlowError(Exception):
    pass


def _stop(_signal: int, _frame: object) -> None:
    raise _TooSlowError


def _attacked(pattern: str, flags: int) -> str:
    regex = re.compile(pattern, flags)
    for attack in attacks(pattern, flags):
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_AN_ATTACK)
        started = time.process_time()
        try:
            regex.search(attack)
        except _TooSlowError:
            busy = f"{len(attack)} characters such as {attack[:24]!r}…"
            return f"it backtracks catastrophically: {busy} keep it busy for seconds"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if time.process_time() - started > SECONDS_AN_ATTACK:
            return f"it backtracks catastrophically: {len(attack)} characters such as {attack[:24]!r}…"
    return ""


def attacks(pattern: str, flags: int) -> Iterator[str]:
    """For each repetition: what leads up to it, its body over and over, and an end that fits nowhere."""
    tree = regex_parser.parse(pattern, flags)
    seen = set()
    for taste in _TASTES:
        for prefix, body in _repetitions(list(tree), "", taste):
            if body:
                attack = (prefix + body * (LONGEST_ATTACK // len(body)))[:LONGEST_ATTACK] + _END
                if attack not in seen:
                    seen.add(attack)
                    yield attack


def _repetitions(nodes: list[Any], prefix: str, taste: str) -> Iterator[tuple[str, str]]:
    for operation, argument in nodes:
        if operation in (regex_parser.MAX_REPEAT, regex_parser.MIN_REPEAT, regex_parser.POSSESSIVE_REPEAT):
            _least, most, inner = argument
            if most > 1:
                yield from ((prefix, body) for body in _bodies(list(inner), taste))
            yield from _repetitions(list(inner), prefix, taste)
        elif operation is regex_parser.SUBPATTERN:
            yield from _repetitions(list(argument[3]), prefix, taste)
        elif operation is regex_parser.BRANCH:
            for alternative in argument[1]:
                yield from _repetitions(list(alternative), prefix, taste)
        prefix += _sample([(operation, argument)], taste)


def _bodies(nodes: list[Any], taste: str) -> Iterator[str]:
    """What may be repeated: a sample, or one of each alternative."""
    while len(nodes) == 1 and nodes[0][0] is regex_parser.SUBPATTERN:
        nodes = list(nodes[0][1][3])
    if len(nodes) == 1 and nodes[0][0] is regex_parser.BRANCH:
        yield from (_sample(list(alternative), taste) for alternative in nodes[0][1][1])
    else:
        yield _sample(nodes, taste)


def _sample(nodes: list[Any], taste: str) -> str:
    """Some text that the nodes match, from characters to one's taste."""
    return "".join(_sample_one(operation, argument, taste) for operation, argument in nodes)


def _sample_one(operation: Any, argument: Any, taste: str) -> str:
    if operation is regex_parser.LITERAL:
        return chr(argument)
    if operation is regex_parser.NOT_LITERAL:
        return next(character for character in taste if ord(character) != argument)
    if operation is regex_parser.ANY:
        return taste[0]
    if operation is regex_parser.IN:
        return _member(argument, taste)
    if operation in (regex_parser.MAX_REPEAT, regex_parser.MIN_REPEAT, regex_parser.POSSESSIVE_REPEAT):
        least, most, inner = argument
        return _sample(list(inner), taste) * min(max(int(least), 1), int(most))
    if operation is regex_parser.SUBPATTERN:
        return _sample(list(argument[3]), taste)
    if operation is regex_parser.BRANCH:
        return _sample(list(argument[1][0]), taste)
    return ""  # positions and lookarounds take no room


def _member(choices: list[Any], taste: str) -> str:
    """The first character to one's taste that the class takes, else its first."""
    classes = {
        regex_parser.CATEGORY_DIGIT: r"\d",
        regex_parser.CATEGORY_SPACE: r"\s",
        regex_parser.CATEGORY_WORD: r"\w",
    }
    for character in taste:
        inside = False
        for operation, argument in choices:
            if operation is regex_parser.LITERAL:
                inside |= ord(character) == argument
            elif operation is regex_parser.RANGE:
                inside |= argument[0] <= ord(character) <= argument[1]
            elif operation is regex_parser.CATEGORY and argument in classes:
                inside |= bool(re.match(classes[argument], character))
        if inside != (choices[0][0] is regex_parser.NEGATE):
            return character
    operation, argument = choices[0]
    return (
        chr(argument if operation is regex_parser.LITERAL else argument[0])
        if operation in (regex_parser.LITERAL, regex_parser.RANGE)
        else "~"
    )
