"""Text -> lower-case tokens in which case, hyphens and punctuation no longer matter."""

import unicodedata

NUMBER = "#"
LARGEST_NUMBER = 999  # longer runs of digits are years, codes and identifiers, not readings or doses

# Letters and digits of Latin-1 stay, everything else is a gap.
_GAPS = bytes(
    code if chr(code).isalnum() and code not in (0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA) else 0x20 for code in range(256)
)
_LOWER = bytes(range(128)).lower().translate(_GAPS).ljust(256)  # both at once, for ASCII
_NOT_PLURAL = frozenset({"lens", "aids", "sars", "ards", "mers", "does", "always", "perhaps"}) | frozenset(
    # A text about many is another kind of text than one about a single person.
    {"patients", "individuals", "adults", "infants", "persons", "males", "females", "subjects", "participants"}
)


def words_and_gaps(text: str) -> bytes:
    """Folds a text; a NUL, a lone surrogate and any sign beyond the Latin letters is a gap between two tokens."""
    if text.isascii():
        return text.encode("ascii").translate(_LOWER)
    return unicodedata.normalize("NFKC", text).lower().encode("latin-1", "replace").translate(_GAPS)


def tokenize(text: str) -> list[bytes]:
    return words_and_gaps(text).split()


def words_in_place(text: str) -> bytes:
    """The same with each sign where it stands in the text; where a sign would unfold to several, it stays as it is."""
    if text.isascii():
        return text.encode("ascii").translate(_LOWER)
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capitals have small letters of two signs
        lowered = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    return lowered.encode("latin-1", "replace").translate(_GAPS)


def singular(token: str) -> str:
    """Folds a regular English plural; other words come back as they are."""
    if len(token) < 4 or not token.endswith("s") or token in _NOT_PLURAL or token.endswith(("ss", "us", "is")):
        return token
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith(("sses", "xes", "ches", "shes")):
        return token[:-2]
    return token[:-1]


def surface_forms(token: str) -> list[str]:
    """The spellings that stand for a folded token: itself and its plurals; "#mg" stands for "5mg", "50mg" and so on."""
    if token.startswith(NUMBER):
        unit = token.removeprefix(NUMBER)
        return [f"{number}{unit}" for number in range(LARGEST_NUMBER + 1)] + [
            f"0{number}{unit}" for number in range(10)
        ]
    plurals = (token + "s", token + "es", token[:-1] + "ies")
    return [token, *(form for form in plurals if singular(form) == token)]


def term_tokens(term: str) -> tuple[str, ...]:
    """A dictionary term -> its tokens as they are written; a number in it becomes "#"."""
    tokens: list[str] = []
    for word in term.split():
        if word.startswith(NUMBER):
            tokens.append(word.lower())
        else:
            tokens += [
                NUMBER if token.isdigit() and len(token) <= 3 else token.decode("latin-1") for token in tokenize(word)
            ]
    return tuple(tokens)


def folded_tokens(term: str) -> tuple[str, ...]:
    """A dictionary term -> the folded tokens that it is matched by."""
    return tuple(singular(token) for token in term_tokens(term))
