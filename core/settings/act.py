"""The settings of actions on files: [act] and each [[policy]]."""

from dataclasses import dataclass

from core.settings.field import setting

CASE_ACTIONS = ("quarantine", "restrict", "replace", "delete", "label", "tell")  # those that need no further word
ACTIONS = ("quarantine", "restrict", "delete", "move", "replace", "tell", "label", "ignore")


@dataclass(frozen=True, slots=True)
class ActSettings:
    folder: str = setting(
        "", "folder of the journal and the vault (mode 0700); empty means `~/.local/share/leakscreen/act`"
    )
    key_file: str = setting(
        "",
        "file (mode 0600) with the key of the vault; empty means `~/.config/leakscreen/vault.key`, created on first"
        " use. Without it nothing in the vault can be read: keep a copy elsewhere",
    )
    contact: str = setting("the privacy office", "whom the note in place of a file, and mail to an owner, say to ask")
    tombstone_file: str = setting(
        "",
        "text (UTF-8) of the note in place of a quarantined file, with `{contact}`, `{reference}` and `{date}`;"
        " empty means leakscreen's own",
    )
    one_person: tuple[str, ...] = setting(
        (), "actions that need no second person, such as `quarantine`; all others are approved by somebody else"
    )
    from_cases: tuple[str, ...] = setting(
        ("quarantine", "restrict", "replace", "label", "tell"),
        "actions that can be proposed from a case in the review service; `delete` may be added",
    )
    owner_domain: str = setting(
        "", "domain of the owners' mail addresses, which are the owner's name, an @ and this; empty means none"
    )
    owner_fallback: str = setting("", "mail address for owners without an address of their own; empty means none")
    mail_paths: bool = setting(
        False, "whether mail to an owner names the file; never where its name itself was found to tell of somebody"
    )
    allow_file: str = setting("", "allow list that `ignore` writes to; empty means the first one of `rules.allow`")


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """One table [[policy]]: files that meet every condition in it are proposed for the action, and no more."""

    name: str = setting("", "name of the policy, shown with what it proposed")
    do: str = setting("quarantine", "the action that it proposes", choices=ACTIONS)
    verified: bool = setting(True, "only files that reviewers decided to hold health information")
    risk: tuple[str, ...] = setting((), "only files of these risks, such as `high`; empty means any")
    access: tuple[str, ...] = setting((), "only files that these may read, such as `everyone`; empty means any")
    older_than_days: int = setting(0, "only files that nobody wrote to for so many days", low=0)
    paths: tuple[str, ...] = setting((), "only files whose path matches one of these patterns; empty means any")
    to: str = setting("", "folder for `move`")
    days: int = setting(90, "days for which `ignore` holds", low=1)
