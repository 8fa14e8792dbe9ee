"""First bytes -> media type: the table of unambiguous signatures."""

from extraction.media_types import (
    EWF,
    EXCEL,
    GZIP,
    OLE,
    PDF,
    POSTFIX_QUEUE,
    QCOW,
    SQLITE_JOURNAL,
    SQLITE_LOG,
    VHD,
    VMDK,
    ZIP,
)

SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP),
    (b"PK00PK\x03\x04", ZIP),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (b"%PDF-", PDF),
    (b"\x1f\x8b\x08", GZIP),
    (b"{\\rtf", "text/rtf"),
    (b"\x09\x00\x04\x00", EXCEL),
    (b"\x09\x02\x06\x00", EXCEL),
    (b"\x09\x04\x06\x00", EXCEL),
    (b"\x09\x08\x10\x00", EXCEL),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    *(
        (b"BZh%d%s" % (level, mark), "application/x-bzip2")
        for level in range(1, 10)
        for mark in (b"1AY&SY", b"\x17rE8P\x90")
    ),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"\x1f\x9d", "application/x-compress"),
    (b"LZIP\x01", "application/x-lzip"),
    (b"\x04\x22\x4d\x18", "application/x-lz4"),
    (b"MSCF\x00\x00\x00\x00", "application/vnd.ms-cab-compressed"),
    (b"xar!\x00", "application/x-xar"),
    (b"!<arch>\n", "application/x-archive"),
    (b"WARC/1.", "application/warc"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"ARROW1\x00\x00", "application/vnd.apache.arrow.file"),
    (b"FEA1\x00\x00", "application/x-feather"),
    (b"Obj\x01", "application/vnd.apache.avro"),
    (b"!BDN", "application/vnd.ms-outlook-pst"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x01\xda\x00\x01", "image/x-sgi"),
    (b"\x01\xda\x01\x01", "image/x-sgi"),
    (b"\x59\xa6\x6a\x95", "image/x-cmu-raster"),
    (b"ID3\x02", "audio/mpeg"),
    (b"ID3\x03", "audio/mpeg"),
    (b"ID3\x04", "audio/mpeg"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"\x37\x7f\x06\x82", SQLITE_LOG),
    (b"\x37\x7f\x06\x83", SQLITE_LOG),
    (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", SQLITE_JOURNAL),
    (b"bplist00", "application/x-bplist"),
    (b"ORC", "application/vnd.apache.orc"),
    (b"\xff\x06\x00\x00sNaPpY", "application/x-snappy-framed"),
    (b"\x7fELF", "application/x-executable"),
    (b"%!PS", "application/postscript"),
    (b"\x78\x9f\x3e\x22", "application/vnd.ms-tnef"),
    (b"EVF\x09\x0d\x0a\xff\x00", EWF),
    (b"QFI\xfb", QCOW),
    (b"KDMV\x01\x00\x00\x00", VMDK),
    (b"KDMV\x03\x00\x00\x00", VMDK),
    (b"vhdxfile", VHD),
    (b"conectix", VHD),
    (b"C_     ", POSTFIX_QUEUE),  # its first record holds sizes, each in 15 characters
)

# By first byte, so that most plain text needs one look-up and no comparison.
BY_FIRST_BYTE: dict[int, tuple[tuple[bytes, str], ...]] = {
    first: tuple(entry for entry in SIGNATURES if entry[0][0] == first)
    for first in {entry[0][0] for entry in SIGNATURES}
}
