"""Files that are alike, and which votes and decisions were made for a group of them.

The column of the votes may be null: adding it so rebuilds no table, and their triggers stay.
"""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0017_saved_views"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField("finding", "likeness", models.BinaryField(null=True)),
        migrations.AddField("referral", "group", models.CharField(max_length=32, null=True)),
        migrations.AddField("referral", "by_group", models.BooleanField(default=False)),
        migrations.AddField("vote", "group", models.CharField(max_length=32, null=True)),
        migrations.AddIndex(
            "referral",
            models.Index(condition=models.Q(group__isnull=False), fields=["group"], name="referral_group"),
        ),
    ]
