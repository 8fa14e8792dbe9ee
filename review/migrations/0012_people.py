"""How many different people a file concerns, and how many of them are in the organisation's own list."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0011_members")]

    operations = [
        migrations.AddField("finding", "people", models.PositiveIntegerField(null=True)),
        migrations.AddField("finding", "known", models.PositiveIntegerField(null=True)),
        migrations.AddField("scan", "people", models.JSONField(default=dict)),
    ]
