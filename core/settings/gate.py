"""The settings of the mail gateway: [gate]."""

from dataclasses import dataclass

from core.settings.field import setting


@dataclass(frozen=True, slots=True)
class GateSettings:
    listen: str = setting(
        "127.0.0.1:8891", "where the mail server reaches the gate: `HOST:PORT`, or the path of a Unix socket"
    )
    socket: str = setting(
        "", "socket (mode 0600) of `leakscreen check`; empty means `~/.local/share/leakscreen/check.sock`"
    )
    policies: tuple[str, ...] = setting((), "policy files (TOML); empty means the shipped policies")
    own_domains: tuple[str, ...] = setting(
        (), "mail domains of the organisation, with their subdomains; recipients elsewhere are outside"
    )
    seconds: float = setting(20.0, "wall-clock seconds for one mail, including the wait for a free worker", low=0.5)
    max_bytes: int = setting(50_000_000, "mails with more bytes are not examined", low=1)
    on_failure: str = setting(
        "try-later",
        "what happens to a mail that cannot be judged: `try-later` (the sender's server tries again), `hold`, or"
        " `pass`",
        choices=("try-later", "hold", "pass"),
    )
    workers: int = setting(0, "mails judged at once; 0 means one per core", low=0, high=1024)
    out: str = setting("leakscreen-gate", "folder in which the results of each day are written as a scan")
    flush_seconds: float = setting(
        30.0, "seconds after which records of mails that passed are written; those of held mails are at once", low=0.1
    )
    refer_minutes: float = setting(
        5.0, "minutes after which held mails are referred to the review service; 0 means never", low=0.0
    )
    queue_directory: str = setting("/var/spool/postfix", "queue directory of Postfix, where held mails are")
    postfix_config: str = setting("", "configuration folder of Postfix; empty means its default")
    on_phi: str = setting(
        "keep",
        "what `gate release` does with a held mail that reviewers found to hold PHI: `keep` it on hold, `return` it to"
        " its sender, or `delete` it",
        choices=("keep", "return", "delete"),
    )
