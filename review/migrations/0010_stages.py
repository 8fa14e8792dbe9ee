"""The stage of what a scan saw, and referrals that are judged blind."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0009_passages")]

    operations = [
        migrations.AddField("referral", "blind", models.BooleanField(default=False)),
        migrations.AddField("seen", "stage", models.CharField(blank=True, default="", max_length=20), False),
        migrations.RemoveIndex("seen", "seen_verdicts"),
        migrations.AddIndex(
            "seen",
            models.Index(
                fields=["scan", "verdict", "cell", "stage", "stratum", "probability", "files"], name="seen_verdicts"
            ),
        ),
    ]
