"""A name in a text -> whether it is that of a street or a house, which are named after people."""

import re

# Hardly anybody bears these.
_SURELY = (
    r"allee|platz|stra(?:ß|ss)e|str\.|gasse|damm|ufer|mews|avenue|ave\.?|boulevard|blvd|road|rd|crescent|terrace|highway"
    r"|parkway|drive|towers|gardens|apartments"
)
# Some do, but not behind two other names.
_MOSTLY = r"house|lodge|manor|court|street|villas?|building|square|mansions?|weg|hof"
# Many do; behind the number of a flat they are streets all the same.
_PERHAPS = r"lane|hill|grove|green|hall|brook|close|way|walk|row|place|park|ring"
_BEHIND = re.compile(rf"[ -](?:{_SURELY}|(?:{_MOSTLY}))(?!\w)", re.IGNORECASE)
_ENDS_SURELY = re.compile(rf"[ -](?:{_SURELY})$", re.IGNORECASE)
_ENDS_MOSTLY = re.compile(rf"\w[ -]\w[\w'’.]*[ -](?:{_MOSTLY})$", re.IGNORECASE)
_ENDS = re.compile(rf"[ -](?:{_SURELY}|{_MOSTLY}|{_PERHAPS})$", re.IGNORECASE)
_TOWN_AND_CODE = re.compile(r", [A-Z][a-zß-ÿ]+(?:[ -][A-Z][a-zß-ÿ]+)*,? [A-Z]{0,2}\d")
_FLAT = re.compile(
    r"\b(?:flat|apartment|apt|appt|appartement|apto|apartamento|piso|wohnung|whg)\.?[ ]?#?\d{1,4}[a-z]?,?\s$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:(?:\b(?:rue|avenue|boulevard|place|impasse|allée|chemin|quai|square|résidence|calle|avenida|plaza|paseo|residencia"
    r"|haus|rua|praça|piazza|viale|corso)|\b(?:av|bd|avda|pza)\.|\bc/) ?(?:de la |de |du |des |del |d['’])?)$",
    re.IGNORECASE,
)
_CHARS = 28  # before and behind a name that are looked at
_CHARS_OF_TOWN = 60


def is_street(text: str, start: int, end: int) -> bool:
    """`Flat 59, Maple Street`, `Charles Dickens House`, `résidence Anne Frank`, `Karl Marx Allee`."""
    before = text[max(0, start - _CHARS) : start]
    if _BEFORE.search(before) is not None or _BEHIND.match(text, end, end + _CHARS) is not None:
        return True
    name = text[start:end]
    if _ENDS_SURELY.search(name) is not None or _ENDS_MOSTLY.search(name) is not None:
        return True
    return _FLAT.search(before) is not None and (
        _ENDS.search(name) is not None or _TOWN_AND_CODE.match(text, end, end + _CHARS_OF_TOWN) is not None
    )
