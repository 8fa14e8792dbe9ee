"""How a locale writes dates, where Django's own way can be misread."""
