"""What is shown of the health stage: class, threshold, neighbours, persons."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0002_on_record"),
    ]

    operations = [
        migrations.AddField(
            model_name="finding",
            name="health_class",
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name="finding",
            name="health_threshold",
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name="finding",
            name="neighbours",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="finding",
            name="persons",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
