"""How Quebec writes dates; Django's own writes the hour in place of the letter h."""

SHORT_DATE_FORMAT = "Y-m-d"
SHORT_DATETIME_FORMAT = "Y-m-d H\u00a0\\h\u00a0i"
