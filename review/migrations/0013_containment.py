"""What of the findings of all scans of a folder is open, contained and closed, as of each scan."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0012_people")]

    operations = [migrations.AddField("scan", "containment", models.JSONField(default=dict))]
