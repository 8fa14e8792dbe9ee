"""The settings of a scan: [scan], [limits], [ocr], [rules], [health] and [privacy]."""

from dataclasses import dataclass

from core.settings.field import setting


@dataclass(frozen=True, slots=True)
class ScanSettings:
    out: str = setting("leakscreen-results", "folder (or Beam filesystem URI) in which `scan=<id>/` is written")
    runner: str = setting("local", "`local`, `flink`, or the name of any Beam runner")
    workers: int = setting(0, "worker processes of the local runner; 0 means one per core", low=0, high=1024)
    include: tuple[str, ...] = setting((), "globs: scan only files whose path below the source matches one of them")
    exclude: tuple[str, ...] = setting((), "globs: skip (and count) files and folders that match one of them")
    sample: str = setting(
        "",
        "scan only a random sample: a share such as `1%`, or a number of files such as `5000`; empty scans all files",
    )
    sample_by: str = setting(
        "none",
        "`folder`: sample from every top folder of a source, even small ones, and weight the estimates by folder;"
        " `none`: every file has the same chance",
        choices=("none", "folder"),
    )
    seed: int = setting(20, "seed of the sample: the same seed draws the same files")
    access_lists: str = setting(
        "off",
        "`read`: also read the access control list of each local file (one to three system calls per file);"
        " `off`: the column `access` reflects the file mode only",
        choices=("off", "read"),
    )
    max_bytes_per_second: int = setting(
        0, "bytes that all workers together read per second, on average; 0 means no limit", low=0
    )
    max_files_per_second: float = setting(
        0.0, "files that all workers together open per second; 0 means no limit", low=0.0
    )
    hours: tuple[str, ...] = setting(
        (), "hours in which a scan may read, such as `20:00-06:00` (the machine's clock); it pauses outside them"
    )
    back_off: float = setting(
        4.0,
        "times as long as usual that a server may take to answer before requests to it are spaced out; 0 means never",
        low=0.0,
    )
    unit_files: int = setting(100, "maximum number of files in one work unit", low=1, high=100_000)
    unit_bytes: int = setting(64_000_000, "approximate number of bytes in one work unit", low=1)
    flink_master: str = setting("", "address of the job manager for `--runner flink`, such as `localhost:8081`")
    flink_jars: str = setting(
        ".flink-jars", "folder with Flink's job server, filled by `python -m deploy.flink.jars FOLDER`"
    )
    beam_options: tuple[str, ...] = setting(
        (), "options passed to Beam unchanged, such as `parallelism=4`", old_name="beam"
    )


@dataclass(frozen=True, slots=True)
class SourceSettings:
    credentials_file: str = setting(
        "",
        "file (mode 0600, TOML) with user names and passwords of servers; empty means"
        " `~/.config/leakscreen/credentials.toml`, if it exists; stored nowhere else",
    )
    connections: int = setting(8, "connections of one worker to one server at a time", low=1, high=64)
    access_lists: bool = setting(
        True, "whether the access control list of each file on an SMB server is read (one more request per file)"
    )
    sql_tls: str = setting(
        "verify",
        "`verify`: connections to databases of other machines are encrypted, and the server's certificate is checked;"
        " `as-offered`: encrypted only if the server wants it",
        choices=("verify", "as-offered"),
    )
    sql_rows: int = setting(
        0, "rows read from each table of a database, drawn at random with `sources.sql_seed`; 0 reads all rows", low=0
    )
    sql_seed: int = setting(20, "seed of that draw: the same seed draws the same rows of an unchanged table")


