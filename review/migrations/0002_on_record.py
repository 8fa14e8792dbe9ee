"""Roles, the head of the audit log, and triggers that keep votes and the log as they were written."""

from typing import Any

from django.db import migrations

from review.accounts.roles import Role

_FROZEN = ("review_auditentry", "review_vote")
_START = "0" * 64
_REFUSE = """
CREATE OR REPLACE FUNCTION review_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$
"""


def fill(apps: Any, schema_editor: Any) -> None:
    group = apps.get_model("auth", "Group")
    for role in Role:
        group.objects.get_or_create(name=role.value)
    apps.get_model("review", "AuditHead").objects.get_or_create(pk=1, defaults={"number": 0, "hash": _START})


def freeze(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(_REFUSE, params=None)
        for table in _FROZEN:
            schema_editor.execute(
                f"CREATE TRIGGER {table}_frozen BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION review_refuse_change()"
            )
            schema_editor.execute(
                f"CREATE TRIGGER {table}_kept BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION review_refuse_change()"
            )
    else:
        for table in _FROZEN:
            refuse = f"SELECT RAISE(ABORT, '{table} is append-only')"
            for deed in ("UPDATE", "DELETE"):
                schema_editor.execute(
                    f"CREATE TRIGGER {table}_no_{deed.lower()} BEFORE {deed} ON {table} BEGIN {refuse}; END"
                )


def thaw(apps: Any, schema_editor: Any) -> None:
    for table in _FROZEN:
        if schema_editor.connection.vendor == "postgresql":
            for name in ("frozen", "kept"):
                schema_editor.execute(f"DROP TRIGGER {table}_{name} ON {table}")
        else:
            for deed in ("update", "delete"):
                schema_editor.execute(f"DROP TRIGGER {table}_no_{deed}")


class Migration(migrations.Migration):
    dependencies = [("review", "0001_initial"), ("auth", "0012_alter_user_first_name_max_length")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop), migrations.RunPython(freeze, thaw)]
