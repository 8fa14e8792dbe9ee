"""Small indexes that hold all that counts are made of, so that counting looks at no row."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0007_provider"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(model_name="referral", name="referral_counts"),
        migrations.AddIndex(
            model_name="referral",
            index=models.Index(fields=["queue", "state", "risk", "kind"], name="referral_counted"),
        ),
        migrations.AddIndex(
            model_name="referral", index=models.Index(fields=["wants", "queue", "asked"], name="referral_waiting")
        ),
        migrations.AddIndex(
            model_name="vote",
            index=models.Index(fields=["reviewer", "at", "verdict", "seconds"], name="votes_by_reviewer"),
        ),
    ]