@dataclass(frozen=True, slots=True)
class LimitSettings:
    file_seconds: float = setting(
        120.0, "wall-clock seconds for one file, including its members", low=0.1, old_name="seconds"
    )
    screening_seconds: float = setting(
        300.0,
        "CPU seconds to screen and to judge one file, or one window of a long text; beyond them only its beginning"
        " counts, and the file is `partial`",
        low=0.1,
    )
    screening_bytes: int = setting(
        1_500_000_000,
        "bytes of memory by which a worker may grow while it screens and judges one file, or one window of a long text;"
        " beyond them only its beginning counts, and the file is `partial`",
        low=100_000_000,
    )
    read_bytes: int = setting(100_000_000, "bytes read from one file; a longer text is read in windows", low=1)
    window_bytes: int = setting(16_000_000, "bytes in one window of a long text", low=65_536)
    streamed_bytes: int = setting(
        10_000_000_000,
        "bytes read from one long text, all windows together, or from an archive or disk image named as a source",
        low=1,
    )
    expanded_bytes: int = setting(400_000_000, "bytes that one file may expand to, all members together", low=1)
    expansion_ratio: int = setting(
        50,
        "a file that expands beyond this many times its own size gets only `expansion_cpu_seconds` from then on",
        low=1,
    )
    expansion_cpu_seconds: float = setting(
        1.2, "CPU seconds for a file that expands beyond that ratio", low=0.1, old_name="expansion_seconds"
    )
    member_bytes: int = setting(64_000_000, "bytes in one member of a container", low=1)
    depth: int = setting(10, "levels of containers within containers", low=0, high=100)
    members: int = setting(10_000, "members of one file, at all levels together", low=0)
    memory_bytes: int = setting(2_000_000_000, "address space of a parser process", low=256_000_000)
    recycle_files: int = setting(1_000, "number of files after which a parser process is replaced", low=1)


@dataclass(frozen=True, slots=True)
class OcrSettings:
    enabled: str = setting(
        "auto",
        "`auto`: read pictures, and pages with pictures, that can hold letters, if tesseract and its language data are"
        " installed; `off`: never",
        choices=("auto", "off"),
    )
    language: str = setting(
        "auto",
        "language data for tesseract, such as `fra`; join several with `+`; `auto`: the first look is in English, then"
        " the data of the language that is recognised",
    )
    tessdata: str = setting("", "folder with the language data; empty means the packaged one, then the system's")
    seconds: float = setting(
        20.0, "seconds for one picture; all pictures of a file share 75 % of `limits.file_seconds`", low=0.1
    )
    min_pixels: int = setting(600, "pictures with fewer pixels are not read; below 600 none can hold letters", low=0)
    max_pixels: int = setting(179_000_000, "pictures with more pixels are not opened", low=1)
    faces: bool = setting(
        False, "whether pictures are searched for faces too (10 ms a picture); needs the extra `faces` (dlib)"
    )


@dataclass(frozen=True, slots=True)
class ExtractionSettings:
    passwords_file: str = setting(
        "",
        "file (mode 0600) with one password a line, tried on locked zip, 7z, PDF and Office files; stored nowhere",
    )


@dataclass(frozen=True, slots=True)
class RuleSettings:
    files: tuple[str, ...] = setting((), "additional rule files (TOML)")
    disable: tuple[str, ...] = setting((), "ids of detectors and rules to switch off")
    adopted_dir: str = setting(
        "",
        "folder of the prototypes adopted by `train prototypes`; empty means `~/.local/share/leakscreen/prototypes`",
        old_name="learned",
    )
    threshold: float = setting(
        0.0,
        "minimum score of a span: lower finds more, higher makes fewer mistakes; 0 means the one in the rule files",
        low=0.0,
        high=1.0,
    )
    allow: tuple[str, ...] = setting(
        (), "allow lists (TOML) of values (as keyed hashes) and paths; their hits are counted separately"
    )
    known_file: str = setting(
        "", "index of the organisation's own people, made by `leakscreen known build`; empty means none"
    )
    evidence_per_file: int = setting(
        50, "maximum number of pieces of evidence kept for one file", low=0, high=10_000, old_name="evidence"
    )


@dataclass(frozen=True, slots=True)
class HealthSettings:
    model: str = setting(
        "", "health model file; empty means the one adopted by `train health`, or else the one shipped with leakscreen"
    )
    adopted_dir: str = setting(
        "",
        "folder of the models adopted by `train health`; empty means `~/.local/share/leakscreen/health`",
        old_name="learned",
    )
    batch: int = setting(64, "number of documents classified together", low=1, high=10_000)


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    key_file: str = setting(
        "", "file (mode 0600) with the HMAC key; empty means `~/.config/leakscreen/hmac.key`, created on first use"
    )
    sandbox: str = setting(
        "require",
        "`require`: refuse to scan if the kernel offers no sandbox;"
        " `allow-none`: scan anyway, and say so in the manifest",
        choices=("require", "allow-none"),
    )
