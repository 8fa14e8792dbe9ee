"""Who may read a referred file."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0013_containment")]

    operations = [
        migrations.AddField("finding", "access", models.CharField(blank=True, default="", max_length=500)),
    ]
