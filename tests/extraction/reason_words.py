"""The code of extraction -> every word of its reasons; `python -m tests.extraction.reason_words` records them."""

import ast
import builtins
import re
from collections.abc import Iterator

from extraction.sandbox.reasons import WORD, WORDS_FILE
from tests.extraction.extraction_code import ROOT

_PROSE = re.compile(r"[A-Za-z0-9 ,.:;()'%*=/_-]{1,160}")
_LIBRARIES = """
    ArrowCapacityError ArrowInvalid ArrowKeyError ArrowNotImplementedError ArrowTypeError BadGzipFile BadZipFile
    CompressionError DecompressionBombError DefusedXmlException DTDForbidden EntitiesForbidden ExpatError
    HeaderError InvalidHeaderError LZMAError LargeZipFile LexborError LibarchiveError NotReferencedError
    PanicException ParseError ParserError ParserRejectedMarkup PdfiumError ReadError RarCannotExec SchemaParseError
    SAXParseException StreamError TesseractError TruncatedHeaderError UnidentifiedImageError UnknownTypeException
    XMLSyntaxError XmlSyntaxError ZstdError error
"""


def reason_words() -> list[str]:
    errors = [
        name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
    ]
    words = {word for text in _literals() for word in WORD.findall(text)}
    return sorted({*words, *errors, *_LIBRARIES.split(), *_own_errors()})


def _literals() -> Iterator[str]:
    for tree in _trees():
        documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in documentation:
                continue
            if _PROSE.fullmatch(node.value):
                yield node.value


def _own_errors() -> Iterator[str]:
    for tree in _trees():
        yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and "Error" in node.name)


def _trees() -> Iterator[ast.Module]:
    """Without extraction/opening, which no parser process runs."""
    for file in sorted((ROOT / "extraction").rglob("*.py")):
        if "opening" in file.parts:
            continue
        yield ast.parse(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    WORDS_FILE.write_text("\n".join(reason_words()) + "\n", encoding="ascii")
