"""The settings of the review service and of who may log in to it: [review] and [oidc]."""

from dataclasses import dataclass

from core.settings.field import setting


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    database: str = setting(
        "",
        "`sqlite:///path` or `postgresql://user@host/name`; empty means a SQLite file in `~/.local/share/leakscreen`."
        " Passwords do not belong here: use PGPASSWORD or `~/.pgpass`",
    )
    host: str = setting("127.0.0.1", "address on which the service listens")
    port: int = setting(8765, "port on which the service listens", low=0, high=65_535)
    threads: int = setting(8, "number of requests served at once", low=1, high=256)
    url: str = setting("", "public address of the service; with `https://`, cookies are Secure and HSTS is sent")
    proxy: str = setting(
        "",
        "address of the TLS proxy in front of the service, whose X-Forwarded headers are trusted; `*` trusts whoever"
        " can connect. With an `https://` address it is needed: the service itself speaks no TLS",
    )
    key_file: str = setting(
        "",
        "file (mode 0600) with the service's key; empty means `~/.config/leakscreen/review.key`, created on first use",
    )
    session_minutes: int = setting(60, "minutes without a request after which a session ends", low=1, high=10_080)
    login_failures: int = setting(5, "consecutive failed log-ins after which an account is locked", low=1, high=1_000)
    lockout_minutes: int = setting(15, "minutes for which a locked account stays locked", low=1, high=10_080)
    lease_minutes: int = setting(
        20, "minutes for which a referral is reserved for the reviewer who opened it", low=1, high=1_440
    )
    double_review: float = setting(
        1.0, "share of the referrals that a second reviewer judges independently", low=0.0, high=1.0
    )
    budget: int = setting(
        0,
        "maximum number of referrals that one queue takes from one scan; if there are more, a stratified sample is"
        " drawn; 0 means no limit",
        low=0,
    )
    seed: int = setting(20, "seed of these samples and of the choice of referrals for a second review")
    queues: tuple[str, ...] = setting(
        (),
        "routing, first match wins: `QUEUE=source:GLOB`, `QUEUE=folder:GLOB` or `QUEUE=owner:GLOB`;"
        " everything else goes to `general`",
    )
    sources: tuple[str, ...] = setting(
        (), "what managers may scan from the browser, beside the sources of the schedules"
    )
    overdue_days: int = setting(7, "days after which a waiting referral is overdue", low=1, high=3_650)
    case_days: int = setting(
        14, "days after a decision of PHI within which its case is due; 0 means no due day", low=0, high=3_650
    )
    show_passage: bool = setting(
        True,
        "whether the page of a referral reads the file again and shows the passage with what surrounds it, masked",
    )
    reveal_characters: int = setting(
        200_000, "maximum number of characters of a text that a reveal shows", low=1_000, high=10_000_000
    )
    api_requests: int = setting(300, "maximum number of API requests a minute of one token", low=1, high=1_000_000)
    audit_anchor: str = setting(
        "",
        "another file that records the heads of the audit log, best on a machine of somebody else;"
        " one next to the database always does",
    )


@dataclass(frozen=True, slots=True)
class OidcSettings:
    issuer: str = setting("", "issuer URL of the OpenID Connect provider; empty disables single sign-on")
    client_id: str = setting("", "client id of this service at the provider")
    secret_file: str = setting("", "file (mode 0600) with the client's secret; LEAKSCREEN_OIDC_SECRET takes precedence")
    label: str = setting("single sign-on", "name of the provider on the log-in page")
    scopes: tuple[str, ...] = setting(
        ("openid", "profile", "email"), "scopes requested from the provider; `openid` must be one of them"
    )
    name_claim: str = setting("preferred_username", "claim that holds the user name")
    roles_claim: str = setting(
        "groups", "claim that decides a user's roles; `realm_access.roles` means `roles` inside `realm_access`"
    )
    roles: tuple[str, ...] = setting(
        (), "which value of that claim grants which role, such as `reviewer=privacy-office`; no role, no access"
    )
    hours: int = setting(12, "hours after which a user must log in at the provider again", low=1, high=720)
    passwords: bool = setting(True, "whether users may also log in with a password of this service")
    ca_file: str = setting(
        "", "PEM file of the authority that signed the provider's certificate; empty means the system's authorities"
    )
    timeout: float = setting(10.0, "seconds to wait for each response of the provider", low=0.1, high=120)
