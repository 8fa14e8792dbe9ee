"""HTML markup -> text, one line per block."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

DEPTH = 256
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>?")
_CHARSET = re.compile(rb"""<meta[^>]{0,300}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.I)
_XML_CHARSET = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})""")
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"
_IMPLIED_END_NAMES = "p li dt dd tr td th thead tbody tfoot option optgroup colgroup rp rt"
_BLOCK_NAMES = (
    "address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "head header hr html li main menu nav ol option p pre section summary table title tr ul"
)
_VOID = frozenset(_VOID_NAMES.split())
_CLOSED_BY_THE_NEXT = frozenset(_IMPLIED_END_NAMES.split())
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_UNSEEN = frozenset({"script", "style", "noscript", "template"})
_CELLS = frozenset({"td", "th"})
_TELLING_ATTRIBUTES = ("alt", "title", "value", "placeholder", "content", "aria-label")


def declared_charset(data: bytes) -> str:
    match = _CHARSET.search(data[:4096]) or _XML_CHARSET.match(data[:400])
    return match.group(1).decode("ascii") if match else ""


def html_text(markup: str) -> str:
    root = LexborHTMLParser(_flattened(markup)).root
    if root is None:
        return ""
    pieces: list[str] = []
    for node in root.traverse(include_text=True):
        if node.is_text_node:
            parent = node.parent
            if parent is None or parent.tag not in _UNSEEN:
                pieces.append(node.text_content or "")
        else:
            _add_element(node, pieces)
    return _tidied("".join(pieces))


def _add_element(node: LexborNode, pieces: list[str]) -> None:
    tag = node.tag
    if tag in _CELLS:
        pieces.append("\t")
    elif tag in _BLOCKS:
        pieces.append("\n")
    attributes = node.attributes
    if not attributes:
        return
    pieces.extend(f" {attributes[name]} " for name in _TELLING_ATTRIBUTES if attributes.get(name))
    target = attributes.get("href") or ""
    if target.lower().startswith(("mailto:", "tel:")):
        pieces.append(f" {target.partition(':')[2]} ")


def _tidied(text: str) -> str:
    """Source indentation says nothing; runs of blanks and of empty lines become one."""
    text = re.sub(r"[ \xa0\r\f\v]+", " ", text)
    text = re.sub(r"[ \t]*\n[ \t\n]*", "\n", text)
    return text.strip()


def _flattened(markup: str) -> str:
    """Drops tags nested deeper than any honest page, and keeps their text: the parser's time grows with the square of depth."""
    if markup.count("<") <= DEPTH:
        return markup
    kept: list[str] = []
    depth = 0
    end = 0
    for match in _TAG.finditer(markup):
        tag = match.group(2).lower()
        if tag in _VOID or tag in _CLOSED_BY_THE_NEXT or match.group().endswith("/>"):
            continue
        closing = bool(match.group(1))
        depth = max(0, depth - 1) if closing else depth + 1
        if depth > DEPTH or (closing and depth == DEPTH):
            kept.append(markup[end : match.start()])
            end = match.end()
    kept.append(markup[end:])
    return " ".join(kept) if len(kept) > 1 else markup
