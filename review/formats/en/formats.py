"""English of no particular country -> dates in which nobody takes the month for the day."""

SHORT_DATE_FORMAT = "M j, Y"
SHORT_DATETIME_FORMAT = "M j, Y, H:i"
