"""RTF control words -> what they mean for the text: code pages, characters, and the place of a group's text."""

CHARACTERS = {
    "par": "\n",
    "line": "\n",
    "sect": "\n",
    "page": "\n",
    "row": "\n",
    "nestrow": "\n",
    "cell": "\t",
    "nestcell": "\t",
    "tab": "\t",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
}
PLACES = {
    "header": "headers",
    "headerl": "headers",
    "headerr": "headers",
    "headerf": "headers",
    "footer": "footers",
    "footerl": "footers",
    "footerr": "footers",
    "footerf": "footers",
    "footnote": "footnotes",
    "annotation": "comments",
    "atnauthor": "comments",
    "info": "properties",
    "title": "properties",
    "subject": "properties",
    "author": "properties",
    "operator": "properties",
    "keywords": "properties",
    "comment": "properties",
    "doccomm": "properties",
    "manager": "properties",
    "company": "properties",
    "category": "properties",
    "staticval": "properties",
    "revtbl": "authors",
    "shptxt": "text boxes",
    "fldinst": "fields",
    "objdata": "objects",
    "ffdeftext": "form fields",
    "fonttbl": "fonts",
}
ENDS_WITH_LINE = frozenset(
    {"properties", "authors", "comments", "footnotes", "headers", "footers", "text boxes", "form fields"}
)
_SKIPPED_WORDS = (
    "colortbl stylesheet themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl "
    "generator xmlnstbl filetbl mmathPr wgrffmtfilter bkmkstart bkmkend nonshppict nonesttables shprslt objclass "
    "objname objalias objsect revtim creatim printim buptim atnid atntime atndate atnref atrfstart atrfend propname "
    "blipuid picprop datafield pgptbl sn sv ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn panose falt fontemb pnseclvl "
    "template hlinkbase nextfile fchars lchars tc tcn xe rxe private background mailmerge htmltag mhtmltag"
)
SKIPPED = frozenset(_SKIPPED_WORDS.split())
SAID_ELSEWHERE = frozenset({"private", "xe", "rxe", "tc", "tcn", "sv", "datafield", "mailmerge"})
TRANSPARENT = frozenset(
    {"shpinst", "shp", "shpgrp", "shppict", "userprops", "upr", "ud", "formfield", "do", "dptxbxtext", "result"}
)
CODE_PAGE_WORDS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
CHARSETS = {
    0: "cp1252",
    2: "cp1252",
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
