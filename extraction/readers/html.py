"""HTML markup -> text, one line per block, and what a browser does not show."""

import html
import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

DEPTH = 256
MOST_TAGS = 1_000_000
SHORTEST_LITERAL = 6
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*)(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>?")
_CHARSET = re.compile(rb"""<meta[^>]{0,300}?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]{1,40})""", re.I)
_XML_CHARSET = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})""")
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"
_IMPLIED_END_NAMES = "p li dt dd tr td th thead tbody tfoot option optgroup colgroup rp rt"
_BLOCK_NAMES = (
    "address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 head header hr html li main menu nav ol option p pre section summary table title tr ul"
)
_VOID = frozenset(_VOID_NAMES.split())
_CLOSED_BY_THE_NEXT = frozenset(_IMPLIED_END_NAMES.split())
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_UNSEEN = frozenset({"script", "style"})
_CELLS = frozenset({"td", "th"})
_TABLE_PARTS = frozenset({"tr", "tbody", "thead", "tfoot", "table"})
_ROW_PARTS = frozenset({"table", "tr", "br"})
_KEEP_LINES = frozenset({"pre", "textarea", "xmp", "listing", "plaintext"})
_LEVELS_LOOKED_AT = 6
_TEXT_ATTRIBUTES = ("alt", "title", "value", "placeholder", "aria-label", "aria-description", "summary", "label")
_TECHNICAL_NAMES = frozenset(
    {"viewport", "robots", "generator", "theme-color", "referrer", "color-scheme", "format-detection", "googlebot"}
)
_TEMPLATE = re.compile(r"<(/?)template\b", re.I)
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")
_LITERAL = re.compile(r""" "((?:[^"\\\n]|\\.)*)" | '((?:[^'\\\n]|\\.)*)' """, re.X)
_SAYS_SOMETHING = re.compile(r"\S\s+\S|@|\d{5}|\d{3}[-.]\d{3}")


@dataclass(frozen=True, slots=True, repr=False)
class HtmlParts:
    text: str
    comments: str
    data: str  # JSON in the page, and string literals in its scripts that are more than identifiers


def declared_charset(data: bytes) -> str:
    match = _CHARSET.search(data[:4096]) or _XML_CHARSET.match(data[:400])
    return match.group(1).decode("ascii") if match else ""


def html_text(markup: str) -> str:
    return html_parts(markup).text


def html_parts(markup: str) -> HtmlParts:
    if markup.count("<") > MOST_TAGS:  # every parser is slow on such a page, and its text is between the tags
        return HtmlParts(_tidied(html.unescape(_ANY_TAG.sub("\n", markup))), "", "")
    # The parser keeps the content of templates apart, where a walk does not reach it.
    root = LexborHTMLParser(_flattened(_TEMPLATE.sub(r"<\1div", markup))).root
    if root is None:
        return HtmlParts("", "", "")
    pieces: list[str] = []
    comments: list[str] = []
    data: list[str] = []
    for node in root.traverse(include_text=True):
        if node.is_text_node:
            parent = node.parent
            if parent is None or parent.tag not in _UNSEEN:
                text = node.text_content or ""
                pieces.append(_shown_text(node, parent, text) if "\n" in text else text)
            elif parent.tag == "script":
                data.append(_script_text(parent, node.text_content or ""))
        elif node.is_comment_node:
            comments.append(_ANY_TAG.sub(" ", node.comment_content or ""))
        else:
            _add_element(node, pieces)
    return HtmlParts(_tidied("".join(pieces)), _tidied("\n".join(comments)), "\n".join(filter(None, data)))


def _script_text(script: LexborNode, code: str) -> str:
    """Code contains nothing about people, but its data may."""
    if "json" in (script.attributes.get("type") or "").lower():
        return code.strip()
    literals = (first or second for first, second in _LITERAL.findall(code))
    return "\n".join(
        literal for literal in literals if len(literal) >= SHORTEST_LITERAL and _SAYS_SOMETHING.search(literal)
    )


def _shown_text(node: LexborNode, parent: LexborNode | None, text: str) -> str:
    """Line ends between tags and within cells are blanks, so that a row of a table is one line.

    Other text keeps its lines: some pages are plain text between two tags.
    """
    is_blank = not text.strip()
    for _ in range(_LEVELS_LOOKED_AT):
        tag = parent.tag if parent is not None else ""
        if tag in _KEEP_LINES:
            return text
        if tag in _CELLS or (is_blank and tag in _TABLE_PARTS):
            return text.replace("\n", " ")
        if parent is None or tag == "body":
            break
        parent = parent.parent
    if not is_blank:
        return text
    return "\n" if node.prev is not None and node.prev.tag in _BLOCKS else " "


def _opens_cell(node: LexborNode) -> bool:
    """Whether a block is the first thing in a cell of a table."""
    for _ in range(_LEVELS_LOOKED_AT):
        before, parent = node.prev, node.parent
        if parent is None or (
            before is not None and not (before.is_text_node and not (before.text_content or "").strip())
        ):
            return False
        if parent.tag in _CELLS:
            return True
        node = parent
    return False


def _add_element(node: LexborNode, pieces: list[str]) -> None:
    tag = node.tag
    if tag in _CELLS:
        pieces.append("\t")
    elif tag in _BLOCKS and tag not in _ROW_PARTS and _opens_cell(node):
        pieces.append(" ")
    elif tag in _BLOCKS:
        pieces.append("\n")
    attributes = node.attributes
    if not attributes:
        return
    pieces.extend(f" {attributes[name]} " for name in _TEXT_ATTRIBUTES if attributes.get(name))
    pieces.extend(
        f" {value} "
        for name, value in attributes.items()
        if value and name.startswith("data-") and _SAYS_SOMETHING.search(value)
    )
    if tag == "meta":
        pieces.append(_meta_text(attributes))
    elif attributes.get("srcdoc"):
        pieces.append(f" {_ANY_TAG.sub(' ', attributes['srcdoc'] or '')} ")
    target = attributes.get("href") or ""
    if target.lower().startswith(("mailto:", "tel:")):
        pieces.append(f" {target.partition(':')[2]} ")


def _meta_text(attributes: dict[str, str | None]) -> str:
    name = (attributes.get("name") or attributes.get("property") or "").lower()
    if attributes.get("http-equiv") or name in _TECHNICAL_NAMES:
        return ""
    return f"\n{attributes.get('content') or ''}\n"


def _tidied(text: str) -> str:
    """Source indentation means nothing: runs of blanks and of empty lines become one."""
    text = re.sub(r"[ \xa0\r\f\v]+", " ", text)
    text = re.sub(r" ?\t ?", "\t", text)
    text = re.sub(r"[ \t]*\n[ \t\n]*", "\n", text)
    return text.strip()


def _flattened(markup: str) -> str:
    """Drops tags nested deeper than in any honest page, but keeps their text: parsing time is quadratic in depth."""
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
