"""First bytes -> the media type of a data file of one program: Stata, SAS, SPSS, FITS, Lotus 1-2-3, CHM."""

import re

STATA, SAS, SPSS = "application/x-stata-dta", "application/x-sas-data", "application/x-spss-sav"
TRANSPORT, SPSS_PORTABLE = "application/x-sas-xport", "application/x-spss-por"
LOTUS, HELP, FITS = "application/vnd.lotus-1-2-3", "application/vnd.ms-htmlhelp", "application/fits"
NAMES = {
    STATA: "Stata file",
    SAS: "SAS file",
    SPSS: "SPSS file",
    TRANSPORT: "SAS transport file",
    SPSS_PORTABLE: "portable SPSS file",
    LOTUS: "Lotus 1-2-3 sheet",
}
_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
_OLD_STATA = re.compile(rb"[\x68-\x73][\x01\x02]\x01\x00", re.S)
_LOTUS = re.compile(rb"\x00\x00(?:\x02\x00[\x04\x06]\x04|\x1a\x00[\x00\x02-\x05]\x10)", re.S)


def program_of(data: bytes) -> str:
    if data.startswith(b"<stata_dta>") or (_OLD_STATA.match(data) and len(data) > 109):
        return STATA
    if data.startswith(_SAS):
        return SAS
    if data.startswith((b"$FL2@(#)", b"$FL3@(#)")):
        return SPSS
    if data.startswith((b"HEADER RECORD*******LIBRARY HEADER RECORD", b"HEADER RECORD*******LIBV8   HEADER RECORD")):
        return TRANSPORT
    if b"ASCII SPSS PORT FILE" in data[:256]:
        return SPSS_PORTABLE
    if data.startswith((b"ITSF\x03\0\0\0", b"ITSF\x02\0\0\0")):
        return HELP
    if data.startswith(b"SIMPLE  =                    T"):
        return FITS
    return LOTUS if _LOTUS.match(data) else ""
