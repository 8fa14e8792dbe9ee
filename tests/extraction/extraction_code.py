"""The code of extraction -> one hash that changes with what the code does, not with names, comments, order or layout.

After a change of extraction, run one of

    python -m tests.extraction.extraction_code same     # no file yields another text: only record the new hash
    python -m tests.extraction.extraction_code raise    # some do: raise EXTRACTOR_VERSION, so that they are read again
"""

import ast
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSION_FILE = ROOT / "extraction" / "version.py"
RECORD = Path(__file__).with_name("extraction_code.txt")
_VERSION = re.compile(r"(?<=EXTRACTOR_VERSION: int = )\d+")


def extraction_code() -> str:
    """What is defined in our own code may be renamed or moved freely; names of libraries and builtins count."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in _files("extraction")]
    own = {name for tree in trees for name in _defined(tree)}
    own |= {name for file in _files("core") for name in _defined(ast.parse(file.read_text(encoding="utf-8")))}
    anonymous = _Anonymous(own)
    statements = [_shape(anonymous.visit(statement)) for tree in trees for statement in _statements(tree)]
    return hashlib.sha256("\n".join(sorted(statements)).encode()).hexdigest()


def recorded() -> tuple[int, str]:
    version, code = RECORD.read_text(encoding="utf-8").split()
    return int(version), code


def _files(room: str) -> list[Path]:
    return sorted(path for path in (ROOT / room).rglob("*.py") if path != VERSION_FILE)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for statement in tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom) and not _is_text(statement):
            yield statement


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("core", "extraction"):
            yield from (alias.asname or alias.name for alias in node.names)


def _shape(node: object) -> str:
    """Like ast.dump without what is empty, which differs between versions of Python."""
    if isinstance(node, list):
        return f"[{','.join(map(_shape, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    parts = ((name, value) for name, value in ast.iter_fields(node) if name != "ctx" and value not in (None, []))
    return f"{type(node).__name__}({','.join(f'{name}={_shape(value)}' for name, value in parts)})"


class _Anonymous(ast.NodeTransformer):
    def __init__(self, own: set[str]) -> None:
        self._own = own

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [  # type: ignore[attr-defined]
                entry for entry in body if not isinstance(entry, ast.Import | ast.ImportFrom) and not _is_text(entry)
            ]
        for field in ("name", "id", "attr", "arg", "asname"):
            if getattr(node, field, None) in self._own:
                setattr(node, field, "_")
        for field in ("annotation", "returns", "type_comment", "type_params"):
            if getattr(node, field, None):
                setattr(node, field, None if field != "type_params" else [])
        return node


def main(choice: str) -> None:
    version = int(_VERSION.search(VERSION_FILE.read_text(encoding="utf-8")).group())  # type: ignore[union-attr]
    if choice == "raise":
        version += 1
        VERSION_FILE.write_text(_VERSION.sub(str(version), VERSION_FILE.read_text(encoding="utf-8")), encoding="utf-8")
    RECORD.write_text(f"{version} {extraction_code()}\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] not in (["same"], ["raise"]):
        sys.exit(__doc__)
    main(sys.argv[1])
