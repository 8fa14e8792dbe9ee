"""The passage that decided, and the role of the person in it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0008_counting")]

    operations = [
        migrations.AddField("finding", "strongest", models.CharField(blank=True, default="", max_length=100), False),
        migrations.AddField("finding", "health_role", models.CharField(blank=True, default="", max_length=20), False),
        migrations.AddField("finding", "passages", models.JSONField(default=dict)),
    ]
