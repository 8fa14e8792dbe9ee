"""How many different people a file concerns."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("review", "0010_stages")]

    operations = [migrations.AddField("finding", "people", models.PositiveIntegerField(null=True))]
