"""Which verified contents are in one container, so that the dashboard's intervals know that they belong together."""

from django.db import migrations, models
from django.db.models.deletion import CASCADE


class Migration(migrations.Migration):
    dependencies = [("review", "0010_stages")]

    operations = [
        migrations.CreateModel(
            "Member",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cell", models.PositiveIntegerField()),
                ("container", models.PositiveIntegerField()),
                ("files", models.PositiveIntegerField()),
                ("referral", models.ForeignKey(on_delete=CASCADE, related_name="+", to="review.referral")),
                ("scan", models.ForeignKey(on_delete=CASCADE, related_name="+", to="review.scan")),
            ],
        ),
    ]
