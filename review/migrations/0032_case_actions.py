import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0031_marking")]

    operations = [
        migrations.CreateModel(
            name="CaseAction",
            fields=[
                ("id", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("uri", models.TextField(blank=True)),
                ("kind", models.CharField(max_length=10)),
                ("state", models.CharField(max_length=12)),
                ("proposed_by", models.CharField(max_length=150)),
                ("approved_by", models.CharField(blank=True, max_length=150)),
                ("wish", models.CharField(blank=True, max_length=10)),
                ("wished_by", models.CharField(blank=True, max_length=150)),
                ("wished", models.DateTimeField()),
                ("steps", models.JSONField(default=list)),
                ("fault", models.TextField(blank=True)),
                ("note", models.TextField(blank=True)),
                ("changed", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="actions", to="review.case"
                    ),
                ),
            ],
            options={
                "ordering": ("wished", "pk"),
                "indexes": [
                    models.Index(
                        fields=("wish", "wished"), condition=models.Q(("wish", ""), _negated=True), name="action_wished"
                    )
                ],
            },
        ),
    ]
