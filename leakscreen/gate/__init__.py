"""The mail gateway: a mail on its way out -> a verdict by policy, with the models resident."""
