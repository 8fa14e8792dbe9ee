"""The section [oidc] of the settings: whether people may come by an OpenID Connect provider, and in which roles."""

from dataclasses import dataclass

from core.settings.field import setting


@dataclass(frozen=True, slots=True)
class OidcSettings:
    issuer: str = setting(
        "", "address of the OpenID Connect provider, as it names itself; empty means that nobody comes that way"
    )
    client_id: str = setting("", "name under which the provider knows this service")
    secret_file: str = setting("", "file (mode 0600) with the client's secret; LEAKSCREEN_OIDC_SECRET beats it")
    label: str = setting("single sign-on", "what the log-in page calls the provider")
    scopes: tuple[str, ...] = setting(
        ("openid", "profile", "email"), "what the provider is asked for; `openid` must be among it"
    )
    name_claim: str = setting("preferred_username", "claim that holds the user name")
    roles_claim: str = setting(
        "groups", "claim that holds what roles are given by; `realm_access.roles` means the second within the first"
    )
    roles: tuple[str, ...] = setting(
        (),
        "which value of that claim gives which role, such as `reviewer=privacy-office`; without a role nobody enters",
    )
    hours: int = setting(12, "hours after which a person has to come from the provider again", low=1, high=720)
    passwords: str = setting(
        "yes", "whether people may still log in with a password of this service", choices=("yes", "no")
    )
    ca_file: str = setting(
        "", "PEM file of the authority that signed the provider's certificate; empty means the usual ones"
    )
    timeout: float = setting(10.0, "seconds to wait for each answer of the provider", low=0.1, high=120)
