"""Windows language number -> the code page in which old documents of that language are written."""

_BY_PRIMARY_LANGUAGE = {
    0x01: "cp1256",
    0x02: "cp1251",
    0x05: "cp1250",
    0x08: "cp1253",
    0x0D: "cp1255",
    0x0E: "cp1250",
    0x11: "cp932",
    0x12: "cp949",
    0x15: "cp1250",
    0x18: "cp1250",
    0x19: "cp1251",
    0x1A: "cp1250",
    0x1B: "cp1250",
    0x1E: "cp874",
    0x1F: "cp1254",
    0x22: "cp1251",
    0x23: "cp1251",
    0x24: "cp1250",
    0x25: "cp1257",
    0x26: "cp1257",
    0x27: "cp1257",
    0x2A: "cp1258",
    0x2F: "cp1251",
}
_TRADITIONAL_CHINESE = frozenset({0x0404, 0x0C04, 0x1404})


def code_page_of(language: int) -> str:
    if language & 0x3FF == 0x04:
        return "cp950" if language in _TRADITIONAL_CHINESE else "gbk"
    return _BY_PRIMARY_LANGUAGE.get(language & 0x3FF, "cp1252")
