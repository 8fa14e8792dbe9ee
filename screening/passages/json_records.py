"""A stretch of JSON, or of JSON lines -> one passage a record, with what its parents say of it."""

import re
from collections.abc import Iterator

from core.records import Passage

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]')
_OPENING = re.compile(r"\s{0,200}(?:\{|\[\s*[\[{\"])")  # a message of a chat begins with a time in brackets
_RECORD_CHARS = 3_000  # a larger object is cut into what it holds
_LIST_CHARS = 1_800
_CUT_CHARS = 1_400
_CARRIED_CHARS = 400
_COVERED = 0.9  # share of the stretch that its first value must cover
_LINES = 0.6  # share of lines that must be objects
_MOST_NODES = 500_000  # bounds the memory of one stretch; what comes later is read as prose


class _Node:
    __slots__ = ("end", "first_child", "is_object", "parent", "start")

    def __init__(self, start: int, is_object: bool, parent: int) -> None:
        self.start, self.end, self.is_object, self.parent = start, -1, is_object, parent
        self.first_child = -1


def json_passages(text: str, start: int, end: int) -> list[Passage]:
    """Nothing where the stretch is no JSON."""
    if _OPENING.match(text, start, end) is None:
        return []
    return _of_lines(text, start, end) or _of_tree(text, start, end)


def _of_lines(text: str, start: int, end: int) -> list[Passage]:
    lines = text[start:end].split("\n")
    filled = [line for line in lines if line.strip()]
    objects = sum(line.startswith("{") and line.rstrip().endswith("}") for line in filled)
    if len(filled) < 2 or objects < _LINES * len(filled):
        return []
    passages: list[Passage] = []
    at = start
    for number, line in enumerate(lines, start=1):
        if line.strip():
            passages += _short_enough(Passage(at, at + len(line), f"line {number:,}"))
        at += len(line) + 1
    return passages


def _short_enough(passage: Passage) -> Iterator[Passage]:
    """A record that holds a whole page is cut, so that what stands far apart is judged apart."""
    start, end = passage.start, passage.end
    if end - start <= _RECORD_CHARS:
        yield passage
        return
    while end - start > _RECORD_CHARS:
        yield passage._replace(start=start, end=start + _CUT_CHARS)
        start += _CUT_CHARS
    yield passage._replace(start=start, end=end)


def _of_tree(text: str, start: int, end: int) -> list[Passage]:
    nodes = _nodes(text, start, end)
    if not nodes or (nodes[0].end >= 0 and nodes[0].end - start < _COVERED * (end - start)):
        return []  # text that happens to begin with a bracket, such as the time of a message
    passages: list[Passage] = []
    done = start
    number = 0
    for node in nodes:
        if node.start < done:
            continue
        last = end if node.end < 0 else node.end
        if last - node.start <= (_RECORD_CHARS if node.is_object else _LIST_CHARS):
            number += 1
            passages += _short_enough(Passage(node.start, last, f"record {number:,}", _carried(nodes, node)))
            done = last
        elif node.is_object:
            child = nodes[node.first_child].start if node.first_child >= 0 else last
            head = min(child, node.start + _RECORD_CHARS)
            if head - node.start > 1:
                number += 1
                passages.append(Passage(node.start, head, f"record {number:,}", _carried(nodes, node)))
    return passages


def _nodes(text: str, start: int, end: int) -> list[_Node]:
    nodes: list[_Node] = []
    open_nodes: list[int] = []
    for match in _TOKEN.finditer(text, start, end):
        sign = match.group()
        if sign in ("{", "["):
            parent = open_nodes[-1] if open_nodes else -1
            if parent >= 0 and nodes[parent].first_child < 0:
                nodes[parent].first_child = len(nodes)
            open_nodes.append(len(nodes))
            nodes.append(_Node(match.start(), sign == "{", parent))
            if len(nodes) >= _MOST_NODES:
                break
        elif sign in ("}", "]") and open_nodes:
            nodes[open_nodes.pop()].end = match.end()
    return nodes


def _carried(nodes: list[_Node], node: _Node) -> tuple[tuple[int, int], ...]:
    """The first values of the objects around a record: a patient's name stands above the list of diagnoses."""
    carried: list[tuple[int, int]] = []
    left = _CARRIED_CHARS
    parent = node.parent
    while parent >= 0 and left > 0:
        above = nodes[parent]
        if above.is_object:
            end = min(nodes[above.first_child].start, above.start + left)
            carried.append((above.start, end))
            left -= end - above.start
        parent = above.parent
    return tuple(reversed(carried))


def objects_of_list(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The records of the longest list in a stretch of JSON; none where the stretch is no JSON."""
    if _OPENING.match(text, start, end) is None:
        return []
    nodes = _nodes(text, start, end)
    lists: dict[int, list[tuple[int, int]]] = {}
    for node in nodes:
        if node.is_object and node.end >= 0 and node.parent >= 0 and not nodes[node.parent].is_object:
            lists.setdefault(node.parent, []).append((node.start, node.end))
    return max(lists.values(), key=len, default=[])
