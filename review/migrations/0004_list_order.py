"""An index for each list in its order."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0003_neighbours"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="referral",
            name="referral_list",
        ),
        migrations.RemoveIndex(
            model_name="referral",
            name="referral_age",
        ),
        migrations.AddIndex(
            model_name="referral",
            index=models.Index(fields=["state", "rank", "id"], name="referral_in_state"),
        ),
    ]
