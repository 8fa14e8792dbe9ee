"""The outbox holds posts as well as mails; what was told last stands beside it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0004_list_order"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="DigestMark",
            fields=[
                ("key", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("period", models.CharField(blank=True, max_length=40)),
                ("until", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="outbox",
            name="channel",
            field=models.CharField(default="mail", max_length=10),
        ),
        migrations.AddField(
            model_name="outbox",
            name="refused",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="outbox",
            name="recipient",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
    ]
